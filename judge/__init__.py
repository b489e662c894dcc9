"""Grading of PyTorch exercises: problems, checks, verdicts, records, command line."""

__version__ = "0.1.0"
