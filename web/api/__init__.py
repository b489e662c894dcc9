"""The HTTP API, one module a resource. Each module's `blueprint` is found by `web.create_app`."""
