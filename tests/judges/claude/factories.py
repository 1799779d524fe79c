"""Claims and judges for tests against the fake server."""

from typing import Any

from judges.claude.config import parse_config
from judges.claude.judge import ClaudeJudge
from judges.protocol import CitedText, ClaimInput, Opinion

KEY = "sk-ant-test-0123456789abcdef"
SOURCE = "The refund is paid within 14 days. Shipping costs are not refunded."


def claim(number: int, text: str = "The refund takes 14 days.", *, source: str = SOURCE, **more: Any) -> ClaimInput:
    given: dict[str, Any] = {
        "claim_id": number,
        "text": text,
        "kind": "policy",
        "severity": "minor",
        "cited": (CitedText(source_id="s1", order=1, title="Refunds", text=source),),
        "answer": f"Yes. {text}",
    }
    return ClaimInput(**{**given, **more})


def judge(**config: object) -> ClaudeJudge:
    return ClaudeJudge(parse_config({"wording": "Policy, strict: only what is asserted counts.", **config}))


def opinion(behaviour: str, **config: object) -> Opinion:
    """What the judge says of one claim that makes the server behave so."""
    (one,) = judge(**config).judge([claim(1, f"The refund takes 14 days. behave:{behaviour}")])
    return one
