"""What is said of people beside judges: always from both ends of an interval, and openly where there is none."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calibration.alternative import AlternativeAnnotator, alternative_annotator
from calibration.noise import NoiseShare, noise_share
from calibration.people import people_again, people_agreement
from calibration.results import Figure
from calibration.sentences import (
    ceiling_sentence,
    change_sentence,
    noise_sentence,
    people_recall_sentence,
    stand_in_sentence,
)
from calibration.trend import changes

RANDOM = np.random.default_rng(4)
TRUE = RANDOM.choice([0, 2], 300)
LABELS = np.stack([np.where(RANDOM.random(300) < 0.85, TRUE, 2 - TRUE) for _ in range(3)])
ANSWER = np.arange(300) // 3


def _tested(low: float | None, high: float | None) -> AlternativeAnnotator:
    made = alternative_annotator(ANSWER, LABELS, TRUE, resamples=20)
    reason = "" if low is not None else "no interval: every resample gives the same value"
    return replace(made, winning_rate=Figure(2 / 3, low, high, n=3, reason=reason))


def _noise(share: Figure) -> NoiseShare:
    return replace(noise_share(ANSWER, LABELS, TRUE, TRUE, resamples=20), share=share)


def test_recall_of_people_is_said_by_both_ends_and_by_whom() -> None:
    made = people_agreement(ANSWER, LABELS, resamples=100)
    recall = made.individual.ceiling.people.recall
    said = people_recall_sentence(made.individual.ceiling)
    assert recall.low is not None
    assert said.startswith(f"People find {int(recall.low * 100)}% to ")
    assert said.endswith("of what another person calls unsupported.")
    few = people_agreement(ANSWER[:6], LABELS[:, :6], resamples=20)
    assert "too few" in people_recall_sentence(few.individual.ceiling)
    none = people_agreement([1], [[0]], resamples=20)
    assert people_recall_sentence(none.consensus.ceiling).startswith("No data on what people find")


def test_people_against_themselves_are_spoken_of_by_labels_given_again() -> None:
    made = people_again(ANSWER, LABELS[0], LABELS[1], resamples=50).ceiling
    assert ceiling_sentence(made).startswith("People agree with what they said before at 0.")
    assert "300 labels given again" in ceiling_sentence(made)
    assert "nobody labelled a claim twice" in ceiling_sentence(people_again([], [], []).ceiling)


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (0.5, 1.0, "the whole interval passes"),
        (0.0, 0.4, "the whole interval fails"),
        (0.2, 1.0, "the interval lies on both sides"),
        (None, None, "how surely is open"),
    ],
)
def test_a_stand_in_passes_only_with_its_whole_interval(low: float | None, high: float | None, said: str) -> None:
    assert said in stand_in_sentence(_tested(low, high))


def test_a_stand_in_for_nobody_says_why() -> None:
    made = alternative_annotator([1], [[0]], [0])
    assert stand_in_sentence(made).startswith("Cannot be tested as a stand-in for a person: no person has enough")


@pytest.mark.parametrize(
    ("share", "said"),
    [
        (
            Figure(0.3, 0.204, 0.411, n=90),
            "20% to 42% of its distance to people is the judge not agreeing with itself.",
        ),
        (Figure(1.2, 1.0, 1.5, n=90), "All of its distance to people"),
        (Figure(0.0, -0.1, 0.0, n=90), "None of its distance to people"),
        (Figure.point(0.5, n=90, reason="no interval: undefined"), "it may be that there is no gap"),
        (Figure.undefined("people are not ahead of the judge", n=90), "people are not ahead of the judge"),
    ],
)
def test_the_part_of_noise_is_said_from_both_ends(share: Figure, said: str) -> None:
    assert said in noise_sentence(_noise(share))


def test_noise_from_a_few_answers_or_nowhere_is_not_spoken_of_as_known() -> None:
    few = noise_share(ANSWER // 20, LABELS, TRUE, TRUE, resamples=20)
    assert "are too few to say what its own noise costs it" in noise_sentence(few)
    nothing = noise_share([1], [[0]], [0], [0], resamples=20)
    assert noise_sentence(nothing).startswith("No data on its own noise: no pairs")


def test_a_kappa_changes_by_its_own_size_and_not_by_points() -> None:
    (change,) = changes([Figure(0.5, 0.45, 0.55, n=200), Figure(0.8, 0.75, 0.85, n=200)])
    assert change_sentence(change, figure="kappa", points=False) == "The kappa rose by 0.22 to 0.38."
