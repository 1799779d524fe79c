"""A judge that takes a claim in capitals for invented, and has no opinion of any other."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from judges.protocol import ClaimInput, JudgeType, Opinion, Outcome, Verdict, read_number, reject_unknown_keys

LIMITS = "Reads no source: it looks at capitals alone."


@dataclass(frozen=True, slots=True)
class ShoutingConfig:
    """``share``: the share of letters in capitals, 0 to 1, from which a claim counts as shouted."""

    share: float = 0.5


@dataclass(frozen=True, slots=True)
class ShoutingJudge:
    config: ShoutingConfig
    type_name: str = "shouting"
    limits: str = LIMITS

    def judge(self, claims: Sequence[ClaimInput]) -> Iterator[Opinion]:
        for claim in claims:
            letters = [letter for letter in claim.text if letter.isalpha()]
            share = sum(letter.isupper() for letter in letters) / max(1, len(letters))
            if share < self.config.share:
                yield Opinion(outcome=Outcome.NO_OPINION, reason="The claim is not shouted.")
            else:
                reason = f"{share:.0%} of its letters are capitals."
                yield Opinion(outcome=Outcome.JUDGED, verdict=Verdict.ABSENT, score=1 - share, reason=reason)


def parse_config(data: Mapping[str, object]) -> ShoutingConfig:
    reject_unknown_keys(data, known=("share",))
    return ShoutingConfig(read_number(data, "share", default=0.5, low=0, high=1))


SHOUTING: JudgeType[ShoutingConfig] = JudgeType(
    name="shouting",
    title="Shouting",
    summary="Takes a claim in capitals for invented.",
    limits=LIMITS,
    default_config=lambda: {"share": 0.5},
    parse_config=parse_config,
    build=ShoutingJudge,
    code_version="1",
)
