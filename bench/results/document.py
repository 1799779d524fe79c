"""docs/results.md from what was found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bench.results.decomposition import Decomposition
from bench.results.findings import difference, findings, signed
from bench.results.judging import Row, SetResult
from bench.results.making import MOST, Results
from bench.results.sampling import SEED
from calibration.bootstrap import RESAMPLES
from calibration.bootstrap import SEED as BOOTSTRAP_SEED
from calibration.judge_score import JudgeScore
from calibration.results import Figure
from calibration.unsupported import UnsupportedScore
from reports.services.comparison import Expense
from reports.shown.wording import NO_DATA, count_words, decimal, duration

INTRODUCTION = """# Results on public data

How judges do on public sets of claims that people judged: *faithfulness to the cited source*, never truth about the world. The model is a small one made for trying the software, so
the table shows what Touchstone measures and how far each figure can be trusted, not what entailment can reach. This page is written by a command; do not edit it:

```
make results DATA=folder-of-the-sets MODEL=folder-of-the-model{more}
```
"""

READING = """## How to read the tables

All figures are on the test split, against gold (an adjudication, else the consensus of the labels). *Partial* counts as unsupported. A figure stands with its 95% interval: {resamples:,} resamples
of answers, seed {bootstrap_seed}, the same for all judges of a set. A claim without a verdict is counted as a miss: unsupported, it was not caught; supported, it was not let through.
`specifics` only speaks where a figure, date or name is missing from the source, so its kappa and balanced accuracy say little; its precision and its recall do. Nothing is set in bold: most intervals
overlap, and “What this shows” says which differences hold.

- **threshold**: the lowest score that means *stated*. “Chosen” is the threshold of the largest binary kappa on the development split, never on the claims of the table.
- **panel**: `specifics`, `lexical` and `entailment` weighed by a logistic model that is fitted, with its threshold, on the development split.
- **kappa†, recall†**: against the reference that people are scored on too, the consensus of the *other* people, so that a judge and a person are measured alike. People have no precision and no
  balanced accuracy here, since gold holds their own labels.
- **time / 1,000**: wall time of a thousand claims, one thread, on a machine shared with other work whose load changed meanwhile: read orders of magnitude and
  nothing finer. It leaves out loading the model; the first
  judge to read a source pays for its index, so equal work can cost the next one less, and that of the panel leaves out what its members took.
