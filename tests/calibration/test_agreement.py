from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import cohens_kappa

from calibration import agreement
from calibration.agreement import (
    cohen_kappa,
    confusion,
    gwet_ac1,
    kappa_from_table,
    kappa_max,
    kappa_standard_error,
    pabak,
    raw_agreement,
    scott_pi,
)
from calibration.results import Figure
from calibration.verdicts import VERDICTS

CODES = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=60)


@pytest.mark.parametrize("pairs", [([], []), ([-1, 0], [1, -1])])
def test_no_pairs_has_no_kappa_and_says_why(pairs: tuple[list[int], list[int]]) -> None:
    assert cohen_kappa(*pairs, categories=2) == Figure(None, None, None, n=0, reason="no pairs")


@given(CODES)
def test_kappa_equals_scikit_learn_or_both_are_undefined(pairs: list[tuple[int, int]]) -> None:
    first, second = zip(*pairs, strict=True)
    figure = cohen_kappa(first, second)
    if figure.value is None:
        assert set(first) == set(second)
        assert len(set(first)) == 1
        return
    assert figure.value == pytest.approx(cohen_kappa_score(first, second), abs=1e-12)


@given(CODES, st.sampled_from(["linear", "quadratic"]))
def test_weighted_kappa_equals_scikit_learn(pairs: list[tuple[int, int]], weights: Any) -> None:
    first, second = zip(*pairs, strict=True)
    figure = cohen_kappa(first, second, weights=weights)
    if figure.value is not None:
        expected = cohen_kappa_score(first, second, labels=[0, 1, 2, 3], weights=weights)
        assert figure.value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("weights", ["nominal", "linear"])
def test_standard_errors_equal_statsmodels(weights: Any) -> None:
    table = [[12, 4, 1], [3, 20, 6], [0, 5, 9]]
    kind = None if weights == "nominal" else np.abs(np.subtract.outer(np.arange(3), np.arange(3)))
    expected = cohens_kappa(table, weights=kind)
    assert kappa_standard_error(table, weights=weights).value == pytest.approx(expected.std_kappa)
    assert kappa_standard_error(table, weights=weights, null=True).value == pytest.approx(expected.std_kappa0)


@given(CODES, st.permutations(range(4)))
def test_renaming_the_classes_changes_nothing(pairs: list[tuple[int, int]], names: list[int]) -> None:
    first, second = zip(*pairs, strict=True)
    renamed = cohen_kappa([names[code] for code in first], [names[code] for code in second])
    assert_same(renamed, cohen_kappa(first, second))


@given(CODES)
def test_swapping_the_raters_changes_nothing(pairs: list[tuple[int, int]]) -> None:
    first, second = zip(*pairs, strict=True)
    assert_same(cohen_kappa(first, second), cohen_kappa(second, first))


@given(CODES, st.randoms(use_true_random=False))
def test_the_order_of_rows_changes_nothing(pairs: list[tuple[int, int]], random: Any) -> None:
    shuffled = list(pairs)
    random.shuffle(shuffled)
    one, two = (cohen_kappa(*zip(*rows, strict=True)) for rows in (pairs, shuffled))
    assert one == two


@given(CODES)
def test_an_empty_class_changes_no_kappa(pairs: list[tuple[int, int]]) -> None:
    first, second = zip(*pairs, strict=True)
    assert_same(cohen_kappa(first, second, categories=9), cohen_kappa(first, second))


@given(CODES)
def test_figures_stay_in_their_range(pairs: list[tuple[int, int]]) -> None:
    table = agreement.table_of_pairs(*zip(*pairs, strict=True), categories=4)
    for function in (kappa_from_table, scott_pi, pabak, gwet_ac1):
        value = function(table).value
        assert value is None or -1.0 - 1e-12 <= value <= 1.0 + 1e-12
    kappa, largest = kappa_from_table(table).value, kappa_max(table).value
    assert kappa is None or largest is None or kappa <= largest + 1e-12


def test_perfect_agreement_is_one_without_error() -> None:
    table = [[4, 0], [0, 6]]
    assert kappa_from_table(table).value == 1.0
    assert kappa_standard_error(table).value == 0.0


def test_raw_agreement_counts_no_judgement_as_disagreement() -> None:
    counts = confusion([0, 0, 2, 2], [0, 4, 2, 4]).counts
    assert raw_agreement(counts).value == 0.5


def test_confusion_keeps_the_order_of_verdicts_and_empty_classes() -> None:
    made = confusion([0, 3, 3, -1, 2], [0, 1, 4, 0, -1])
    assert made.counts.tolist() == [[1, 0, 0, 0, 0], [0] * 5, [0] * 5, [0, 1, 0, 0, 1]]
    assert (made.n, made.n_judged) == (3, 2)
    written = made.to_json()
    assert written["rows"] == list(VERDICTS)
    assert written["columns"] == [*VERDICTS, "no judgement"]


@pytest.mark.parametrize(
    ("table", "said"),
    [([[1]], "at least two classes"), ([[1, 2], [3, -1]], "not negative"), ([[1, 2]], "two classes")],
)
def test_a_table_that_is_none_is_refused(table: list[list[int]], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        kappa_from_table(table)


@pytest.mark.parametrize("weights", ["cubic", [[0, 1], [1, 1]], [[0, 1]], [[0, -1], [1, 0]]])
def test_weights_that_are_none_are_refused(weights: Any) -> None:
    with pytest.raises(ValueError, match="weights"):
        kappa_from_table([[1, 2], [3, 4]], weights=weights)


def test_a_code_out_of_range_is_named() -> None:
    with pytest.raises(ValueError, match="second: expected codes from -1 to 1, found 7"):
        cohen_kappa([0, 1], [0, 7], categories=2)


def test_arrays_of_different_length_are_named() -> None:
    with pytest.raises(ValueError, match="first has 2, second has 1"):
        cohen_kappa([0, 1], [0], categories=2)


def assert_same(one: Figure, two: Figure) -> None:
    assert (one.value is None) == (two.value is None)
    if one.value is not None:
        assert one.value == pytest.approx(two.value, abs=1e-12)
    assert (one.n, one.reason) == (two.n, two.reason)
