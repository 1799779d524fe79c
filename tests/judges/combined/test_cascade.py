"""What a cascade asks, of whom, and what it records."""

from collections.abc import Sequence
from typing import Any

import pytest

from judges.combined.cascade import CASCADE, KINDS
from judges.models import Judgement
from judges.protocol import ClaimInput, Opinion, PaidJudge
from judges.registry import judge_type
from judges.services.versions import build, is_current
from labelling.models import ClaimKind
from tests.factories import make_project, make_source
from tests.judges.combined.factories import cascade, claim_input, of, stage, told, version
from tests.judges.combined.scripted import SCRIPTED, asked, seen
from tests.judges.factories import finish, make_version, start

pytestmark = pytest.mark.django_db
BAND = [0.3, 0.7]


def opinions(stages: Sequence[object], *claims: ClaimInput) -> list[Opinion]:
    return list(CASCADE.from_data({"stages": list(stages)}).judge(claims))


def opinion(stages: Sequence[object], text: str, kind: str = "") -> Opinion:
    (one,) = opinions(stages, claim_input(1, text, kind=kind))
    return one


@pytest.mark.parametrize(("score", "decider"), [("0.29", 1), ("0.3", 2), ("0.5", 2), ("0.7", 2), ("0.71", 1)], ids=str)
def test_a_claim_goes_on_where_the_score_lies_in_the_band_bounds_included(score: str, decider: int) -> None:
    said = opinion([stage("a", band=BAND), stage("b")], f"a=stated@{score} b=contradicted@0.2")
    assert said.detail["decided_by"] == decider
    assert said.verdict == ("stated" if decider == 1 else "contradicted")
    assert ("b", 1) in asked if decider == 2 else ("b", 1) not in asked


def test_the_record_says_who_decided_and_what_was_said_before() -> None:
    said = opinion([stage("a", band=BAND), stage("b")], "a=absent@0.4 b=stated@0.9")
    assert said.reason == "Stage 2 (scripted) decided: b says stated. Before: stage 1 (scripted) absent at 0.40."
    stages: Any = said.detail["stages"]
    first, second = stages
    assert (first["verdict"], first["score"], first["reused"]) == ("absent", 0.4, False)
    assert (second["verdict"], second["score"]) == ("stated", 0.9)
    assert said.score == 0.9
    assert said.seconds == 1.0


def test_a_stage_without_a_score_decides_where_it_has_an_opinion() -> None:
    stages = [stage("a", band=BAND), stage("b")]
    assert opinion(stages, "a=absent b=stated").verdict == "absent"
    assert opinion(stages, "a=no-opinion b=stated").verdict == "stated"


@pytest.mark.parametrize("ending", ["failed", "refused", "truncated", "unparseable", "timed-out", "no-opinion"])
def test_where_a_stage_has_no_verdict_the_claim_goes_on(ending: str) -> None:
    assert opinion([stage("a"), stage("b")], f"a={ending} b=absent").detail["decided_by"] == 2


@pytest.mark.parametrize("ending", ["failed", "no-opinion"])
def test_where_nobody_decides_the_last_outcome_stands(ending: str) -> None:
    said = opinion([stage("a", band=BAND), stage("b")], f"a=stated@0.5 b={ending}")
    assert (said.outcome, said.verdict, said.detail["decided_by"]) == (ending, None, None)
    assert said.reason.startswith(f"Stage 2 (scripted) was the last and ended {ending}")


def test_claims_go_to_the_stages_that_take_their_kind() -> None:
    stages = [stage("a", kinds=["figure"]), stage("b", kinds=["relation", "policy"])]
    claims = [claim_input(n, f"Claim {n}.", kind=kind) for n, kind in enumerate(["figure", "relation", "date", ""])]
    figure, relation, date, none = opinions(stages, *claims)
    assert (figure.detail["decided_by"], relation.detail["decided_by"]) == (1, 2)
    assert (date.outcome, date.reason) == ("no-opinion", "No stage takes claims of the kind date.")
    assert none.reason == "No stage takes claims without a kind."
    assert asked == [("a", 0), ("b", 1)]


def test_the_kinds_are_those_of_claims() -> None:
    assert list(KINDS) == ClaimKind.values


