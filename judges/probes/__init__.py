"""Tests of the judge itself: inputs altered on purpose, so that it is known what the verdict should be.

Each kind of test is a pure function from one claim's input to the changes that could be made to it. Nothing here asks a
judge: a test is a run like any other over inputs that differ.
"""

from collections.abc import Callable, Mapping
from random import Random

from judges.probes.changes import AGAIN, Change, Pool
from judges.probes.order import orders
from judges.probes.perturbation import perturbations
from judges.probes.rewording import rewordings
from judges.probes.silence import strangers
from judges.protocol import ClaimInput

Options = Callable[[ClaimInput, Random, Pool], Mapping[str, Change]]


def _again(claim: ClaimInput, random: Random, pool: Pool) -> Mapping[str, Change]:  # noqa: ARG001  (one shape for all)
    return {AGAIN: Change(kind=AGAIN)}


PROBES: Mapping[str, Options] = {
    "silence": strangers,
    "order": orders,
    "rewording": rewordings,
    "perturbation": perturbations,
    "repetition": _again,
}
"""What each kind of test could change in a claim's input, by the kind of change; empty where nothing can be changed."""
