"""What an extractor found in an answer, kept by answer and extractor version so that it is asked once."""

import hashlib

from judges.extraction.protocol import Extracted, ExtractedClaim
from judges.models import Extraction
from judges.services.judgements import storable


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
