"""What people reach: against each other, the others and themselves, in groups and over time, and judges beside them."""

from datetime import UTC, datetime, timedelta

import pytest

from calibration.agreement import cohen_kappa
from judges.models import Run
from labelling.models import GuideVersion, Label, Policy
from reports.selection import Selection
from reports.services.ceiling import report_ceiling
from reports.shown.ceiling_page import group_lines, judge_lines, period_lines
from tests.factories import make_adjudication, make_label, make_member, make_source
from tests.reports.ceiling_rows import disputed_claims, disputed_project, labelled_again
from tests.reports.rows import make_run, make_version

pytestmark = pytest.mark.django_db
MARCH = datetime(2026, 3, 10, tzinfo=UTC)


def test_people_on_the_page_are_those_of_the_comparison() -> None:
    project, _, _ = disputed_project()
    report = report_ceiling(project, Selection())
    assert report.figures.people.individual.ceiling == report.comparison.result.individual
    assert report.figures.people.consensus.ceiling == report.comparison.result.consensus
    assert report.figures.people.alpha == report.comparison.result.alpha


def test_a_person_is_measured_against_what_they_said_before() -> None:
    project, who, claims = disputed_project()
    labelled_again(claims[:20], who[0], changed=3)
    labelled_again(claims[:2], who[1])
    itself = report_ceiling(project, Selection()).figures.itself.ceiling
    assert itself.n_claims == 22
    first = [Label.objects.get(claim=claim, annotator=who[0], occasion=1).verdict == "absent" for claim in claims[:20]]
    first += [Label.objects.get(claim=claim, annotator=who[1], occasion=1).verdict == "absent" for claim in claims[:2]]
    again = [said != (place < 3) for place, said in enumerate(first)]
    expected = cohen_kappa([int(said) for said in first], [int(said) for said in again], categories=2)
    assert itself.people.kappa_two.value == pytest.approx(expected.value)


def test_a_second_label_of_somebody_whose_first_does_not_count_is_left_out() -> None:
    project, who, claims = disputed_project()
    labelled_again(claims[:5], who[0])
    stranger = make_member(project)
    make_label(claims[0], stranger, "stated", surplus=True)
    make_label(claims[0], stranger, "stated", occasion=2)
    first = Label.objects.get(claim=claims[1], annotator=who[0], occasion=1)
    make_label(claims[1], who[0], "stated", revision=first.revision + 1, withdrawn=True)
    assert report_ceiling(project, Selection()).figures.itself.ceiling.n_claims == 4


def test_second_labels_without_any_first_one_are_nobody_against_themselves() -> None:
    project, who, claims = disputed_project(people=1, count=2)
    labelled_again(claims, who[0])
    for label in Label.objects.filter(occasion=1):
        make_label(label.claim, who[0], label.verdict, revision=2, withdrawn=True)
    make_adjudication(claims[0], make_member(project), "absent")
    assert report_ceiling(project, Selection()).figures.itself.ceiling.n_claims == 0


def test_groups_have_their_own_figures_and_small_ones_only_a_reason() -> None:
    project, who, _ = disputed_project(kind="date", severity="critical", collection="archive")
    disputed_claims(project, who, count=6, kind="figure", severity="critical", collection="help")
    groupings = {grouping.name: grouping for grouping in report_ceiling(project, Selection()).figures.groupings}
    assert set(groupings) == {"kind", "collection"}  # all are critical: that grouping says nothing new
    small, large = groupings["kind"].rows
    assert (small.value, large.value) == ("figure", "date")
    assert large.people.individual.ceiling.people.kappa_four.low is not None
    few = small.people.individual.ceiling.people.kappa_four
    assert (few.value, few.n, few.reason) == (None, 6, "fewer than 20 claims with two labels")
    assert [row.value for row in groupings["collection"].rows] == ["archive", "help"]


def test_a_collection_called_none_is_not_the_claims_without_a_collection() -> None:
    project, who, _ = disputed_project(count=4, collection="none")
    disputed_claims(project, who, count=6, collection="")
    (grouping,) = report_ceiling(project, Selection()).figures.groupings
    assert [(row.value, row.words, row.people.n_claims) for row in grouping.rows] == [
        ("none", "not given", 6),
        ("=none", "none", 4),
    ]


def test_a_judge_has_its_headroom_in_each_group() -> None:
    project, who, dates = disputed_project(kind="date")
    figures = disputed_claims(project, who, kind="figure")
    few = disputed_claims(project, who, count=4, kind="name")
    said = {claim: "stated" if place % 2 == 0 else "absent" for place, claim in enumerate(dates)}
    make_run(make_version(project), said | dict.fromkeys([*figures, *few], "stated"))
    report = report_ceiling(project, Selection())
    (grouping,) = report.figures.groupings
    gaps = {line.row.value: line.gaps[0] for line in group_lines(report, grouping)}
    assert gaps["figure"].where == "below"
    assert gaps["date"].where in ("above", "at")
    assert gaps["name"].figure.reason == "fewer than 20 claims with two labels"
    assert gaps["name"].where == ""


def test_a_claim_that_cites_two_collections_counts_in_both() -> None:
    project, _, claims = disputed_project(collection="archive")
    claims[0].citations.create(order=2, source=make_source(project, collection="help"))
    (grouping,) = report_ceiling(project, Selection()).figures.groupings
    assert [(row.value, row.people.n_claims) for row in grouping.rows] == [("archive", 30), ("help", 1)]


