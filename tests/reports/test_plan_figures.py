"""Groups that plans draw from, and what a plan's claims say once each counts by its probability."""

import numpy as np
import pytest

from judges.models import JudgeVersion
from labelling.models import Claim, Project, SamplingPlan, Split
from labelling.services.sampling import Group, next_number, queue_plan
from reports.selection import BOTH_SPLITS, Selection
from reports.services.comparison import compare_project
from reports.services.plans import plan_figures, progress_of
from reports.services.sampling import alike, draw_words, near_threshold, where_judges_disagree
from tests.factories import make_claim, make_claims, make_label, make_member, make_project, make_source
from tests.reports.rows import make_run, make_version

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("few_resamples")]


def queued(project: Project, random: int, *groups: Group, seed: int = 1) -> SamplingPlan:
    return queue_plan(
        project=project, by=None, number=next_number(project), random=random, groups=groups, labels=1, seed=seed
    )


def places(group: Group, claims: list[Claim]) -> list[int]:
    return [place for place, claim in enumerate(claims) if claim.pk in group.claims]


def test_judges_disagree_where_one_supports_a_claim_and_another_does_not() -> None:
    project = make_project()
    claims = make_claims(project, 6)
    one, two = make_version(project, "one"), make_version(project, "two")
    make_run(one, dict(zip(claims, ["stated", "stated", "absent", "partial", "failed", "stated"], strict=True)))
    make_run(
        two, dict(zip(claims, ["stated", "absent", "contradicted", "absent", "absent", "no-opinion"], strict=True))
    )
    assert places(where_judges_disagree(project, [one, two], 3), claims) == [1]
    project.partial_is_unsupported = False
    assert places(where_judges_disagree(project, [one, two], 3), claims) == [1, 3]


def test_a_claim_is_near_a_threshold_by_its_score() -> None:
    project = make_project()
    claims = make_claims(project, 4)
    version = make_version(project, config={"threshold": 0.6})
    for claim, score in zip(claims, [0.5, 0.69, 0.71, None], strict=True):
        make_run(version, {claim: "stated"}, score=score)
    group = near_threshold(project, version, 2, within=0.1)
    assert places(group, claims) == [0, 1]
    assert draw_words({"criterion": group.criterion, **group.detail}) == "near a threshold: words@1 within 0.10 of 0.60"


def test_claims_alike_share_all_that_is_given() -> None:
    project = make_project()
    scan = make_source(project, collection="scanned-pdf")
    figure = make_claim(project, kind="figure", source=scan)
    claims = [figure, make_claim(project, kind="figure"), make_claim(project, source=scan)]
    assert (
        draw_words({"criterion": "alike", "kind": "none", "collection": "=none"})
        == "alike: collection none, kind not given"
    )
    group = alike(project, 1, kind="figure", collection="scanned-pdf")
    assert places(group, claims) == [0]
    assert draw_words({"criterion": group.criterion, **group.detail}) == "alike: collection scanned-pdf, kind figure"


def half_missed(n: int) -> tuple[Project, list[Claim], list[str], Group]:
    """A judge that misses half of the unsupported claims, and a group that holds all that it misses."""
    project = make_project(overlap=1)
    claims = make_claims(project, n)
    gold = ["absent" if place % 4 < 2 else "stated" for place in range(n)]
    make_run(make_version(project), dict(zip(claims, ["stated" if p % 4 else "absent" for p in range(n)], strict=True)))
    missed = [claim.pk for place, claim in enumerate(claims) if place % 4 == 1]
    return project, claims, gold, Group("disagree", n // 4, np.array(missed), {})


def label_all(plan: SamplingPlan, claims: list[Claim], gold: list[str]) -> None:
    person = make_member(plan.project)
    verdicts = dict(zip((claim.pk for claim in claims), gold, strict=True))
    for row in plan.planned.select_related("claim"):
        make_label(row.claim, person, verdicts[row.claim_id])


def test_recall_over_a_targeted_plan_is_that_of_all_its_claims_and_not_of_what_was_picked() -> None:
    project, claims, gold, group = half_missed(120)
    plan = queued(project, 60, group)
    label_all(plan, claims, gold)
    version = JudgeVersion.objects.get()
    figures = plan_figures(plan, version, BOTH_SPLITS)
    assert (figures.claims, figures.with_gold, figures.in_run) == (plan.planned.count(),) * 3
    assert figures.score.recall.value == pytest.approx(0.5, abs=0.1)
    assert figures.score.share_unsupported.value == pytest.approx(0.5, abs=0.1)
    # The same claims counted alike: every one that the judge misses was picked.
    found = project.claims.filter(labels__verdict="absent").distinct()
    assert found.filter(pk__in=group.claims).count() > 0.6 * found.count()


def test_the_usual_figures_leave_targeted_claims_out_and_keep_those_drawn_at_random() -> None:
    project, claims, gold, group = half_missed(80)
    plan = queued(project, 40, group)
    label_all(plan, claims, gold)
    targeted = plan.planned.filter(at_random=False).count()
    assert targeted > 0
    report = compare_project(project, Selection())
    assert report.figures.targeted_left_out == targeted
    assert report.result.n_claims == 40


def test_without_a_judge_the_share_of_unsupported_claims_is_there() -> None:
    project, claims, gold, _ = half_missed(40)
    plan = queued(project, 40)
    label_all(plan, claims, gold)
    assert plan_figures(plan, None, BOTH_SPLITS).score.share_unsupported.value == 0.5


def test_figures_of_one_split_rest_on_its_claims_alone() -> None:
    project, claims, gold, _ = half_missed(12)
    for claim in claims[:4]:
        claim.answer.split = Split.TEST
        claim.answer.save()
    plan = queued(project, 12)
    label_all(plan, claims, gold)
    assert plan_figures(plan, None, Split.TEST).claims == 4
    assert plan_figures(plan, None, Split.DEVELOPMENT).claims == 8


def test_progress_counts_labels_since_and_before_and_what_waits() -> None:
    project = make_project(overlap=2)
    claims = make_claims(project, 5)
    plan = queued(project, 3, Group("disagree", 5, np.array([claim.pk for claim in claims]), {}))
    before = progress_of(plan)
    assert (before.claims, before.at_random, before.only_for_groups, before.labelled) == (5, 3, 2, 0)
    assert (before.waiting, before.may_undo, before.least, before.most) == (5, True, 1.0, 1.0)
    first = plan.planned.order_by("turn")[0]
    make_label(first.claim, make_member(project))
    after = progress_of(plan)
    assert (after.labelled, after.may_undo) == (1, False)


def test_labels_given_beyond_a_targeted_plan_are_counted_since_they_tilt_the_usual_figures() -> None:
    project = make_project(overlap=1)
    claims = make_claims(project, 8)
    plan = queued(project, 2, Group("disagree", 1, np.array([claims[0].pk]), {}))
    drawn = set(plan.planned.values_list("claim_id", flat=True))
    outside = [claim for claim in claims if claim.pk not in drawn][:3]
    person = make_member(project)
    for claim in outside:
        make_label(claim, person)
    assert progress_of(plan).beyond == 3
    assert progress_of(queued(project, 2, seed=2)).beyond == 0
