from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.ceiling import REFERENCES
from calibration.comparison import Comparison, ComparisonInput, JudgeColumns, compare
from calibration.judge_score import JudgeScore
from calibration.results import Figure
from calibration.sentences import (
    ceiling_sentence,
    difference_sentence,
    judge_sentence,
    promise_sentence,
    recall_words,
    standing_words,
)
from tests.calibration.factories import labels_with_gaps, noisy, sample


def large(*, right: float = 0.75, claims: int = 900, silent: float = 0.0) -> Comparison:
    random = np.random.default_rng(1)
    true = random.choice(4, claims, p=[0.6, 0.1, 0.2, 0.1])
    verdict = noisy(random, true, right=right)
    verdict[random.random(claims) < silent] = 4
    labels = labels_with_gaps(random, true, people=3, right=0.85, gaps=0.0)
    judges = {"judge": JudgeColumns(verdict), "other": JudgeColumns(noisy(random, true, right=0.6))}
    return compare(ComparisonInput(np.arange(claims) // 3, true, labels, judges), resamples=200)


def with_headroom(score: JudgeScore, low: float | None, high: float | None) -> JudgeScore:
    gap = Figure(0.0, low, high, n=500, reason="" if low is not None else "no interval: every resample is alike")
    like = score.individual
    return replace(score, individual=replace(like, headroom=replace(like.headroom, kappa_four=gap)))


def test_a_promise_is_the_lower_end_rounded_down() -> None:
    score = large().judge("judge")
    low = min(score.unsupported.recall.low or 0, score.unsupported.recall_wilson.low or 0)
    said = judge_sentence(score)
    assert f"Catches at least {int(low * 100)}% of unsupported claims" in said
    assert f"{score.unsupported.recall.value:.2f}"[2:] + "%" not in said


def test_the_more_careful_of_two_intervals_speaks() -> None:
    score = large().judge("judge").unsupported
    careful = replace(score, recall=Figure(0.9, 0.85, 0.95, n=300), recall_wilson=Figure(0.9, 0.6789, 0.95, n=300))
    assert recall_words(careful, answers=50) == "catches at least 67% of unsupported claims"


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (0.031, 0.139, "below people by 0.03 to 0.14 kappa"),
        (0.004, 0.139, "below people by up to 0.14 kappa"),
        (-0.139, -0.031, "above people by 0.03 to 0.14 kappa"),
        (-0.02, 0.041, "at the human ceiling: at most 0.05 kappa below people"),
        (-0.041, 0.139, "anywhere from 0.05 kappa above people to 0.14 below"),
        (None, None, "where it stands to people is open (no interval: every resample is alike)"),
    ],
)
def test_distance_from_people_is_both_ends_rounded_outwards(low: float | None, high: float | None, said: str) -> None:
    score = with_headroom(large().judge("judge"), low, high)
    assert standing_words(score.individual) == said
    assert said in judge_sentence(score)


def test_few_unsupported_claims_are_said_to_be_few() -> None:
    said = judge_sentence(large(claims=120).judge("judge"))
    assert re.search(r"\d+ unsupported claims are too few to say more", said)
    assert "too few" not in judge_sentence(large(claims=6_000).judge("judge"))


def test_claims_from_a_few_answers_promise_nothing() -> None:
    random = np.random.default_rng(1)
    gold = random.integers(0, 4, 600)
    labels = labels_with_gaps(random, gold, people=3, right=0.9, gaps=0.0)
    other = np.where(random.random(600) < 0.7, gold, 0)
    judges = {"judge": JudgeColumns(gold), "other": JudgeColumns(other)}
    data = ComparisonInput(np.arange(600) % 4, gold, labels, judges)
    made = compare(data, resamples=50)
    said = judge_sentence(made.judge("judge"))
    assert "from 4 answers are too few to say what share it catches" in said
    assert "4 answers are too few to say where it stands to people" in said
    assert "at least" not in said
    assert "at least" not in judge_sentence(made.judge("other"))
    assert (
        difference_sentence(made.differences[0]) == "4 answers are too few to say which of judge and other is better."
    )
    assert "too few" in ceiling_sentence(made.individual)


