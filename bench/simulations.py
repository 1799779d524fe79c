"""Every simulation of docs/statistics.md, printed as its table. Each has its own seed: the figures come out the same.

Run as ``python -m bench.simulations``; it takes some minutes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from calibration.ceiling import Standing
from calibration.simulation import (
    Tally,
    corrected_coverage,
    kappa_coverage,
    planned_recall_coverage,
    recall_coverage,
    same_skill_standings,
    threshold_misses,
)

NAMES = {
    "bootstrap": "cluster bootstrap",
    "wilson": "Wilson over claims",
    "answers": "answers drawn",
    "claims": "claims drawn",
    "delta": "delta",
    "lang_reiczigel": "Lang-Reiczigel",
    "ppi": "prediction-powered",
    "ppi_tuned": "tuned",
    "labelled_alone": "labelled alone",
    "raw": "uncorrected",
    "weighted": "by their probability",
    "random": "those drawn at random alone",
    "alike": "all counted alike",
}


def percent(tally: Tally) -> str:
    """The share with the error that the number of runs leaves it."""
    error = math.sqrt(max(tally.share * (1 - tally.share), 1 / tally.runs) / tally.runs)
    return f"{tally.share:.1%} ±{1.96 * error:.1%}"


def row(what: str, setup: str, found: str) -> None:
    print(f"| {what} | {setup} | {found} |", flush=True)


def shares(tallies: Mapping[str, Tally], names: Mapping[str, str] = NAMES) -> str:
    return "; ".join(f"{names[name]} {percent(tally)}" for name, tally in tallies.items())


def coverage() -> None:
    for answers in (30, 60, 200):
        made = recall_coverage(runs=3_000, seed=7, resamples=2_000, answers=answers)
        setup = (
            f"{answers} answers of 4 to 6 unsupported claims, recall .8, intra-class correlation .3; 3,000 runs, seed 7"
        )
        row("interval of recall holds it", setup, shares(made))
    for answers in (30, 60, 200):
        made = kappa_coverage(runs=1_000, seed=7, resamples=1_000, answers=answers)
        setup = f"{answers} answers of 4 to 6 claims, 30% unsupported, kappa .66, correlation .3; 1,000 runs, seed 7"
        row("interval of binary kappa holds it", setup, shares(made))


def promises() -> None:
    names = {"reached": "reached on the sample", "claims": "promised, claims as units", "answers": "promised"}
    settings = (
        ("100 answers of 1 unsupported claim", {"answers": 100}),
        ("60 answers of 4 to 6, scores correlated .3", {"answers": 60, "sizes": (4, 6), "correlation": 0.3}),
        ("60 answers of 4 to 6, scores correlated .6", {"answers": 60, "sizes": (4, 6), "correlation": 0.6}),
        ("60 answers of 4 to 6, scores correlated .9", {"answers": 60, "sizes": (4, 6), "correlation": 0.9}),
        ("60 answers of 1 to 12, scores correlated .99", {"answers": 60, "sizes": (1, 12), "correlation": 0.99}),
    )
    for setup, given in settings:
        made = threshold_misses(runs=1_000, seed=3, **given)  # type: ignore[arg-type]  # one mapping of keywords
        row("threshold for recall .9 misses it (at most 5%)", f"{setup}; 1,000 runs, seed 3", shares(made, names))


def corrections() -> None:
    for labelled, judged in ((300, 2_000), (150, 300), (60, 150)):
        made = corrected_coverage(runs=2_000, seed=5, labelled=labelled, judged=judged)
        setup = (
            f"share .2, sensitivity .85, specificity .92, {labelled} labelled, {judged:,} judged; 2,000 runs, seed 5"
        )
        row("interval of the corrected rate holds it", setup, shares(made))


def standings() -> None:
    for answers in (60, 1_500):
        found = same_skill_standings(runs=200, seed=9, resamples=400, answers=answers)
        for reference, counts in found.items():
            said = ", ".join(f"{where.value} {counts[where]}" for where in Standing if counts[where])
            setup = f"{answers:,} answers of 5 claims, skill .85 varying by answer; 200 runs, seed 9"
            row(f"judge of the people's own skill, {reference}", setup, said)


def plans() -> None:
    made = planned_recall_coverage(runs=1_000, seed=13, resamples=1_000)
    setup = (
        "200 claims at random and 200 where judges disagree, from 4,000 in answers of 5, recall .8; 1,000 runs, seed 13"
    )
    row("interval of recall over a plan holds that of all claims", setup, shares(made))


def main() -> None:
    print("| what | set-up | found |\n| --- | --- | --- |")
    standings()
    promises()
    corrections()
    coverage()
    plans()


if __name__ == "__main__":
    main()
