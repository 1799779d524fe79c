"""The contract of ``POST /api/v1/check``: what a request may have and what the response has.

Requests are held against these shapes, and ``docs/openapi.json`` is made of them; a test holds the two together, and the
keys to those that the importer reads.
"""

from typing import Any

from judges.protocol import Outcome
from labelling.importing.fields import ID_LIMIT
from labelling.models import ClaimKind, Severity, Split, Verdict
from reports.api.shapes import NO_SPACE_AROUND, NOT_BLANK, Shape, an_object

MOST_CLAIMS = 200
MOST_SOURCES = 200
MOST_CITATIONS = 50

_LARGEST = 2**31 - 2


def _text(about: str = "", *, limit: int = 0) -> dict[str, Any]:
    """Text that may be left out or null."""
    return _about({"type": ["string", "null"]} | ({"maxLength": limit} if limit else {}), about)


def _needed(about: str = "", *, limit: int = 0) -> dict[str, Any]:
    """Text that is not blank."""
    return _about({"type": "string", "pattern": NOT_BLANK} | ({"maxLength": limit} if limit else {}), about)


def _choice(values: list[str], about: str = "") -> dict[str, Any]:
    return _about({"type": ["string", "null"], "enum": [*values, None]}, about)


def _about(shape: dict[str, Any], about: str) -> dict[str, Any]:
    return shape | ({"description": about} if about else {})


def _list(items: Shape, most: int, about: str = "") -> dict[str, Any]:
    return _about({"type": ["array", "null"], "items": dict(items), "maxItems": most}, about)


_ID = _needed(limit=ID_LIMIT) | {"pattern": NO_SPACE_AROUND}
_OFFSET = {"type": ["integer", "null"], "minimum": 0, "maximum": _LARGEST}
_RECORD = {"type": ["object", "null"]}
_META = _about(_RECORD, "Kept as it is where the answer is stored, and given back on export.")

SOURCE = an_object(
    {
        "id": _ID,
        "text": _needed("The document as it was given to the system."),
        "title": _text(),
        "collection": _text("Where it comes from: reports break down by it.", limit=200),
        "version": _text(limit=100),
        "effective_from": _text("A date: 2026-01-31."),
        "superseded_by": _text("The id of the source that replaced it.", limit=ID_LIMIT),
        "fields": _about(_RECORD, "A structured record, for the check of that name."),
        "meta": _META,
    },
    required=["id", "text"],
)

CITATION = an_object(
    {
        "source": _about(_ID, "The id of a source of this request or of the project."),
        "start": _about(_OFFSET, "Unicode code points from the start of the source's text."),
        "end": _about(_OFFSET, "Exclusive. Give both ends or neither."),
    },
    required=["source"],
)

CLAIM = an_object(
    {
        "id": _about({**_ID, "type": ["string", "null"]}, "Left out: the answer's id, a dot and the place from 1."),
        "text": _needed("One assertion."),
        "kind": _choice(ClaimKind.values),
        "severity": _choice(Severity.values),
        "citation": {**CITATION, "type": ["object", "null"]},
        "citations": _list(CITATION, MOST_CITATIONS, "Either this or citation."),
        "source_text": _about({**_needed(), "type": ["string", "null"]}, "Instead of a citation: what it rests on."),
        "stratum": _text("Sampling stratum.", limit=100),
        "weight": {"type": ["number", "null"], "exclusiveMinimum": 0},
        "targeted": {"type": ["boolean", "null"], "description": "Chosen on purpose: never in a rate."},
        "meta": _META,
    },
    required=["text"],
)

REQUEST = an_object(
    {
        "type": {"type": ["string", "null"], "enum": ["answer", None]},
        "id": _about(_ID, "Names the answer in the project."),
        "question": _text(),
        "text": _text("The answer. May be left out where there are claims."),
        "system": _text("Which system gave it; trends are kept by system and task type.", limit=200),
        "task_type": _text(limit=200),
        "model": _text(limit=200),
        "created": _text("When the system gave it: 2026-01-31T10:00:00Z. Left out, it is when it came."),
        "should_abstain": {"type": ["boolean", "null"]},
        "retrieved": _list(_ID, MOST_SOURCES, "Ids of the sources that it retrieved. Left out, those of sources."),
        "split": _choice(Split.values, "Left out, it follows from the sources."),
        "meta": _META,
        "sources": _list(SOURCE, MOST_SOURCES, "Those that the project has already need not come again."),
        "claims": _list(CLAIM, MOST_CLAIMS, "Left out or empty, they are extracted from the text by rules."),
        "judge": _text("A judge version with a current certificate, NAME@VERSION. Left out: checks alone."),
        "budget_usd": _about(
            {"type": ["number", "null"], "minimum": 0, "maximum": 1_000_000},
            "For a judge that is paid for by the call: no call is begun that could cost more. Only with store.",
        ),
        "store": {
            "type": ["boolean", "null"],
            "description": "Keep the answer and what the judge says in the project, for the report and the trend.",
        },
    },
    required=["id"],
    about="An answer in the words of the native format, with its sources and claims.",
)