def test_a_stage_that_raises_costs_the_claim_that_it_raised_at(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.judges.combined import scripted

    def say(name: str, claim: ClaimInput) -> Opinion:
        if name == "a" and claim.claim_id == 1:
            raise RuntimeError("broken")
        return Opinion(outcome="judged", verdict="stated", reason=name)  # type: ignore[arg-type]  # words are taken

    monkeypatch.setattr(scripted, "say", say)
    said = opinions([stage("a"), stage("b")], *(claim_input(n, "x") for n in range(3)))
    assert [one.detail["decided_by"] for one in said] == [1, 2, 1]


@pytest.mark.parametrize(
    ("stages", "message"),
    [
        ([stage("a")], "stages has 1 judges; expected at least two"),
        ("lexical", "stages is 'lexical'; expected a list of judges"),
        ([stage("a", band=[0.7, 0.3]), stage("b")], r"stages\[0\].band is \[0.7, 0.3\]; expected two numbers"),
        ([stage("a", band=[0, 2]), stage("b")], r"stages\[0\].band is 2; expected a number from 0 to 1"),
        ([stage("a"), stage("b", band=BAND)], r"stages\[1\].band is \[0.3, 0.7\]; no stage follows"),
        ([stage("a", kinds=["verb"]), stage("b")], r"stages\[0\].kinds is \['verb'\]; expected a list of figure"),
        ([stage("a", "oracle"), stage("b")], r"stages\[0\]: no judge type 'oracle'"),
        ([stage("a", "cascade"), stage("b")], r"stages\[0\].type is 'cascade'; expected a judge that is not made of"),
        ([stage("a"), stage("b", "panel")], r"stages\[1\].type is 'panel'"),
        ([stage("a"), {**stage("b"), "config": {"x": 1}}], r"stages\[1\]: unknown key 'x'"),
        ([stage("a"), {**stage("b"), "policy": ""}], r"stages\[1\].policy is ''"),
        ([stage("a"), {**stage("b"), "config": {"batch": True}}], r"stages\[1\].config.batch is true"),
        ([stage("a", colour="red"), stage("b")], r"stages\[0\]: unknown key 'colour'"),
    ],
)
def test_a_wrong_stage_is_refused_by_its_place(stages: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        CASCADE.complete_config({"stages": stages})


def test_a_judge_whose_price_nobody_can_say_is_no_stage() -> None:
    counting = {"type": "counting", "config": {}, "policy": "strict"}
    with pytest.raises(ValueError, match=r"stage 2 \(counting\) costs money and does not say beforehand how much"):
        CASCADE.from_data({"stages": [stage("a"), counting]})


def test_new_code_of_a_stage_makes_another_version(monkeypatch: pytest.MonkeyPatch) -> None:
    found = cascade(make_project(), stage("a"), stage("b"))
    assert is_current(found)
    kinds = {**judge_types_by_name(), "scripted": newer()}
    monkeypatch.setattr("judges.registry._registered", lambda: (kinds, []))
    assert not is_current(found)


def judge_types_by_name() -> dict[str, object]:
    return {"cascade": judge_type("cascade")}


def newer() -> object:
    from dataclasses import replace

    return replace(SCRIPTED, code_version="2")


def test_settings_left_out_and_written_out_make_one_version() -> None:
    project = make_project()
    first = cascade(project, stage("a"), stage("b"))
    whole = cascade(project, stage("a", band=None, kinds=[]), {**stage("b"), "code_version": "0"})
    assert first == whole
    assert cascade(project, stage("b"), stage("a")).number == 2


def test_a_cascade_of_free_stages_is_free() -> None:
    ready = build(cascade(make_project(), stage("a"), stage("b")))
    assert not ready.paid
    assert not isinstance(ready.implementation, PaidJudge)


def test_what_a_stage_said_before_is_taken_from_there() -> None:
    project = make_project()
    told(project, "a=stated@0.5 b=absent@0.1", "a=stated@0.9 b=absent@0.1")
    first, second = version(project, "a"), version(project, "b")
    finish(start(first))
    finish(start(second))
    asked.clear()
    run = finish(start(cascade(project, of(first, band=BAND), of(second))))
    assert asked == []
    assert [row.verdict for row in run.judgements.all()] == ["absent", "stated"]
    for row in run.judgements.all():
        assert row.cost_usd == 0
        assert all(one["reused"] and one["seconds"] == 0.5 for one in row.detail["stages"])


def test_what_was_said_of_another_text_or_in_a_test_of_the_judge_is_not_taken() -> None:
    project = make_project()
    (claim,) = told(project, "a=stated@0.9", source=make_source(project))
    first = version(project, "a")
    run = finish(start(first))
    made = cascade(project, of(first, band=BAND), stage("b"))
    Judgement.objects.update(input_hash="0" * 64)
    finish(start(made))
    assert asked == [("a", claim.pk)] * 2
    asked.clear()
    Judgement.objects.filter(run__judge_version=made).delete()
    type(run).objects.filter(pk=run.pk).update(probe="repetition", seed=1)
    finish(start(made))
    assert asked == [("a", claim.pk)]


def test_a_stage_that_asks_about_whole_answers_gets_all_that_the_answer_cites_and_the_other_does_not() -> None:
    project = make_project()
    told(project, "a=no-opinion")
    whole = make_version(project, "scripted", name="whole", config={"name": "b", "unit": "answer"})
    finish(start(whole))
    made = cascade(project, stage("a"), of(whole))
    asked.clear()
    seen.clear()
    run = finish(start(made))
    assert [name for name, _ in asked] == ["a"]
    assert seen[0].answer_cited == ()
    assert run.judgements.get().detail["decided_by"] == 2
