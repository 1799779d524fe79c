"""Development or test: decided by the answer's id alone, so it never changes as data is added."""

import hashlib

from labelling.models import Split

TEST_SHARE = 0.4


def split_of(answer_id: str) -> Split:
    """The split of an answer and of all its claims; the same in every project and on every machine."""
    digest = hashlib.sha256(f"touchstone split\n{answer_id}".encode()).digest()
    return Split.TEST if int.from_bytes(digest[:8], "big") < TEST_SHARE * 2**64 else Split.DEVELOPMENT
