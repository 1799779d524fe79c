"""The judge with a real model: same verdicts as the plain pipeline, nothing cut, nothing assumed about labels."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from judges.entailment import loading
from judges.entailment.agreement import measure_agreement
from judges.entailment.config import EntailmentConfig, parse_config
from judges.entailment.judge import ENTAILMENT, EntailmentJudge, build
from judges.entailment.labels import ModelRefusedError
from judges.entailment.loading import LoadedModel, MissingExtraError, load_model
from judges.entailment.scoring import Pair
from judges.entailment.windows import select_windows
from judges.protocol import CitedText, ClaimInput, Opinion, Outcome, Verdict
from tests.judges.entailment.tiny import make_examples

SOURCE = "A man is asleep. The shop is open. A dog is far. The door is clean. The hotel is warm."


def make_claim(text: str, *sources: str, number: int = 1, answer: str = "") -> ClaimInput:
    cited = tuple(
        CitedText(source_id=f"s{order}", order=order, title="", text=source)
        for order, source in enumerate(sources or (SOURCE,), start=1)
    )
    return ClaimInput(claim_id=number, text=text, kind="relation", severity="minor", cited=cited, answer=answer)


def make_claims(count: int) -> list[ClaimInput]:
    told = [premise for premise, _, _ in make_examples(count, seed=41)]
    asked = [hypothesis for _, hypothesis, _ in make_examples(count, seed=42)]
    return [
        make_claim(asked[place], " ".join(told[place : place + 3]), told[-1 - place], number=place)
        for place in range(count)
    ]


@pytest.fixture(scope="module")
def judge(tiny_model: Path) -> EntailmentJudge:
    return build(parse_config({"model": str(tiny_model)}))


def opinion_of(judge: EntailmentJudge, claim: ClaimInput) -> Opinion:
    (opinion,) = judge.judge([claim])
    return opinion


def built(folder: Path, **settings: object) -> EntailmentJudge:
    judge = build(parse_config({"model": str(folder), **settings}))
    judge.load()
    return judge


def relabelled(folder: Path, copy: Path, names: Sequence[str]) -> Path:
    """A copy of the model whose outputs are called otherwise."""
    copy.mkdir()
    for file in folder.iterdir():
        (copy / file.name).write_bytes(file.read_bytes())
    config = json.loads((copy / "config.json").read_text())
    config["id2label"] = dict(enumerate(names))
    config["label2id"] = {name: place for place, name in enumerate(names)}
    (copy / "config.json").write_text(json.dumps(config))
    return copy


def test_the_model_tells_stated_contradicted_and_absent(judge: EntailmentJudge) -> None:
    assert opinion_of(judge, make_claim("The shop is open.")).verdict is Verdict.STATED
    assert opinion_of(judge, make_claim("The shop is closed.", "The shop is open.")).verdict is Verdict.CONTRADICTED
    assert opinion_of(judge, make_claim("The shop is warm.", "The shop is open.")).verdict is Verdict.ABSENT


def test_the_quote_stands_verbatim_in_the_source_at_the_place_told(judge: EntailmentJudge) -> None:
    opinion = opinion_of(judge, make_claim("The shop is open."))
    passages: Any = opinion.detail["passages"]
    best = max(passages, key=lambda passage: passage["entailment"])
    assert "The shop is open." in opinion.quote
    assert SOURCE[best["start"] : best["end"]] == opinion.quote
    json.dumps(dict(opinion.detail))


def test_scores_and_verdicts_are_those_of_the_plain_pipeline(judge: EntailmentJudge, tiny_model: Path) -> None:
    from transformers import pipeline

    plain = pipeline("text-classification", model=str(tiny_model), tokenizer=str(tiny_model), device="cpu")
    claims = make_claims(40)
    verdicts = set()
    for claim, opinion in zip(claims, judge.judge(claims), strict=True):
        selection = select_windows(claim.cited, claim.text, sizes=(1, 3), overlap=2, best=6, ranker="keywords")
        pairs = [{"text": window.text, "text_pair": claim.text} for window in selection.chosen]
        rows = plain(pairs, top_k=None, truncation="only_first", max_length=64)
        scores = [{one["label"]: one["score"] for one in row} for row in rows]
        entailment = max(row["entailment"] for row in scores)
        contradiction = max(row["contradiction"] for row in scores)
        expected = (
            Verdict.STATED
            if entailment >= 0.5
            else Verdict.CONTRADICTED
            if contradiction >= 0.5
            else Verdict.PARTIAL
            if entailment >= 0.3
            else Verdict.ABSENT
        )
        assert opinion.score == pytest.approx(entailment, abs=1e-5)
        assert opinion.detail["contradiction"] == pytest.approx(contradiction, abs=1e-5)
        assert opinion.verdict is expected
        verdicts.add(expected)
    assert {Verdict.STATED, Verdict.CONTRADICTED} <= verdicts


def test_a_verdict_does_not_depend_on_the_company(judge: EntailmentJudge) -> None:
    claims = make_claims(30)
    together = list(judge.judge(claims))
    backwards = list(judge.judge(claims[::-1]))[::-1]
    for claim, one, other in zip(claims, together, backwards, strict=True):
        alone = opinion_of(judge, claim)
        assert one.verdict is other.verdict is alone.verdict
        assert one.score == pytest.approx(alone.score, abs=1e-5)
        assert other.score == pytest.approx(alone.score, abs=1e-5)


def test_equal_pairs_are_put_to_the_model_once(judge: EntailmentJudge, monkeypatch: pytest.MonkeyPatch) -> None:
    scorer = judge.load().scorer
    forward = scorer._forward
    read: list[int] = []

    def counted(rows: Sequence[Any]) -> Any:
        read.append(len(rows))
        return forward(rows)

    monkeypatch.setattr(scorer, "_forward", counted)
    pairs = [Pair("The shop is open.", "The shop is closed."), Pair("A dog is far.", "A dog is near.")]
    scores = scorer.score([*pairs, *pairs[::-1], Pair("The  shop is open. ", "The shop is closed.")])
    assert read == [2]
    assert scores[0] == scores[3]
    assert scores[1] == scores[2]
    assert scores[4][0].entailment == scores[0][0].entailment


def test_a_claim_longer_than_the_model_takes_is_truncated_and_not_judged(judge: EntailmentJudge) -> None:
    opinion = opinion_of(judge, make_claim("The shop is open. " * 12))
    assert (opinion.outcome, opinion.verdict, opinion.score) == (Outcome.TRUNCATED, None, None)
    assert "60 tokens" in opinion.reason


def test_a_claim_that_the_model_has_hardly_a_token_for_is_not_judged(judge: EntailmentJudge) -> None:
    opinion = opinion_of(judge, make_claim("男の人が寝ている 😀 😀 man.", "男の人が寝ている 😀 😀 man."))
    assert (opinion.outcome, opinion.verdict, opinion.score) == (Outcome.NO_OPINION, None, None)
    assert "no token for" in opinion.reason
    assert opinion_of(judge, make_claim("The shop is open 😀.")).verdict is Verdict.STATED


def test_a_mark_of_the_model_in_outside_text_is_text(judge: EntailmentJudge) -> None:
    scorer = judge.load().scorer
    (ids, _), (plain, _) = scorer._tokenize(
        ["A man [SEP] is [PAD] asleep.", "A man is asleep."], ["[CLS] He sleeps."] * 2
    )
    special = {scorer._tokenizer.sep_token_id, scorer._tokenizer.cls_token_id, scorer._tokenizer.pad_token_id}
    assert [one for one in ids if one in special] == [one for one in plain if one in special]


def test_a_passage_longer_than_the_model_takes_is_read_to_its_end(judge: EntailmentJudge) -> None:
    filler = "a dog is far and " * 40
    opinion = opinion_of(judge, make_claim("The shop is open.", f"{filler}the shop is open"))
    passages: Any = opinion.detail["passages"]
    assert opinion.detail["passages_read"] > 3  # type: ignore[operator]
    assert max(passage["end"] for passage in passages) == len(filler) + len("the shop is open")


def test_parts_of_a_long_premise_fit_and_cover_it(judge: EntailmentJudge) -> None:
    premise = "the shop is open and " * 60
    (parts,) = judge.load().scorer.score([Pair(premise, "A dog is far.")])
    held = {place for part in parts for place in range(part.start, part.end)}
    assert all(premise[place].isspace() for place in range(len(premise)) if place not in held)
    for part in parts:
        (whole,) = judge.load().scorer.score([Pair(premise[part.start : part.end], "A dog is far.")])
        assert len(whole) == 1


def test_no_source_text_is_absent_and_no_claim_text_no_opinion(judge: EntailmentJudge) -> None:
    opinions = list(judge.judge([make_claim("A man is asleep.", " "), make_claim(" "), make_claim("A man is asleep.")]))
    assert [(one.outcome, one.verdict) for one in opinions] == [
        (Outcome.JUDGED, Verdict.ABSENT),
        (Outcome.NO_OPINION, None),
        (Outcome.JUDGED, Verdict.STATED),
    ]


def test_the_whole_answer_is_put_to_the_model_where_the_unit_is_the_answer(tiny_model: Path) -> None:
    whole = built(tiny_model, unit="answer")
    claim = make_claim("The shop is closed.", "The shop is open.", answer="The shop is open.")
    assert opinion_of(whole, claim).verdict is Verdict.STATED
    assert opinion_of(whole, make_claim("The shop is open.")).outcome is Outcome.NO_OPINION


def test_the_whole_answer_is_judged_by_all_that_it_cites(tiny_model: Path) -> None:
    whole = built(tiny_model, unit="answer")
    alone = make_claim("The shop is open.", " ", answer="The shop is open.")
    assert opinion_of(whole, alone).verdict is Verdict.ABSENT, "this claim cites nothing that could be read"
    beside = replace(alone, answer_cited=make_claim("-", "The shop is open.").cited)
    assert opinion_of(whole, beside).verdict is Verdict.STATED


def test_labels_in_another_order_give_the_same_scores(tiny_model: Path, judge: EntailmentJudge, tmp_path: Path) -> None:
    from transformers import AutoModelForSequenceClassification

    turned = relabelled(tiny_model, tmp_path / "turned", ["entailment", "neutral", "contradiction"])
    model = AutoModelForSequenceClassification.from_pretrained(turned)
    for tensor in (model.classifier.weight, model.classifier.bias):
        tensor.data = tensor.data[[1, 2, 0]].clone()
    model.save_pretrained(turned)
    claim = make_claim("The shop is closed.", "The shop is open.")
    assert opinion_of(built(turned), claim).score == pytest.approx(opinion_of(judge, claim).score, abs=1e-6)


def test_a_two_class_model_never_contradicts(tiny_model: Path, tmp_path: Path) -> None:
    from transformers import AutoModelForSequenceClassification

    folder = relabelled(tiny_model, tmp_path / "two", ["not_entailment", "entailment"])
    model = AutoModelForSequenceClassification.from_pretrained(tiny_model)
    kept = model.classifier
    kept.weight.data, kept.bias.data = kept.weight.data[:2].clone(), kept.bias.data[:2].clone()
    model.config.id2label, model.config.label2id = (
        {0: "not_entailment", 1: "entailment"},
        {"not_entailment": 0, "entailment": 1},
    )
    model.save_pretrained(folder)
    opinion = opinion_of(built(folder), make_claim("The shop is closed.", "The shop is open."))
    assert opinion.verdict is Verdict.ABSENT
    assert opinion.detail["contradiction"] is None


def test_labels_that_cannot_be_mapped_are_refused(tiny_model: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelRefusedError, match="LABEL_0"):
        built(relabelled(tiny_model, tmp_path / "plain", ["LABEL_0", "LABEL_1", "LABEL_2"]))


def test_a_model_whose_entailment_is_something_else_is_refused(tiny_model: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelRefusedError, match="where a sentence is put to itself"):
        built(relabelled(tiny_model, tmp_path / "wrong", ["entailment", "contradiction", "neutral"]))


def test_a_model_whose_contradiction_is_neutral_is_warned_of(tiny_model: Path, tmp_path: Path) -> None:
    swapped = built(relabelled(tiny_model, tmp_path / "swapped", ["neutral", "entailment", "contradiction"]))
    opinion = opinion_of(swapped, make_claim("The shop is open."))
    assert "no contradiction" in str(opinion.detail["warning"])


def test_the_model_as_trained_needs_no_warning(judge: EntailmentJudge) -> None:
    assert opinion_of(judge, make_claim("The shop is open.")).detail["warning"] == ""


def test_a_broken_folder_is_refused_by_its_setting(tiny_model: Path, tmp_path: Path) -> None:
    folder = relabelled(tiny_model, tmp_path / "broken", ["contradiction", "entailment", "neutral"])
    (folder / "model.safetensors").write_bytes(b"not weights")
    with pytest.raises(ModelRefusedError, match=r"folder .* \(setting model\) does not load"):
        built(folder)


def test_a_model_that_cannot_be_fetched_names_the_setting(nli_extra: None, monkeypatch: pytest.MonkeyPatch) -> None:
    import huggingface_hub.constants

    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(ModelRefusedError, match="set model to a folder that holds it"):
        build(parse_config({})).load()


def test_a_model_of_the_hub_comes_at_its_commit_and_brings_no_code(
    nli_extra: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    import transformers

    asked: list[dict[str, Any]] = []

    def from_pretrained(name: str, **given: Any) -> None:
        asked.append({"name": name, **given})
        if "use_safetensors" in given:
            raise OSError("no weights in safetensors form")

    for kind in ("AutoTokenizer", "AutoModelForSequenceClassification"):
        monkeypatch.setattr(getattr(transformers, kind), "from_pretrained", from_pretrained)
    with pytest.raises(ModelRefusedError, match="could not be fetched from the hub"):
        load_model(parse_config({"model": "someone/model", "revision": "a" * 40}))
    assert [one["name"] for one in asked] == ["someone/model"] * 2
    assert all(one["trust_remote_code"] is False and one["revision"] == "a" * 40 for one in asked)
    assert asked[1]["use_safetensors"] is True


def test_bfloat16_agreement_is_counted_over_verdicts(tiny_model: Path) -> None:
    agreement = measure_agreement(parse_config({"model": str(tiny_model)}), make_claims(30))
    assert agreement.n == 30
    assert agreement.value is not None
    assert agreement.value >= 0.9
    assert 0 < agreement.largest_shift < 0.2


def test_without_the_extra_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError) as caught:
        ENTAILMENT.from_data({})
    assert 'pip install "touchstone[nli]"' in str(caught.value)
    assert "\n" not in str(caught.value)


def test_labels_of_a_folder_are_refused_before_any_weights_are_read(
    nli_extra: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"")
    for text, message in (('{"id2label": {"0": "spam", "1": "ham"}}', "0: spam"), ("[]", "expected a JSON object")):
        (tmp_path / "config.json").write_text(text)
        with pytest.raises(ModelRefusedError, match=message):
            build(parse_config({"model": str(tmp_path)}))


def test_a_model_that_was_refused_is_not_fetched_again_for_every_claim(
    nli_extra: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def refuse(config: EntailmentConfig) -> LoadedModel:
        asked.append(config.model)
        raise ModelRefusedError("not to be had")

    monkeypatch.setattr("judges.entailment.judge.load_model", refuse)
    judge = build(parse_config({}))
    for _ in range(3):
        with pytest.raises(ModelRefusedError, match="not to be had"):
            opinion_of(judge, make_claim("The shop is open."))
    assert len(asked) == 1
