"""A version with other thresholds is judged from what is kept, and says what it would say if it were asked."""

from pathlib import Path

import pytest

from judges.entailment.judge import EntailmentJudge
from judges.models import Judgement, JudgeVersion, Run
from judges.services.inputs import claim_inputs
from judges.services.kept import kept_by
from judges.services.versions import build, create_version, with_threshold
from tests.factories import make_claim, make_project, make_source
from tests.judges.factories import finish, make_version, start

pytestmark = pytest.mark.django_db
TEXT = "The shop is open. A man is asleep. The door is clean. A dog is near. The hotel is warm."
CLAIMS = (
    "The shop is open.",
    "The shop is closed.",
    "A man is awake.",
    "The door is warm.",
    "A dog is far.",
    "The hotel is warm.",
)
OTHERS: tuple[dict[str, float], ...] = (
    {"threshold": 0.05},
    {"threshold": 1.0, "contradiction_threshold": 0.0},
    {"threshold": 1.0, "contradiction_threshold": 1.0, "partial_threshold": 0.0},
    {"threshold": 1.0, "contradiction_threshold": 1.0, "partial_threshold": 1.0},
)


def _judged(model: Path) -> JudgeVersion:
    project = make_project()
    source = make_source(project, TEXT)
    for text in CLAIMS:
        make_claim(project, text, source=source, slots=False)
    version = make_version(project, "entailment", config={"model": str(model)})
    finish(start(version))
    return version


def _other(version: JudgeVersion, thresholds: dict[str, float]) -> JudgeVersion:
    return with_threshold(version=version, threshold=thresholds["threshold"], beside=thresholds, by=None)


@pytest.mark.parametrize("thresholds", OTHERS)
def test_what_is_kept_gives_the_opinion_that_asking_gives(tiny_model: Path, thresholds: dict[str, float]) -> None:
    version = _judged(tiny_model)
    other = _other(version, thresholds)
    rows = list(finish(start(other)).judgements.order_by("claim_id"))
    asked = build(other).implementation.judge(claim_inputs([row.claim_id for row in rows]))
    for row, opinion in zip(rows, asked, strict=True):
        assert (row.outcome, row.verdict, row.score) == ("judged", opinion.verdict, opinion.score)
        assert (row.quote, row.reason) == (opinion.quote, opinion.reason)


def test_nothing_is_asked_and_each_judgement_names_where_it_comes_from(
    tiny_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    version = _judged(tiny_model)
    run = start(_other(version, OTHERS[1]))
    monkeypatch.setattr(EntailmentJudge, "load", lambda _judge: pytest.fail("the model was asked"))
    assert finish(run).state == Run.State.FINISHED
    rows = run.judgements.select_related("cached_from__run")
    assert {row.cached_from.run.judge_version_id for row in rows if row.cached_from} == {version.pk}
    assert rows.count() == len(CLAIMS)
    assert {row.verdict for row in rows} == {"contradicted"}


def test_other_settings_or_another_policy_are_asked_anew(tiny_model: Path) -> None:
    version = _judged(tiny_model)
    for config, policy in (({"best_windows": 2}, "strict"), ({}, "inference")):
        given = version.config | {"threshold": 0.9} | config
        other = create_version(judge=version.judge, config=given, policy=policy, by=None)
        assert kept_by(other) == []
    same = create_version(judge=version.judge, config=version.config | {"threshold": 0.9}, policy="strict", by=None)
    assert kept_by(same) == [version.fingerprint]


def test_what_was_kept_before_places_were_is_read_by_its_passages(tiny_model: Path) -> None:
    version = _judged(tiny_model)
    for row in Judgement.objects.all():
        detail = {key: value for key, value in row.detail.items() if key not in ("best", "worst")}
        Judgement.objects.filter(pk=row.pk).update(detail=detail)
    rows = finish(start(_other(version, OTHERS[0]))).judgements.all()
    assert all(row.cached_from_id for row in rows)
    assert all(row.quote in TEXT for row in rows)


def test_a_claim_of_which_too_little_was_kept_or_whose_source_changed_is_asked(tiny_model: Path) -> None:
    version = _judged(tiny_model)
    first, second = Judgement.objects.order_by("claim_id")[:2]
    Judgement.objects.filter(pk=first.pk).update(detail=first.detail | {"best": 25})
    Judgement.objects.filter(pk=second.pk).update(input_hash="0" * 64)
    rows = finish(start(_other(version, OTHERS[0]))).judgements.order_by("claim_id")
    assert [row.cached_from_id is None for row in rows] == [True, True, False, False, False, False]


def test_judges_that_keep_no_probabilities_look_for_none(tiny_model: Path) -> None:
    version = make_version(make_project(), "lexical")
    assert kept_by(with_threshold(version=version, threshold=0.9, by=None)) == []
