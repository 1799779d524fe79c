"""The external judge: judgements that came from another harness, by import.

There is nothing to ask, so its runs only read what was imported. A version with a ``threshold`` takes the scores of the
imported version that ``base`` names and derives verdicts from them: *stated* where the score is at least the
threshold, else *absent*. The finer verdicts (*partial*, *contradicted*) cannot be told from one score, so such a version
does not give them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from judges.fingerprints import input_hash
from judges.protocol import ClaimInput, JudgeType, Opinion, Outcome, Verdict, read_number, reject_unknown_keys

if TYPE_CHECKING:
    from judges.models import Judgement

TYPE_NAME = "external"
LIMITS = "It asks nothing: it can only repeat what was imported, for the text that was imported with it."


@dataclass(frozen=True, slots=True, kw_only=True)
class ExternalConfig:
    """Under which names the judgements came, and how verdicts follow from their scores where a threshold is set.

    Attributes
    ----------
    judge, version : str
        Names that the other harness gave; they keep two imports apart.
    base : str
        Fingerprint of the imported version whose scores are used; empty for that version itself.
    threshold : float or None
        The lowest score, from 0 to 1, that means *stated*; present if and only if ``base`` is.
    """

    judge: str
    version: str = ""
    base: str = ""
    threshold: float | None = None


def default_config() -> dict[str, object]:
    return {"judge": "", "version": "", "base": "", "threshold": None}


def parse_config(data: Mapping[str, object]) -> ExternalConfig:
    """Read the configuration; a ``ValueError`` names the key and what was expected."""
    reject_unknown_keys(data, known=tuple(default_config()))
    names = {}
    for key in ("judge", "version", "base"):
        value = data.get(key, "")
        if not isinstance(value, str):
            msg = f"{key} is {value!r}; expected text"
            raise ValueError(msg)  # noqa: TRY004  (a configuration is refused with ValueError throughout)
        names[key] = value
    if not names["judge"]:
        msg = "judge is empty; expected the name under which the judgements were imported"
        raise ValueError(msg)
    given = data.get("threshold")
    threshold = None if given is None else read_number(data, "threshold", default=0.5, low=0.0, high=1.0)
    if (threshold is None) != (not names["base"]):
        msg = f"base is {names['base']!r} and threshold is {given!r}; expected both or neither"
        raise ValueError(msg)
    return ExternalConfig(**names, threshold=threshold)


class ExternalJudge:
    """Reads imported judgements; judges nothing itself."""

    type_name = TYPE_NAME
    limits = LIMITS

    def __init__(self, config: ExternalConfig) -> None:
        self._config = config

    def judge(self, claims: Sequence[ClaimInput]) -> Iterator[Opinion]:
        """One opinion per claim, from the judgements of the base version; failed where none fits."""
        imported = self._imported([claim.claim_id for claim in claims])
        for claim in claims:
            yield self._opinion(claim, imported.get(claim.claim_id))

    def _imported(self, claim_ids: Sequence[int]) -> "dict[int, Judgement]":
        if not self._config.base:
            return {}
        from judges.models import Judgement  # noqa: PLC0415  (the registry is read before the models are)

        rows = Judgement.objects.counted().filter(
            run__judge_version__fingerprint=self._config.base, claim__in=claim_ids
        )
        return {row.claim_id: row for row in rows.order_by("id")}

    def _opinion(self, claim: ClaimInput, row: "Judgement | None") -> Opinion:
        if row is None:
            return Opinion(outcome=Outcome.FAILED, reason="No judgement of this claim was imported.")
        if row.input_hash != input_hash(claim):
            reason = "The claim or its source has changed since the judgement was imported."
            return Opinion(outcome=Outcome.FAILED, reason=reason)
        if row.outcome != Outcome.JUDGED:
            return Opinion(outcome=Outcome(row.outcome), reason=row.reason, quote=row.quote)
        if row.score is None or self._config.threshold is None:
            return Opinion(
                outcome=Outcome.NO_OPINION, reason="The imported judgement has no score to hold a threshold to."
            )
        stated = row.score >= self._config.threshold
        return Opinion(
            outcome=Outcome.JUDGED,
            verdict=Verdict.STATED if stated else Verdict.ABSENT,
            score=row.score,
            quote=row.quote,
            reason=row.reason,
            detail={"imported_verdict": row.verdict, "threshold": self._config.threshold},
        )


EXTERNAL: JudgeType[ExternalConfig] = JudgeType(
    name=TYPE_NAME,
    title="External judge",
    summary="Judgements of another harness, imported and compared like every other.",
    limits=LIMITS,
    default_config=default_config,
    parse_config=parse_config,
    build=ExternalJudge,
    code_version="1",
)
