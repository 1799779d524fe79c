"""What comes back for an answer, from the checks and from a judge that may be relied on."""

from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from judges.fingerprints import input_hash
from judges.models import Judgement, JudgeVersion, Run
from judges.services.inputs import claim_inputs
from judges.stream import build_checks, flags_of, read_answer
from labelling.models import Answer, Claim, GuideVersion, Label, Slot, Source
from reports.api.answering import judge_inputs
from reports.api.contract import RESPONSE
from reports.api.shapes import faults_of
from reports.models import Look
from reports.selection import BOTH_SPLITS, Selection
from reports.services.certificates import certificate_of
from reports.services.comparison import compare_project
from reports.services.groundedness import JUDGE, report_groundedness
from reports.services.trends import report_trends
from tests.factories import make_answer, make_claim, make_project, make_source
from tests.judges.factories import make_version
from tests.reports.api.posting import CLAIM, SOURCE, Program, a_body
from tests.reports.certified import Scene, certified
from tests.reports.rows import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("few_resamples")]


@pytest.fixture
def scene() -> Scene:
    return certified()[0]


def the_claim(data: dict[str, Any]) -> dict[str, Any]:
    (claim,) = data["claims"]
    assert isinstance(claim, dict)
    return claim


def test_checks_say_what_the_stream_says_of_the_same_answer() -> None:
    data = Program(make_project()).answer()
    streamed = flags_of(read_answer(a_body(claims=[{**CLAIM, "id": "a1.1"}])), build_checks((), {}))
    assert the_claim(data)["flags"] == streamed
    assert [flag["check"] for flag in streamed] == ["specifics"]
    assert (data["judge"], data["stored"], data["extractor"]) == (None, None, None)
    assert "never truth" in data["measures"]


def test_claims_are_extracted_where_there_are_none_and_cite_what_their_markers_point_at() -> None:
    data = Program(make_project()).answer(claims=None)
    claim = the_claim(data)
    assert (claim["id"], claim["text"]) == ("a1.1", "Parcels may come back within 30 days.")
    assert [cited["source"] for cited in claim["citations"]] == ["returns"]
    assert data["extractor"]["name"] == "rules"


def test_a_marker_may_point_at_a_source_that_the_project_has() -> None:
    project = make_project()
    make_source(project, SOURCE["text"], external_id="returns")
    data = Program(project).answer(claims=None, sources=None, retrieved=["returns"])
    assert the_claim(data)["citations"][0]["resolved"]
    assert the_claim(data)["flags"][0]["nearest"] == "14 days"
    other = Program(make_project()).answer(claims=None, sources=None, retrieved=["returns"])
    assert the_claim(other)["citations"] == [], "a source of another project is nobody's"


def test_an_answer_that_asserts_nothing_has_no_claims() -> None:
    data = Program(make_project()).answer(claims=None, text="I do not know.")
    assert data["claims"] == []


def test_checks_take_the_settings_that_the_project_gave_them() -> None:
    project = make_project()
    make_version(project, "prohibited", config={"classes": [], "phrases": ["legal advice"], "patterns": []})
    data = Program(project).answer(text="This is legal advice. Parcels may come back within 30 days. [1]")
    (flag,) = data["flags"]
    assert (flag["check"], flag["claim"], flag["value"]) == ("prohibited", None, "legal advice")
    assert {"check": "prohibited", "version": "prohibited v1"} in data["checks"]


def test_a_certified_judge_says_its_verdict_with_its_certificate(scene: Scene) -> None:
    data = Program(scene.project).answer(judge="lexical@1")
    judgement = the_claim(data)["judgement"]
    assert (judgement["outcome"], judgement["verdict"], judgement["quote"]) == ("judged", "stated", SOURCE["text"])
    certificate = certificate_of(scene.version).certificate
    assert certificate is not None
    assert data["judge"]["certificate"]["guarantee"] == certificate.guarantee
    assert data["judge"]["certificate"]["data_hash"] == certificate.data_hash
    assert data["judge"]["fingerprint"] == scene.version.fingerprint
    assert not list(faults_of(data, RESPONSE))


def test_a_judge_without_a_current_certificate_is_refused_in_the_words_of_the_certificate(scene: Scene) -> None:
    program = Program(scene.project)
    make_version(scene.project, "quotes")
    status, data = program.post(a_body(judge="quotes", store=True))
    assert (status, data["error"]) == (409, "quotes v1 may not be relied on: no certificate")
    GuideVersion.objects.create(project=scene.project, number=2, policy="inference", text="")
    status, data = program.post(a_body(judge="lexical", store=True))
    assert status == 409
    assert certificate_of(scene.version).words in data["error"]
    assert "the guide's policy changed" in data["error"]
    assert not Answer.objects.filter(external_id="a1").exists()


