from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import balanced_accuracy_score, cohen_kappa_score, f1_score, precision_score, recall_score
from statsmodels.stats.contingency_tables import mcnemar as mcnemar_of_statsmodels
from statsmodels.stats.multitest import multipletests

from calibration.comparison import ComparisonInput, JudgeColumns, compare
from calibration.significance import holm, mcnemar
from calibration.verdicts import unsupported
from tests.calibration.factories import reordered, sample

RESAMPLES = 60
SEED = 4


def plain_loop(data: ComparisonInput, name: str) -> dict[str, list[float]]:
    """Resample answers one by one and ask scikit-learn for each figure of each resample."""
    verdict = data.judges[name].verdict
    kept = (data.gold >= 0) | (data.labels >= 0).any(axis=0)
    names = np.unique(data.answer[kept])
    random = np.random.default_rng(SEED)
    made: dict[str, list[float]] = {}
    for _ in range(RESAMPLES):
        picks = random.integers(0, len(names), size=len(names))
        rows = np.concatenate([np.flatnonzero(data.answer == names[pick]) for pick in picks])
        for figure, value in plain_figures(data, verdict, rows).items():
            made.setdefault(figure, []).append(value)
    return made


def plain_figures(data: ComparisonInput, verdict: Any, rows: Any) -> dict[str, float]:
    with_gold = rows[(data.gold[rows] >= 0) & (verdict[rows] >= 0)]
    gold, said = data.gold[with_gold], verdict[with_gold]
    bad, flagged = unsupported(gold), unsupported(said)
    # Four classes of gold and "no verdict" as a fifth that gold never has.
    folded = np.where(said == 4, 2, flagged)
    others, people, against, judged, shares, judge_shares = [], [], [], [], [], []
    for row in rows:
        given = data.labels[:, row][data.labels[:, row] >= 0]
        if len(given) < 2 or verdict[row] < 0:
            continue
        for first in range(len(given)):
            against.append(given[first])
            judged.append(verdict[row])
            judge_shares.append(1 / len(given))
            for second in range(len(given)):
                if first != second:
                    others.append(given[first])
                    people.append(given[second])
                    shares.append(1 / (len(given) * (len(given) - 1)))
    ceiling = cohen_kappa_score(others, people, sample_weight=shares)
    return {
        "kappa_four": cohen_kappa_score(gold, said),
        "kappa_two": cohen_kappa_score(bad.astype(int), folded),
        "recall": recall_score(bad, flagged),
        "precision": precision_score(bad, flagged),
        "f1": f1_score(bad, flagged),
        "ceiling": ceiling,
        "headroom": ceiling - cohen_kappa_score(against, judged, sample_weight=judge_shares),
    }


def test_the_fast_bootstrap_equals_a_plain_loop_over_scikit_learn() -> None:
    data = sample(seed=3, claims=90, answers=25, outside=0.1)
    score = compare(data, resamples=RESAMPLES, seed=SEED).judge("judge 1")
    figures = {
        "kappa_four": score.agreement.kappa_four,
        "kappa_two": score.agreement.kappa_two,
        "recall": score.unsupported.recall,
        "precision": score.unsupported.precision,
        "f1": score.unsupported.f1,
        "ceiling": score.individual.people.kappa_four,
        "headroom": score.individual.headroom.kappa_four,
    }
    expected = plain_loop(data, "judge 1")
    observed = plain_figures(data, data.judges["judge 1"].verdict, np.arange(90))
    for name, figure in figures.items():
        assert figure.value == pytest.approx(observed[name], abs=1e-12), name
        ends = np.quantile(expected[name], [0.025, 0.975])
        assert (figure.low, figure.high) == pytest.approx(tuple(ends), abs=1e-12), name


