"""The pages for people, one module each. Each module's `blueprint` is found by `web.create_app`."""
