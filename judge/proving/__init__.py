"""`judge verify`: what a problem folder owes, over all cores, with its mutants."""