def test_left_out_figures_equal_scikit_learn_on_judged_claims() -> None:
    data = sample(seed=5, silent=0.3)
    made = compare(data, resamples=10)
    for score in made.judges:
        verdict = data.judges[score.name].verdict
        kept = (data.gold >= 0) & (verdict >= 0) & (verdict != 4)
        gold, said = data.gold[kept], verdict[kept]
        bad, flagged = unsupported(gold), unsupported(said)
        left_out = score.unsupported_judged
        assert score.agreement_judged.kappa_four.value == pytest.approx(cohen_kappa_score(gold, said))
        assert score.agreement_judged.kappa_two.value == pytest.approx(cohen_kappa_score(bad, flagged))
        assert left_out.recall.value == pytest.approx(recall_score(bad, flagged))
        assert left_out.specificity.value == pytest.approx(recall_score(~bad, ~flagged))
        assert left_out.balanced_accuracy.value == pytest.approx(balanced_accuracy_score(bad, flagged))
        assert left_out.n_without_verdict == int(((data.gold >= 0) & (verdict == 4)).sum())
        assert (score.unsupported.recall.value or 0) < (left_out.recall.value or 0)


@given(st.integers(0, 2**31))
@settings(max_examples=15, deadline=None)
def test_the_order_of_claims_and_people_changes_nothing(seed: int) -> None:
    data = sample(seed=seed, people=4, outside=0.1)
    random = np.random.default_rng(seed)
    other = reordered(data, random.permutation(60), random.permutation(4))
    assert compare(other, resamples=30).to_json() == compare(data, resamples=30).to_json()


@given(st.integers(0, 2**31))
@settings(max_examples=15, deadline=None)
def test_one_judge_more_changes_nothing_for_the_others(seed: int) -> None:
    data = sample(seed=seed, outside=0.1)
    fewer = ComparisonInput(data.answer, data.gold, data.labels, {"judge 0": data.judges["judge 0"]})
    alone, beside = compare(fewer, resamples=30), compare(data, resamples=30)
    assert alone.judge("judge 0").to_json() == beside.judge("judge 0").to_json()
    assert alone.alpha == beside.alpha


@given(st.integers(0, 2**31))
@settings(max_examples=15, deadline=None)
def test_claims_without_gold_and_without_labels_change_nothing(seed: int) -> None:
    data = sample(seed=seed)
    wider = ComparisonInput(
        answer=np.append(data.answer, [500, 501]),
        gold=np.append(data.gold, [-1, -1]),
        labels=np.hstack([data.labels, np.full((3, 2), -1)]),
        judges={name: JudgeColumns(np.append(judge.verdict, [0, 2])) for name, judge in data.judges.items()},
    )
    assert compare(wider, resamples=20).to_json() == compare(data, resamples=20).to_json()


@given(st.integers(0, 2**31), st.booleans())
@settings(max_examples=15, deadline=None)
def test_every_result_can_be_written_as_strict_json(seed: int, partial: bool) -> None:
    random = np.random.default_rng(seed)
    data = sample(
        seed=seed, claims=int(random.integers(0, 12)), answers=3, people=int(random.integers(0, 4)),
        judges=3, silent=0.4, outside=0.4, gaps=0.5,
    )  # fmt: skip
    made = compare(data, partial_is_unsupported=partial, resamples=15)
    assert json.loads(json.dumps(made.to_json(), allow_nan=False)) == made.to_json()


def test_the_rule_for_partial_decides_what_is_unsupported() -> None:
    data = ComparisonInput(
        answer=np.arange(4), gold=np.array([0, 1, 1, 2]), labels=np.zeros((0, 4), dtype=int),
        judges={"judge": JudgeColumns(np.array([0, 0, 1, 2]))},
    )  # fmt: skip
    strict, lenient = (compare(data, partial_is_unsupported=partial, resamples=10) for partial in (True, False))
    for made, caught, bad in ((strict, 2, 3), (lenient, 1, 1)):
        recall = made.judge("judge").unsupported.recall
        assert (recall.k, recall.n) == (caught, bad)
        assert (made.share_unsupported.k, made.share_unsupported.n) == (bad, 4)


