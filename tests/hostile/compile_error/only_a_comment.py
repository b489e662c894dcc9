# Nothing but a comment: the name is missing. Seen: common learner slip.