_VERDICT = {"type": ["string", "null"], "enum": [*Verdict.values, None]}
_PLAIN = {"type": "string"}
_SCORE = {"type": ["number", "null"], "minimum": 0, "maximum": 1}
_WHEN = {"type": "string", "description": "A date and time with its zone."}

FLAG = an_object(
    {
        "check": _PLAIN,
        "claim": {"type": ["string", "null"], "description": "The id of the claim; null for the answer as a whole."},
        "value": _about(_PLAIN, "What the claim says, word for word."),
        "nearest": _about(_PLAIN, "The closest thing that a cited source has, or empty."),
        "verdict": {"type": "string", "enum": [Verdict.ABSENT.value, Verdict.CONTRADICTED.value]},
        "reason": _PLAIN,
    },
    required=["check", "claim", "value", "nearest", "verdict", "reason"],
    about="What a check can prove, as a line of check_answers has it. A claim without flags is not thereby stated.",
)

JUDGEMENT = an_object(
    {
        "outcome": {"type": "string", "enum": [outcome.value for outcome in Outcome]},
        "verdict": _about(_VERDICT, "Null unless the outcome is judged: a failure is no verdict."),
        "score": _about(_SCORE, "Support for the claim, where the judge has a score."),
        "quote": _about(_PLAIN, "What the verdict rests on, word for word, or empty."),
        "reason": _PLAIN,
        "seconds": {"type": "number", "minimum": 0},
        "cost_usd": {"type": "number", "minimum": 0},
        "reused": {
            "type": "boolean",
            "description": "Said earlier of the same stored texts, so it was not asked again.",
        },
    },
    required=["outcome", "verdict", "score", "quote", "reason", "seconds", "cost_usd", "reused"],
)

ANSWERED_CLAIM = an_object(
    {
        "id": _PLAIN,
        "text": _PLAIN,
        "kind": _PLAIN,
        "severity": _PLAIN,
        "citations": {
            "type": "array",
            "items": an_object(
                {"source": _PLAIN, "start": _OFFSET, "end": _OFFSET, "resolved": {"type": "boolean"}},
                required=["source", "start", "end", "resolved"],
            ),
        },
        "flags": {"type": "array", "items": FLAG},
        "judgement": {
            **JUDGEMENT,
            "type": ["object", "null"],
            "description": "Null where no judge was asked about it, and for a claim that cites nothing.",
        },
    },
    required=["id", "text", "kind", "severity", "citations", "flags", "judgement"],
)

CERTIFICATE = an_object(
    {
        "words": _PLAIN,
        "golden_set": _PLAIN,
        "issued": _WHEN,
        "guarantee": _about(_PLAIN, "What can be said of the judge, from the safe ends of the intervals."),
        "data_hash": _PLAIN,
    },
    required=["words", "golden_set", "issued", "guarantee", "data_hash"],
)

JUDGE = an_object(
    {
        "version": _PLAIN,
        "fingerprint": _PLAIN,
        "policy": _PLAIN,
        "threshold": {"type": ["number", "null"]},
        "limits": _about(_PLAIN, "What it cannot do."),
        "certificate": CERTIFICATE,
        "unasked": {
            "type": "array",
            "items": _PLAIN,
            "description": "Ids of claims that it was not asked about: the budget or the time was over, or another "
            "request is asking. Posted again, only these are asked.",
        },
    },
    required=["version", "fingerprint", "policy", "threshold", "limits", "certificate", "unasked"],
)

RESPONSE = an_object(
    {
        "id": _PLAIN,
        "measures": _about(_PLAIN, "Faithfulness to the cited source, never truth."),
        "checks": {
            "type": "array",
            "description": "The checks that ran; with the version whose settings they took, where the project has one.",
            "items": an_object(
                {"check": _PLAIN, "version": {"type": ["string", "null"]}}, required=["check", "version"]
            ),
        },
        "judge": {**JUDGE, "type": ["object", "null"]},
        "extractor": {
            **an_object(
                {"name": _PLAIN, "fingerprint": _PLAIN, "limits": _PLAIN}, required=["name", "fingerprint", "limits"]
            ),
            "type": ["object", "null"],
            "description": "What found the claims, where the request had none.",
        },
        "claims": {"type": "array", "items": ANSWERED_CLAIM},
        "flags": {"type": "array", "items": FLAG, "description": "What checks flag in the answer as a whole."},
        "stored": {
            "type": ["string", "null"],
            "enum": ["added", "unchanged", None],
            "description": "Whether the answer is new in the project; null where it was not to be stored.",
        },
    },
    required=["id", "measures", "checks", "judge", "extractor", "claims", "flags", "stored"],
)

REFUSAL = an_object(
    {
        "error": _about(_PLAIN, "One sentence."),
        "problems": {
            "type": "array",
            "items": an_object(
                {
                    "key": _about(_PLAIN, "The path in the request: claims[0].citation.start."),
                    "found": _PLAIN,
                    "expected": _PLAIN,
                },
                required=["key", "found", "expected"],
            ),
        },
    },
    required=["error", "problems"],
)
