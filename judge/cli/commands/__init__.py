"""One module a command; its `command` is what `judge NAME` runs."""
