"""What a judge says in a test of it is nowhere taken for its word on a claim."""

import pytest

from judges.exporting import judgement_lines
from judges.external import ExternalJudge, parse_config
from judges.models import Judgement, JudgeVersion, Run
from judges.protocol import Outcome
from judges.services.external import ImportedJudgement, add_judgements, external_version, imported_run
from judges.services.forecasts import forecast_run
from judges.services.inputs import claim_inputs
from judges.services.selection import Selection
from labelling.models import Claim
from tests.factories import make_claims, make_project
from tests.judges import sample_types
from tests.judges.factories import finish, make_version, start

pytestmark = pytest.mark.django_db


def a_test_of(version: JudgeVersion) -> list[Claim]:
    """Three claims over which the version has run, the run being a test of it."""
    claims = make_claims(version.judge.project, 3)
    run = finish(start(version))
    Run.objects.filter(pk=run.pk).update(probe=Run.Probe.REPETITION, seed=1)
    return claims


def test_only_what_was_not_tried_again_and_is_no_test_counts() -> None:
    version = make_version(make_project())
    a_test_of(version)
    assert not Judgement.objects.counted().exists()
    plain = finish(start(version))
    assert set(Judgement.objects.counted().values_list("run", flat=True)) == {plain.pk}


def test_a_plain_run_takes_nothing_from_a_test() -> None:
    version = make_version(make_project())
    claims = a_test_of(version)
    sample_types.asked.clear()
    plain = finish(start(version))
    assert sample_types.asked == [claim.pk for claim in claims]
    assert not plain.judgements.filter(cached_from__isnull=False).exists()


def test_a_forecast_does_not_take_what_a_test_asked_for_asked_before() -> None:
    version = make_version(make_project())
    a_test_of(version)
    assert forecast_run(version=version, selection=Selection()).asked_before == 0
    finish(start(version))
    assert forecast_run(version=version, selection=Selection()).asked_before == 3


def test_lines_for_export_hold_nothing_of_a_test() -> None:
    version = make_version(make_project())
    a_test_of(version)
    assert list(judgement_lines(version.judge.project)) == []
    finish(start(version))
    assert len(list(judgement_lines(version.judge.project))) == 3


def test_an_external_judge_reads_no_scores_of_a_test() -> None:
    project = make_project()
    (claim,) = make_claims(project, 1)
    version = external_version(project=project, judge_name="theirs", version_name="1")
    run = imported_run(version=version)
    add_judgements(run=run, judgements=[ImportedJudgement(claim_id=claim.pk, verdict="stated", score=0.9)])
    judge = ExternalJudge(parse_config({"judge": "theirs", "base": version.fingerprint, "threshold": 0.5}))
    assert [one.outcome for one in judge.judge(claim_inputs([claim.pk]))] == [Outcome.JUDGED]
    Run.objects.filter(pk=run.pk).update(probe=Run.Probe.SILENCE, seed=1)
    assert [one.outcome for one in judge.judge(claim_inputs([claim.pk]))] == [Outcome.FAILED]
