"""From a posted answer to what is said of it: by the checks, and by a judge that has a current certificate."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.conf import settings
from django.db.models import Q

from judges import checks
from judges.checks.finding import Check
from judges.extraction.markers import without_markers
from judges.extraction.pointing import point
from judges.extraction.rules import RulesExtractor
from judges.models import JudgeVersion
from judges.protocol import CitedText, ClaimInput, JudgeType
from judges.services.inputs import reads_whole_answers
from judges.services.naming import named_version
from judges.services.posted import JudgeRefusedError, Said, ask, ask_stored, judge_for_request
from judges.services.versions import JudgeUnavailableError, ReadyJudge, is_current
from judges.stream import StreamedAnswer, build_checks, flags_of, read_answer
from labelling.importing.fields import Fault
from labelling.models import Membership, Project, Source
from reports.api.reading import Line, Posted
from reports.api.refusing import RefusedError, not_as_expected
from reports.api.storing import store, stored_inputs
from reports.services.certificates import CertificateState, certificate_of

MEASURES = "faithfulness to the cited source, never truth"


@dataclass(frozen=True, slots=True)
class CertifiedJudge:
    """A judge that may be relied on here and now."""

    version: JudgeVersion
    ready: ReadyJudge
    certificate: CertificateState


def answer_request(*, project: Project, posted: Posted, by: Membership | None) -> dict[str, object]:
    """Check a posted answer, have it judged where a judge is named, and store it where that is asked.

    Everything that can be refused is refused before anything is stored.

    Raises
    ------
    RefusedError
    """
    judge = certified_judge(project, posted) if posted.judge else None
    chosen = project_checks(project)
    extractor = None if posted.claims else RulesExtractor()
    known = _known_sources(project, posted, marked=extractor is not None)
    if extractor is not None:
        posted = _taken_apart(posted, extractor, known)
    streamed = _streamed(posted, known)
    stored = store(project, posted) if posted.store else None
    said = _judged(project, posted, streamed, judge, by) if judge else {}
    flags = flags_of(streamed, [check for check, _ in chosen])
    return {
        "id": posted.answer.id,
        "measures": MEASURES,
        "checks": [{"check": check.type_name, "version": version and str(version)} for check, version in chosen],
        "judge": _judge_data(
            judge, [line.id for line in posted.claims if any(_cited(line.data)) and line.id not in said]
        )
        if judge
        else None,
        "extractor": {"name": extractor.name, "fingerprint": extractor.fingerprint, "limits": extractor.limits}
        if extractor
        else None,
        "claims": [
            _claim_data(line, claim, flags, said.get(line.id))
            for line, (_, claim) in zip(posted.claims, streamed.claims, strict=False)
        ],
        "flags": [flag for flag in flags if flag["claim"] is None],
        "stored": stored,
    }


def certified_judge(project: Project, posted: Posted) -> CertifiedJudge:
    """The judge that the request names, provided that its certificate holds.

    Raises
    ------
    RefusedError
        400 where there is none of this name, 409 where it has no current certificate or is not asked in a request, 503
        where it cannot judge in this process.
    """
    try:
        version = named_version(project, posted.judge)
    except ValueError as error:
        raise not_as_expected([Fault("judge", posted.judge, f"a judge version of the project: {error}")]) from None
    certificate = certificate_of(version)
    if not certificate.current:
        raise RefusedError(409, f"{version} may not be relied on: {certificate.words}")
    try:
        ready = judge_for_request(version, stored=posted.store, budget_usd=posted.budget_usd)
    except JudgeRefusedError as error:
        raise RefusedError(409, str(error)) from None
    except JudgeUnavailableError as error:
        raise RefusedError(503, str(error)) from None
    return CertifiedJudge(version, ready, certificate)


def project_checks(project: Project) -> list[tuple[Check, JudgeVersion | None]]:
    """The checks to run, each with the newest version of it that the project has, whose settings it takes.

    Those that can do nothing without settings run where the project gives them some.
    """
    types = {kind.name: kind for kind in checks.JUDGE_TYPES}
    rows = JudgeVersion.objects.filter(judge__project=project, judge__type__in=list(types)).select_related("judge")
    newest = {version.judge.type: version for version in rows.order_by("id") if _reads(types, version)}
    built = build_checks((), {name: version.config for name, version in newest.items()})
    named = {name: version for name, version in newest.items() if is_current(version)}
    return [(check, named.get(check.type_name)) for check in built]


def _reads(types: Mapping[str, JudgeType[Any]], version: JudgeVersion) -> bool:
    """Whether today's code takes the settings of a version."""
    try:
        types[version.judge.type].parse_config(version.config)
    except ValueError:
        return False
    return True


def _known_sources(project: Project, posted: Posted, *, marked: bool) -> dict[str, Source]:
    """The sources of the project that the answer points at and the request does not bring, by id."""
    wanted = {cited for claim in posted.claims for cited in _cited(claim.data)}
    if marked:
        numbers = [str(one) for _, found in without_markers(_text(posted.answer)).markers for one in found]
        wanted.update(_retrieved(posted), numbers)
    wanted -= {line.id for line in posted.sources}
    if not wanted:
        return {}
    rows = Source.objects.filter(~Q(text=""), project=project, external_id__in=sorted(wanted))
    return {source.external_id: source for source in rows.only("external_id", "title", "text", "fields", "collection")}


