"""Why it failed: the known mistake that answers alike, and the smallest input that shows it."""
