"""Measurements; each prints a table whose ratios are taken in the same run."""
