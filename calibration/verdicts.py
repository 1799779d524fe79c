"""The four verdicts as numbers, and which of them are unsupported."""

from __future__ import annotations

import numpy as np

from calibration.arrays import ArrayLike, BoolArray, codes

VERDICTS = ("stated", "partial", "absent", "contradicted")
STATED, PARTIAL, ABSENT, CONTRADICTED = range(4)
NO_JUDGEMENT = 4
"""Column of a judge's outcome that holds no verdict (refused, failed, no opinion…)."""
MISSING = -1
"""Not labelled, no gold, or not part of the run."""
COLUMNS = (*VERDICTS, "no judgement")

OUTCOMES = ("judged", "no-opinion", "refused", "unparseable", "truncated", "timed-out", "failed")


def unsupported_classes(partial_is_unsupported: bool = True) -> BoolArray:
    """Return, for each of the four verdicts, whether it counts as unsupported.

    Examples
    --------
    >>> unsupported_classes(partial_is_unsupported=False).tolist()
    [False, False, True, True]
    """
    return np.array([False, partial_is_unsupported, True, True])


def unsupported(verdict_codes: ArrayLike, partial_is_unsupported: bool = True) -> BoolArray:
    """Return where a verdict is unsupported.

    Parameters
    ----------
    verdict_codes : array_like of int
        Codes 0 to 3; `NO_JUDGEMENT` and `MISSING` are never unsupported, since they are no verdict.
    partial_is_unsupported : bool
        The project's rule for `partial`.

    Examples
    --------
    >>> unsupported([0, 1, 2, 3, 4, -1]).tolist()
    [False, True, True, True, False, False]
    """
    array = np.asarray(verdict_codes)
    checked = codes(array, name="verdicts", low=MISSING, high=NO_JUDGEMENT, ndim=array.ndim)
    lookup = np.concatenate([unsupported_classes(partial_is_unsupported), [False, False]])
    # The last entry serves both -1, which indexes from the end, and nothing else.
    return np.asarray(lookup[checked], dtype=np.bool_)
