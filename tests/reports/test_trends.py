"""Trends from stored answers: which period an answer is in, what is compared, and that it is made anew when it should be."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from calibration.results import Figure
from labelling.models import Claim, Label, Project
from reports.models import Release
from reports.selection import Selection
from reports.services.periods import MOST_PERIODS
from reports.services.releases import note_release
from reports.services.trends import NO_ANSWERS, TrendReport, report_trends
from tests.factories import make_answer, make_claim, make_label, make_member, make_project, make_source
from tests.reports.rows import make_run, make_version

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("few_resamples")]
MONDAY = datetime(2026, 3, 2, tzinfo=UTC)
NOW = datetime(2026, 6, 1, tzinfo=UTC)
WEEK = timedelta(days=7)


def answers_over(weeks: dict[int, tuple[int, int]], project: Project | None = None, **fields: Any) -> Project:
    """Answers of one claim each: by week (counted from 2 March 2026), how many are stated and how many absent."""
    project = project or make_project()
    source = make_source(project)
    who = make_member(project)
    for week, (stated, absent) in weeks.items():
        for verdict in ["stated"] * stated + ["absent"] * absent:
            given: dict[str, Any] = {"system": "bot", "created": MONDAY + week * WEEK} | fields
            claim = make_claim(project, answer=make_answer(project, **given), source=source, slots=False)
            make_label(claim, who, verdict)
    return project


def trend_of(project: Project, **given: object) -> TrendReport:
    selection = given.pop("selection", Selection())
    assert isinstance(selection, Selection)
    return report_trends(project, selection, **{"now": NOW} | given)  # type: ignore[arg-type]


def shares(figures: tuple[Figure, ...]) -> list[tuple[int | None, int]]:
    return [(figure.k, figure.n) for figure in figures]


def test_answers_fall_into_the_week_in_which_they_were_made_and_a_week_without_any_is_a_gap_with_a_reason() -> None:
    figures = trend_of(answers_over({0: (9, 1), 2: (4, 6)})).figures
    assert [period.short for period in figures.periods] == ["2026-W10", "2026-W11", "2026-W12"]
    assert shares(figures.figures["claim_level"]) == [(9, 10), (None, 0), (4, 10)]
    assert figures.figures["claim_level"][1].value is None
    assert figures.figures["claim_level"][1].reason == NO_ANSWERS
    assert [counts.n_settled for counts in figures.counts] == [10, 0, 10]


def test_a_change_is_flagged_against_the_last_period_with_data_and_every_comparison_is_counted() -> None:
    report = trend_of(answers_over({0: (28, 2), 2: (15, 15), 3: (15, 15)}))
    first, second = report.changes["claim_level"]
    assert (first.before, first.period, first.flagged, first.clear) == (0, 2, True, True)
    assert (second.before, second.period, second.flagged) == (2, 3, False)
    assert len(report.compared) == sum(len(made) for made in report.changes.values())
    assert report.n_flagged >= report.n_clear >= 1


def test_months_and_releases_cut_the_same_answers_otherwise() -> None:
    project = answers_over({0: (3, 0), 4: (2, 0), 5: (1, 0)})
    note_release(project=project, system="bot", name="2.0", at=MONDAY + 4 * WEEK, by=None)
    note_release(project=project, system="desk", name="9.9", at=MONDAY + 1 * WEEK, by=None)
    months = trend_of(project, by="month").figures
    assert [period.name for period in months.periods] == ["March 2026", "April 2026"]
    assert shares(months.figures["claim_level"]) == [(5, 5), (1, 1)]
    released = trend_of(project, by="release", selection=Selection(system="bot"))
    assert [period.name for period in released.figures.periods] == ["the time before 2.0", "2.0"]
    assert shares(released.figures.figures["claim_level"]) == [(3, 3), (3, 3)]
    assert [period.name for period in released.figures.periods if released.is_so_far(period)] == ["2.0"]


def test_an_answer_made_at_the_moment_of_a_release_belongs_to_it() -> None:
    project = answers_over({0: (1, 0)}, created=MONDAY)
    note_release(project=project, system="bot", name="2.0", at=MONDAY, by=None)
    figures = trend_of(project, by="release", selection=Selection(system="bot")).figures
    assert [counts.n_answers for counts in figures.counts] == [0, 1]


def test_a_release_in_the_middle_of_a_day_parts_the_answers_of_that_day() -> None:
    project = answers_over({0: (1, 0)}, created=MONDAY + timedelta(hours=9))
    answers_over({0: (2, 0)}, project, created=MONDAY + timedelta(hours=15))
    note_release(project=project, system="bot", name="2.0", at=MONDAY + timedelta(hours=12), by=None)
    by_bot = {"by": "release", "selection": Selection(system="bot")}
    assert [counts.n_answers for counts in trend_of(project, **by_bot).figures.counts] == [1, 2]
    project.answers.update(created=MONDAY + timedelta(hours=9))
    assert [counts.n_answers for counts in trend_of(project, **by_bot).figures.counts] == [3, 0]


def test_a_mended_release_moves_the_edge_of_its_period() -> None:
    project = answers_over({0: (1, 0), 1: (1, 0)})
    note_release(project=project, system="bot", name="2.0", at=MONDAY + WEEK, by=None)
    by_bot = {"by": "release", "selection": Selection(system="bot")}
    assert [counts.n_answers for counts in trend_of(project, **by_bot).figures.counts] == [1, 1]
    Release.objects.update(at=MONDAY)
    assert [counts.n_answers for counts in trend_of(project, **by_bot).figures.counts] == [0, 2]


def test_answers_without_a_time_are_in_no_period_and_counted() -> None:
    project = answers_over({0: (2, 0)})
    answers_over({0: (3, 0)}, project, created=None)
    figures = trend_of(project).figures
    assert (figures.n_answers, figures.n_untimed) == (5, 3)
    assert shares(figures.figures["claim_level"]) == [(2, 2)]


def test_of_more_periods_than_can_be_shown_the_newest_are_and_the_others_are_counted() -> None:
    project = answers_over({-200: (3, 0), 0: (2, 0)})
    figures = trend_of(project).figures
    assert len(figures.periods) == MOST_PERIODS
    assert figures.n_earlier == 3
    assert figures.periods[-1].short == "2026-W10"


def test_only_the_period_that_now_is_in_is_not_over_yet() -> None:
    project = answers_over({0: (2, 0), 1: (2, 0)})
    report = trend_of(project, now=MONDAY + WEEK + timedelta(days=1))
    assert [report.is_so_far(period) for period in report.figures.periods] == [False, True]


def test_a_judge_is_read_raw_or_corrected_by_what_people_said_in_the_same_period() -> None:
    project = answers_over({0: (40, 20)})
    version = make_version(project, "oracle")
    make_run(version, all_that_a_judge_says(project))
    raw = trend_of(project, version=version, origin="judge").figures
    assert raw.origin == "judge"
    assert not any(name.startswith("inventions.") for name in raw.figures)
    corrected = trend_of(project, version=version, origin="prediction_powered").figures
    assert set(corrected.figures) == {"claim_level", "entailment", "miscitation", "answer_level", "invention_rate"}
    assert corrected.figures["entailment"][0].value == pytest.approx(2 / 3, abs=0.05)
    assert trend_of(project, version=version).figures.origin == "people"


def all_that_a_judge_says(project: Project) -> dict[Claim, str]:
    """Ninety more answers without labels, and what a judge that is always right says of all there are."""
    labels = Label.objects.filter(claim__project=project).select_related("claim")
    said = {label.claim: label.verdict for label in labels}
    source = make_source(project)
    for number in range(90):
        answer = make_answer(project, system="bot", created=MONDAY)
        claim = make_claim(project, answer=answer, source=source, slots=False)
        said[claim] = "absent" if number % 3 == 0 else "stated"
    return said


def test_one_changed_label_changes_the_remembered_trend() -> None:
    project = answers_over({0: (9, 1), 1: (5, 5)})
    assert shares(trend_of(project).figures.figures["claim_level"]) == [(9, 10), (5, 10)]
    old = Label.objects.filter(claim__project=project, verdict="stated").order_by("id")[0]
    make_label(old.claim, old.annotator, "absent", revision=2)
    assert shares(trend_of(project).figures.figures["claim_level"]) == [(8, 10), (5, 10)]


def test_a_task_type_and_days_narrow_the_trend() -> None:
    project = answers_over({0: (1, 0), 1: (2, 0), 2: (3, 0)}, task_type="returns")
    answers_over({1: (0, 5)}, project, task_type="refunds")
    narrowed = Selection(task_type="returns", since="2026-03-09", until="2026-03-16")
    figures = trend_of(project, selection=narrowed).figures
    assert [period.short for period in figures.periods] == ["2026-W11"]
    assert shares(figures.figures["claim_level"]) == [(2, 2)]


def test_each_system_and_task_type_has_its_newest_period_beside_the_one_before() -> None:
    project = answers_over({0: (28, 2), 2: (15, 15)}, task_type="returns")
    answers_over({0: (5, 5), 1: (5, 5), 3: (5, 5)}, project, task_type="refunds")
    refunds, returns = trend_of(project).figures.pairs
    assert (refunds.task_type, refunds.before, refunds.period, refunds.n_answers) == ("refunds", 1, 3, 10)
    assert (returns.task_type, returns.before, returns.period, returns.n_answers) == ("returns", 0, 2, 30)
    fell = returns.changes["claim_level"]
    assert fell is not None
    assert (fell.figure_before.k, fell.figure.k, fell.flagged, fell.clear) == (28, 15, True, True)
    assert refunds.changes["claim_level"] is not None
    assert not refunds.changes["claim_level"].flagged
    assert trend_of(project, selection=Selection(task_type="returns")).figures.pairs == ()


def test_the_newest_period_of_a_pair_is_the_newest_with_verdicts() -> None:
    project = answers_over({0: (5, 5), 1: (4, 6)}, task_type="returns")
    answers_over({0: (1, 0)}, project, task_type="refunds")
    make_claim(project, answer=make_answer(project, system="bot", task_type="returns", created=MONDAY + 5 * WEEK))
    make_claim(project, answer=make_answer(project, system="bot", task_type="price", created=MONDAY))
    pairs = trend_of(project).figures.pairs
    assert [(pair.task_type, pair.before, pair.period) for pair in pairs] == [("refunds", None, 0), ("returns", 0, 1)]


def test_answers_of_the_other_split_are_counted_as_left_out() -> None:
    project = answers_over({0: (2, 0)})
    answers_over({0: (3, 0)}, project, split="test")
    assert trend_of(project).figures.n_other_split == 3
    assert trend_of(project, selection=Selection(split="both")).figures.n_other_split == 0
