"""What each test of a judge is for, in words: on pages and in the command alike."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ProbeWords:
    """One kind of test in words.

    Attributes
    ----------
    title : str
    does : str
        What is changed.
    figure : str
        What the figure counts.
    good : str
        What a judge without the fault would show.
    """

    title: str
    does: str
    figure: str
    good: str


WORDS: dict[str, ProbeWords] = {
    "silence": ProbeWords(
        "Silence",
        "Each claim is given with sources of other answers that do not speak of it, as many as it cites.",
        "still called stated",
        "None should still be called stated. What is comes from outside the sources: knowledge leaking in.",
    ),
    "order": ProbeWords(
        "Order",
        "The cited sources come the other way round, and the paragraphs of each (the sentences of a single one) are shuffled.",
        "judged the same",
        "All should be judged the same, since the sources say what they said before. Where a text leans on its order, a few may differ rightly.",
    ),
    "rewording": ProbeWords(
        "Rewording",
        "The claim is written otherwise without a change of meaning: another form of a number, a date or a quotation mark.",
        "judged the same",
        "All should be judged the same, since the claim says what it said before.",
    ),
    "perturbation": ProbeWords(
        "Perturbation",
        "One figure, date, name or negation of a claim that the judge called stated is changed, so that it is stated no more.",
        "no longer called stated",
        "None should still be called stated. What is shows what the judge does not look at.",
    ),
    "repetition": ProbeWords(
        "Repetition",
        "The same input is asked again, and nothing is taken from earlier answers.",
        "judged the same",
        "All should be judged the same. A judge without chance in it always does; for a model, a temperature of 0 is no promise of it.",
    ),
}
