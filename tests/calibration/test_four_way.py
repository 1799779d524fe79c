from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from calibration.agreement import confusion, kappa_from_table
from calibration.four_way import choose_four_way, four_way_verdicts

LEVELS = [0.0, 0.2, 0.5, 0.8, 1.0]
ROWS = st.lists(
    st.tuples(st.integers(-1, 3), st.sampled_from([*LEVELS, float("nan")]), st.sampled_from(LEVELS)),
    min_size=1,
    max_size=25,
)


@given(ROWS)
@settings(max_examples=40, deadline=None)
def test_no_combination_of_thresholds_does_better(rows: list[tuple[int, float, float]]) -> None:
    gold, supports, opposes = map(np.array, zip(*rows, strict=True))
    made = choose_four_way(gold, supports, opposes)
    best = None
    for stated, contradicted, partial in product(LEVELS, LEVELS, LEVELS):
        said = four_way_verdicts(
            supports, opposes, stated_from=stated, contradicted_from=contradicted, partial_from=min(partial, stated)
        )
        value = kappa_from_table(confusion(gold, said).counts).value
        best = value if best is None or (value is not None and value > best) else best
    if made.kappa is None:
        assert made.reason in ("no claim has both gold and a score", "one class only")
        return
    assert best is not None
    assert made.kappa >= best - 1e-9
    assert made.entailment is not None
    assert made.contradiction is not None
    assert made.partial is not None
    said = four_way_verdicts(
        supports,
        opposes,
        stated_from=made.entailment,
        contradicted_from=made.contradiction,
        partial_from=made.partial,
    )
    assert kappa_from_table(confusion(gold, said).counts).value == pytest.approx(made.kappa)


def test_four_kinds_of_claims_that_the_model_tells_apart_are_told_apart() -> None:
    random = np.random.default_rng(1)
    gold = random.integers(0, 4, 2_000)
    supports = np.clip(np.array([0.9, 0.5, 0.1, 0.1])[gold] + random.normal(0, 0.08, 2_000), 0, 1)
    opposes = np.clip(np.array([0.05, 0.1, 0.1, 0.8])[gold] + random.normal(0, 0.08, 2_000), 0, 1)
    made = choose_four_way(gold, supports, opposes)
    assert made.kappa is not None
    assert made.kappa > 0.95
    for value, between in ((made.entailment, (0.6, 0.8)), (made.partial, (0.2, 0.4)), (made.contradiction, (0.3, 0.7))):
        assert value is not None
        assert between[0] < value < between[1]
    said = four_way_verdicts(
        supports,
        opposes,
        stated_from=made.entailment or 0,
        contradicted_from=made.contradiction or 0,
        partial_from=made.partial or 0,
    )
    assert made.kappa == pytest.approx(cohen_kappa_score(gold, said))


def test_where_nothing_is_partial_or_contradicted_the_simpler_thresholds_win() -> None:
    made = choose_four_way([0, 0, 2, 2], [0.9, 0.8, 0.3, 0.1], [0.0, 0.1, 0.6, 0.2])
    assert made.kappa == 1.0
    assert (made.entailment, made.partial, made.contradiction) == (0.8, 0.8, 1.0)


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        (([], [], []), "no claim has"),
        (([0, 2], [float("nan")] * 2, [0.1, 0.2]), "no claim has"),
        (([0], [1.0], [0.0]), "one class"),
    ],
)
def test_without_data_there_is_a_reason_and_no_threshold(rows: Any, reason: str) -> None:
    made = choose_four_way(*rows)
    assert (made.entailment, made.kappa) == (None, None)
    assert made.reason.startswith(reason)


def test_a_probability_that_is_missing_gives_no_verdict_and_agrees_with_nothing() -> None:
    said = four_way_verdicts(
        [0.9, float("nan")], [float("nan"), 0.9], stated_from=0.5, contradicted_from=0.5, partial_from=0.3
    )
    assert said.tolist() == [4, 4]
    made = choose_four_way([0, 2, 2], [0.9, 0.1, float("nan")], [0.1, 0.1, 0.1])
    assert made.n == 3
    assert made.kappa is not None
    assert made.kappa < 1.0


def test_what_is_no_probability_is_named() -> None:
    with pytest.raises(ValueError, match="contradiction: expected probabilities"):
        choose_four_way([0], [0.5], [1.5])
    with pytest.raises(ValueError, match="partial_from"):
        four_way_verdicts([0.5], [0.5], stated_from=0.5, contradicted_from=0.5, partial_from=2.0)
