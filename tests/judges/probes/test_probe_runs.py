"""Tests of a judge as runs: what is drawn, what is asked, what is kept, and what is refused."""

import pytest

from judges.fingerprints import input_hash
from judges.models import Chunk, Judge, JudgeVersion, Run
from judges.probes.changes import Change
from judges.services import probes
from judges.services.external import external_version
from judges.services.inputs import altered_inputs, claim_inputs
from judges.services.probes import draw, start_probe
from judges.services.runs import RunRefusedError, stop_run
from judges.services.selection import Selection
from labelling.models import Citation, Claim, Project, Source
from tests.factories import make_answer, make_claim, make_labels, make_member, make_project, make_source
from tests.judges import sample_types
from tests.judges.factories import finish, make_version, start

pytestmark = pytest.mark.django_db
TOPICS = ("museum paintings", "rain autumn", "shoes returns", "train tickets", "garden roses", "winter skiing")


def topical(project: Project) -> list[Claim]:
    """A claim a topic, each citing a source that says just that and no more."""
    claims = []
    for place, topic in enumerate(TOPICS):
        text = f"The {topic} were {place + 20}."
        claims.append(
            make_claim(project, text, source=make_source(project, f"{text} It is so.", external_id=f"t{place}"))
        )
    return claims


def probed(version: JudgeVersion, probe: str, *, claims: int = 200, seed: int = 1) -> Run:
    return start_probe(version=version, probe=probe, selection=Selection(), by=None, claims=claims, seed=seed)


def lexical(project: Project) -> JudgeVersion:
    return make_version(project, "lexical")


def test_silence_asks_about_sources_of_other_answers_and_keeps_which() -> None:
    project = make_project()
    claims = topical(project)
    run = finish(probed(lexical(project), "silence"))
    assert (run.probe, run.seed, run.state, run.claims_total) == ("silence", 1, Run.State.FINISHED, 6)
    own = dict(Citation.objects.values_list("claim", "source__external_id"))
    for row in run.judgements.all():
        (other,) = Change.from_data(row.detail["probe"]).sources
        assert other != own[row.claim_id]
        assert row.verdict == "absent"
    hashes = set(run.judgements.values_list("input_hash", flat=True))
    assert hashes.isdisjoint(input_hash(one) for one in claim_inputs([claim.pk for claim in claims]))


def test_sources_of_the_own_answer_are_no_strangers() -> None:
    project = make_project()
    answer = make_answer(project, retrieved=["other", "t9"])
    make_claim(project, "The museum paintings are shown.", answer=answer)
    make_claim(project, "Rain falls.", answer=answer, source=make_source(project, "Rain in autumn."))
    other = make_claim(project, "Skiing.", source=make_source(project, "Winter skiing.", external_id="t9"))
    drawn = draw(version=lexical(project), probe="silence", selection=Selection(), claims=200, seed=1)
    assert set(drawn.changes) == {other.pk}
    assert drawn.unchangeable == 2


def test_a_perturbation_is_of_stated_claims_and_leaves_those_that_people_call_otherwise() -> None:
    project = make_project()
    claims = topical(project)
    people = [make_member(project) for _ in range(3)]
    make_labels(claims[0], people, ["stated"] * 3)
    make_labels(claims[1], people, ["absent"] * 3)
    version = lexical(project)
    finish(start(version))
    drawn = draw(version=version, probe="perturbation", selection=Selection(), claims=200, seed=1)
    assert set(drawn.changes) == {claim.pk for claim in claims} - {claims[1].pk}
    assert (drawn.selected, drawn.without, drawn.not_stated, drawn.by_gold) == (6, 0, 1, 1)


def test_kinds_of_change_are_balanced_and_one_claim_has_one() -> None:
    project = make_project()
    topical(project)
    version = lexical(project)
    finish(start(version))
    drawn = draw(version=version, probe="perturbation", selection=Selection(), claims=6, seed=1)
    kinds = sorted(change.kind for change in drawn.changes.values())
    assert kinds == ["figure"] * 3 + ["negation"] * 3


def test_the_same_seed_draws_the_same_and_another_draws_otherwise() -> None:
    project = make_project()
    topical(project)
    version = lexical(project)
    finish(start(version))
    first, again, other = (
        draw(version=version, probe="perturbation", selection=Selection(), claims=3, seed=seed) for seed in (1, 1, 2)
    )
    assert first == again
    assert first != other


