"""Samples whose truth is known, and how often an interval or a promise holds on them.

The tests, the worked examples and the table in the documentation all take their simulations from
here, each with its own seed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm as normal

from calibration import cells as stats
from calibration.arrays import BoolArray, FloatArray, IntArray
from calibration.bootstrap import Cells, percentile_figure
from calibration.ceiling import REFERENCES, Measure, Reference, Standing
from calibration.choosing import threshold_at_recall, threshold_with_promise
from calibration.comparison import ComparisonInput, JudgeColumns, compare
from calibration.correction import (
    classical_mean,
    prediction_powered_mean,
    prediction_powered_mean_tuned,
    rogan_gladen_delta,
    rogan_gladen_lang_reiczigel,
)
from calibration.intervals import LEVEL, wilson
from calibration.results import Figure, Result
from calibration.sampling import draw_sample
from calibration.thresholds import threshold_curve
from calibration.verdicts import ABSENT, STATED
from calibration.weighted import weighted_score


@dataclass(slots=True)
class Tally(Result):
    """How often something held in how many runs; a run that could not say counts as not held."""

    held: int = 0
    runs: int = 0

    @property
    def share(self) -> float:
        """Share of the runs in which it held."""
        return self.held / self.runs

    def note(self, held: bool) -> None:
        """Count one run."""
        self.runs += 1
        self.held += held


def holds(figure: Figure, truth: float) -> bool:
    """Return whether an interval holds the truth; a missing one does not."""
    return figure.low is not None and figure.high is not None and figure.low <= truth <= figure.high


def chances(random: np.random.Generator, *, truth: float, correlation: float, answers: int) -> FloatArray:
    """Return a probability for each answer, with a mean and an intra-class correlation of what is drawn with it."""
    if correlation == 0:
        return np.full(answers, truth)
    if correlation == 1:
        return (random.random(answers) < truth).astype(np.float64)
    strength = 1.0 / correlation - 1.0
    return random.beta(truth * strength, (1.0 - truth) * strength, answers)


def same_skill_labels(
    *, claims: int, seed: int, right: float = 0.85, share: float = 0.3, people: int = 3
) -> tuple[IntArray, IntArray]:
    """Return labels of people and verdicts of a judge, all right with the same probability, stated or absent only.

    Returns
    -------
    labels : int array of shape (people, claims)
    verdict : int array of shape (claims,)
    """
    random = np.random.default_rng(seed)
    true = np.where(random.random(claims) < share, ABSENT, STATED)
    said = np.stack([np.where(random.random(claims) < right, true, ABSENT - true) for _ in range(people + 1)])
    return said[:people], said[people]


def recall_coverage(
    *, runs: int, seed: int, resamples: int, answers: int = 60, truth: float = 0.8, correlation: float = 0.3
) -> dict[str, Tally]:
    """Return how often the interval of recall holds it, by cluster bootstrap and by Wilson over claims.

    Answers hold four to six unsupported claims each. All runs share the sizes of the answers and the draws.
    """
    random = np.random.default_rng(seed)
    answer = np.repeat(np.arange(answers), random.integers(4, 7, answers))
    hits = [
        random.random(len(answer)) < chances(random, truth=truth, correlation=correlation, answers=answers)[answer]
        for _ in range(runs)
    ]
    made = {"bootstrap": Tally(), "wilson": Tally()}
    figures = _figures(
        answer, hits, (1, 2), lambda tables: stats.ratio(tables[..., 0, 1], stats.total(tables)), resamples
    )
    for hit, figure in zip(hits, figures, strict=True):
        made["bootstrap"].note(holds(figure, truth))
        made["wilson"].note(holds(wilson(int(hit.sum()), len(hit)), truth))
    return made


def kappa_coverage(
    *, runs: int, seed: int, resamples: int, answers: int = 60, right: float = 0.85, correlation: float = 0.3
) -> dict[str, Tally]:
    """Return how often the interval of binary kappa holds it, with answers drawn and with claims drawn.

    Answers hold four to six claims, 30% unsupported; both what is unsupported and what the judge gets
    right go together within an answer. All runs share the sizes of the answers and the draws.
    """
    random = np.random.default_rng(seed)
    share = np.array([[0.7], [0.3]])
    truth = float(stats.kappa(share * np.array([[right, 1 - right], [1 - right, right]])))
    answer = np.repeat(np.arange(answers), random.integers(4, 7, answers))

    def true_in(mean: float, together: float) -> BoolArray:
        chance = chances(random, truth=mean, correlation=together, answers=answers)
        return np.asarray(random.random(len(answer)) < chance[answer])

    cells = []
    for _ in range(runs):
        bad, correct = true_in(0.3, 0.2), true_in(right, correlation)
        cells.append(bad * 2 + np.where(correct, bad, ~bad))
    made = {"answers": Tally(), "claims": Tally()}
    for name, unit in (("answers", answer), ("claims", np.arange(len(answer)))):
        for figure in _figures(unit, cells, (2, 2), stats.kappa, resamples):
            made[name].note(holds(figure, truth))
    return made


def planned_recall_coverage(
    *, runs: int, seed: int, resamples: int, answers: int = 800, random_claims: int = 200, targeted: int = 200
) -> dict[str, Tally]:
    """Return how often the interval of recall holds that of all claims, from a plan that looks where judges disagree.

    Answers hold five claims each. The judge misses one unsupported claim in five, and another judge differs from it
    on most of those, so that they are drawn far more often than the rest. `weighted` counts each claim by its
    probability, `random` those drawn at random alone, and `alike` all that were drawn as if they were a random sample.
    """
    random = np.random.default_rng(seed)
    answer = np.repeat(np.arange(answers), 5)
    made = {"weighted": Tally(), "random": Tally(), "alike": Tally()}
    for run in range(runs):
        bad = random.random(len(answer)) < chances(random, truth=0.25, correlation=0.2, answers=answers)[answer]
        right = random.random(len(answer)) < chances(random, truth=0.8, correlation=0.2, answers=answers)[answer]
        gold, said = np.where(bad, ABSENT, STATED), np.where(bad == right, ABSENT, STATED)
        disagree = random.random(len(answer)) < np.where(right, 0.05, 0.7)
        sample = draw_sample(len(answer), random=random_claims, groups=[(disagree, targeted)], seed=seed + run)
        truth, at = float((said[bad] == ABSENT).mean()), sample.position
        for name, kept, chance in (
            ("weighted", at, sample.chance),
            ("random", at[sample.at_random], np.ones(random_claims)),
            ("alike", at, np.ones(len(at))),
        ):
            score = weighted_score(answer[kept], gold[kept], said[kept], chance, resamples=resamples, seed=run)
            made[name].note(holds(score.recall, truth))
    return made


def _figures(
    answer: IntArray, cells: Sequence[NDArray[Any]], shape: tuple[int, ...], statistic: stats.Statistic, resamples: int
) -> Iterator[Figure]:
    """Yield a figure for each run, each a column of cells over the same answers."""
    counted = Cells(answer)
    for run, cell in enumerate(cells):
        counted.add(str(run), cell.astype(np.int64), shape=shape)
    drawn = counted.resample(resamples=resamples)
    for run in range(len(cells)):
        value, replicates = drawn.values(str(run), statistic)
        yield percentile_figure(value, replicates, n=len(answer), answers=counted.answers, reason="undefined")


def corrected_coverage(
    *,
    runs: int,
    seed: int,
    labelled: int = 300,
    judged: int = 2_000,
    truth: float = 0.2,
    sensitivity: float = 0.85,
    specificity: float = 0.92,
) -> dict[str, Tally]:
    """Return how often the interval of a corrected rate holds the true one, by method; "raw" is the judge's own."""
    random = np.random.default_rng(seed)
    names = ("delta", "lang_reiczigel", "ppi", "ppi_tuned", "labelled_alone", "raw")
    made = {name: Tally() for name in names}
    for _ in range(runs):
        bad, flagged = _judged(random, labelled + judged, truth, sensitivity, specificity)
        first, rest = slice(0, labelled), slice(labelled, None)
        caught = (int((flagged & bad)[first].sum()), int(bad[first].sum()))
        passed = (int((~flagged & ~bad)[first].sum()), int((~bad)[first].sum()))
        counts = (int(flagged[rest].sum()), judged)
        human, said, others = bad[first], flagged[first], flagged[rest]
        figures = (
            rogan_gladen_delta(counts, caught=caught, passed=passed),
            rogan_gladen_lang_reiczigel(counts, caught=caught, passed=passed),
            prediction_powered_mean(human, said, others),
            prediction_powered_mean_tuned(human, said, others),
            classical_mean(human),
            classical_mean(others),
        )
        for name, figure in zip(names, figures, strict=True):
            made[name].note(holds(figure, truth))
    return made


