"""Figures in plain words: one place, and only from the safe ends of intervals.

No word here rests on a point estimate. A promise ("catches at least …") is the lower end of the more
careful of two intervals, rounded down; a distance from people is both ends, rounded outwards. Where
the data allow no promise, that is what the sentence says.
"""

from __future__ import annotations

import math

from calibration.alternative import PASS, AlternativeAnnotator
from calibration.ceiling import Ceiling, LikeWithLike, Measure, PeopleReference, Reference, Standing
from calibration.differences import Difference
from calibration.four_way import FourWayThresholds
from calibration.judge_score import JudgeScore
from calibration.noise import NoiseShare
from calibration.planning import MoreLabels, PromiseNeed
from calibration.results import Figure
from calibration.thresholds import ThresholdChoice
from calibration.trend import Change
from calibration.unsupported import UnsupportedScore

FEW_ANSWERS = 10
"""Below so many answers a cluster bootstrap is too narrow to promise anything."""
SAYS_ENOUGH = 0.10
"""Width of the recall interval above which the sentence says that there are too few claims."""

_MEASURE_WORDS: dict[Measure, str] = {
    "kappa_four": "kappa",
    "kappa_two": "binary kappa",
    "recall": "recall on unsupported claims",
}
_OTHERS: dict[PeopleReference, str] = {
    "individual": "one another",
    "consensus": "the consensus of the others",
    "self": "what they said before",
}
_CALLED: dict[PeopleReference, str] = {
    "individual": "another person calls unsupported",
    "consensus": "the others agree to be unsupported",
    "self": "they called unsupported before",
}
_STEP = 100


def counted(n: int, one: str, many: str = "") -> str:
    """Return a number with its noun.

    Examples
    --------
    >>> counted(1, "claim"), counted(1200, "claim")
    ('1 claim', '1,200 claims')
    """
    return f"{n:,} {one if n == 1 else many or one + 's'}"


def _down(value: float) -> int:
    """Round down to hundredths; the small step forgives the binary form of 0.29."""
    return math.floor(value * _STEP + 1e-9)


def _up(value: float) -> int:
    return math.ceil(value * _STEP - 1e-9)


def _hundredths(number: int) -> str:
    return f"{number / _STEP:.2f}"


def safe_low(figure: Figure, beside: Figure) -> float | None:
    """Return the lower of the lower ends of two intervals of the same share.

    None where the figure has no interval, since its claims then come from too little to promise.

    Examples
    --------
    >>> safe_low(Figure(1.0, 0.9, 1.0, n=40), Figure(1.0, 0.91, 1.0, n=40))
    0.9
    """
    if figure.low is None:
        return None
    return figure.low if beside.low is None else min(figure.low, beside.low)


def recall_words(score: UnsupportedScore, *, answers: int) -> str:
    """Return what share of unsupported claims is surely caught.

    Parameters
    ----------
    score : UnsupportedScore
        Over claims.
    answers : int
        How many answers hold an unsupported claim.
    """
    if score.n_unsupported == 0:
        return f"no data on unsupported claims: none among {counted(score.n, 'claim')}"
    low = safe_low(score.recall, score.recall_wilson)
    if low is None or answers < FEW_ANSWERS:
        claims, where = counted(score.n_unsupported, "unsupported claim"), counted(answers, "answer")
        verb = "is" if score.n_unsupported == 1 else "are"
        return f"{claims} from {where} {verb} too few to say what share it catches"
    if _down(low) <= 0:
        return "not shown to catch unsupported claims: the interval reaches down to 0%"
    return f"catches at least {_down(low)}% of unsupported claims"


def precision_words(score: UnsupportedScore, *, answers: int) -> str:
    """Return what share of the flagged is surely unsupported; empty where no promise can be made.

    Parameters
    ----------
    score : UnsupportedScore
        Over claims.
    answers : int
        How many answers hold a flagged claim.
    """
    if score.n and score.n_flagged == 0:
        return f"flags none of {counted(score.n, 'claim')}"
    low = safe_low(score.precision, score.precision_wilson)
    if low is None or answers < FEW_ANSWERS or _down(low) <= 0:
        return ""
    return f"at least {_down(low)}% of what it flags is unsupported"


