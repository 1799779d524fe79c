"""Issuing a certificate: the judge's figures on the test split of a golden set, from its judgements of these very texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from calibration.comparison import Comparison, ComparisonInput, JudgeColumns, compare
from calibration.judge_score import JudgeScore
from calibration.results import Figure
from calibration.sentences import judge_sentence, promise_sentence
from calibration.thresholds import ThresholdChoice
from calibration.verdicts import MISSING, NO_JUDGEMENT, OUTCOMES, VERDICTS
from judges.fingerprints import input_hash
from judges.models import Judgement, JudgeVersion
from judges.protocol import ClaimInput
from judges.services.inputs import claim_inputs, reads_whole_answers
from labelling.golden.items import answer_hash, canonical, text_hash
from labelling.models import GoldenItem, GoldenSet, GuideVersion, Label, Membership, Split
from reports.models import Certificate, ChosenThreshold
from reports.services.certificates import Today, stale_reasons
from reports.services.choosing import chosen_record, record_sentence
from reports.services.comparison import RULES, is_external
from reports.services.looks import note_look

AT_ONCE = 500
PROMISED_OF_A_PART = (
    "The promise was made on a part of the development claims, by the filters of that day; the test split as a whole "
    "neither bears it out nor refutes it."
)


class CertificateRefusedError(ValueError):
    """A certificate that cannot be issued; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class _Judged:
    """One item with the judgement of exactly its texts."""

    item: GoldenItem
    judgement: Judgement


def issue_certificate(*, version: JudgeVersion, golden_set: GoldenSet, by: Membership | None) -> Certificate:
    """Freeze what the version is found to be on the test split of a golden set; the same again is the same certificate.

    It shows figures of the test split, so it is a look at it.

    Raises
    ------
    CertificateRefusedError
        Where the certificate would not hold from the start, there is nothing to measure on, or the version has not
        judged the texts of every item.
    """
    project = version.judge.project
    if golden_set.policy and golden_set.policy != version.policy:
        raise CertificateRefusedError(
            f"{version} judges under the {version.policy} policy, gold of {golden_set} is under {golden_set.policy}; "
            f"expected the same: make a version under {golden_set.policy}"
        )
    certificate = Certificate(
        judge_version=version,
        golden_set=golden_set,
        fingerprint=version.fingerprint,
        golden_hash=golden_set.hash,
        guide_version=golden_set.guide_version,
        policy=version.policy,
        partial_is_unsupported=project.partial_is_unsupported,
        threshold=version.config.get("threshold"),
        created_by=by,
    )
    reasons = stale_reasons(certificate, version, Today.of(project), thorough=True)
    if reasons:
        raise CertificateRefusedError(f"it would be stale at once: {'; '.join(reasons)}")
    items = list(golden_set.items.filter(split=Split.TEST).order_by("external_id"))
    chosen = [item for item in items if not item.item["targeted"]]
    if not chosen:
        raise CertificateRefusedError(f"{golden_set} has no item in the test split that was chosen at random")
    _refuse_other_policy(chosen, golden_set.guide_version)
    judged = _judged(version, chosen)
    note_look(project=project, member=by, page="certificate", version=version)
    result = _compared(judged, version, partial=project.partial_is_unsupported, rule=project.consensus_rule)
    score = result.judge(str(version))
    certificate.chosen = _chosen(version)
    promised = _promise_on_test(certificate.chosen, score)
    certificate.guarantee = " ".join(said for said in (judge_sentence(score), promised) if said)
    certificate.figures = {name: figure.to_json() for name, figure in figures_of(result, str(version)).items()}
    certificate.data_hash = _data_hash(certificate, judged)
    kept, _ = Certificate.objects.get_or_create(
        judge_version=version,
        golden_set=golden_set,
        data_hash=certificate.data_hash,
        defaults={
            field.attname: getattr(certificate, field.attname)
            for field in Certificate._meta.concrete_fields  # noqa: SLF001  the public face of model metadata
            if field.name not in ("id", "created", "judge_version", "golden_set", "data_hash")
        },
    )
    return kept


def _chosen(version: JudgeVersion) -> dict[str, object]:
    """How its threshold was chosen, in figures and in words; empty where it was set by hand."""
    row = chosen_record(version)
    if row is None:
        return {}
    return {
        **row.record,
        "way": row.way,
        "sentence": record_sentence(row),
        "made": row.created.date().isoformat(),
    }


def _promise_on_test(chosen: dict[str, object], score: JudgeScore) -> str:
    """What test says of the recall that was promised on development; nothing where none was."""
    if chosen.get("way") != ChosenThreshold.Way.PROMISE:
        return ""
    kept, chosen_on = chosen["choice"], chosen["chosen_on"]
    assert isinstance(kept, dict)
    assert isinstance(chosen_on, dict)
    if chosen_on["filters"]:
        return PROMISED_OF_A_PART
    choice = ThresholdChoice(**kept)
    assert choice.target is not None  # a promise has both
    assert choice.level is not None
    answers = score.answers.n_unsupported
    return promise_sentence(score.unsupported, answers=answers, target=choice.target, level=choice.level)