def test_a_claim_counts_in_the_period_of_its_newest_label() -> None:
    project, who, _ = disputed_project(created=MARCH)
    april = disputed_claims(project, who, created=datetime(2026, 4, 1, tzinfo=UTC) - timedelta(microseconds=1))
    late = make_member(project)
    make_label(april[0], late, "stated", created=datetime(2026, 5, 2, tzinfo=UTC))
    periods = report_ceiling(project, Selection()).figures.periods
    assert [(row.name, row.people.n_claims) for row in periods] == [
        ("March 2026", 59),
        ("April 2026", 0),
        ("May 2026", 1),
    ]
    assert periods[1].people.individual.ceiling.people.kappa_four.value is None
    weeks = report_ceiling(project, Selection(), by="week").figures.periods
    assert weeks[0].name == "week 11 of 2026"


def test_a_fall_of_agreement_is_flagged_and_said() -> None:
    project, who, _ = disputed_project(created=MARCH, count=40)
    worse = disputed_claims(project, who[:2], created=MARCH + timedelta(days=40), count=40)
    for claim in worse[::2]:
        make_label(claim, who[2], "contradicted", created=MARCH + timedelta(days=40))
    lines = period_lines(report_ceiling(project, Selection()).figures.periods)
    assert lines[0].said == ""
    assert lines[1].row.change is not None
    assert lines[1].row.change.flagged
    assert lines[1].said.startswith("The kappa fell by 0.")


def test_guide_versions_stand_apart_and_mixed_claims_are_counted_out() -> None:
    project, who, _ = disputed_project(guide=1)
    second = GuideVersion.objects.create(project=project, number=2, policy=Policy.STRICT, text="# Guide, clearer")
    disputed_claims(project, who, count=25, guide=2)
    mixed = disputed_claims(project, who[:2], count=3, guide=1)
    for claim in mixed:
        make_label(claim, who[2], "stated", guide_version=second)
    disputed_claims(project, who, count=2)
    figures = report_ceiling(project, Selection()).figures
    assert [(row.name, row.people.n_claims) for row in figures.guides] == [("guide v1", 30), ("guide v2", 25)]
    assert (figures.n_mixed, figures.n_without_guide) == (3, 2)


def test_a_judge_stands_at_the_ceiling_only_where_the_interval_says_so() -> None:
    project, _, claims = disputed_project(count=60)
    truth = {claim: "stated" if place % 2 == 0 else "absent" for place, claim in enumerate(claims)}
    make_run(make_version(project, "oracle"), truth)
    make_run(make_version(project, "deaf"), dict.fromkeys(claims, "stated"))
    near, far = judge_lines(report_ceiling(project, Selection()))
    assert near.row.version.judge.name == "oracle"
    assert "above people" in near.said[0].lower() or "at the human ceiling" in near.said[0].lower()
    assert near.said[0].count("recall on unsupported claims") == 1
    assert "below people" in far.said[0].lower()
    assert near.figures.stand_in.winning_rate.value == 1.0
    assert far.figures.stand_in.winning_rate.value == 0.0


def test_where_a_judge_stands_is_not_said_of_claims_from_a_few_answers() -> None:
    project, _, claims = disputed_project(count=8)
    make_run(make_version(project), dict.fromkeys(claims, "contradicted"))
    (line,) = judge_lines(report_ceiling(project, Selection()))
    assert "8 answers are too few to say where it stands" in line.said[0]
    assert {gap.where for gap in line.gaps} == {""}
    assert [gap.title for gap in line.gaps][:2] == ["Kappa, each person", "Recall, each person"]


def test_noise_is_read_off_the_newest_repetition_and_what_was_said_before_it() -> None:
    project, _, claims = disputed_project(count=60)
    truth = {claim: "stated" if place % 2 == 0 else "absent" for place, claim in enumerate(claims)}
    version = make_version(project, "waverer")
    half = {claim: said if place % 4 < 2 else "absent" for place, (claim, said) in enumerate(truth.items())}
    make_run(version, half)
    none = report_ceiling(project, Selection()).rows[0][1]
    assert (none.noise, none.noise_run) == (None, None)
    make_run(version, dict.fromkeys(claims, "stated"), probe=Run.Probe.REPETITION)
    again = {claim: "failed" if place < 4 else half[claim] for place, claim in enumerate(claims)}
    newest = make_run(version, again, probe=Run.Probe.REPETITION)
    _, figures = report_ceiling(project, Selection()).rows[0]
    assert figures.noise_run == newest.pk
    assert figures.noise is not None
    assert figures.noise.itself.value == 1.0
    assert figures.noise.people.n == 56  # a failure is no second word


def test_days_narrow_the_answers_and_a_changed_day_is_seen() -> None:
    project, _, claims = disputed_project()
    for place, claim in enumerate(claims):
        claim.answer.created = MARCH + timedelta(days=place)
        claim.answer.save()
    chosen = Selection(since="2026-03-20")
    assert report_ceiling(project, chosen).figures.people.n_claims == 20
    claims[0].answer.created = MARCH + timedelta(days=50)
    claims[0].answer.save()
    assert report_ceiling(project, chosen).figures.people.n_claims == 21


def test_one_changed_label_changes_the_figures() -> None:
    project, who, claims = disputed_project()
    before = report_ceiling(project, Selection()).figures
    make_label(claims[1], who[0], "contradicted", revision=2)
    after = report_ceiling(project, Selection()).figures
    assert before.people.individual.ceiling.people.kappa_four != after.people.individual.ceiling.people.kappa_four