def standing_words(like: LikeWithLike, *, measure: Measure = "kappa_four") -> str:
    """Return where a judge stands to people, from both ends of the interval of the difference."""
    gap, word = like.headroom.get(measure), _MEASURE_WORDS[measure]
    where = like.standing(measure)
    if where is Standing.NO_DATA:
        return f"no data beside people: {gap.reason}"
    if gap.low is None or gap.high is None:
        return f"where it stands to people is open ({gap.reason})"
    if like.n_answers < FEW_ANSWERS:
        return f"{counted(like.n_answers, 'answer')} are too few to say where it stands to people"
    if where is Standing.AT:
        return f"at the human ceiling: at most {_hundredths(max(_up(gap.high), 0))} {word} below people"
    if where is Standing.ABOVE:
        return f"above people by {_span(-gap.high, -gap.low)} {word}"
    if where is Standing.BELOW:
        return f"below people by {_span(gap.low, gap.high)} {word}"
    above, below = _hundredths(_up(-gap.low)), _hundredths(_up(gap.high))
    return f"anywhere from {above} {word} above people to {below} below"


def _span(near: float, far: float) -> str:
    low, high = _down(near), _up(far)
    return f"{_hundredths(low)} to {_hundredths(high)}" if low > 0 else f"up to {_hundredths(high)}"


def judge_sentence(score: JudgeScore, *, reference: Reference = "individual") -> str:
    """Return one plain sentence on a judge, to stand above the table of figures.

    Parameters
    ----------
    score : JudgeScore
        Of one comparison.
    reference : {"individual", "consensus"}
        Which of the two ceilings to speak of.
    """
    if score.n_claims == 0:
        return "No data: none of the claims that it judged has a gold verdict."
    found, answers = score.unsupported, score.answers.n_unsupported
    parts = [recall_words(found, answers=answers), precision_words(found, answers=score.answers.n_flagged)]
    parts.append(standing_words(score.like_with_like(reference)))
    if score.n_without_verdict:
        parts.append(
            f"no verdict on {score.n_without_verdict:,} of {counted(score.n_claims, 'claim')}, counted as misses"
        )
    if found.n_unsupported and answers >= FEW_ANSWERS and (found.recall.width or 0.0) > SAYS_ENOUGH:
        verb = "is" if found.n_unsupported == 1 else "are"
        parts.append(f"{counted(found.n_unsupported, 'unsupported claim')} {verb} too few to say more")
    return as_sentence(parts)


def ceiling_sentence(ceiling: Ceiling) -> str:
    """Return one plain sentence on how well people agree."""
    kappa = ceiling.people.kappa_four
    others = _OTHERS[ceiling.reference]
    if kappa.value is None:
        return as_sentence([f"no data on people against {others}: {kappa.reason}"])
    if kappa.low is None or kappa.high is None or ceiling.n_answers < FEW_ANSWERS:
        claims = f"{counted(ceiling.n_claims, 'claim')} from {counted(ceiling.n_answers, 'answer')}"
        verb = "is" if ceiling.n_claims == 1 else "are"
        return as_sentence([f"{claims} {verb} too few to say how well people agree with {others}"])
    ends = f"{_signed(_down(kappa.low))} to {_signed(_up(kappa.high))}"
    what = "label given again" if ceiling.reference == "self" else "claim"
    many = "labels given again" if ceiling.reference == "self" else ""
    parts = [f"people agree with {others} at {ends} kappa over {counted(ceiling.n_claims, what, many)}"]
    ties = ceiling.tie_share
    if ceiling.reference == "consensus" and ties.high is not None and ties.value:
        parts.append(f"up to {_up(ties.high)}% of references tie and are left out")
    return as_sentence(parts)


