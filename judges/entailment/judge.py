"""The judge itself: claims to windows, windows to the model, the model's best word to a verdict."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter

from judges.entailment.config import EntailmentConfig, default_config, parse_config
from judges.entailment.loading import LoadedModel, load_model
from judges.entailment.scoring import Pair
from judges.entailment.verdicts import Reading, decide
from judges.entailment.windows import Selection, select_windows
from judges.protocol import ClaimInput, JudgeType, Opinion, Outcome, Verdict

NAME = "entailment"
LIMITS = (
    "Reads one passage of a few sentences at a time: a claim that is asserted only by passages taken together is missed, and "
    "small models let changed years and swapped roles through."
)

# Claims are put to the model in portions of about this much work, so that finished ones can be written down meanwhile.
_PORTION_SECONDS = 5.0
_LEAST, _MOST = 8, 512


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

    def __init__(self, config: EntailmentConfig, model: LoadedModel) -> None:
        self._config = config
        self._model = model

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
        begun = perf_counter()
        asked = [self._ask(claim) for claim in claims]
        pairs = [Pair(window.text, one.hypothesis) for one in asked for window in one.selection.chosen]
        scored = iter(self._model.scorer.score(pairs))
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
            self._opinion(one, read, seconds=spent * (1 + len(read))) for one, read in zip(asked, readings, strict=True)
        ]

    def _ask(self, claim: ClaimInput) -> _Asked:
        config, scorer = self._config, self._model.scorer
        hypothesis = claim.text if config.unit == "claim" else claim.answer
        nothing = Selection((), 0)
        if not hypothesis.strip():
            reason = f"The {config.unit} has no text."
            return _Asked("", nothing, Opinion(outcome=Outcome.NO_OPINION, reason=reason))
        tokens = scorer.hypothesis_tokens(hypothesis)
        if tokens > scorer.longest_hypothesis:
            reason = (
                f"The {config.unit} is {tokens} tokens long; the model takes {scorer.longest_hypothesis} beside a passage "
                "of the source. Nothing was judged, since the rest would have been cut off."
            )
            return _Asked("", nothing, Opinion(outcome=Outcome.TRUNCATED, reason=reason))
        selection = select_windows(
            claim.cited,
            hypothesis,
            sizes=config.window_sizes,
            overlap=config.window_overlap,
            best=config.best_windows,
            ranker=config.ranker,
        )
        if not selection.chosen:
            reason = "The claim cites no text that could assert it."
            return _Asked(
                "",
                nothing,
                Opinion(outcome=Outcome.JUDGED, verdict=Verdict.ABSENT, score=0.0, reason=reason),
            )
        return _Asked(hypothesis, selection)

    def _opinion(self, asked: _Asked, readings: Sequence[Reading], *, seconds: float) -> Opinion:
        if asked.settled is not None:
            return asked.settled
        return decide(self._config, readings, available=asked.selection.available, model=self._model, seconds=seconds)


def build(config: EntailmentConfig) -> EntailmentJudge:
    """Load the model and make the judge.

    Raises
    ------
    MissingExtraError, ModelRefusedError
        Saying in one line what is missing, or why the model cannot serve.
    """
    return EntailmentJudge(config, load_model(config))


ENTAILMENT: JudgeType[EntailmentConfig] = JudgeType(
    name=NAME,
    title="Entailment model",
    summary="Asks a natural-language-inference model whether the best passages of the cited sources entail the claim.",
    limits=LIMITS,
    default_config=default_config,
    parse_config=parse_config,
    build=build,
    code_version="1",
)
