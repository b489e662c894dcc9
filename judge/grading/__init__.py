"""A submission and its problem to a report."""
