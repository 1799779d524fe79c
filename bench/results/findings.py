"""What the figures show, in sentences that promise only what the intervals hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from bench.results.decomposition import Decomposition
from bench.results.judging import SetResult
from calibration.comparison import Comparison
from calibration.results import Figure
from reports.shown.wording import decimal

PAIRS = (
    (
        "entailment, chosen",
        "lexical, chosen",
        "Entailment beside the lexical baseline, thresholds chosen on development",
    ),
    ("entailment, chosen", "entailment", "Entailment with a threshold chosen on development beside the same at 0.5"),
    ("panel", "entailment, chosen", "The panel beside entailment with a chosen threshold"),
    ("panel", "lexical, chosen", "The panel beside the lexical baseline with a chosen threshold"),
    (
        "entailment, chosen",
        "whole answer, chosen",
        "Which claims are unsupported, entailment over each claim beside the verdict on its whole answer, thresholds chosen",
    ),
)
"""Judges compared in words: first, second, and what the comparison is."""

WORDS = {"at 0.5": "thresholds at 0.5", "chosen": "thresholds chosen"}


def findings(sets: Sequence[SetResult], decompositions: dict[str, Decomposition]) -> list[str]:
    """One sentence a question, over the sets that can answer it."""
    said = [_chance(sets, name) for name in ("lexical, chosen", "entailment, chosen", "panel")]
    said += [
        _grouped(f"{what}, binary kappa", ((one.about.title, gap(one, first, second)) for one in sets))
        for first, second, what in PAIRS
    ]
    said += [
        _grouped(
            f"Which answers hold an unsupported claim, by their claims beside by the whole answer, {WORDS[policy]}, binary kappa",
            ((one.about.title, _unit_gap(one, decompositions, policy)) for one in sets),
        )
        for policy in WORDS
    ]
    said.append(_people(sets))
    return [line for line in said if line]


def gap(found: SetResult, first: str, second: str) -> Figure | None:
    """First minus second in binary kappa, paired; None where one of them is not there or both are the same version."""
    one, two = found.row(first), found.row(second)
    if one is None or two is None or one.version == two.version:
        return None
    return difference(found.report.result, str(one.version), str(two.version))


def difference(result: Comparison, first: str, second: str, *, measure: Callable[..., Figure] | None = None) -> Figure:
    """First minus second with its paired interval, whichever way round it was counted."""
    read = measure or (lambda gap: gap.kappa_two)
    for pair in result.differences:
        if (pair.first, pair.second) == (first, second):
            return read(pair.gap)
        if (pair.first, pair.second) == (second, first):
            return _turned(read(pair.gap))
    raise ValueError(f"{first} and {second} were not compared")


def _turned(figure: Figure) -> Figure:
    if figure.value is None or figure.low is None or figure.high is None:
        return figure if figure.value is None else Figure.point(-figure.value, n=figure.n, reason=figure.reason)
    return Figure(-figure.value, -figure.high, -figure.low, n=figure.n, method=figure.method)


def _unit_gap(found: SetResult, decompositions: dict[str, Decomposition], policy: str) -> Figure | None:
    both = decompositions.get(found.about.name)
    first, second = f"claims {policy}", f"whole answer {policy}"
    if both is None or not {first, second} <= both.thresholds.keys():
        return None
    return difference(both.result, first, second)


def _grouped(what: str, gaps: Iterable[tuple[str, Figure | None]]) -> str:
    """Sets by what the paired interval says: ahead, behind, or open."""
    groups: dict[str, list[str]] = {"ahead on": [], "behind on": [], "open on": []}
    for title, figure in gaps:
        if figure is not None and figure.value is not None:
            groups[_side(figure)].append(f"{title} ({signed(figure)})")
    parts = [f"{side} {', '.join(titles)}" for side, titles in groups.items() if titles]
    return f"{what}: {'; '.join(parts)}." if parts else ""


def _side(figure: Figure) -> str:
    if figure.low is not None and figure.low > 0:
        return "ahead on"
    return "behind on" if figure.high is not None and figure.high < 0 else "open on"


def signed(figure: Figure) -> str:
    """A difference with its sign and its interval."""
    plus = "+" if (figure.value or 0) > 0 else ""
    ends = "no interval" if figure.low is None else f"{decimal(figure.low)} to {decimal(figure.high)}"
    return f"{plus}{decimal(figure.value)}, {ends}"


def _chance(sets: Sequence[SetResult], name: str) -> str:
    above: list[str] = []
    not_shown: list[str] = []
    for found in sets:
        row = found.row(name)
        if row is None:
            continue
        kappa = found.score(row).agreement.kappa_two
        if kappa.value is not None:
            (above if kappa.low is not None and kappa.low > 0 else not_shown).append(found.about.title)
    parts = [f"better than chance on {', '.join(above)}"] if above else []
    parts += [f"not shown to be on {', '.join(not_shown)}"] if not_shown else []
    return f"Binary kappa of {_quoted(name)}: {'; '.join(parts)}." if parts else ""


def _people(sets: Sequence[SetResult]) -> str:
    """Which judges stand where to people, by the interval of the difference alone."""
    parts = []
    for found in sets:
        told: dict[str, list[str]] = {}
        for row in found.rows:
            if row.version is not None:
                like = found.score(row).like_with_like(found.report.reference)
                told.setdefault(like.standing("kappa_two").value, []).append(_quoted(row.name))
        told.pop("no data", None)
        if told:
            parts.append(
                f"{found.about.title}: " + ", ".join(f"{where} {_all(names)}" for where, names in told.items())
            )
    return f"Where judges stand to people in binary kappa. {'; '.join(parts)}." if parts else ""


def _all(names: Sequence[str]) -> str:
    return f"({', '.join(names)})"


def _quoted(name: str) -> str:
    return f"“{name}”"