def figures_of(result: Comparison, name: str) -> dict[str, Figure]:
    """The figures of a certificate by the names that rules of a gate have for them."""
    score = result.judge(name)
    people = score.individual.people
    return {
        "recall": score.unsupported.recall,
        "precision": score.unsupported.precision,
        "specificity": score.unsupported.specificity,
        "balanced_accuracy": score.unsupported.balanced_accuracy,
        "kappa_two": score.agreement.kappa_two,
        "kappa_four": score.agreement.kappa_four,
        "answer_recall": score.answers.recall,
        "answer_precision": score.answers.precision,
        "judged": score.coverage,
        "share_unsupported": result.share_unsupported,
        "people_kappa_four": people.kappa_four,
        "people_recall": people.recall,
    }


def _refuse_other_policy(items: Sequence[GoldenItem], guide: GuideVersion | None) -> None:
    """Labels that were made under another policy say nothing of a judge under this one."""
    if guide is None:
        return
    by_labels = [item.claim_id for item in items if item.item["gold"]["basis"] == "consensus"]
    other = 0
    for start in range(0, len(by_labels), AT_ONCE):
        labels = Label.objects.counted().filter(claim__in=by_labels[start : start + AT_ONCE])
        other += labels.exclude(guide_version=None).exclude(guide_version__policy=guide.policy).count()
    if other:
        raise CertificateRefusedError(
            f"{other} labels behind its gold were made under another policy than {guide.policy}; "
            "expected labels or adjudications under the policy in force"
        )


def _judged(version: JudgeVersion, items: Sequence[GoldenItem]) -> list[_Judged]:
    found: list[_Judged] = []
    missing: list[str] = []
    for start in range(0, len(items), AT_ONCE):
        batch = items[start : start + AT_ONCE]
        inputs = {one.claim_id: one for one in _inputs(version, batch)}
        said = _said(version, inputs)
        for item in batch:
            given = inputs[item.claim_id]
            judgement = said.get((item.claim_id, input_hash(given)))
            if judgement is None or not _as_frozen(item.item, given):
                missing.append(item.external_id)
            else:
                found.append(_Judged(item, judgement))
    if missing:
        todo = "import them" if is_external(version) else "run it over the test split"
        raise CertificateRefusedError(
            f"{version} has no judgement of {len(missing)} of {len(items)} items of the test split as they were frozen "
            f"({', '.join(missing[:3])}{'…' if len(missing) > 3 else ''}): {todo} first"
        )
    return found


def _inputs(version: JudgeVersion, items: Sequence[GoldenItem]) -> list[ClaimInput]:
    return claim_inputs((item.claim_id for item in items), whole_answers=reads_whole_answers(version))


def _said(version: JudgeVersion, claims: Mapping[int, ClaimInput]) -> dict[tuple[int, str], Judgement]:
    """The version's word on each claim and input: that of its newest run."""
    rows = Judgement.objects.counted().filter(run__judge_version=version, claim__in=list(claims)).order_by("run_id")
    return {(row.claim_id, row.input_hash): row for row in rows}


def _as_frozen(item: Mapping[str, object], given: ClaimInput) -> bool:
    """Whether claim, answer and sources are the texts that the item speaks of."""
    citations = item["citations"]
    assert isinstance(citations, list)
    frozen = [(one["source"], one["sha256"], one.get("start"), one.get("end")) for one in citations]
    cited = [(one.source_id, text_hash(one.text), one.start, one.end) for one in given.cited]
    same_answer = answer_hash(given.question, given.answer) == item["answer_sha256"]
    return given.text == item["text"] and same_answer and cited == frozen


def _compared(judged: Sequence[_Judged], version: JudgeVersion, *, partial: bool, rule: str) -> Comparison:
    answers = {name: code for code, name in enumerate(sorted({str(one.item.item["answer"]) for one in judged}))}
    people: dict[str, int] = {}
    labels = [
        (people.setdefault(who, len(people)), row, VERDICTS.index(verdict))
        for row, one in enumerate(judged)
        for who, verdict in _labels(one.item)
    ]
    table = np.full((len(people), len(judged)), MISSING, dtype=np.int8)
    for person, row, verdict in labels:
        table[person, row] = verdict
    said = [one.judgement for one in judged]
    verdicts = [VERDICTS.index(row.verdict) if row.verdict else NO_JUDGEMENT for row in said]
    outcomes = [OUTCOMES.index(row.outcome) for row in said]
    return compare(
        ComparisonInput(
            answer=np.array([answers[str(one.item.item["answer"])] for one in judged], dtype=np.int64),
            gold=np.array([VERDICTS.index(one.item.verdict) for one in judged], dtype=np.int8),
            labels=table,
            judges={str(version): JudgeColumns(np.array(verdicts, dtype=np.int8), outcome=np.array(outcomes))},
        ),
        partial_is_unsupported=partial,
        rule=RULES[rule],
    )


def _labels(item: GoldenItem) -> Iterator[tuple[str, str]]:
    for label in item.item.get("labels", []):
        yield label["annotator"], label["verdict"]


def _data_hash(certificate: Certificate, judged: Sequence[_Judged]) -> str:
    guide = certificate.guide_version
    said = [
        [one.item.external_id, one.judgement.outcome, one.judgement.verdict, one.judgement.input_hash] for one in judged
    ]
    parts = [
        certificate.fingerprint,
        certificate.golden_hash,
        certificate.partial_is_unsupported,
        [guide.policy, guide.cases] if guide else None,
        said,
    ]
    if certificate.chosen:
        parts.append(certificate.chosen)
    return text_hash(canonical(parts))
