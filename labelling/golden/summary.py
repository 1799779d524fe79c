"""A manifest as a page shows it: every figure with its interval and what it rests on, "no data" where there is none."""

from collections.abc import Mapping
from dataclasses import dataclass

from labelling.models import Split, Verdict


@dataclass(frozen=True, slots=True)
class ShownFigure:
    """One figure in words; `value` is "no data" where it is undefined, and `why` then says why."""

    name: str
    value: str
    interval: str
    n: int
    why: str


@dataclass(frozen=True, slots=True)
class Summary:
    """Counts by verdict (rows) and split (columns), with totals, and the agreement of the people behind them."""

    rows: tuple[tuple[str, tuple[int, ...], int], ...]
    totals: tuple[int, ...]
    items: int
    agreement: tuple[ShownFigure, ...]


_NAMES = {"alpha": "Krippendorff's alpha", "kappa": "One person against another (kappa)"}


def summarise(manifest: Mapping[str, object]) -> Summary:
    """Read the parts of a manifest that a page lays out as tables."""
    counts, agreement = manifest.get("counts"), manifest.get("agreement")
    table = counts if isinstance(counts, dict) else {}
    figures = agreement if isinstance(agreement, dict) else {}
    rows = []
    for verdict in Verdict.values:
        numbers = tuple(int(table.get(verdict, {}).get(split, 0)) for split in Split.values)
        rows.append((verdict, numbers, sum(numbers)))
    totals = tuple(sum(numbers[place] for _, numbers, _ in rows) for place in range(len(Split.values)))
    shown = tuple(_shown(name, figures[key]) for key, name in _NAMES.items() if key in figures)
    return Summary(tuple(rows), totals, sum(totals), shown)


def _shown(name: str, figure: Mapping[str, object]) -> ShownFigure:
    value, low, high = figure.get("value"), figure.get("low"), figure.get("high")
    return ShownFigure(
        name,
        f"{value:.2f}" if isinstance(value, int | float) else "no data",
        f"{low:.2f} to {high:.2f}" if isinstance(low, int | float) and isinstance(high, int | float) else "no interval",
        int(str(figure.get("n", 0))),
        str(figure.get("reason", "")),
    )