def _judged(
    random: np.random.Generator, n: int, truth: float, sensitivity: float, specificity: float
) -> tuple[BoolArray, BoolArray]:
    bad = random.random(n) < truth
    return bad, np.where(bad, random.random(n) < sensitivity, random.random(n) >= specificity)


def threshold_misses(
    *,
    runs: int,
    seed: int,
    target: float = 0.9,
    answers: int = 100,
    sizes: tuple[int, int] = (1, 1),
    correlation: float = 0.0,
    level: float = LEVEL,
) -> dict[str, Tally]:
    """Return how often a chosen threshold misses the recall it was chosen for, by way of choosing.

    ``reached``: least flagging with that recall on the sample. ``claims``: promised with claims taken as
    independent. ``answers``: promised as it is done here. Scores are normal, those of supported claims two
    and a half standard deviations higher, and those of one answer go together. As many supported claims
    stand beside the unsupported ones.

    Answers hold from the first to the second of ``sizes`` unsupported claims; ``correlation`` is that of the
    scores of unsupported claims within an answer.
    """
    random = np.random.default_rng(seed)
    made = {name: Tally() for name in ("reached", "claims", "answers")}
    for _ in range(runs):
        answer = np.repeat(np.arange(answers), random.integers(sizes[0], sizes[1] + 1, answers))
        n = len(answer)
        together = np.sqrt(correlation) * random.normal(size=answers)[answer]
        bad = together + np.sqrt(1.0 - correlation) * random.normal(size=n)
        score = np.concatenate([bad, random.normal(2.5, size=n)])
        gold = np.repeat([ABSENT, STATED], n)
        both = np.concatenate([answer, answer])
        choices = {
            "reached": threshold_at_recall(threshold_curve(gold, score), target=target),
            "claims": threshold_with_promise(np.arange(2 * n), gold, score, target=target, level=level),
            "answers": threshold_with_promise(both, gold, score, target=target, level=level),
        }
        for name, choice in choices.items():
            made[name].note(choice.threshold is not None and float(normal.cdf(choice.threshold)) < target)
    return made