def people_recall_sentence(ceiling: Ceiling) -> str:
    """Return what share of the unsupported claims of the reference people find, from both ends of the interval."""
    recall, by = ceiling.people.recall, _CALLED[ceiling.reference]
    if recall.value is None:
        return as_sentence([f"no data on what people find of what {by}: {recall.reason}"])
    if recall.low is None or recall.high is None or ceiling.n_answers < FEW_ANSWERS:
        verb = "is" if recall.n == 1 else "are"
        claims = counted(recall.n, "unsupported claim")
        return as_sentence([f"{claims} {verb} too few to say what share people find of what {by}"])
    return f"People find {_down(recall.low)}% to {_up(recall.high)}% of what {by}."


def noise_sentence(noise: NoiseShare) -> str:
    """Return how much of a judge's distance to people is the judge not agreeing with itself, from both ends."""
    share = noise.share
    if noise.people.value is None:
        return as_sentence([f"no data on its own noise: {noise.people.reason}"])
    if noise.n_answers < FEW_ANSWERS:
        return f"{counted(noise.n_answers, 'answer')} asked twice are too few to say what its own noise costs it."
    if share.value is None:
        return as_sentence([f"no part of a gap can be put down to its own noise: {share.reason}"])
    if share.low is None or share.high is None:
        return "What part of the gap to people is its own noise is open: it may be that there is no gap."
    if share.low >= 1.0:
        return "All of its distance to people is the judge not agreeing with itself."
    low, high = max(_down(share.low), 0), min(_up(share.high), _STEP)
    if high == 0:
        return "None of its distance to people is the judge not agreeing with itself."
    return f"{low}% to {high}% of its distance to people is the judge not agreeing with itself."


def stand_in_sentence(test: AlternativeAnnotator) -> str:
    """Return whether a judge is as good a stand-in for a person as a person is, from the interval of the winning rate."""
    rate = test.winning_rate
    if rate.value is None:
        return as_sentence([f"cannot be tested as a stand-in for a person: {rate.reason}"])
    won = f"stands in for {sum(person.won for person in test.people)} of {counted(rate.n, 'person', 'people')}"
    margin = f"within a margin of {test.epsilon:.2f}"
    if rate.low is None or rate.high is None:
        return as_sentence([f"{won} {margin}", f"how surely is open ({rate.reason})"])
    if rate.low >= PASS:
        return as_sentence([f"{won} {margin}", "half or more is a pass, and the whole interval passes"])
    if rate.high < PASS:
        return as_sentence([f"{won} {margin}", "half or more is a pass, and the whole interval fails"])
    return as_sentence([f"{won} {margin}", "half or more is a pass, and the interval lies on both sides"])


def _signed(number: int) -> str:
    return _hundredths(number).replace("-", "−")


def difference_sentence(difference: Difference, *, measure: Measure = "kappa_four") -> str:
    """Return one plain sentence on two judges compared on the same claims."""
    gap, word = difference.gap.get(measure), _MEASURE_WORDS[measure]
    if gap.value is None:
        return as_sentence([f"no data on {difference.first} beside {difference.second}: {gap.reason}"])
    if gap.low is None or gap.high is None:
        return f"Which of {difference.first} and {difference.second} is better is open ({gap.reason})."
    if difference.n_answers < FEW_ANSWERS:
        few = counted(difference.n_answers, "answer")
        verb = "is" if difference.n_answers == 1 else "are"
        return f"{few} {verb} too few to say which of {difference.first} and {difference.second} is better."
    if gap.low > 0:
        return f"{difference.first} is ahead of {difference.second} by {_span(gap.low, gap.high)} {word}."
    if gap.high < 0:
        return f"{difference.second} is ahead of {difference.first} by {_span(-gap.high, -gap.low)} {word}."
    claims = counted(difference.n_claims, "claim")
    return f"{claims} do not settle whether {difference.first} or {difference.second} has the higher {word}."


