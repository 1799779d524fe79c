"""Names for what was asked and of whom: a judge version's fingerprint, and the hash of what a judge was given.

Together they say whether a judgement may be used again: same fingerprint, same claim, same input, same answer.
"""

import hashlib
import json
from collections.abc import Mapping

from judges.protocol import CitedText, ClaimInput


def canonical_json(value: object) -> str:
    """One spelling for equal plain data: sorted keys, no white space, ASCII, no NaN.

    Raises
    ------
    ValueError, TypeError
        Where the data is not plain JSON.
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def fingerprint(*, type_name: str, code_version: str, config: Mapping[str, object], policy: str) -> str:
    """SHA-256 (64 hex digits) over everything that can change a verdict of a judge.

    ``config`` is the complete configuration, defaults filled in, so that leaving a key out and writing its default
    name the same version.
    """
    named = {"type": type_name, "code": code_version, "config": dict(config), "policy": policy}
    return _digest("judge version", named)


def input_hash(claim: ClaimInput) -> str:
    """SHA-256 (64 hex digits) over all that a judge is given of one claim: its words, its answer, its cited texts."""
    given: dict[str, object] = {
        "claim": [claim.text, claim.kind, claim.severity],
        "asked": [claim.question, claim.answer],
        "cited": [_cited(cited) for cited in claim.cited],
    }
    if claim.answer_cited:
        given["answer cited"] = [_cited(cited) for cited in claim.answer_cited]
    return _digest("claim input", given)


def _cited(cited: CitedText) -> list[object]:
    return [
        cited.order,
        cited.source_id,
        cited.title,
        cited.text,
        cited.start,
        cited.end,
        cited.resolved,
        {**cited.fields},
        cited.collection,
    ]


def _digest(purpose: str, value: object) -> str:
    return hashlib.sha256(f"touchstone {purpose}\n{canonical_json(value)}".encode()).hexdigest()
