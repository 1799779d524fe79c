"""Pure numbers: agreement, human ceiling, intervals, thresholds, corrections, comparison.

Nothing here reads a file, a clock, a database or a setting. Arrays come in, frozen results go out.
"""
