"""The stand-in for a submission: a module whose functions are calls into the sandbox."""