def choice_sentence(choice: ThresholdChoice) -> str:
    """Return what a chosen threshold promises, or why there is none.

    Examples
    --------
    >>> choice_sentence(ThresholdChoice(0.61234, 0.7, 400))
    'Flagging below 0.6124 gives the largest kappa on these 400 claims; it promises nothing for new ones.'
    """
    if choice.way in ("recall", "promise"):
        return _recall_choice(choice)
    if choice.threshold is None:
        return f"No threshold: {choice.reason}."
    what = "the largest kappa" if choice.way == "kappa" else "the least expected cost"
    claims = counted(choice.n, "claim")
    return f"Flagging below {rounded_threshold(choice.threshold)} gives {what} on these {claims}; it promises nothing for new ones."


def rounded_threshold(value: float) -> str:
    """Round up to four places: that flags no less than what was chosen.

    Examples
    --------
    >>> rounded_threshold(0.61231)
    '0.6124'
    """
    return f"{math.ceil(value * 10_000 - 1e-6) / 10_000:.4f}"


def four_way_sentence(choice: FourWayThresholds) -> str:
    """Return what three thresholds chosen together are, or why there are none.

    Examples
    --------
    >>> four_way_sentence(FourWayThresholds(0.8, 0.9, 0.5, 0.61, 400))
    'Stated from 0.8, else contradicted from 0.9, else partial from 0.5 gives the largest four-way kappa on these 400 claims; it promises nothing for new ones.'
    """
    if choice.entailment is None or choice.contradiction is None or choice.partial is None:
        return f"No thresholds: {choice.reason}."
    band = f", else partial from {choice.partial:.4g}" if choice.partial < choice.entailment else ""
    said = f"Stated from {choice.entailment:.4g}, else contradicted from {choice.contradiction:.4g}{band}"
    claims = counted(choice.n, "claim")
    return f"{said} gives the largest four-way kappa on these {claims}; it promises nothing for new ones."


def _recall_choice(choice: ThresholdChoice) -> str:
    target, claims = f"{100 * (choice.target or 0.0):g}%", counted(choice.n, "unsupported claim")
    if choice.level is None:
        if choice.threshold is None:
            return f"No threshold catches {target} here: {choice.reason}."
        below = rounded_threshold(choice.threshold)
        return f"Flagging below {below} catches {target} of these {claims}; about half of such thresholds miss it on new ones."
    sure = f"{100 * choice.level:g}% confidence"
    if choice.threshold is not None:
        counting = f"{claims} that count as {choice.effective or 0.0:.0f} independent ones"
        below = rounded_threshold(choice.threshold)
        return f"With {sure}, flagging below {below} catches at least {target} of unsupported claims like these ({counting})."
    short = f"No threshold can be promised to catch {target} with {sure}: {choice.reason}"
    if choice.effective is not None:
        short += f" ({claims} that count as {choice.effective:.0f} independent ones)"
    if choice.missing is None:
        return f"{short}."
    more = counted(choice.missing, "more unsupported claim")
    return f"{short}. It takes at least {more}, from answers of their own and all of them caught."


def promise_sentence(score: UnsupportedScore, *, answers: int, target: float, level: float) -> str:
    """Return whether a promised recall is borne out by claims that played no part in it.

    Parameters
    ----------
    score : UnsupportedScore
        Over claims of the test split.
    answers : int
        How many answers hold an unsupported claim.
    target, level : float
        The recall that was promised and the confidence.
    """
    promised = f"the promise to catch at least {100 * target:g}% with {100 * level:g}% confidence"
    low, wilson = safe_low(score.recall, score.recall_wilson), score.recall_wilson
    if low is None or answers < FEW_ANSWERS:
        claims, where = counted(score.n_unsupported, "unsupported claim"), counted(answers, "answer")
        return as_sentence([f"{claims} from {where} are too few on test to bear out or refute {promised}"])
    high = max(end for end in (score.recall.high, wilson.high) if end is not None)
    if low >= target:
        return as_sentence([f"{promised} held on test: at least {_down(low)}% were caught"])
    if high < target:
        return as_sentence([f"{promised} did not hold on test: fewer were caught, at most {_up(high)}%"])
    return as_sentence(
        [f"test leaves open whether {promised} holds: between {_down(low)}% and {_up(high)}% were caught"]
    )


