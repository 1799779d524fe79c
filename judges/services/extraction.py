"""Claims of an answer by an extractor, found once and kept by answer and extractor version."""

import hashlib
from dataclasses import dataclass
from decimal import Decimal

from judges.extraction.protocol import Extracted, ExtractedClaim, Extractor
from judges.models import Extraction
from judges.services.judgements import storable


@dataclass(frozen=True, slots=True)
class Found:
    """The claims of an answer; ``cost_usd`` is what this call paid, and ``kept`` says that it paid nothing."""

    claims: tuple[ExtractedClaim, ...]
    cost_usd: Decimal
    kept: bool


def extract_claims(*, question: str, answer: str, extractor: Extractor) -> Found:
    """The claims that this extractor version finds in an answer, from what was kept where it was asked before.

    Raises
    ------
    ExtractionFailedError
        Where there is no telling what it asserts; a failure is not kept, so it can be tried again.
    """
    name = answer_hash(question, answer)
    row = kept(name, extractor.fingerprint)
    if row is not None:
        return Found(claims_of(row), Decimal(0), kept=True)
    found = extractor.extract(question=question, answer=answer)
    row = keep(name, extractor.fingerprint, found)
    return Found(claims_of(row), found.cost_usd, kept=False)


def kept(name: str, fingerprint: str) -> Extraction | None:
    """What an extractor version found in the answer of this hash, where it was asked before."""
    return Extraction.objects.filter(answer_hash=name, extractor=fingerprint).first()


def keep(name: str, fingerprint: str, found: Extracted) -> Extraction:
    """Keep what was found; where somebody else asked in the same moment, what was kept first holds for everybody."""
    row, _ = Extraction.objects.get_or_create(
        answer_hash=name,
        extractor=fingerprint,
        defaults={
            "claims": [claim.as_data() | {"text": storable(claim.text)} for claim in found.claims],
            "cost_usd": found.cost_usd,
        },
    )
    return row


def claims_of(row: Extraction) -> tuple[ExtractedClaim, ...]:
    """The claims that were found."""
    return tuple(map(ExtractedClaim.from_data, row.claims))


def text_key(name: str, fingerprint: str) -> str:
    """SHA-256 (64 hex digits) over an answer's hash and an extractor version: what is paid for once."""
    return hashlib.sha256(f"touchstone extraction\n{name}\n{fingerprint}".encode()).hexdigest()


def answer_hash(question: str, answer: str) -> str:
    """SHA-256 (64 hex digits) over what an extractor is given."""
    digest = hashlib.sha256(b"touchstone answer\n")
    for text in (question, answer):
        raw = text.encode("utf-8", "surrogatepass")
        digest.update(len(raw).to_bytes(8, "big") + raw)
    return digest.hexdigest()