def test_a_test_that_compares_needs_a_plain_run_first() -> None:
    project = make_project()
    topical(project)
    version = lexical(project)
    for probe in ("order", "rewording", "perturbation", "repetition"):
        with pytest.raises(RunRefusedError, match="run it over the claims first"):
            probed(version, probe)
    assert not Run.objects.exists()


def test_claims_without_a_word_to_compare_with_are_left_out_and_counted() -> None:
    project = make_project()
    topical(project)
    version = lexical(project)
    finish(start(version))
    make_claim(project, "A new one.")
    run = probed(version, "rewording")
    assert run.selection["test"] == {
        "claims": 200, "selected": 7, "without": 1, "not_stated": 0, "unchangeable": 0, "by_gold": 0,
    }  # fmt: skip
    assert run.claims_total == 6


def test_a_repetition_asks_every_claim_again_with_the_same_input() -> None:
    project = make_project()
    topical(project)
    version = make_version(project)
    plain = finish(start(version))
    sample_types.asked.clear()
    again = finish(probed(version, "repetition"))
    assert len(sample_types.asked) == 6
    assert not again.judgements.filter(cached_from__isnull=False).exists()
    assert set(again.judgements.values_list("input_hash")) == set(plain.judgements.values_list("input_hash"))


def test_what_is_changed_stays_the_same_when_the_project_grows_while_the_test_waits() -> None:
    project = make_project()
    topical(project)
    run = probed(lexical(project), "silence")
    planned = {key: change["sources"] for chunk in run.chunks.all() for key, change in chunk.changes.items()}
    stop_run(run)
    for number in range(20):
        make_claim(project, f"Another {number}.", source=make_source(project, "Nothing in common."))
    Run.objects.filter(pk=run.pk).update(state=Run.State.ACTIVE)
    finish(run)
    assert {str(row.claim_id): row.detail["probe"]["sources"] for row in run.judgements.all()} == planned


def test_started_twice_there_is_one_and_another_test_waits_its_turn() -> None:
    project = make_project()
    topical(project)
    version = lexical(project)
    run = probed(version, "silence")
    assert probed(version, "silence") == run
    with pytest.raises(RunRefusedError, match="still going"):
        probed(version, "silence", seed=2)
    with pytest.raises(RunRefusedError, match="still going"):
        start(version)
    assert Chunk.objects.count() == 1


def test_an_external_judge_is_not_tested() -> None:
    project = make_project()
    topical(project)
    base = external_version(project=project, judge_name="theirs", version_name="1")
    assert "nothing to ask" in probes.cannot_be_tested(base, "silence")
    with pytest.raises(RunRefusedError, match="nothing to run"):
        probed(base, "silence")


@pytest.mark.parametrize("probe", ["silence", "rewording", "perturbation"])
def test_a_judge_of_whole_answers_is_not_asked_about_one_changed_claim(probe: str) -> None:
    version = make_version(make_project(), "entailment", config={"unit": "answer"})
    assert "whole answers" in probes.cannot_be_tested(version, probe)
    assert probes.cannot_be_tested(version, "order") == ""


def test_a_judge_made_of_judges_that_would_not_ask_them_again_is_not_repeated() -> None:
    judge = Judge.objects.create(project=make_project(), name="both", type="cascade")
    version = JudgeVersion(judge=judge, number=1, config={}, policy="strict")
    assert "test the stages instead" in probes.cannot_be_tested(version, "repetition")
    assert probes.cannot_be_tested(version, "rewording") == ""


@pytest.mark.parametrize(("name", "value"), [("claims", 0), ("claims", 5001), ("seed", -1), ("seed", 2**31)])
def test_nonsense_is_refused_by_name(name: str, value: int) -> None:
    project = make_project()
    topical(project)
    with pytest.raises(RunRefusedError, match=f"{name} is {value}; expected"):
        probed(lexical(project), "silence", **{name: value})


def test_altered_inputs_are_what_the_changes_say() -> None:
    project = make_project()
    (first, second, *_) = topical(project)
    changes: dict[str, dict[str, object]] = {
        str(first.pk): Change(kind="k", sources=("t4",)).as_data(),
        str(second.pk): {"kind": "k", "claim": "New."},
    }
    inputs = altered_inputs(claim_inputs([first.pk, second.pk]), changes, project=project)
    assert inputs[0].cited[0].text == Source.objects.get(external_id="t4").text
    assert inputs[1].text == "New."