def test_coverage_and_outcomes_are_counted_over_claims_with_gold_in_the_run() -> None:
    data = ComparisonInput(
        answer=np.arange(6),
        gold=np.array([0, 2, 2, 0, -1, 2]),
        labels=np.full((1, 6), 0),
        judges={
            "judge": JudgeColumns(np.array([0, 2, 4, 4, 4, -1]), outcome=np.array([0, 0, 2, 5, 1, -1])),
        },
    )
    score = compare(data, resamples=10).judge("judge")
    assert (score.n_claims, score.n_without_verdict, score.n_outside_run) == (4, 2, 1)
    assert (score.coverage.k, score.coverage.n) == (2, 4)
    assert {name: n for name, n in score.outcomes.items() if n} == {"judged": 2, "refused": 1, "timed-out": 1}
    assert score.confusion.counts.sum() == 4
    assert score.unsupported.counts == ((1, 0, 1), (0, 1, 1))


def test_claims_without_a_verdict_are_right_for_neither_class() -> None:
    gold = np.array([0, 0, 2, 2])
    data = ComparisonInput(
        answer=np.arange(4), gold=gold, labels=np.zeros((0, 4), dtype=int),
        judges={"silent": JudgeColumns(np.array([0, 4, 2, 4]))},
    )  # fmt: skip
    found = compare(data, resamples=10).judge("silent").unsupported
    assert (found.recall.value, found.specificity.value, found.precision.value) == (0.5, 0.5, 1.0)
    assert found.n_flagged == 1


def test_answers_are_unsupported_flagged_or_undecided_as_their_claims_are() -> None:
    data = ComparisonInput(
        answer=np.array([1, 1, 2, 2, 3, 3, 4]),
        gold=np.array([0, 2, 0, 0, 2, 0, 0]),
        labels=np.zeros((0, 7), dtype=int),
        #  answer 1 flagged on the wrong claim, 2 passed, 3 not flagged with a claim open, 4 flagged
        judges={"judge": JudgeColumns(np.array([2, 0, 0, 0, 0, 4, 3]))},
    )
    found = compare(data, resamples=10).judge("judge").answers
    assert found.counts == ((1, 1, 0), (0, 1, 1))
    assert (found.recall.k, found.recall.n) == (1, 2)
    assert (found.share_unsupported.k, found.share_unsupported.n) == (2, 4)
    left_out = compare(data, resamples=10).judge("judge").answers_judged
    assert (left_out.recall.k, left_out.recall.n) == (1, 1)


def test_no_claims_at_all_is_no_data_everywhere() -> None:
    data = ComparisonInput(
        answer=np.array([], dtype=int), gold=np.array([], dtype=int), labels=np.zeros((0, 0), dtype=int),
        judges={"judge": JudgeColumns(np.array([], dtype=int))},
    )  # fmt: skip
    made = compare(data)
    score = made.judge("judge")
    for figure in (made.alpha, score.coverage, score.agreement.kappa_four, score.unsupported.recall):
        assert figure.value is None
        assert figure.reason
        assert figure.n == 0
    assert made.individual.people.recall.reason.startswith("no pairs")


def test_everybody_using_one_class_has_no_kappa_and_no_recall() -> None:
    zeros = np.zeros(8, dtype=int)
    made = compare(ComparisonInput(np.arange(8), zeros, np.zeros((3, 8), dtype=int), {"judge": JudgeColumns(zeros)}))
    score = made.judge("judge")
    assert score.agreement.kappa_four.reason == "one class only"
    assert score.consensus.people.kappa_two.reason == "one class only"
    assert made.alpha.reason == "one class only"
    assert score.unsupported.recall.reason == "no unsupported claims"
    assert score.unsupported.precision.reason == "no claims flagged"
    assert score.agreement.raw_four.value == 1.0


def test_a_judge_without_a_single_verdict_has_recall_zero_and_left_out_no_data() -> None:
    gold = np.array([0, 2, 2, 0])
    data = ComparisonInput(np.arange(4), gold, np.zeros((0, 4), dtype=int), {"dead": JudgeColumns(np.full(4, 4))})
    score = compare(data, resamples=10).judge("dead")
    assert score.coverage.value == 0.0
    assert score.unsupported.recall.value == 0.0
    assert score.unsupported_judged.recall.reason == "no unsupported claims"
    assert score.agreement_judged.kappa_four.reason == "no pairs"