def more_labels_sentence(plan: MoreLabels, *, figure: str, points: bool = True) -> str:
    """Return how many more claims to label, as an instruction.

    Parameters
    ----------
    plan : MoreLabels
        Of the figure.
    figure : str
        What the figure is called.
    points : bool
        Say the width in points of a hundred, as for a share, or as it is, as for a kappa.

    Examples
    --------
    >>> more_labels_sentence(MoreLabels(140, 0.05, 0.08, 90, 1.4), figure="recall on unsupported claims")
    'Label 140 more random claims for ±5 points on recall on unsupported claims.'
    """
    wanted = f"±{100 * plan.half_width:g} points" if points else f"±{plan.half_width:g}"
    if plan.more is None:
        return f"How many more claims ±{wanted[1:]} on {figure} takes cannot be told: {plan.reason}."
    if plan.more == 0:
        return f"The interval of {figure} is within {wanted} already."
    return f"Label {counted(plan.more, 'more random claim')} for {wanted} on {figure}."


def promise_need_sentence(need: PromiseNeed) -> str:
    """Return whether there are unsupported claims enough to promise a recall, and how many are missing.

    Examples
    --------
    >>> from calibration.planning import claims_for_promise
    >>> promise_need_sentence(claims_for_promise([1] * 12, target=0.9, per_claim=0.25))
    'Too few unsupported claims to promise a recall of 90%: it takes 29 without a miss, you have 12. Label about 68 more random claims for the missing 17.'
    >>> promise_need_sentence(claims_for_promise([1] * 46, target=0.9, per_claim=0.25))
    'Unsupported claims enough to promise a recall of 90%: 46, of which a judge may miss 1.'
    """
    target = f"{100 * need.target:g}%"
    have = f"{need.have:,}"
    if round(need.effective) < need.have:
        have += f" that count as {need.effective:.0f}, since some are from the same answer"
    if need.short:
        if need.more is None:
            return f"No unsupported claim is labelled yet: to promise a recall of {target} takes {need.needed:,} without a miss."
        return (
            f"Too few unsupported claims to promise a recall of {target}: it takes {need.needed:,} without a miss, "
            f"you have {have}. Label about {counted(need.more, 'more random claim')} for the missing {need.short:,}."
        )
    may = f"may miss {need.misses:,}" if need.misses else "may miss none"
    return f"Unsupported claims enough to promise a recall of {target}: {have}, of which a judge {may}."


def change_sentence(change: Change, *, figure: str, points: bool = True) -> str:
    """Return whether a figure changed since the period before, from the interval of the difference.

    Parameters
    ----------
    change : Change
        Of one period.
    figure : str
        What the figure is called.
    points : bool
        Say the size in points of a hundred, as for a share, or as it is, as for a kappa.

    Examples
    --------
    >>> from calibration.trend import changes
    >>> from calibration.intervals import wilson
    >>> (change,) = changes([wilson(12, 100), wilson(40, 100)])
    >>> change_sentence(change, figure="share of unsupported claims")
    'The share of unsupported claims rose by 16 to 40 points.'
    """
    gap = change.difference
    if gap.low is None or gap.high is None:
        return f"Whether the {figure} changed is open: {gap.reason}."
    if change.clear:
        word, low, high = ("rose", gap.low, gap.high) if gap.low > 0 else ("fell", -gap.high, -gap.low)
        by = f"{_down(low)} to {_up(high)} points" if points else _span(low, high)
        return f"The {figure} {word} by {by}."
    if change.flagged:
        return f"The {figure} left the interval of the period before; both intervals together leave open whether by chance."
    return f"The {figure} stayed within the interval of the period before."


def as_sentence(parts: list[str]) -> str:
    """Join parts to a sentence; empty parts are left out.

    Examples
    --------
    >>> as_sentence(["catches at least 75%", "", "no more is known"])
    'Catches at least 75%; no more is known.'
    """
    joined = "; ".join(part for part in parts if part)
    return f"{joined[:1].upper()}{joined[1:]}." if joined else ""
