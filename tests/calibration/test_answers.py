from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from calibration.answers import gather_answers
from calibration.thresholds import verdicts_at
from calibration.unsupported import unsupported_score

CLAIM = st.tuples(st.integers(0, 4), st.integers(-1, 3), st.integers(-1, 4), st.sampled_from([0.0, 0.3, 0.5, 0.8, 1.0]))


def test_an_answer_is_unsupported_where_one_of_its_claims_is_and_has_its_lowest_score() -> None:
    rows = gather_answers([3, 1, 3, 1], [0, 0, 1, 0], [0, 0, 0, 2], [0.9, 0.8, 0.4, 0.6])
    assert rows.answer.tolist() == [1, 3]
    assert rows.gold.tolist() == [0, 2]
    assert rows.score.tolist() == [0.6, 0.4]
    assert gather_answers([3, 3], [0, 1], [0, 0], [0.9, 0.4], partial_is_unsupported=False).gold.tolist() == [0]


def test_a_claim_without_gold_or_outside_the_run_takes_no_part() -> None:
    rows = gather_answers([1, 1, 1, 2], [0, -1, 2, -1], [0, 0, -1, 0], [0.9, 0.1, 0.1, 0.1])
    assert (rows.answer.tolist(), rows.gold.tolist(), rows.score.tolist()) == ([1], [0], [0.9])
    assert rows.claims.tolist() == [1]


def test_a_claim_without_verdict_or_score_leaves_its_answer_without_a_score() -> None:
    rows = gather_answers([1, 1, 2, 2], [0, 0, 0, 0], [0, 4, 0, 0], [0.9, 0.8, np.nan, 0.2])
    assert np.isnan(rows.score).all()


def test_no_claims_are_no_answers() -> None:
    assert len(gather_answers([], [], [], []).answer) == 0


@given(st.lists(CLAIM, max_size=30), st.sampled_from([0.0, 0.4, 0.5, 1.0]), st.booleans())
def test_a_threshold_finds_the_answers_that_it_finds_by_their_claims(
    claims: list[tuple[int, int, int, float]], threshold: float, partial: bool
) -> None:
    table = np.array(claims, dtype=np.float64).reshape(-1, 4)
    answer, gold, verdict = table[:, :3].astype(np.int64).T
    score = table[:, 3]
    said = verdicts_at(score, threshold, verdict=verdict, partial_is_unsupported=partial)
    rows = gather_answers(answer, gold, verdict, score, partial_is_unsupported=partial)
    whole = rows.answer[~np.isnan(rows.score)]
    kept = np.isin(answer, whole)
    by_claims = unsupported_score(
        answer[kept], gold[kept], said[kept], unit="answers", partial_is_unsupported=partial, resamples=2
    )
    at = verdicts_at(rows.score, threshold)[np.isin(rows.answer, whole)]
    by_answers = unsupported_score(whole, rows.gold[np.isin(rows.answer, whole)], at, resamples=2)
    assert by_answers.counts == by_claims.counts