def test_a_judge_of_another_project_is_as_if_it_were_not_there(scene: Scene) -> None:
    status, data = Program(make_project()).post(a_body(judge="lexical"))
    assert (status, data["problems"][0]["key"]) == (400, "judge")
    assert scene.project.slug not in data["error"]


def test_a_claim_that_cites_nothing_is_not_judged_and_is_flagged(scene: Scene) -> None:
    data = Program(scene.project).answer(judge="lexical", claims=[{"text": "Parcels come back."}])
    assert the_claim(data)["judgement"] is None
    assert the_claim(data)["flags"][0]["reason"] == "The claim cites no source."


def test_a_stored_answer_is_as_an_import_would_have_it(scene: Scene) -> None:
    before = timezone.now()
    data = Program(scene.project).answer(judge="lexical", store=True, system="bot", task_type="returns")
    assert data["stored"] == "added"
    answer = Answer.objects.get(external_id="a1")
    assert (answer.project, answer.system, answer.retrieved) == (scene.project, "bot", ["returns"])
    assert answer.created is not None
    assert abs((answer.created - before).total_seconds()) < 60
    claim = Claim.objects.get(answer=answer)
    assert [cited.source.external_id for cited in claim.citations.all()] == ["returns"]
    assert Slot.objects.filter(claim=claim).count() == scene.project.overlap
    row = Judgement.objects.counted().get(claim=claim)
    assert (row.run.judge_version, row.verdict) == (scene.version, "stated")
    assert row.input_hash == input_hash(claim_inputs([claim.pk])[0])


def test_posted_twice_is_stored_once_and_judged_once(scene: Scene) -> None:
    program = Program(scene.project)
    first = program.answer(judge="lexical", store=True)
    second = program.answer(judge="lexical", store=True)
    assert (first["stored"], second["stored"]) == ("added", "unchanged")
    assert not the_claim(first)["judgement"]["reused"]
    assert the_claim(second)["judgement"]["reused"]
    assert Answer.objects.filter(external_id="a1").count() == Claim.objects.filter(external_id="a1.1").count() == 1
    run = Run.objects.get(selection={"posted": "true"})
    assert (run.claims_total, run.judgements.count(), run.chunks.count(), run.state) == (1, 1, 1, "finished")
    program.answer(id="a2", judge="lexical", store=True)
    run.refresh_from_db()
    assert (run.claims_total, run.judgements.count(), run.chunks.count()) == (2, 2, 2)


def test_the_page_of_the_run_says_where_its_claims_came_from(scene: Scene, client: Client) -> None:
    Program(scene.project).answer(judge="lexical", store=True)
    signed_in(client, scene.project)
    run = Run.objects.get(selection={"posted": "true"})
    html = client.get(reverse("judges:run", args=[scene.project.slug, run.pk])).content.decode()
    assert "Over the answers that programs posted." in html


def test_another_text_under_a_known_id_is_a_conflict_that_names_the_key(scene: Scene) -> None:
    program = Program(scene.project)
    program.answer(store=True)
    for more, key in (
        ({"text": "Something else."}, "text"),
        ({"claims": [{**CLAIM, "text": "Something else."}]}, "claims[0].text"),
        ({"sources": [{**SOURCE, "text": "Something else."}]}, "sources[0].text"),
    ):
        status, data = program.post(a_body(store=True, **more))
        assert (status, data["problems"][0]["key"]) == (409, key), data
        assert "--update" not in data["error"]
    assert Answer.objects.get(external_id="a1").text == a_body()["text"]
    assert Source.objects.get(external_id="returns").text == SOURCE["text"]


def test_what_is_stored_moves_no_figure_of_calibration(scene: Scene) -> None:
    def figures() -> object:
        return repr(compare_project(scene.project, Selection(split=BOTH_SPLITS)).result)

    before = figures()
    labels = Label.objects.count()
    for number in range(3):
        Program(scene.project, name=f"p{number}").answer(id=f"new{number}", judge="lexical", store=True)
    assert figures() == before
    assert (Label.objects.count(), certificate_of(scene.version).current) == (labels, True)
    assert not Look.objects.filter(page__contains="api").exists()


def test_the_report_and_the_trend_see_what_is_stored(scene: Scene) -> None:
    selection = Selection(split=BOTH_SPLITS, system="posted")
    program = Program(scene.project)
    for day in ("2026-05-04", "2026-05-12"):
        program.answer(id=day, created=f"{day}T10:00:00Z", system="posted", judge="lexical", store=True)
    program.answer(id="now", system="posted", judge="lexical", store=True)
    report = report_groundedness(scene.project, selection, version=scene.version, origin=JUDGE)
    assert report.figures.judged is not None
    assert (report.figures.judged.worst.n_claims, report.figures.judged.worst.n_settled) == (3, 3)
    trend = report_trends(scene.project, selection, version=scene.version, by="month", now=timezone.now())
    assert (trend.figures.origin, trend.figures.n_untimed) == ("judge", 0)
    assert [count.n_settled for count in trend.figures.counts if count.n_settled] == [2, 1]