"""

FIGURES = ("threshold", "judged", "flagged", "binary kappa", "recall", "precision", "balanced accuracy")


def write_document(results: Results) -> str:
    """Lay out the whole page."""
    more = "" if results.most == MOST else f' RESULTS_ARGS="--most {results.most}"'
    parts = [
        INTRODUCTION.format(more=more),
        "\n".join(_made(results)),
        "## What this shows",
        "\n".join(f"- {line}" for line in findings(results.sets, results.decompositions))
        or "Nothing: no set was judged.",
        "Differences are paired over the same claims, and not corrected for their number.",
        READING.format(resamples=RESAMPLES, bootstrap_seed=BOOTSTRAP_SEED),
        "## The sets",
        "\n".join(_sets(results)),
        *(section for found in results.sets for section in _section(found)),
        *_decomposition(results),
    ]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def _made(results: Results) -> Iterable[str]:
    model = f"{results.model}, revision `{results.revision}`" if results.revision else f"none: {results.model}"
    made = results.made
    yield f"- made on {made.day} {made:%B %Y} with {results.software}"
    yield f"- entailment model: {model}"
    yield f"- at most {results.most:,} claims of a set, whole answers drawn at random (seed {SEED})"
    if results.missing:
        yield f"- not in the folder, so not here: {', '.join(about.title for about in results.missing)}"


def _sets(results: Results) -> Iterable[str]:
    yield from _table(
        ("set", "source", "licence as stated", "people", "claims", "answers", "with several claims"),
        (
            (
                found.about.title,
                found.about.source,
                found.about.licence,
                found.about.people,
                f"{count_words(found.sample.claims)} of {count_words(found.sample.claims_there)}",
                count_words(found.sample.answers),
                count_words(found.sample.several),
            )
            for found in results.sets
        ),
    )


def _section(found: SetResult) -> Iterable[str]:
    result, splits = found.report.result, found.report.figures.splits
    yield f"## {found.about.title}"
    yield found.about.note
    people = f", {count_words(result.n_people)} people" if result.n_people else ""
    yield (
        f"Test: {count_words(result.n_claims)} claims in {count_words(result.n_answers)} answers{people}; "
        f"{count_words(result.n_gold)} with gold, {count_words(result.n_unsupported)} of these unsupported. "
        f"Looks at the test split so far: {found.looks}."
        + (f" {splits.tied} of {splits.answers} answers cite sources that both splits have." if splits.tied else "")
    )
    beside = found.report.ceiling.n_claims > 0
    headings = ("judge", *FIGURES, *(("kappa†", "recall†") if beside else ()), "time / 1,000")
    rows = [_judge(found, row, beside=beside, width=len(headings)) for row in found.rows]
    if beside:
        people_row = found.report.ceiling.people
        blank = ("–",) * 7
        rows.insert(0, ("people", *blank, cell(people_row.kappa_two), cell(people_row.recall), "–"))
    yield "\n".join(_table(headings, rows))
    if beside:
        others = "the consensus of the others" if found.report.reference == "consensus" else "each other person"
        yield f"† Against {others}, over {count_words(found.report.ceiling.n_claims)} claims."


def _judge(found: SetResult, row: Row, *, beside: bool, width: int) -> tuple[str, ...]:
    if row.version is None:
        return (row.name, f"not run: {row.missing}", *("–",) * (width - 2))
    score = found.score(row)
    like = score.like_with_like(found.report.reference).judge
    return (
        row.name,
        "–" if row.threshold is None else decimal(row.threshold),
        f"{count_words(score.n_claims - score.n_without_verdict)} of {count_words(score.n_claims)}",
        *_figures(score, score.unsupported),
        *((cell(like.kappa_two), cell(like.recall)) if beside else ()),
        _time(found.expense(row)),
    )


def _figures(score: JudgeScore, unsupported: UnsupportedScore) -> tuple[str, ...]:
    return (
        count_words(unsupported.n_flagged),
        cell(score.agreement.kappa_two),
        cell(unsupported.recall),
        cell(unsupported.precision),
        cell(unsupported.balanced_accuracy),
    )


def _decomposition(results: Results) -> Iterable[str]:
    yield "## What taking answers apart gains"
    yield (
        "The same model once over the whole answer and once over its claims, both asked which *answers* have an unsupported claim. By claims, an answer is flagged if one of its claims is. "
        "“Chosen” is the threshold of the largest binary kappa over the answers of development, for each way its own. Intervals resample answers."
    )
    if not results.decompositions:
        yield "No data: no set was judged whole."
    for found in results.sets:
        both = results.decompositions.get(found.about.name)
        if both is not None:
            yield f"### {found.about.title}"
            yield from _both_ways(both)
    same = [one.about.title for one in results.sets if one.sample.answers == one.sample.claims]
    if same:
        yield f"{', '.join(same)}: one claim an answer, so both ways are the same and nothing can be shown."
    other = [one.about.title for one in results.sets if not one.sample.with_text and one.sample.several]
    if other:
        yield f"{', '.join(other)}: the answers have no text of their own, so there is nothing to judge whole."


def _both_ways(both: Decomposition) -> Iterable[str]:
    result = both.result
    yield (
        f"Test: {count_words(result.n_answers)} answers, {count_words(result.n_unsupported)} with an unsupported claim; {count_words(both.several.n_answers)} have "
        "several claims, and only on those can the two ways differ by more than the wording."
    )
    rows = []
    for name, threshold in both.thresholds.items():
        score = result.judge(name)
        judged = f"{count_words(score.n_claims - score.n_without_verdict)} of {count_words(score.n_claims)}"
        rows.append((name, decimal(threshold), judged, *_figures(score, score.unsupported)))
    yield "\n".join(_table(("judged by", *FIGURES), rows))
    yield "\n".join(_gaps(both))


def _gaps(both: Decomposition) -> Iterable[str]:
    for result, which in ((both.result, "all answers"), (both.several, "those with several claims")):
        for policy in ("at 0.5", "chosen"):
            pair = (f"claims {policy}", f"whole answer {policy}")
            if set(pair) <= both.thresholds.keys():
                kappa = difference(result, *pair)
                recall = difference(result, *pair, measure=lambda gap: gap.recall)
                yield (
                    f"- claims minus whole answer, {policy}, {which} ({result.n_answers}): kappa {signed(kappa)}; "
                    f"recall {signed(recall)}"
                )


def _time(expense: Expense) -> str:
    return duration(expense.seconds.value)


def cell(figure: Figure) -> str:
    """A figure with its interval, or why there is none."""
    if figure.value is None:
        return f"{NO_DATA}: {figure.reason}"
    if figure.low is None or figure.high is None:
        return f"{decimal(figure.value)} ({figure.reason})"
    return f"{decimal(figure.value)} ({decimal(figure.low)}–{decimal(figure.high)})"


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterable[str]:
    yield "| " + " | ".join(headings) + " |"
    yield "| " + " | ".join("---" for _ in headings) + " |"
    for row in rows:
        yield "| " + " | ".join(text.replace("|", "\\|") for text in row) + " |"
