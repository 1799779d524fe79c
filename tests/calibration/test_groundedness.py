from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration import groundedness as grounded
from calibration.groundedness import Groundedness, GroundednessInput, groundedness
from calibration.intervals import wilson
from calibration.results import Figure


def columns(claims: list[dict[str, Any]], answers: dict[int, dict[str, int]] | None = None) -> GroundednessInput:
    """Claims as dictionaries of what matters; the rest is a cited, resolvable claim without a severity."""
    plain = {
        "answer": 0,
        "verdict": 0,
        "cited": True,
        "resolvable": True,
        "targeted": False,
        "severity": -1,
        "invention": -1,
        "superseded": -1,
    }
    rows = [plain | claim for claim in claims]
    of_answers: dict[int, dict[str, int]] = {row["answer"]: {} for row in rows} | (answers or {})
    known = ("correct", "in_retrieved", "abstained", "should_abstain")
    flags = ("cited", "resolvable", "targeted")
    made: dict[str, Any] = {
        name: np.array([row[name] for row in rows], dtype=bool if name in flags else np.int64) for name in plain
    }
    for name in known:
        made[name] = np.array([given.get(name, -1) for given in of_answers.values()], dtype=np.int8)
    return GroundednessInput(answers=np.array(list(of_answers), dtype=np.int64), **made)


def figures(claims: list[dict[str, Any]], answers: dict[int, dict[str, int]] | None = None, **how: Any) -> Groundedness:
    return groundedness(columns(claims, answers), resamples=60, **how)


def shares(figure: Figure) -> tuple[int | None, int]:
    return figure.k, figure.n


# Three answers: one grounded, one with an absent and an uncited claim, one with a partial claim.
SMALL: list[dict[str, Any]] = [
    {"answer": 1, "verdict": 0},
    {"answer": 1, "verdict": 0},
    {"answer": 2, "verdict": 0},
    {"answer": 2, "verdict": 2},
    {"answer": 2, "verdict": -1, "cited": False, "resolvable": False},
    {"answer": 3, "verdict": 1},
]


def test_a_small_sample_gives_what_is_counted_by_hand() -> None:
    report = figures(SMALL)
    assert shares(report.claim_level) == (3, 6)
    assert shares(report.answer_level) == (1, 3)
    assert shares(report.invention_rate) == (1, 3)
    assert shares(report.coverage) == (5, 6)
    assert shares(report.entailment) == (3, 5)
    assert shares(report.miscitation) == (2, 5)
    assert report.grounding_score.value == pytest.approx(2 * (5 / 6) * 0.6 / (5 / 6 + 0.6))
    assert report.verdicts == {"stated": 3, "partial": 1, "absent": 1, "contradicted": 0, "no judgement": 0}


def test_partial_supports_only_where_the_project_says_so() -> None:
    report = figures(SMALL, partial_is_unsupported=False)
    assert shares(report.entailment) == (4, 5)
    assert shares(report.miscitation) == (1, 5)
    assert shares(report.claim_level) == (3, 6), "claim_level counts what is stated, whatever partial is"


def test_a_claim_with_a_citation_and_no_verdict_leaves_its_answer_out_but_not_its_share_cited() -> None:
    report = figures([*SMALL, {"answer": 1, "verdict": -1}])
    assert report.n_answers_left_out == 1
    assert shares(report.answer_level) == (0, 2)
    assert shares(report.coverage) == (6, 7)
    assert shares(report.entailment) == (3, 5)
    assert report.claim_level.k is None
    assert report.claim_level.value == pytest.approx((3 / 5) * (6 / 7))
    assert "share cited" in report.claim_level.method


def test_targeted_claims_enter_no_rate_and_neither_does_their_answer() -> None:
    report = figures([*SMALL, {"answer": 3, "verdict": 2, "targeted": True}])
    assert report.n_targeted == 1
    assert shares(report.entailment) == (3, 5)
    assert shares(report.answer_level) == (1, 2)