def test_a_judge_is_given_the_same_whether_the_answer_is_stored_or_not(scene: Scene) -> None:
    sources = [SOURCE, {"id": "fees", "text": "A fee of 3 euros.", "fields": {"fee": 3}}]
    claims = [
        {
            "text": "A fee of 3 euros within 14 days.",
            "citations": [{"source": "fees"}, {"source": "returns", "start": 0, "end": 7}],
        }
    ]
    body = a_body(sources=sources, claims=claims)
    Program(scene.project).answer(sources=sources, claims=claims, store=True)
    stored = claim_inputs([Claim.objects.get(external_id="a1.1").pk], whole_answers=True)
    posted = judge_inputs([claim for _, claim in read_answer(body).claims], whole=True)
    assert list(map(input_hash, posted)) == list(map(input_hash, stored))


def test_a_source_that_nobody_knows_is_flagged_and_counted(scene: Scene) -> None:
    data = Program(scene.project).answer(sources=None, judge="lexical", store=True)
    reasons = [flag["reason"] for flag in the_claim(data)["flags"]]
    assert "The cited source “returns” does not exist." in reasons
    assert Source.objects.get(external_id="returns").text == ""
    assert the_claim(data)["judgement"]["outcome"] in ("judged", "no-opinion")


def test_the_checks_need_three_queries_and_a_judge_four_more(scene: Scene, django_assert_num_queries: Any) -> None:
    program = Program(scene.project)
    claims = [{**CLAIM, "id": f"c{number}"} for number in range(40)]
    with django_assert_num_queries(3):
        program.answer(claims=claims)
    with django_assert_num_queries(7):
        program.answer(claims=claims, judge="lexical@1")


def test_a_text_that_an_import_changed_since_is_judged_in_another_run(scene: Scene) -> None:
    program = Program(scene.project)
    program.answer(judge="lexical", store=True)
    Source.objects.filter(external_id="returns").update(text="Something else.")
    sources = [{**SOURCE, "text": "Something else."}]
    for reused in (False, True):
        judgement = the_claim(program.answer(sources=sources, judge="lexical", store=True))["judgement"]
        assert (judgement["verdict"], judgement["reused"]) == ("absent", reused)
    assert Run.objects.filter(selection={"posted": "true"}).count() == 2


def test_a_judge_is_asked_no_further_once_the_time_is_over(scene: Scene, settings: LazySettings) -> None:
    settings.API_JUDGE_SECONDS = 0.0
    claims = [{**CLAIM, "id": f"c{number}"} for number in range(3)]
    for store in (False, True):
        data = Program(scene.project, name=str(store)).answer(claims=claims, judge="lexical", store=store)
        assert [claim["judgement"] is None for claim in data["claims"]] == [False, True, True]
        assert data["judge"]["unasked"] == ["c1", "c2"]
        assert not list(faults_of(data, RESPONSE))


def test_a_judge_that_breaks_down_is_an_outcome_and_is_asked_again(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Broken:
        type_name, limits = "lexical", "Broken."

        def judge(self, _claims: object) -> object:
            raise RuntimeError("no <b>model</b>")

    program = Program(scene.project)
    with monkeypatch.context() as patch:
        patch.setattr("judges.services.posted.ready_judge", lambda version: ReadyFor(version, Broken()))
        judgement = the_claim(program.answer(judge="lexical", store=True))["judgement"]
    assert (judgement["outcome"], judgement["verdict"]) == ("failed", None)
    assert the_claim(program.answer(judge="lexical", store=True))["judgement"]["outcome"] == "judged"
    rows = Judgement.objects.filter(claim__external_id="a1.1").order_by("id")
    assert list(rows.values_list("outcome", "replaced")) == [("failed", True), ("judged", False)]
    run = Run.objects.get(selection={"posted": "true"})
    assert (run.claims_total, run.chunks.count()) == (1, 1)


class ReadyFor:
    """A judge that was built, as the caller sees it."""

    paid = False

    def __init__(self, _version: JudgeVersion, implementation: Any) -> None:
        self.implementation = implementation


def test_claims_of_other_answers_are_never_taken_over(scene: Scene) -> None:
    other = make_answer(scene.project, external_id="other")
    make_claim(scene.project, CLAIM["text"], answer=other, external_id="a1.1", slots=False)  # type: ignore[arg-type]
    status, data = Program(scene.project).post(a_body(store=True))
    assert (status, data["problems"][0]["key"]) == (409, "claims[0].answer")
