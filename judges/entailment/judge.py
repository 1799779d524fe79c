"""The judge itself: claims to windows, windows to the model, the model's best word to a verdict."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import monotonic, perf_counter

from judges.entailment.config import SETTINGS, EntailmentConfig, default_config, parse_config
from judges.entailment.labels import ModelRefusedError
from judges.entailment.loading import MISSING, LoadedModel, check_beforehand, extra_installed, load_model, model_at_hand
from judges.entailment.scoring import Pair, PairScorer
from judges.entailment.verdicts import Reading, decide, decide_again
from judges.entailment.windows import Selection, select_windows
from judges.preview import Part, Preview
from judges.protocol import ClaimInput, JudgeType, Opinion, Outcome, Verdict
from judges.setting import Need

NAME = "entailment"
LIMITS = (
    "Reads one passage of a few sentences at a time: a claim that is asserted only by passages taken together is missed, and "
    "small models let changed years and swapped roles through."
)

# Claims are put to the model in portions of about this much work, so that finished ones can be written down meanwhile.
_PORTION_SECONDS = 5.0
_LEAST, _MOST = 8, 512
# A model that could not be fetched is tried again after this long, not for every claim.
_RETRY_SECONDS = 30.0
_SHOWN = 50  # passages on a page, for people


@dataclass(frozen=True, slots=True)
class _Asked:
    """One claim on its way: either the opinion is clear without the model, or these windows are put to it."""

    hypothesis: str
    selection: Selection
    settled: Opinion | None = None


class EntailmentJudge:
    """An entailment model over the best windows of what each claim cites."""

    type_name = NAME
    limits = LIMITS

    def __init__(self, config: EntailmentConfig) -> None:
        self._config = config
        self._loaded: LoadedModel | None = None
        self._refusal: tuple[float, ModelRefusedError] | None = None

    def load(self) -> LoadedModel:
        """Give the model, loaded on first use: whoever only asks whether the judge can be had does not pay for it.

        Raises
        ------
        ModelRefusedError
            Where it cannot be had or cannot serve; for a while the same error again, without another try.
        """
        if self._refusal is not None and monotonic() - self._refusal[0] < _RETRY_SECONDS:
            raise self._refusal[1]
        if self._loaded is None:
            try:
                self._loaded = load_model(self._config)
            except ModelRefusedError as error:
                self._refusal = (monotonic(), error)
                raise
        return self._loaded

    def judge(self, claims: Sequence[ClaimInput]) -> Iterator[Opinion]:
        """Yield one opinion per claim; verdicts do not depend on which claims are judged together."""
        size, place = 4 * _LEAST, 0
        while place < len(claims):
            portion = claims[place : place + size]
            begun = perf_counter()
            opinions = self._judge_portion(portion)
            seconds = perf_counter() - begun
            yield from opinions
            place += len(portion)
            size = max(_LEAST, min(_MOST, 2 * size, int(len(portion) * _PORTION_SECONDS / max(seconds, 1e-6))))

    def _judge_portion(self, claims: Sequence[ClaimInput]) -> list[Opinion]:
        model = self.load()
        begun = perf_counter()
        asked = [self._ask(claim, model.scorer) for claim in claims]
        pairs = [Pair(window.text, one.hypothesis) for one in asked for window in one.selection.chosen]
        scored = iter(model.scorer.score(pairs))
        readings = [
            [
                Reading(window, part.start, part.end, part.entailment, part.contradiction)
                for window in one.selection.chosen
                for part in next(scored)
            ]
            for one in asked
        ]
        # Time is shared out by the passages read: a model reads those of all claims in one stream.
        spent = (perf_counter() - begun) / max(1, sum(1 + len(read) for read in readings))
        return [
            one.settled
            or decide(
                self._config, read, available=one.selection.available, model=model, seconds=spent * (1 + len(read))
            )
            for one, read in zip(asked, readings, strict=True)
        ]

    def _ask(self, claim: ClaimInput, scorer: PairScorer) -> _Asked:
        config = self._config
        hypothesis = claim.text if config.unit == "claim" else claim.answer
        nothing = Selection((), 0)
        if not hypothesis.strip():
            reason = f"The {config.unit} has no text."
            return _Asked("", nothing, Opinion(outcome=Outcome.NO_OPINION, reason=reason))
        tokens = scorer.hypothesis_tokens(hypothesis)
        if tokens.all > scorer.longest_hypothesis:
            reason = (
                f"The {config.unit} is {tokens.all} tokens long; the model takes {scorer.longest_hypothesis} beside a passage "
                "of the source. Nothing was judged, since the rest would have been cut off."
            )
            return _Asked("", nothing, Opinion(outcome=Outcome.TRUNCATED, reason=reason))
        if 2 * tokens.unknown > tokens.all:
            reason = f"The model has no token for {tokens.unknown} of the {tokens.all} pieces of the {config.unit}: it cannot read it."
            return _Asked("", nothing, Opinion(outcome=Outcome.NO_OPINION, reason=reason))
        selection = _windows(config, claim, hypothesis)
        if not selection.chosen:
            reason = "The claim cites no text that could assert it."
            return _Asked(
                "",
                nothing,
                Opinion(outcome=Outcome.JUDGED, verdict=Verdict.ABSENT, score=0.0, reason=reason),
            )
        return _Asked(hypothesis, selection)


def build(config: EntailmentConfig) -> EntailmentJudge:
    """Make the judge, having checked what can be without loading its model.

    Raises
    ------
    MissingExtraError, ModelRefusedError
        Saying in one line what is missing, or why the model cannot serve.
    """
    check_beforehand(config)
    return EntailmentJudge(config)


def _windows(config: EntailmentConfig, claim: ClaimInput, hypothesis: str) -> Selection:
    return select_windows(
        claim.cited_for(config.unit),
        hypothesis,
        sizes=config.window_sizes,
        overlap=config.window_overlap,
        best=config.best_windows,
        ranker=config.ranker,
    )


def _preview(config: EntailmentConfig, claim: ClaimInput) -> Preview:
    hypothesis = claim.text if config.unit == "claim" else claim.answer
    selection = _windows(config, claim, hypothesis)
    passages = [
        Part(
            name=f"Passage {place}",
            text=one.text,
            note=f"of source {one.order}, characters {one.start:,} to {one.end:,}",
        )
        for place, one in enumerate(selection.chosen[:_SHOWN], 1)
    ]
    hidden = len(selection.chosen) - len(passages)
    return Preview(
        parts=(Part(name="Hypothesis", text=hypothesis, note="is it entailed by one of the passages?"), *passages),
        settled="" if selection.chosen else "The claim cites no text that could assert it: absent, without the model.",
        note=f"{len(selection.chosen):,} of {selection.available:,} passages are put to the model, one at a time with the "
        f"{config.unit}" + (f"; {hidden:,} of them are not shown here." if hidden else "."),
    )


def _needs(data: Mapping[str, object]) -> Sequence[Need]:
    model, revision = str(data.get("model", "")), str(data.get("revision", ""))
    there = model_at_hand(model, revision)
    note = "fetched on first use where the worker reaches the hub; else set the model to a folder"
    return (
        Need("the extra “nli”", extra_installed(), MISSING),
        Need(f"the model {model}", there, note, required=False),
    )


ENTAILMENT: JudgeType[EntailmentConfig] = JudgeType(
    name=NAME,
    title="Entailment model",
    summary="Asks a natural-language-inference model whether the best passages of the cited sources entail the claim.",
    limits=LIMITS,
    default_config=default_config,
    parse_config=parse_config,
    build=build,
    code_version="2",
    settings=SETTINGS,
    needs=_needs,
    preview=_preview,
    thresholds=("threshold", "contradiction_threshold", "partial_threshold"),
    judged_again=decide_again,
)
