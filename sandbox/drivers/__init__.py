"""One module a driver, found by its name: `open() -> Sandbox` and `available() -> None or SandboxUnavailable`."""