def test_outcomes_without_a_verdict_are_the_worst_case_or_left_out() -> None:
    claims = [{"answer": 1, "verdict": 0}, {"answer": 1, "verdict": 4}, {"answer": 2, "verdict": 0}]
    worst, left_out = figures(claims), figures(claims, without_verdict="left out")
    assert (shares(worst.entailment), shares(left_out.entailment)) == ((2, 3), (2, 2))
    assert (shares(worst.miscitation), shares(left_out.miscitation)) == ((1, 3), (0, 2))
    assert (shares(worst.invention_rate), shares(left_out.invention_rate)) == ((1, 2), (0, 1))
    assert (worst.n_without_verdict, left_out.n_without_verdict) == (1, 0)


def test_a_source_that_is_not_there_is_no_miscitation_and_is_counted_on_its_own() -> None:
    report = figures([{"verdict": 2, "resolvable": False}, {"answer": 1, "verdict": 2}, {"answer": 1, "verdict": 0}])
    assert shares(report.miscitation) == (1, 2)
    assert shares(report.unresolvable) == (1, 3)
    assert shares(report.entailment) == (1, 3)


def test_severity_weighs_critical_claims_more_and_says_how_much() -> None:
    claims = [
        {"answer": 1, "verdict": 2, "severity": 0},
        {"answer": 2, "verdict": 0, "severity": 1},
        {"answer": 3, "verdict": 0},
    ]
    report = figures(claims, severity_weights=(3.0, 1.0))
    assert report.unsupported_weighted.value == pytest.approx(3 / 5)
    assert shares(report.unsupported_critical) == (1, 1)
    assert shares(report.unsupported_minor) == (0, 1)
    assert report.n_without_severity == 1
    assert report.severity_weights == (3.0, 1.0)


def test_kinds_of_invention_are_shares_of_those_that_have_one() -> None:
    claims = [
        {"answer": 1, "verdict": 2, "invention": 0},
        {"answer": 2, "verdict": 1, "invention": 0},
        {"answer": 3, "verdict": 3, "invention": 3},
        {"answer": 4, "verdict": 2},
        {"answer": 5, "verdict": 0},
    ]
    report = figures(claims)
    assert {name: figure.k for name, figure in report.inventions.items()} == {
        "plausible-specific": 2,
        "bridging-inference": 0,
        "confident-generalisation": 0,
        "fabricated-provenance": 1,
    }
    assert report.n_without_invention == 1


def test_grounded_by_correct_has_four_cells_of_whole_answers() -> None:
    claims = [{"answer": answer, "verdict": 0 if answer in (1, 2) else 2} for answer in range(1, 6)]
    known = {1: {"correct": 1}, 2: {"correct": 0}, 3: {"correct": 1}, 4: {"correct": 0}, 5: {}}
    report = figures(claims, known)
    assert {name: shares(figure) for name, figure in report.quadrants.items()} == {
        "goal": (1, 4),
        "source is wrong": (1, 4),
        "right by luck": (1, 4),
        "invention": (1, 4),
    }
    assert report.quadrants["goal"] == wilson(1, 4)


def test_abstention_is_measured_where_it_is_known_what_should_be_and_answers_need_no_claims() -> None:
    known = {
        1: {"should_abstain": 1, "abstained": 1},
        2: {"should_abstain": 1, "abstained": 0},
        3: {"should_abstain": 0, "abstained": 1},
        4: {"should_abstain": 0, "abstained": 0},
        5: {"should_abstain": 0, "abstained": 0},
        6: {"should_abstain": 1},
        7: {"abstained": 1},
    }
    report = figures([{"answer": 4}], known)
    assert shares(report.abstention) == (1, 2)
    assert shares(report.over_abstention) == (1, 3)
    assert report.n_answers == 7


def test_ungrounded_answers_are_split_by_whether_the_answer_was_retrieved() -> None:
    claims = [{"answer": answer, "verdict": 2 if answer else 0} for answer in range(5)]
    known = {0: {"in_retrieved": 0}, 1: {"in_retrieved": 0}, 2: {"in_retrieved": 1}, 3: {"in_retrieved": 1}, 4: {}}
    report = figures(claims, known)
    assert shares(report.retrieval_failure) == (1, 3)
    assert shares(report.generation_failure) == (2, 3)


