"""Claims gathered into answers: one row an answer, for every figure and threshold that takes rows of claims."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calibration.arrays import ArrayLike, FloatArray, IntArray, codes, floats, same_length
from calibration.results import Result
from calibration.verdicts import ABSENT, MISSING, NO_JUDGEMENT, STATED, VERDICTS, unsupported


@dataclass(frozen=True, slots=True, eq=False)
class AnswerRows(Result):
    """Answers as if each were one claim: *stated* where all its claims are, else *absent*.

    Attributes
    ----------
    answer : int array of shape (answers,)
        Ascending.
    gold : int array of shape (answers,)
        `STATED` or `ABSENT`.
    score : float array of shape (answers,)
        The lowest score of its claims, so that a threshold flags an answer exactly where it flags one of them; NaN
        where a claim has none or no verdict, since what it would have been flagged for is not known.
    claims : int array of shape (answers,)
        How many claims with gold and in the run stand behind the row.
    """

    answer: IntArray
    gold: IntArray
    score: FloatArray
    claims: IntArray


def gather_answers(
    answer: ArrayLike,
    gold: ArrayLike,
    verdict: ArrayLike,
    score: ArrayLike,
    *,
    partial_is_unsupported: bool = True,
) -> AnswerRows:
    """Gather claims that have gold and are in the run into their answers.

    Parameters
    ----------
    answer : array_like of int, shape (n,)
        The answer of each claim.
    gold : array_like of int, shape (n,)
        Codes 0 to 3, -1 for none.
    verdict : array_like of int, shape (n,)
        Codes 0 to 3, 4 for an outcome without a verdict, -1 for a claim outside the run.
    score : array_like of float, shape (n,)
        Support, NaN for none.
    partial_is_unsupported : bool
        The project's rule for `partial`.

    Examples
    --------
    >>> rows = gather_answers([7, 7, 9], [0, 2, 0], [0, 0, 4], [0.9, 0.6, 0.8])
    >>> rows.gold.tolist(), rows.score.tolist(), rows.claims.tolist()
    ([2, 0], [0.6, nan], [2, 1])
    """
    clusters = codes(answer, name="answer", low=-(2**62), high=2**62)
    reference = codes(gold, name="gold", low=MISSING, high=len(VERDICTS) - 1)
    said = codes(verdict, name="verdict", low=MISSING, high=NO_JUDGEMENT)
    support = floats(score, name="score")
    same_length(answer=clusters, gold=reference, verdict=said, score=support)
    kept = (reference >= 0) & (said >= 0)
    found, position = np.unique(clusters[kept], return_inverse=True)
    reference, said, support = reference[kept], said[kept], support[kept]
    bad = unsupported(reference, partial_is_unsupported)
    known = ~np.isnan(support) & (said != NO_JUDGEMENT)
    lowest = np.full(len(found), np.inf)
    np.minimum.at(lowest, position, np.where(known, support, -np.inf))
    return AnswerRows(
        answer=found.astype(np.int64),
        gold=np.where(np.bincount(position[bad], minlength=len(found)) > 0, ABSENT, STATED).astype(np.int64),
        score=np.where(np.isinf(lowest), np.nan, lowest),
        claims=np.bincount(position, minlength=len(found)).astype(np.int64),
    )
