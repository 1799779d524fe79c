"""Native lines out of a project, in the order in which they refer to each other."""
