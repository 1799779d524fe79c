"""How well people agree: with each other, with the consensus of the others, and with themselves."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from calibration.agreement import gwet_ac1, pabak, table_of_pairs
from calibration.comparison import ComparisonInput, JudgeColumns, compare
from calibration.pairs import pairs_of_people
from calibration.people import judges_beside_people, people_again, people_agreement
from tests.calibration.factories import Ints


def crowd(seed: int, *, people: int = 4, claims: int = 60) -> tuple[Ints, Ints]:
    random = np.random.default_rng(seed)
    true = random.choice([0, 1, 2, 3], claims, p=[0.5, 0.1, 0.3, 0.1])
    labels = np.where(random.random((people, claims)) < 0.75, true, random.integers(0, 4, (people, claims)))
    labels[random.random((people, claims)) < 0.2] = -1
    return np.arange(claims) // 3, labels


@pytest.mark.parametrize("seed", range(3))
def test_the_figures_are_those_of_the_comparison_to_the_last_digit(seed: int) -> None:
    answer, labels = crowd(seed)
    gold = np.full(len(answer), 0)
    made = people_agreement(answer, labels, resamples=100)
    beside = compare(ComparisonInput(answer, gold, labels), resamples=100)
    assert made.individual.ceiling == beside.individual
    assert made.consensus.ceiling == beside.consensus
    assert made.alpha == beside.alpha


def test_beside_kappa_stand_the_textbook_figures_of_the_pooled_pairs() -> None:
    answer, labels = crowd(2, people=2)
    table = table_of_pairs(labels[0], labels[1], categories=4)
    made = people_agreement(answer, labels, resamples=20).individual
    both = table + table.T
    assert made.beside.ac1_four.value == pytest.approx(gwet_ac1(both).value)
    assert made.beside.pabak_four.value == pytest.approx(pabak(both).value)
    assert made.beside.bias_index.value is None
    assert "both ways" in made.beside.bias_index.reason


def test_too_few_claims_or_answers_have_no_figure_and_say_so() -> None:
    answer, labels = crowd(1)
    few = people_agreement(answer[:12], labels[:, :12], least=20, resamples=20)
    figures = (few.individual.ceiling.people.kappa_four, few.individual.beside.ac1_two, few.alpha)
    assert {(figure.value, figure.reason) for figure in figures} == {(None, "fewer than 20 claims with two labels")}
    assert all(figure.n > 0 for figure in figures)
    narrow = people_agreement(np.arange(60) // 10, labels, least=20, resamples=20)
    assert narrow.individual.ceiling.people.kappa_four.reason == "claims from fewer than 10 answers"
    assert (
        people_agreement(answer, labels, least=20, resamples=20).individual.ceiling.people.kappa_four.value is not None
    )


def test_judges_beside_people_are_those_of_the_comparison_and_small_groups_have_none() -> None:
    answer, labels = crowd(3)
    random = np.random.default_rng(3)
    verdicts = {name: random.choice([0, 1, 2, 3, 4, -1], 60) for name in ("one", "two")}
    made = judges_beside_people(answer, labels, verdicts, resamples=100)
    columns = {name: JudgeColumns(verdict) for name, verdict in verdicts.items()}
    beside = compare(ComparisonInput(answer, np.zeros(60, dtype=np.int64), labels, columns), resamples=100)
    for name in verdicts:
        assert made[name] == beside.judge(name).individual
    few = judges_beside_people(answer[:9], labels[:, :9], {"one": verdicts["one"][:9]}, least=20, resamples=20)["one"]
    assert few.headroom.kappa_four.reason == "fewer than 20 claims with two labels"
    assert judges_beside_people(answer, labels, {}, resamples=20) == {}


def test_without_two_labels_there_is_nobody_to_agree_with() -> None:
    made = people_agreement([1, 2], [[0, 2]], least=20, resamples=10)
    assert made.individual.ceiling.people.kappa_four.reason == "no pairs: no claim has two labels"
    assert (made.alpha.reason, made.apart) == ("no pairs", ())
    nobody = people_agreement([], np.zeros((0, 0), dtype=np.int8), resamples=10)
    assert nobody.n_claims == nobody.n_people == 0


def test_two_verdicts_on_one_claim_are_counted_once_whoever_gave_which() -> None:
    made = people_agreement([1, 2, 3], [[0, 2, 0], [2, 0, 0], [2, 1, 0]], resamples=10)
    assert made.apart == ((0, 2, 2), (0, 1, 1), (1, 2, 1))


def test_a_pair_of_people_tells_on_which_verdicts_it_differs() -> None:
    (pair,) = pairs_of_people(np.arange(5), [[0, 0, 2, 1, 0], [2, 2, 0, 1, 0]], least=2, resamples=10)
    assert pair.apart == ((0, 2, 2), (2, 0, 1))


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=40))
@settings(max_examples=30, deadline=None)
def test_agreement_with_oneself_is_kappa_of_both_times(rows: list[tuple[int, int]]) -> None:
    first, second = map(np.array, zip(*rows, strict=True))
    made = people_again(np.arange(len(rows)), first, second, resamples=10).ceiling
    for figure, one, two in ((made.people.kappa_four, first, second), (made.people.kappa_two, first > 0, second > 0)):
        if figure.value is not None:
            assert figure.value == pytest.approx(cohen_kappa_score(one, two))
    if (first > 0).any():
        assert made.people.recall.value == pytest.approx((second[first > 0] > 0).mean())
        assert made.people.recall.n == (first > 0).sum()


def test_nobody_asked_twice_is_no_data_and_one_class_is_no_kappa() -> None:
    made = people_again([], [], [])
    assert made.ceiling.people.kappa_four.reason == "no pairs: nobody labelled a claim twice"
    same = people_again([1, 2], [0, 0], [0, 0], resamples=10)
    assert same.ceiling.people.kappa_four.reason == "one class only"


@pytest.mark.slow
def test_the_interval_of_agreement_with_oneself_covers_it() -> None:
    random, runs, covered = np.random.default_rng(6), 200, 0
    answer = np.repeat(np.arange(60), 5)
    for run in range(runs):
        true = random.random(300) < 0.4
        keeps = random.random(300) < random.beta(8, 2, 60)[answer]
        again = np.where(keeps, true, ~true)
        made = people_again(answer, true * 2, again * 2, resamples=200, seed=run).ceiling.people.kappa_two
        # Kept with .8: both agree there, and the other cells follow from .4.
        truth = (0.8 - (0.4 * (0.4 * 0.8 + 0.6 * 0.2) + 0.6 * (0.6 * 0.8 + 0.4 * 0.2))) / (
            1 - (0.4 * (0.4 * 0.8 + 0.6 * 0.2) + 0.6 * (0.6 * 0.8 + 0.4 * 0.2))
        )
        assert made.low is not None
        assert made.high is not None
        covered += made.low <= truth <= made.high
    assert 0.90 <= covered / runs <= 0.98
