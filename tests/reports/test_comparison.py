"""The figures that page, command and demo share, and when they are made again."""

from unittest.mock import patch

import pytest

from calibration.comparison import compare
from calibration.sentences import judge_sentence
from labelling.models import Project
from reports.selection import Selection
from reports.services.comparison import ComparisonReport, compare_project
from tests.factories import make_label, make_member, make_project
from tests.reports.rows import labelled_claims, make_run, make_version, small_project

pytestmark = pytest.mark.django_db


def _report(project: Project, **given: str) -> ComparisonReport:
    return compare_project(project, Selection(split="both", **given))


def test_a_judge_is_scored_against_gold_with_no_verdict_as_a_miss() -> None:
    project, claims = small_project(["absent"] * 4 + ["stated"] * 4)
    make_run(make_version(project), dict(zip(claims, ["absent"] * 3 + ["no-opinion"] + ["stated"] * 4, strict=True)))
    (row,) = _report(project).rows
    assert (row.score.unsupported.recall.k, row.score.unsupported.recall.n) == (3, 4)
    assert row.score.unsupported_judged.recall.n == 3
    assert row.score.outcomes["no-opinion"] == 1
    assert row.score.coverage.k == 7


def test_nothing_labelled_gives_no_data_everywhere() -> None:
    project = make_project()
    report = _report(project)
    assert report.result.n_claims == 0
    assert report.ceiling.people.kappa_four.value is None
    assert report.result.share_unsupported.value is None


def test_one_class_only_gives_no_kappa_and_says_so() -> None:
    project, claims = small_project(["stated"] * 6)
    make_run(make_version(project), dict.fromkeys(claims, "stated"))
    report = _report(project)
    (row,) = report.rows
    assert row.score.agreement.kappa_four.value is None
    assert row.score.agreement.kappa_four.reason == "one class only"
    assert row.score.unsupported.recall.reason == "no unsupported claims"
    assert "no data on unsupported claims" in judge_sentence(row.score).lower()


def test_two_labels_a_claim_are_measured_against_each_other() -> None:
    project = make_project()
    claims = labelled_claims(project, ["stated", "absent"] * 3, people=[make_member(project) for _ in range(2)])
    make_run(make_version(project), dict.fromkeys(claims, "stated"))
    assert _report(project).reference == "individual"


def test_the_newest_version_of_a_judge_is_shown_unless_all_are_asked_for() -> None:
    project, claims = small_project()
    for number in (1, 2):
        make_run(make_version(project, number=number), dict.fromkeys(claims, "stated"))
    assert [row.name for row in _report(project).rows] == ["words v2"]
    assert [row.name for row in _report(project, versions="all").rows] == ["words v1", "words v2"]


def test_another_policy_than_the_guides_is_noticed() -> None:
    project, claims = small_project()
    make_run(make_version(project, policy="inference"), dict.fromkeys(claims, "stated"))
    assert _report(project).rows[0].other_policy


def test_an_external_judge_without_costs_has_no_cost_rather_than_none_spent() -> None:
    project, claims = small_project()
    make_run(make_version(project, type_name="external"), dict.fromkeys(claims, "stated"))
    make_run(make_version(project, "free"), dict.fromkeys(claims, "stated"))
    free, external = _report(project).rows
    assert external.expense.usd.value is None
    assert free.expense.usd.value == 0


def test_figures_are_made_once_for_the_same_data() -> None:
    project, claims = small_project()
    make_run(make_version(project), dict.fromkeys(claims, "stated"))
    with patch("reports.services.comparison.compare", wraps=compare) as made:
        first, second = _report(project), _report(project)
    assert made.call_count == 1
    assert first.result.to_json() == second.result.to_json()


def test_one_changed_label_makes_new_figures() -> None:
    project, claims = small_project()
    before = _report(project)
    person = claims[0].labels.earliest("id").annotator
    make_label(claims[0], person, "contradicted", revision=2)
    after = _report(project)
    assert before.result.alpha.value == 1.0
    assert after.result.alpha.value is not None
    assert after.result.alpha.value < 1.0


def test_one_more_judgement_makes_new_figures() -> None:
    project, claims = small_project()
    version = make_version(project)
    make_run(version, {claims[1]: "absent"})
    assert _report(project).rows[0].score.n_claims == 1
    make_run(version, {claims[0]: "stated"})
    assert _report(project).rows[0].score.n_claims == 2


def test_the_rule_for_partial_makes_new_figures() -> None:
    project, _ = small_project(["partial", "stated", "absent"])
    assert _report(project).result.n_unsupported == 2
    project.partial_is_unsupported = False
    project.save()
    assert _report(project).result.n_unsupported == 1


def test_targeted_claims_are_counted_as_left_out() -> None:
    project, claims = small_project()
    claims[0].targeted = True
    claims[0].save()
    report = _report(project)
    assert report.figures.targeted_left_out == 1
    assert report.result.n_claims == len(claims) - 1
