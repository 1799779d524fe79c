from dataclasses import dataclass

from labelling.models import Verdict


@dataclass(frozen=True, slots=True)
class Ruling:
    """How one policy settles a case.

    `verdict` is None where the item is skipped. `unless` says in words when another verdict is due; `flag` is the flag
    to raise with the label.
    """

    verdict: Verdict | None
    why: str
    unless: str = ""
    flag: str = ""


def alike(verdict: Verdict | None, why: str, *, unless: str = "", flag: str = "") -> tuple[Ruling, Ruling]:
    """The same ruling under both policies."""
    ruling = Ruling(verdict, why, unless, flag)
    return ruling, ruling
