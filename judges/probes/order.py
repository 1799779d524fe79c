"""Order: the cited sources and the parts of each in another order say the same, so the verdict should stay."""

from collections.abc import Mapping
from random import Random

from judges.probes.changes import Change, Pool
from judges.probes.shuffling import parts_of
from judges.protocol import ClaimInput


def orders(claim: ClaimInput, random: Random, pool: Pool) -> Mapping[str, Change]:  # noqa: ARG001  (one shape for all)
    """Another order of everything that has one; none where the claim cites one source of one piece."""
    given = claim.answer_cited or claim.cited
    parts = {parts_of(cited)[0] for cited in given} - {""}
    if len(given) < 2 and not parts:
        return {}
    what = [*(["sources"] if len(given) > 1 else []), *sorted(parts)]
    kind = f"order of {' and '.join(what)}"
    return {kind: Change(kind=kind, shuffle=random.randrange(2**31))}
