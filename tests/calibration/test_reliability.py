from __future__ import annotations

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import fleiss_kappa as fleiss_of_statsmodels

from calibration.agreement import gwet_ac1, table_of_pairs
from calibration.reliability import (
    Level,
    coincidences,
    fleiss_kappa,
    gwet_ac1_of_raters,
    krippendorff_alpha,
    label_counts,
)

LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval", "ratio")
MATRIX = st.integers(2, 4).flatmap(
    lambda people: st.lists(st.lists(st.integers(-1, 3), min_size=people, max_size=people), min_size=2, max_size=25)
)


@given(MATRIX, st.sampled_from(LEVELS[:3]))
def test_alpha_equals_the_krippendorff_package(rows: list[list[int]], level: Level) -> None:
    labels = np.array(rows).T
    figure = krippendorff_alpha(labels, level=level)
    if figure.value is None:
        return
    missing = np.where(labels < 0, np.nan, labels.astype(float))
    expected = krippendorff.alpha(missing, level_of_measurement=level, value_domain=[0, 1, 2, 3])
    assert figure.value == pytest.approx(expected, abs=1e-9)


@given(st.lists(st.lists(st.integers(0, 3), min_size=3, max_size=3), min_size=2, max_size=25))
def test_fleiss_kappa_equals_statsmodels(rows: list[list[int]]) -> None:
    counts = label_counts(np.array(rows).T, categories=4)
    figure = fleiss_kappa(counts)
    if figure.value is not None:
        assert figure.value == pytest.approx(fleiss_of_statsmodels(counts), abs=1e-12)


@given(MATRIX, st.permutations(range(4)))
def test_renaming_classes_and_reordering_people_changes_no_nominal_alpha(
    rows: list[list[int]], names: list[int]
) -> None:
    labels = np.array(rows).T
    renamed = np.where(labels < 0, -1, np.array(names)[labels])[::-1]
    one, two = krippendorff_alpha(labels), krippendorff_alpha(renamed)
    assert (one.n, one.reason) == (two.n, two.reason)
    assert one.value == pytest.approx(two.value, abs=1e-12)


@given(MATRIX)
def test_an_empty_class_changes_no_alpha(rows: list[list[int]]) -> None:
    labels = np.array(rows).T
    one, two = krippendorff_alpha(labels), krippendorff_alpha(labels, categories=7)
    assert one.value == pytest.approx(two.value, abs=1e-12)


def test_no_shared_items_is_no_data_and_not_perfect() -> None:
    assert krippendorff_alpha([[0, -1], [-1, 0]]).reason == "no pairs"
    assert gwet_ac1_of_raters([[0, -1], [-1, 0]]).reason == "no pairs"


def test_one_class_only_has_no_alpha_and_no_fleiss_kappa() -> None:
    assert krippendorff_alpha([[2, 2], [2, 2]]).reason == "one class only"
    assert fleiss_kappa([[3, 0], [3, 0]]).reason == "one class only"


def test_fleiss_refuses_items_with_different_numbers_of_labels() -> None:
    with pytest.raises(ValueError, match="from 2 to 3 labels"):
        fleiss_kappa([[3, 0], [1, 1]])


def test_fleiss_of_single_labels_is_no_data() -> None:
    assert fleiss_kappa([[1, 0], [0, 1]]).reason == "no pairs"
    assert fleiss_kappa(np.zeros((0, 3), dtype=int)).reason == "no pairs"


def test_ac1_of_two_raters_without_gaps_is_that_of_their_table() -> None:
    first, second = [0, 1, 2, 3, 0, 0], [0, 1, 2, 0, 0, 3]
    expected = gwet_ac1(table_of_pairs(first, second, categories=4)).value
    assert gwet_ac1_of_raters([first, second]).value == pytest.approx(expected)


def test_coincidences_leave_out_items_with_one_label() -> None:
    counts = label_counts([[0, 1, -1], [0, -1, -1], [1, -1, -1]], categories=2)
    assert coincidences(counts).tolist() == [[1.0, 1.0], [1.0, 0.0]]


def test_a_ratio_scale_has_no_negative_values() -> None:
    with pytest.raises(ValueError, match="negative"):
        krippendorff_alpha([[0, 1], [0, 1]], categories=2, level="ratio", values=[-1, 1])