def same_skill_standings(
    *, runs: int, seed: int, resamples: int, answers: int = 60, measure: Measure = "kappa_two"
) -> dict[Reference, dict[Standing, int]]:
    """Return where a judge of the people's own skill is said to stand, by reference.

    Answers of five claims, 30% unsupported; how often people and judge are right varies by answer
    alike, with mean .85.
    """
    random = np.random.default_rng(seed)
    found: dict[Reference, dict[Standing, int]] = {name: dict.fromkeys(Standing, 0) for name in REFERENCES}
    for data in _same_skill_samples(random, runs, answers):
        score = compare(data, resamples=resamples, seed=seed).judge("judge")
        for name in REFERENCES:
            found[name][score.like_with_like(name).standing(measure)] += 1
    return found


def _same_skill_samples(random: np.random.Generator, runs: int, answers: int) -> Iterator[ComparisonInput]:
    answer = np.repeat(np.arange(answers), 5)
    for _ in range(runs):
        true = np.where(random.random(len(answer)) < 0.3, ABSENT, STATED)
        right = random.beta(8.5, 1.5, answers)[answer]
        said = np.stack([np.where(random.random(len(answer)) < right, true, ABSENT - true) for _ in range(4)])
        yield ComparisonInput(answer, true, said[:3], {"judge": JudgeColumns(said[3])})
