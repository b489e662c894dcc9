"""Grading of PyTorch exercises: problems, checks, verdicts, records, command line."""

__version__ = "0.2.0"
