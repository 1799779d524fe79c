from decimal import Decimal

import pytest

from judges.models import Judge, JudgeVersion, Run
from judges.protocol import Outcome
from judges.services.external import ImportedJudgement, add_judgements, external_version, imported_run
from judges.services.progress import progress_of
from judges.services.runs import RunRefusedError, retry_failures
from judges.services.versions import with_threshold
from labelling.models import Claim, Project
from tests.factories import make_claim, make_claims, make_project
from tests.judges.factories import finish, make_version, start

pytestmark = pytest.mark.django_db


def bring(project: Project, *given: ImportedJudgement, version: str = "2026-05") -> Run:
    run = imported_run(version=external_version(project=project, judge_name="theirs", version_name=version))
    add_judgements(run=run, judgements=given)
    run.refresh_from_db()
    return run


def scored(claim: Claim, score: float | None, verdict: str = "stated") -> ImportedJudgement:
    return ImportedJudgement(claim_id=claim.pk, verdict=verdict, score=score, cost_usd=Decimal("0.01"), reason="Why.")


def test_imported_twice_is_there_once() -> None:
    project = make_project()
    first, second, third = make_claims(project, 3)
    bring(project, scored(first, 0.9), scored(second, 0.2, "absent"))
    run = bring(project, scored(first, 0.9), scored(third, 0.5))
    assert JudgeVersion.objects.get().label == "2026-05"
    assert Run.objects.get() == run
    assert (run.state, run.claims_total, run.judgements.count()) == (Run.State.FINISHED, 3, 3)
    assert progress_of(run).cost_usd == Decimal("0.03")


def test_another_judgement_of_the_same_claim_is_a_conflict_and_changes_nothing() -> None:
    project = make_project()
    claim, other = make_claims(project, 2)
    run = bring(project, scored(claim, 0.9))
    done = add_judgements(run=run, judgements=[scored(claim, 0.1, "absent"), scored(claim, 0.9), scored(other, 0.5)])
    assert (done.added, done.conflicts) == (1, (claim.pk, claim.pk))
    assert run.judgements.get(claim=claim).verdict == "stated"


def test_another_version_name_is_another_version() -> None:
    project = make_project()
    (claim,) = make_claims(project, 1)
    bring(project, scored(claim, 0.9))
    bring(project, scored(claim, 0.1, "absent"), version="2026-06")
    assert list(JudgeVersion.objects.values_list("number", "label")) == [(1, "2026-05"), (2, "2026-06")]


def test_a_judge_here_keeps_its_name() -> None:
    project = make_project()
    make_version(project, "leaning", name="theirs")
    with pytest.raises(ValueError, match="already a judge of type 'leaning'"):
        external_version(project=project, judge_name="theirs", version_name="1")
    assert Judge.objects.get().type == "leaning"


def test_an_outcome_without_verdict_is_kept_as_it_is() -> None:
    project = make_project()
    (claim,) = make_claims(project, 1)
    run = bring(project, ImportedJudgement(claim_id=claim.pk, outcome="refused", reason="No."))
    row = run.judgements.get()
    assert (row.outcome, row.verdict, row.score) == ("refused", "", None)
    with pytest.raises(ValueError, match="verdict if and only if it is judged"):
        ImportedJudgement(claim_id=claim.pk, outcome="refused", verdict="stated").opinion()


def test_imported_judgements_are_not_run() -> None:
    project = make_project()
    (claim,) = make_claims(project, 1)
    run = bring(project, scored(claim, 0.9))
    with pytest.raises(RunRefusedError, match="nothing to run"):
        start(run.judge_version)


def test_a_threshold_derives_verdicts_from_the_imported_scores() -> None:
    project = make_project()
    high, edge, low, unscored, refused, missing = make_claims(project, 6)
    base = bring(
        project,
        scored(high, 0.9, "partial"),
        scored(edge, 0.6, "absent"),
        scored(low, 0.59),
        scored(unscored, None),
        ImportedJudgement(claim_id=refused.pk, outcome="refused", reason="No."),
    ).judge_version
    version = with_threshold(version=base, threshold=0.6, by=None)
    run = finish(start(version))
    said = {row.claim_id: (row.outcome, row.verdict) for row in run.judgements.all()}
    assert said == {
        high.pk: (Outcome.JUDGED, "stated"),
        edge.pk: (Outcome.JUDGED, "stated"),
        low.pk: (Outcome.JUDGED, "absent"),
        unscored.pk: (Outcome.NO_OPINION, ""),
        refused.pk: (Outcome.REFUSED, ""),
        missing.pk: (Outcome.FAILED, ""),
    }
    assert version.config["base"] == base.fingerprint
    again = with_threshold(version=version, threshold=0.7, by=None)
    assert again.config["base"] == base.fingerprint


def test_scores_of_an_earlier_text_are_not_used() -> None:
    project = make_project()
    (claim,) = make_claims(project, 1)
    base = bring(project, scored(claim, 0.9)).judge_version
    source = claim.citations.get().source
    source.text = "Rewritten since."
    source.save()
    run = finish(start(with_threshold(version=base, threshold=0.5, by=None)))
    row = run.judgements.get()
    assert (row.outcome, row.verdict) == ("failed", "")
    assert "changed since the judgement was imported" in row.reason


def test_imported_failures_stay_what_they_are() -> None:
    project = make_project()
    run = bring(project, ImportedJudgement(claim_id=make_claim(project).pk, outcome="refused", reason="No."))
    with pytest.raises(RunRefusedError, match="came with its judgements by import"):
        retry_failures(run)
    run.refresh_from_db()
    assert run.state == Run.State.FINISHED
    assert run.judgements.get(replaced=False).reason == "No."
