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
    bad : str
        What a claim is called that shows the fault.
    """

    title: str
    does: str
    figure: str
    good: str
    bad: str


WORDS: dict[str, ProbeWords] = {
    "silence": ProbeWords(
        "Silence",
        "Each claim is given with sources of other answers that do not speak of it, as many as it cites.",
        "still called stated",
        "None should be. What is still called stated comes from outside the sources: knowledge leaking in.",
        "still stated",
    ),
    "order": ProbeWords(
        "Order",
        "The cited sources come the other way round, and the paragraphs of each (the sentences of a single one) are shuffled.",
        "judged the same",
        "All should be: the sources say what they said before. Where a text leans on its order, a few may differ rightly.",
        "judged otherwise",
    ),
    "rewording": ProbeWords(
        "Rewording",
        "The claim is written otherwise without a change of meaning: another form of a number, a date or a quotation mark.",
        "judged the same",
        "All should be: the claim says what it said before.",
        "judged otherwise",
    ),
    "perturbation": ProbeWords(
        "Perturbation",
        "One figure, date, name or negation of a claim that the judge called stated is changed, so that it is stated no more.",
        "no longer called stated",
        "All should be. What is still called stated shows what the judge does not look at.",
        "still stated",
    ),
    "repetition": ProbeWords(
        "Repetition",
        "The same input is asked again, and nothing is taken from earlier answers.",
        "judged the same",
        "All should be. A judge without chance in it always does; for a model, a temperature of 0 is no promise of it.",
        "judged otherwise",
    ),
}