def _taken_apart(posted: Posted, extractor: RulesExtractor, known: Mapping[str, Source]) -> Posted:
    """The answer with the claims that its text makes, each citing what its markers point at."""
    there = {line.id for line in posted.sources} | known.keys()
    retrieved = _retrieved(posted)
    found = extractor.extract(question=str(posted.answer.data.get("question", "")), answer=_text(posted.answer))
    claims = []
    for place, claim in enumerate(found.claims):
        pointed = (point(number, retrieved=retrieved, known=there).source for number in claim.citations)
        name = f"{posted.answer.id}.{place + 1}"
        data = {
            "type": "claim",
            "id": name,
            "answer": posted.answer.id,
            "text": claim.text,
            "kind": claim.kind,
            "severity": claim.severity,
            "citations": [{"source": source} for source in dict.fromkeys(pointed) if source],
            "extractor": {"name": extractor.name, "fingerprint": extractor.fingerprint, "change": "unreviewed"},
        }
        claims.append(Line(f"claims[{place}]", data))
    return replace(posted, claims=tuple(claims))


def _streamed(posted: Posted, known: Mapping[str, Source]) -> StreamedAnswer:
    """The answer as the checks read it from a stream."""
    brought = [
        {
            "id": source.external_id,
            "title": source.title,
            "text": source.text,
            "fields": source.fields,
            "collection": source.collection,
        }
        for source in known.values()
    ]
    sources = [dict(line.data) for line in posted.sources] + brought
    claims = [dict(line.data) for line in posted.claims]
    return read_answer({**posted.answer.data, "sources": sources, "claims": claims})


def _judged(
    project: Project, posted: Posted, streamed: StreamedAnswer, judge: CertifiedJudge, by: Membership | None
) -> dict[str, Said]:
    """What the judge says of the claims that cite something, by their ids; kept where the answer is stored."""
    seconds = settings.API_JUDGE_SECONDS
    cited = [line for line in posted.claims if any(_cited(line.data))]
    if posted.store:
        inputs = stored_inputs(project, cited, judge.version)
        said = ask_stored(judge.version, judge.ready, inputs, budget_usd=posted.budget_usd, seconds=seconds, by=by)
    else:
        names = {line.id for line in cited}
        inputs = judge_inputs(
            [claim for label, claim in streamed.claims if label in names], whole=reads_whole_answers(judge.version)
        )
        said = ask(judge.ready, inputs, seconds=seconds)
    names_by_claim = {claim.claim_id: line.id for line, claim in zip(cited, inputs, strict=True)}
    return {names_by_claim[one.claim.claim_id]: one for one in said}


def judge_inputs(claims: Sequence[ClaimInput], *, whole: bool) -> list[ClaimInput]:
    """The claims as a run would give them to a judge: citations in their order, and each with a key of its own."""
    numbered = [replace(claim, cited=_numbered(claim.cited)) for claim in claims]
    everything = {cited.source_id: cited for claim in numbered for cited in claim.cited} if whole else {}
    sources = _numbered([replace(cited, start=None, end=None) for cited in everything.values()])
    # Below zero, so that none is the key of a stored claim.
    return [replace(claim, claim_id=-place, answer_cited=sources) for place, claim in enumerate(numbered, 1)]


def _numbered(cited: Sequence[CitedText]) -> tuple[CitedText, ...]:
    return tuple(replace(one, order=order) for order, one in enumerate(cited, 1))


def _judge_data(judge: CertifiedJudge, unasked: Sequence[str]) -> dict[str, object]:
    certificate = judge.certificate.certificate
    assert certificate is not None, "it is current"
    return {
        "version": str(judge.version),
        "fingerprint": judge.version.fingerprint,
        "policy": judge.version.policy,
        "threshold": judge.version.config.get("threshold"),
        "limits": judge.ready.implementation.limits,
        "certificate": {
            "words": judge.certificate.words,
            "golden_set": str(certificate.golden_set),
            "issued": certificate.created.isoformat(timespec="seconds"),
            "guarantee": certificate.guarantee,
            "data_hash": certificate.data_hash,
        },
        "unasked": list(unasked),
    }


def _claim_data(
    line: Line, claim: ClaimInput, flags: Sequence[Mapping[str, object]], said: Said | None
) -> dict[str, object]:
    return {
        "id": line.id,
        "text": claim.text,
        "kind": claim.kind,
        "severity": claim.severity,
        "citations": [
            {"source": cited.source_id, "start": cited.start, "end": cited.end, "resolved": cited.resolved}
            for cited in claim.cited
        ],
        "flags": [flag for flag in flags if flag["claim"] == line.id],
        "judgement": _judgement_data(said) if said else None,
    }


def _judgement_data(said: Said) -> dict[str, object]:
    opinion = said.opinion
    return {
        "outcome": opinion.outcome.value,
        "verdict": opinion.verdict.value if opinion.verdict else None,
        "score": opinion.score,
        "quote": opinion.quote,
        "reason": opinion.reason,
        "seconds": round(opinion.seconds, 4),
        "cost_usd": float(opinion.cost_usd),
        "reused": said.reused,
    }


def _cited(claim: Mapping[str, Any]) -> list[str]:
    single = claim.get("citation")
    return [cited["source"] for cited in ([single] if single else claim.get("citations") or ())]


def _retrieved(posted: Posted) -> list[str]:
    retrieved = posted.answer.data.get("retrieved", [])
    assert isinstance(retrieved, list), "the shape says so"
    return retrieved


def _text(answer: Line) -> str:
    return str(answer.data.get("text", ""))
