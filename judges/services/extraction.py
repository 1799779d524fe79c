"""Claims of an answer by an extractor, found once and kept by answer and extractor version."""

import hashlib
from dataclasses import dataclass
from decimal import Decimal

from django.db import IntegrityError, transaction

from judges.extraction.protocol import ExtractedClaim, Extractor
from judges.models import Extraction


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
    names = {"answer_hash": answer_hash(question, answer), "extractor": extractor.fingerprint}
    row = Extraction.objects.filter(**names).first()
    if row is not None:
        return Found(tuple(map(ExtractedClaim.from_data, row.claims)), Decimal(0), kept=True)
    found = extractor.extract(question=question, answer=answer)
    try:
        with transaction.atomic():
            Extraction.objects.create(
                **names, claims=[claim.as_data() for claim in found.claims], cost_usd=found.cost_usd
            )
    except IntegrityError:  # somebody else asked in the same moment: what was kept first holds for everybody
        row = Extraction.objects.get(**names)
        return Found(tuple(map(ExtractedClaim.from_data, row.claims)), found.cost_usd, kept=False)
    return Found(found.claims, found.cost_usd, kept=False)


def answer_hash(question: str, answer: str) -> str:
    """SHA-256 (64 hex digits) over what an extractor is given."""
    digest = hashlib.sha256(b"touchstone answer\n")
    for text in (question, answer):
        raw = text.encode("utf-8", "surrogatepass")
        digest.update(len(raw).to_bytes(8, "big") + raw)
    return digest.hexdigest()
