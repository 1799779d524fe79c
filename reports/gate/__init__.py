"""The gate of a release: rules over figures, what came of them, and the files that a pipeline reads."""
