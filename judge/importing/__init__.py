"""`judge import`: a folder of another layout to a draft of ours."""
