"""Inputs of judges for tests of changes to them."""

from random import Random

from judges.probes import PROBES
from judges.probes.changes import Change, Pool, apply_change
from judges.protocol import CitedText, ClaimInput


def cited(text: str, *, order: int = 1, source_id: str = "", span: tuple[int, int] | None = None) -> CitedText:
    start, end = span or (None, None)
    return CitedText(source_id=source_id or f"s{order}", order=order, title="", text=text, start=start, end=end)


def given(text: str, *sources: str | CitedText) -> ClaimInput:
    made = [cited(one, order=order) if isinstance(one, str) else one for order, one in enumerate(sources, 1)]
    return ClaimInput(claim_id=1, text=text, kind="", severity="", cited=tuple(made))


def options(probe: str, claim: ClaimInput, *, seed: int = 1, pool: Pool | None = None) -> dict[str, Change]:
    return dict(PROBES[probe](claim, Random(seed), pool or Pool()))


def altered(change: Change, claim: ClaimInput) -> ClaimInput:
    """The claim as a judge is given it, after the change has been kept as plain data and read again."""
    return apply_change(Change.from_data(change.as_data()), claim, {})
