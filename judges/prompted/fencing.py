"""Outside text between marks that it cannot write itself.

The code of a mark is a hash over every text that is fenced with it. A text that held its own code would have to hold its
own hash; should one ever, another code is taken.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fence:
    """Marks with one code; the same texts always get the same code, so that equal prompts stay equal byte for byte."""

    code: str

    def around(self, name: str, text: str) -> str:
        """The text between its opening and its closing mark, unchanged."""
        return f"{self.opening(name)}\n{text}\n{self.closing(name)}"

    def opening(self, name: str) -> str:
        """The mark before a text."""
        return f"<<<{name} {self.code}>>>"

    def closing(self, name: str) -> str:
        """The mark behind a text."""
        return f"<<<end of {name} {self.code}>>>"


def fence_for(texts: Sequence[str]) -> Fence:
    """Marks whose code stands in none of the texts."""
    digest = hashlib.sha256()
    for text in texts:
        raw = text.encode("utf-8", "surrogatepass")
        digest.update(len(raw).to_bytes(8, "big") + raw)
    code = digest.hexdigest()[:16]
    while any(code in text for text in texts):
        digest.update(b"again")
        code = digest.hexdigest()[:16]
    return Fence(code)
