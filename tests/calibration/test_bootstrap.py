from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration import bootstrap, cells
from calibration.arrays import FloatArray
from calibration.bootstrap import Cells, cluster_bootstrap, percentile_figure, share_figure
from calibration.intervals import wilson

ROWS = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 3)), min_size=2, max_size=40)


def plain_tables(answer: list[int], cell: list[int], *, resamples: int, seed: int) -> FloatArray:
    """Draw answers and count the rows of those drawn, one by one."""
    random = np.random.default_rng(seed)
    names = sorted(set(answer))
    tables = np.zeros((resamples, 4))
    for table in tables:
        for pick in random.integers(0, len(names), size=len(names)):
            for row_answer, row_cell in zip(answer, cell, strict=True):
                if row_answer == names[pick]:
                    table[row_cell] += 1
    return tables.reshape(resamples, 2, 2)


@given(ROWS)
@settings(max_examples=25)
def test_resampled_tables_equal_those_counted_row_by_row(rows: list[tuple[int, int]]) -> None:
    answer, cell = ([row[side] for row in rows] for side in (0, 1))
    counted = Cells(answer)
    counted.add("table", cell, shape=(2, 2))
    drawn = counted.resample(resamples=7, seed=3)
    assert np.array_equal(drawn.replicates("table"), plain_tables(answer, cell, resamples=7, seed=3))


@given(ROWS, st.randoms(use_true_random=False))
def test_the_order_of_rows_changes_no_interval(rows: list[tuple[int, int]], random: object) -> None:
    shuffled = list(rows)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    one, two = (
        cluster_bootstrap(
            [row[0] for row in order], [row[1] for row in order], shape=(2, 2), statistic=cells.kappa, resamples=40
        )
        for order in (rows, shuffled)
    )
    assert one == two


def test_the_same_seed_gives_the_same_interval_and_another_seed_another() -> None:
    random = np.random.default_rng(0)
    answer, cell = random.integers(0, 30, 120), random.integers(0, 4, 120)
    first, again, other = (
        cluster_bootstrap(answer, cell, shape=(2, 2), statistic=cells.kappa, resamples=200, seed=seed)
        for seed in (1, 1, 2)
    )
    assert first == again
    assert first.value == other.value
    assert (first.low, first.high) != (other.low, other.high)


def test_the_size_of_a_chunk_changes_no_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(0)
    answer, cell = random.integers(0, 50, 200), random.integers(0, 4, 200)

    def draw() -> FloatArray:
        counted = Cells(answer)
        counted.add("table", cell, shape=(2, 2))
        return counted.resample(resamples=23, seed=1).replicates("table")

    whole = draw()
    monkeypatch.setattr(bootstrap, "_CHUNK_BYTES", 50 * 4 * 3)
    assert np.array_equal(draw(), whole)


def test_another_table_beside_it_changes_no_draw() -> None:
    answer, cell = [1, 1, 2, 3, 4], [0, 3, 1, 2, 0]
    alone, beside = Cells(answer), Cells(answer)
    beside.add("other", [3, 3, 0, 0, 1], shape=(2, 2))
    for counted in (alone, beside):
        counted.add("table", cell, shape=(2, 2))
    one, two = (counted.resample(resamples=9).replicates("table") for counted in (alone, beside))
    assert np.array_equal(one, two)


def test_sums_too_large_for_single_precision_stay_exact() -> None:
    heavy = 2.0**20 + 1
    counted = Cells(np.arange(40))
    counted.add("table", np.zeros(40, dtype=int), shape=(1, 1), weights=np.full(40, heavy))
    assert np.all(counted.resample(resamples=5).replicates("table") == 40 * heavy)
    # Small in each answer, large in the sum: caught after the draw.
    counted = Cells(np.arange(401))
    counted.add("table", np.zeros(401, dtype=int), shape=(1, 1), weights=np.full(401, 65_535.0))
    assert np.all(counted.resample(resamples=5).replicates("table") == 401 * 65_535.0)


def test_weights_that_are_fractions_are_kept() -> None:
    counted = Cells([1, 2])
    counted.add("table", [0, 1], shape=(1, 2), weights=np.array([0.25, 1.5]))
    assert counted.observed("table").tolist() == [[0.25, 1.5]]
    assert set(counted.resample(resamples=50).replicates("table")[:, 0, 0]) == {0.0, 0.25, 0.5}


def test_a_name_is_taken_once() -> None:
    counted = Cells([1])
    counted.add("table", [0], shape=(1, 1))
    with pytest.raises(ValueError, match="'table' was added before"):
        counted.add("table", [0], shape=(1, 1))


def test_no_rows_give_empty_tables() -> None:
    counted = Cells([])
    counted.add("table", [], shape=(2, 2))
    assert counted.observed("table").tolist() == [[0.0, 0.0], [0.0, 0.0]]
    assert counted.resample(resamples=3).replicates("table").shape == (3, 2, 2)


def test_one_answer_gives_a_value_without_an_interval() -> None:
    figure = cluster_bootstrap([5, 5, 5], [0, 3, 1], shape=(2, 2), statistic=cells.kappa, resamples=20)
    assert figure.value is not None
    assert figure.low is None
    assert figure.reason == "no interval: one answer only"


def test_too_many_undefined_resamples_withhold_the_interval() -> None:
    replicates = np.array([np.nan] * 6 + [0.5] * 47 + [0.6] * 47)
    figure = percentile_figure(0.5, replicates, n=9, answers=4, reason="one class only")
    assert figure.value == 0.5
    assert figure.low is None
    assert figure.reason == "no interval: undefined in 6 of 100 resamples"
    fewer = percentile_figure(0.5, replicates[1:], n=9, answers=4, reason="one class only")
    assert fewer.low is None
    enough = percentile_figure(0.5, replicates[2:], n=9, answers=4, reason="one class only")
    assert enough.low is not None


def test_resamples_that_are_all_alike_give_no_interval() -> None:
    figure = percentile_figure(1.0, np.ones(50), n=9, answers=9, reason="one class only")
    assert figure.low is None
    assert figure.reason.startswith("no interval: every resample")


@pytest.mark.parametrize(("value", "hits"), [(1.0, 8), (0.0, 0)])
def test_a_share_without_a_miss_takes_its_interval_from_the_answers(value: float, hits: int) -> None:
    figure = share_figure(value, np.full(50, value), n=100, k=int(value * 100), answers=8, reason="no items")
    assert (figure.low, figure.high) == (wilson(hits, 8).low, wilson(hits, 8).high)
    assert figure.method == "Wilson over 8 answers"
