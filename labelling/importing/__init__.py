"""Bringing files in: readers, column mapping, and one handler for each type of line."""
