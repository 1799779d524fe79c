"""How many more labels: in words, for a width, with a refusal where too little is labelled to say."""

from collections.abc import Sequence

import pytest

from calibration.planning import FEWEST
from judges.models import JudgeVersion
from labelling.models import Project
from reports.selection import Selection
from reports.services.planning import NO_JUDGE, LabelsNeeded, labels_needed
from tests.factories import make_claims, make_project
from tests.reports.rows import labelled_claims, make_run, make_version

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("few_resamples")]


def judged(gold: Sequence[str], wrong: int = 0, *, left: int = 5) -> tuple[Project, JudgeVersion]:
    """A project with a judge that misses the first few unsupported claims, and claims left to label."""
    project = make_project()
    claims = labelled_claims(project, gold)
    bad = [claim for claim, verdict in zip(claims, gold, strict=True) if verdict == "absent"]
    said = dict(zip(claims, gold, strict=True)) | dict.fromkeys(bad[:wrong], "stated")
    version = make_version(project)
    make_run(version, said)
    make_claims(project, left)
    return project, version


def needed(project: Project, **more: object) -> LabelsNeeded:
    return labels_needed(project, Selection(), **more)  # type: ignore[arg-type]


def test_words_say_how_many_random_claims_narrow_recall_and_what_that_rests_on() -> None:
    project, version = judged(["absent", "stated", "stated"] * 16, wrong=4)
    need = needed(project)
    assert need.version == version
    assert (need.recall.value, need.recall.n) == (0.75, 16)
    assert need.share.value == pytest.approx(1 / 3)
    assert need.recall_more.more is not None
    assert need.recall_more.items is not None
    # Three random claims for each unsupported one.
    assert need.recall_more.more == 3 * (need.recall_more.items - 16)
    assert need.recall_sentence == f"Label {need.recall_more.more:,} more random claims for ±5 points on recall."
    assert need.left == 5


def test_a_wider_interval_takes_fewer() -> None:
    project, _ = judged(["absent", "stated"] * 20, wrong=5)
    narrow, wide = needed(project, half_width=0.05), needed(project, half_width=0.1)
    assert narrow.recall_more.more is not None
    assert wide.recall_more.more is not None
    assert 0 < wide.recall_more.more < narrow.recall_more.more / 3


def test_with_too_few_unsupported_claims_nothing_is_reckoned_and_the_worst_case_is_said() -> None:
    project, _ = judged(["absent"] * (FEWEST - 1) + ["stated"] * 9, wrong=2)
    need = needed(project)
    assert need.recall_more.more is None
    assert f"it rests on {FEWEST - 1}" in need.recall_sentence
    assert (need.worst, need.worst_claims) == (385, 770)


def test_without_a_judge_or_a_label_each_line_says_what_is_missing() -> None:
    project = make_project()
    need = needed(project)
    assert NO_JUDGE in need.recall_sentence
    assert "cannot be told" in need.ceiling_sentence
    assert need.promise_sentence.startswith("No unsupported claim is labelled yet")
    assert (need.left, need.suggested, need.worst_claims) == (0, 1, None)


@pytest.mark.parametrize(("bad", "missing", "more"), [(12, 17, 34), (29, 0, 0)])
def test_the_claims_that_a_promised_recall_lacks_are_counted(bad: int, missing: int, more: int) -> None:
    project, _ = judged(["absent", "stated"] * bad)
    promise = needed(project).promise
    assert (promise.needed, promise.have, promise.short, promise.more) == (29, bad, missing, more)


def test_the_judge_asked_for_is_the_one_it_is_about_else_the_one_that_catches_most() -> None:
    project, good = judged(["absent", "stated"] * 12, wrong=1)
    claims = list(project.claims.filter(labels__isnull=False).distinct())
    older = make_version(project, "checks")
    make_run(older, dict.fromkeys(claims, "stated"))
    newer = make_version(project, "checks", number=2)
    make_run(newer, dict.fromkeys(claims, "stated"))
    assert needed(project).version == good
    assert needed(project, version=older).version == older
    assert needed(project, version=older).recall.value == 0.0


def test_what_is_proposed_to_be_queued_is_never_more_than_is_left() -> None:
    project, _ = judged(["absent", "stated"] * 12, wrong=3, left=7)
    need = needed(project)
    assert (need.recall_more.more or 0) > 7
    assert need.suggested == 7
