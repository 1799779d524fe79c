"""What the readings of a claim's passages come to: scores by their maximum, a verdict by thresholds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from judges.entailment.config import EntailmentConfig
from judges.entailment.loading import LoadedModel
from judges.entailment.windows import Window
from judges.protocol import ClaimInput, Opinion, Outcome, Verdict

_KEPT = 20  # passages, for people and for other thresholds


@dataclass(frozen=True, slots=True)
class Reading:
    """What the model says of one passage: ``window.text[start:end]``, the whole window unless it was too long."""

    window: Window
    start: int
    end: int
    entailment: float
    contradiction: float | None

    @property
    def quote(self) -> str:
        """The passage, verbatim."""
        return self.window.text[self.start : self.end]


def verdict_for(config: EntailmentConfig, entailment: float, contradiction: float | None) -> Verdict:
    """Give the verdict of two probabilities, each the maximum over passages.

    Whether a claim is *stated* depends on P(entailment) alone, so that the score and its threshold say the same as the
    verdict. A lower bound of the middle band above ``threshold`` leaves no band.
    """
    if entailment >= config.threshold:
        return Verdict.STATED
    if contradiction is not None and contradiction >= config.contradiction_threshold:
        return Verdict.CONTRADICTED
    return Verdict.PARTIAL if entailment >= config.partial_threshold else Verdict.ABSENT


def decide(
    config: EntailmentConfig, readings: Sequence[Reading], *, available: int, model: LoadedModel, seconds: float
) -> Opinion:
    """Make the opinion of one claim from at least one reading."""
    best = max(readings, key=lambda reading: reading.entailment)
    worst = max(readings, key=lambda reading: reading.contradiction or 0.0)
    detail = {
        "entailment": round(best.entailment, 6),
        "contradiction": worst.contradiction,
        "passages": [_plain(reading) for reading in readings[:_KEPT]],
        "best": readings.index(best),
        "worst": readings.index(worst),
        "passages_read": len(readings),
        "passages_there": available,
        "revision": model.revision,
        "max_tokens": model.scorer.max_length,
        "warning": model.warning,
    }
    return _opinion(config, best, worst, read=len(readings), seconds=seconds, detail=detail)


def decide_again(data: Mapping[str, object], claim: ClaimInput, kept: Opinion) -> Opinion | None:
    """Make the opinion under other thresholds of the one that was kept; None where a passage it rests on was not kept."""
    passages = kept.detail.get("passages")
    if kept.outcome is not Outcome.JUDGED or passages is None:  # no threshold had a part in it
        return kept
    config = EntailmentConfig(**{**data, "window_sizes": tuple(data["window_sizes"])})  # type: ignore[arg-type]
    best = _reading(config, claim, kept, "best", "entailment")
    worst = _reading(config, claim, kept, "worst", "contradiction")
    read = kept.detail.get("passages_read")
    if best is None or worst is None or kept.score is None or not isinstance(read, int):
        return None
    # The passages are kept rounded, what is held to the thresholds is not.
    best = replace(best, entailment=kept.score)
    worst = replace(worst, contradiction=kept.detail.get("contradiction"))  # type: ignore[arg-type]
    return _opinion(config, best, worst, read=read, seconds=0.0, detail=kept.detail)


def _opinion(
    config: EntailmentConfig, best: Reading, worst: Reading, *, read: int, seconds: float, detail: Mapping[str, object]
) -> Opinion:
    verdict = verdict_for(config, best.entailment, worst.contradiction)
    shown = worst if verdict is Verdict.CONTRADICTED else best
    return Opinion(
        outcome=Outcome.JUDGED,
        verdict=verdict,
        score=min(1.0, max(0.0, best.entailment)),
        quote="" if verdict is Verdict.ABSENT else shown.quote,
        reason=_reason(config, verdict, best, worst, read),
        seconds=seconds,
        detail=detail,
    )


def _reading(config: EntailmentConfig, claim: ClaimInput, kept: Opinion, place: str, by: str) -> Reading | None:
    """The passage at the place that was kept, or where none was the one with the most of a probability."""
    passages, read = kept.detail.get("passages"), kept.detail.get("passages_read")
    at = kept.detail.get(place)
    if not isinstance(passages, list) or not passages:
        return None
    if at is None and read == len(passages):
        at = max(range(len(passages)), key=lambda number: passages[number].get(by) or 0.0)
    if not isinstance(at, int) or at >= len(passages):
        return None
    one = passages[at]
    told = (one["order"], one["source"])
    texts = (cited.text for cited in claim.cited_for(config.unit) if (cited.order, cited.source_id) == told)
    text = next(texts, "")[one["start"] : one["end"]]
    window = Window(one["order"], one["source"], one["start"], one["end"], text)
    return Reading(window, 0, len(text), one["entailment"], one["contradiction"])


def _plain(reading: Reading) -> dict[str, object]:
    return {
        "order": reading.window.order,
        "source": reading.window.source_id,
        "start": reading.window.start + reading.start,
        "end": reading.window.start + reading.end,
        "entailment": round(reading.entailment, 4),
        "contradiction": None if reading.contradiction is None else round(reading.contradiction, 4),
    }


def _reason(config: EntailmentConfig, verdict: Verdict, best: Reading, worst: Reading, read: int) -> str:
    of = f"of {read} passage{'s' if read != 1 else ''} read"
    thing = "claim" if config.unit == "claim" else "answer"
    if verdict is Verdict.CONTRADICTED:
        return (
            f"P(contradiction) is {worst.contradiction:.2f} for the passage quoted, the highest {of}; no passage has "
            f"P(entailment) above {best.entailment:.2f}."
        )
    text = f"The highest P(entailment) {of} is {best.entailment:.2f}; {config.threshold:.2f} means that the {thing} is stated."
    if verdict is Verdict.STATED and (worst.contradiction or 0.0) >= config.contradiction_threshold:
        text += (
            f" Another passage speaks against it: P(contradiction) {worst.contradiction:.2f} in citation "
            f"{worst.window.order}."
        )
    return text