def test_a_perfect_judge_on_few_claims_promises_what_they_allow() -> None:
    gold = np.array([2] * 12 + [0] * 12)
    data = ComparisonInput(np.arange(24), gold, np.stack([gold, gold]), {"judge": JudgeColumns(gold)})
    said = judge_sentence(compare(data, resamples=50).judge("judge"))
    assert "Catches at least 75% of unsupported claims" in said
    assert "at least 75% of what it flags" in said
    assert "12 unsupported claims are too few to say more" in said


def test_claims_without_a_verdict_are_spoken_of() -> None:
    score = large(silent=0.2).judge("judge")
    assert f"no verdict on {score.n_without_verdict} of 900 claims, counted as misses" in judge_sentence(score)
    assert "no verdict" not in judge_sentence(large().judge("judge"))


def test_degenerate_samples_are_said_plainly() -> None:
    gold = np.zeros(30, dtype=int)
    labels = np.full((1, 30), -1)
    for verdict, said in (
        (np.full(30, -1), "No data: none of the claims that it judged has a gold verdict."),
        (gold, "No data on unsupported claims: none among 30 claims"),
        (gold, "flags none of 30 claims"),
        (gold, "no data beside people: no pairs: no claim has two labels"),
    ):
        data = ComparisonInput(np.arange(30), gold, labels, {"judge": JudgeColumns(verdict)})
        assert said in judge_sentence(compare(data, resamples=20).judge("judge"))


def test_a_judge_that_never_flags_is_not_shown_to_catch_anything() -> None:
    gold = np.array([2] * 30 + [0] * 30)
    data = ComparisonInput(np.arange(60), gold, np.stack([gold] * 2), {"judge": JudgeColumns(np.zeros(60, dtype=int))})
    assert "Not shown to catch unsupported claims" in judge_sentence(compare(data, resamples=20).judge("judge"))


def test_people_are_spoken_of_with_both_ends_and_ties() -> None:
    made = large()
    assert re.match(
        r"People agree with one another at 0\.\d\d to 0\.\d\d kappa over 900 claims\.",
        ceiling_sentence(made.individual),
    )
    assert "of references tie and are left out" in ceiling_sentence(made.consensus)
    none = compare(sample(people=1), resamples=20)
    assert ceiling_sentence(none.individual).startswith("No data on people against one another: no pairs")


def test_two_judges_are_ranked_only_where_the_interval_says_so() -> None:
    (difference,) = large(claims=3_000).differences
    assert difference_sentence(difference).startswith("judge is ahead of other by 0.")
    swapped = replace(difference, gap=replace(difference.gap, kappa_four=Figure(-0.1, -0.2, -0.05, n=9)))
    assert difference_sentence(swapped) == "other is ahead of judge by 0.05 to 0.20 kappa."
    unsure = replace(difference, gap=replace(difference.gap, kappa_four=Figure(0.1, -0.2, 0.3, n=9)))
    assert "do not settle" in difference_sentence(unsure)
    nothing = replace(difference, gap=replace(difference.gap, kappa_four=Figure.undefined("one class only")))
    assert "no data" in difference_sentence(nothing).lower()


@given(st.integers(0, 2**31))
@settings(max_examples=15, deadline=None)
def test_no_sentence_praises_or_speaks_of_nan(seed: int) -> None:
    made = compare(sample(seed=seed, claims=40, answers=14, outside=0.2, silent=0.3), resamples=20)
    for score in made.judges:
        for reference in REFERENCES:
            said = judge_sentence(score, reference=reference)
            assert said.endswith(".")
            assert not re.search(r"nan|None|perfect|excellent|substantial|strong|-0\.", said)


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (0.91, 0.97, "held on test: at least 91% were caught."),
        (0.6, 0.89, "did not hold on test: fewer were caught, at most 89%."),
        (0.85, 0.95, "holds: between 85% and 95% were caught."),
    ],
)
def test_a_promise_is_held_against_both_ends_on_test(low: float, high: float, said: str) -> None:
    figure = Figure((low + high) / 2, low, high, n=200)
    score = replace(large().judges[0].unsupported, recall=figure, recall_wilson=figure)
    assert promise_sentence(score, answers=100, target=0.9, level=0.95).endswith(said)
    assert "too few on test" in promise_sentence(score, answers=9, target=0.9, level=0.95)