def test_stated_by_a_superseded_source_is_a_share_of_the_stated_whose_dates_are_known() -> None:
    claims = [
        {"answer": 1, "superseded": 1},
        {"answer": 2, "superseded": 0},
        {"answer": 3},
        {"answer": 4, "verdict": 2, "superseded": 1},
    ]
    report = figures(claims)
    assert shares(report.superseded) == (1, 2)
    assert report.n_undated == 1


def test_where_each_answer_has_one_claim_the_edges_are_wilson_and_nothing_is_nan() -> None:
    report = figures([{"answer": answer} for answer in range(20)])
    assert report.entailment.value == 1.0
    assert report.entailment.low == wilson(20, 20).low
    assert report.answer_level == wilson(20, 20)


@pytest.mark.parametrize(
    ("claims", "name", "reason"),
    [
        ([], "claim_level", grounded.NO_CLAIMS),
        ([], "grounding_score", grounded.NO_CLAIMS),
        ([], "answer_level", grounded.NO_WHOLE_ANSWER),
        ([{"verdict": -1}], "claim_level", grounded.NO_VERDICTS),
        ([{"verdict": -1}], "entailment", grounded.NO_VERDICTS),
        ([{"cited": False, "resolvable": False, "verdict": -1}], "entailment", grounded.NO_VERDICTS),
        ([{"resolvable": False, "verdict": 2}], "miscitation", grounded.NO_RESOLVABLE),
        ([{"verdict": 0}], "unsupported_weighted", grounded.NO_SEVERITY),
        ([{"verdict": 0}], "superseded", grounded.NO_DATE),
        ([{"verdict": 0}], "retrieval_failure", grounded.NO_RETRIEVAL),
        ([{"verdict": 0}], "abstention", grounded.NO_ABSTENTION),
    ],
)
def test_a_figure_without_data_says_why(claims: list[dict[str, Any]], name: str, reason: str) -> None:
    figure = getattr(figures(claims), name)
    assert figure.value is None
    assert figure.reason == reason


def test_claims_without_any_citation_are_not_stated_and_that_is_a_figure() -> None:
    report = figures([{"answer": n, "cited": False, "resolvable": False, "verdict": -1} for n in range(4)])
    assert shares(report.claim_level) == (0, 4)
    assert report.claim_level.value == 0.0
    assert report.coverage.value == 0.0
    assert shares(report.answer_level) == (0, 4)


ROWS = st.lists(
    st.fixed_dictionaries(
        {
            "answer": st.integers(0, 5),
            "verdict": st.integers(-1, 4),
            "cited": st.booleans(),
            "resolvable": st.booleans(),
            "targeted": st.booleans(),
            "severity": st.integers(-1, 1),
            "invention": st.integers(-1, 3),
            "superseded": st.integers(-1, 1),
        }
    ),
    max_size=25,
)


@given(ROWS, st.randoms(use_true_random=False))
@settings(max_examples=25)
def test_any_data_gives_valid_json_and_the_order_of_claims_changes_nothing(
    claims: list[dict[str, Any]], random: Any
) -> None:
    claims = [claim | {"resolvable": claim["resolvable"] and claim["cited"]} for claim in claims]
    answers: dict[int, dict[str, int]] = {number: {} for number in range(6)}
    shuffled = list(claims)
    random.shuffle(shuffled)
    written = figures(claims, answers).to_json()
    assert figures(shuffled, answers).to_json() == written
    rates = [value for value in written.values() if isinstance(value, dict) and "value" in value]
    assert all(rate["value"] is None or 0.0 <= float(str(rate["value"])) <= 1.0 for rate in rates)


def test_a_claim_of_an_unknown_answer_is_a_mistake_of_the_caller() -> None:
    data = columns([{"answer": 1}])
    with pytest.raises(ValueError, match="answer: expected every claim's answer"):
        GroundednessInput(
            **{name: getattr(data, name) for name in data.__slots__ if name != "answers"}, answers=np.array([2])
        )
