"""From numbers to places on a drawing. Plots are SVG made by the server: no script, no inline style."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from calibration.results import Figure

_BARELY = 0.02


@dataclass(frozen=True, slots=True)
class Axis:
    """A straight scale from `low` to `high`, drawn from `start` to `end` in SVG units."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """Place of a value, held inside the drawing, to a tenth of a unit."""
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 1)


def kappa_axis(figures: Iterable[Figure], *, start: float, end: float) -> Axis:
    """A scale for kappa: from 0 to 1, and further down to a whole tenth where some interval clearly goes there."""
    ends = [end for figure in figures for end in (figure.low, figure.value) if end is not None]
    low = min([0.0, *ends])
    return Axis(max(-1.0, math.floor((low + _BARELY) * 10) / 10), 1.0, start, end)