def test_a_judge_outside_every_claim_is_no_data() -> None:
    data = sample(judges=1)
    none = ComparisonInput(data.answer, data.gold, data.labels, {"judge": JudgeColumns(np.full(60, -1))})
    score = compare(none, resamples=10).judge("judge")
    assert score.n_claims == 0
    assert score.individual.people.kappa_four.value is None
    assert score.coverage.reason == "no claims"


def test_differences_are_taken_on_the_claims_that_both_judges_have() -> None:
    gold = np.array([0, 2, 0, 2, 0, 2])
    data = ComparisonInput(
        answer=np.arange(6),
        gold=gold,
        labels=np.zeros((0, 6), dtype=int),
        judges={
            "one": JudgeColumns(np.array([0, 2, 0, 2, -1, -1])),
            "two": JudgeColumns(np.array([-1, 0, 0, 2, 0, 2])),
        },
    )
    (difference,) = compare(data, resamples=10).differences
    assert difference.n_claims == 3
    assert difference.gap.recall.value == pytest.approx(0.5)
    assert (difference.mcnemar.only_first, difference.mcnemar.only_second) == (1, 0)


def test_a_judge_beside_itself_differs_by_nothing_and_has_no_p_value() -> None:
    data = sample(judges=1)
    twice = ComparisonInput(
        data.answer, data.gold, data.labels, {"a": data.judges["judge 0"], "b": data.judges["judge 0"]}
    )
    (difference,) = compare(twice, resamples=20).differences
    assert difference.gap.kappa_four.value == 0.0
    assert difference.mcnemar.exact_p is None
    assert difference.mcnemar.reason == "never differ"
    assert difference.p_holm is None


def test_names_of_judges_may_hold_anything() -> None:
    data = sample(judges=1)
    verdict = data.judges["judge 0"]
    names = ["a", "b, c", "a, b", "c", "a:gold", ""]
    made = compare(ComparisonInput(data.answer, data.gold, data.labels, dict.fromkeys(names, verdict)), resamples=5)
    assert [score.name for score in made.judges] == names


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"gold": np.array([0, 9])}, "gold: expected codes from -1 to 3, found 9"),
        ({"labels": np.array([0, 1])}, "labels: expected 2 axes"),
        ({"answer": np.array([1, 2, 3])}, "answer has 3, gold has 2"),
        ({"judges": {"quotes": JudgeColumns(np.array([0, 5]))}}, "verdict of quotes: .* found 5"),
        ({"judges": {"quotes": JudgeColumns(np.array([0]))}}, "verdict of quotes has 1"),
    ],
)
def test_a_column_that_does_not_fit_is_named(changed: dict[str, Any], said: str) -> None:
    columns: dict[str, Any] = {
        "answer": np.array([1, 2]), "gold": np.array([0, 1]), "labels": np.array([[0, 1]]), "judges": {}, **changed,
    }  # fmt: skip
    with pytest.raises(ValueError, match=said):
        ComparisonInput(**columns)


def test_an_unknown_judge_is_a_key_error() -> None:
    with pytest.raises(KeyError, match="nobody"):
        compare(sample(), resamples=5).judge("nobody")


@pytest.mark.parametrize("table", [[[794, 86], [150, 570]], [[3, 0], [4, 1]], [[9, 5], [5, 9]]])
def test_mcnemar_equals_statsmodels(table: list[list[int]]) -> None:
    made = mcnemar(table[0][1], table[1][0])
    assert made.exact_p == pytest.approx(mcnemar_of_statsmodels(table, exact=True).pvalue)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
@settings(max_examples=15, deadline=None)  # statsmodels collects garbage on every call
def test_holm_equals_statsmodels(p_values: list[float]) -> None:
    assert holm(p_values) == pytest.approx(multipletests(p_values, method="holm")[1])
