"""The figures of tests of a judge, from rows written by hand."""

from collections.abc import Sequence

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from judges.models import Run
from labelling.models import Claim
from reports.services.probes import difference, last_probes, report_probe, shown_cases
from tests.factories import make_source
from tests.reports.rows import make_run, make_version, small_project

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("few_resamples")]


class Scene:
    """Claims, each of an answer of its own, of which a version said something as they are."""

    def __init__(self, *said: str) -> None:
        self.project, self.claims = small_project(["stated"] * len(said))
        self.version = make_version(self.project)
        make_run(self.version, dict(zip(self.claims, said, strict=True)))

    def tried(self, probe: str, *said: str, kinds: Sequence[str] = ()) -> Run:
        run = make_run(self.version, dict(zip(self.claims, said, strict=True)), probe=probe)
        for number, claim in enumerate(self.claims):
            kind = kinds[number] if kinds else "kind"
            run.judgements.filter(claim=claim).update(detail={"probe": {"kind": kind, "claim": f"Altered {number}."}})
        return run


def worst(run: Run) -> list[Claim]:
    return [Claim.objects.get(pk=case.claim_id) for case in report_probe(run).cases]


def test_silence_counts_what_is_still_called_stated_among_verdicts() -> None:
    scene = Scene("stated", "stated", "stated", "stated")
    run = scene.tried("silence", "absent", "stated", "contradicted", "failed")
    report = report_probe(run)
    share = report.share.clustered
    assert (share.k, share.n) == (1, 3)
    assert share.value == pytest.approx(1 / 3)
    assert {verdict: one.clustered.k for verdict, one in report.verdicts} == {
        "stated": 1, "partial": 0, "absent": 1, "contradicted": 1,
    }  # fmt: skip
    assert report.without == (("failed", 1),)
    assert worst(run)[0] == scene.claims[1]
    assert worst(run)[-1] == scene.claims[3]


def test_perturbation_is_over_claims_that_were_called_stated_and_comes_by_kind() -> None:
    scene = Scene("stated", "stated", "stated", "absent", "stated")
    run = scene.tried(
        "perturbation", "absent", "stated", "contradicted", "absent", "failed",
        kinds=["figure", "figure", "name", "name", "name"],
    )  # fmt: skip
    report = report_probe(run)
    assert (report.share.clustered.k, report.share.clustered.n) == (2, 3)
    assert report.contradicted is not None
    assert (report.contradicted.clustered.k, report.contradicted.clustered.n) == (1, 3)
    assert [(one.kind, one.share.clustered.k, one.share.clustered.n) for one in report.kinds] == [
        ("figure", 1, 2), ("name", 1, 1),
    ]  # fmt: skip
    assert worst(run)[0] == scene.claims[1]


@pytest.mark.parametrize("probe", ["order", "rewording", "repetition"])
def test_where_nothing_should_change_what_is_said_the_same_is_counted(probe: str) -> None:
    scene = Scene("stated", "absent", "no-opinion", "stated", "failed")
    report = report_probe(scene.tried(probe, "absent", "absent", "no-opinion", "failed", "absent"))
    assert (report.share.clustered.k, report.share.clustered.n) == (2, 3)
    assert report.flips == (("stated", "absent", 1),)
    assert report.without_before == 1
    assert report.stability is not None
    assert report.stability.kappa_four.n == 2
    assert report.stability.score_change.n == 3


def test_what_was_said_before_is_the_last_word_before_the_test() -> None:
    scene = Scene("stated", "stated")
    make_run(scene.version, {scene.claims[0]: "absent"})
    run = scene.tried("repetition", "absent", "stated")
    make_run(scene.version, dict.fromkeys(scene.claims, "contradicted"))
    scene.tried("repetition", "contradicted", "contradicted")
    assert report_probe(run).share.clustered.k == 2


def test_a_test_of_which_nothing_is_judged_yet_has_no_data() -> None:
    scene = Scene("stated")
    run = Run.objects.create(
        project=scene.project, judge_version=scene.version, claims_total=1, probe="perturbation", seed=1
    )
    report = report_probe(run)
    assert report.share.clustered.value is None
    assert report.share.clustered.reason
    assert report.cases == ()


def test_the_last_test_of_each_kind_is_told_and_why_there_can_be_none() -> None:
    scene = Scene("stated", "stated")
    scene.tried("silence", "stated", "stated")
    last = scene.tried("silence", "absent", "absent")
    found = {test.probe: test for test in last_probes(scene.version)}
    assert list(found) == ["silence", "order", "rewording", "perturbation", "repetition"]
    silence = found["silence"].report
    assert silence is not None
    assert silence.run == last
    assert found["order"].report is None
    external = make_version(scene.project, "theirs", type_name="external", config={"judge": "theirs"})
    assert all("nothing to ask" in test.refusal for test in last_probes(external))


def test_cases_show_the_claim_before_and_after_and_the_strangers() -> None:
    scene = Scene("stated", "stated")
    run = scene.tried("silence", "absent", "absent")
    make_source(scene.project, "x" * 500, external_id="other", title="<b>Other</b>")
    run.judgements.filter(claim=scene.claims[0]).update(
        detail={"probe": {"kind": "k", "sources": ["other", "gone"]}}, reason="Why."
    )
    report = report_probe(run)
    shown = {one.claim: one for one in shown_cases(report, report.cases)}
    first, second = (shown[claim] for claim in scene.claims)
    assert [one.name for one in first.strangers] == ["<b>Other</b>", "gone"]
    assert len(first.strangers[0].text) < 450
    assert (first.head, first.old, first.new, first.tail) == ("Claim 0.", "", "", "")
    assert (second.old, second.new) != ("", "")
    assert first.judgement.reason == "Why."


@pytest.mark.parametrize(
    ("before", "after", "parts"),
    [
        ("It has 40 staff.", "It has 90 staff.", ("It has ", "40", "90", " staff.")),
        ("It is open.", "It is not open.", ("It is ", "", "not ", "open.")),
        ("It is.", "It is", ("It is", ".", "", "")),
        ("Same.", "Same.", ("Same.", "", "", "")),
        ("in Leeds, Leeds", "in Oslo, Oslo", ("in ", "Leeds, Leeds", "Oslo, Oslo", "")),
        ("", "New.", ("", "", "New.", "")),
    ],
)
def test_the_changed_part_is_told_in_whole_words(before: str, after: str, parts: tuple[str, str, str, str]) -> None:
    head, old, new, tail = difference(before, after)
    assert (head, old, new, tail) == parts
    assert head + old + tail == before
    assert head + new + tail == after


def test_figures_do_not_need_more_queries_for_more_claims() -> None:
    counts = []
    for size in (3, 30):
        scene = Scene(*["stated"] * size)
        run = Run.objects.select_related("project").get(pk=scene.tried("repetition", *["stated"] * size).pk)
        with CaptureQueriesContext(connection) as captured:
            report_probe(run)
        counts.append(len(captured))
    assert counts[0] == counts[1] == 2
