"""The borderline cases that a guide settles, once for people and judges alike.

Every case carries a ruling for each policy and an example of its own. The Markdown that annotators read and the wording
that a prompted judge is given are both written from this tuple, so that people and judges are held to one rule.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from labelling.guide.rulings import Ruling, alike
from labelling.models import Label, Policy, Verdict

S, P, A, C = Verdict.STATED, Verdict.PARTIAL, Verdict.ABSENT, Verdict.CONTRADICTED


@dataclass(frozen=True, slots=True)
class Case:
    """One borderline case: what it is, how each policy rules on it, and an example to compare with."""

    key: str
    title: str
    strict: Ruling
    inference: Ruling
    explanation: str
    source: str
    claim: str

    def ruling(self, policy: str) -> Ruling:
        """The policy's own ruling, whatever a project made of it."""
        return self.strict if policy == Policy.STRICT else self.inference

    @property
    def switchable(self) -> bool:
        """A project may give the case another verdict, except where the ruling is to skip it."""
        return self.strict.verdict is not None


CASES: tuple[Case, ...] = (
    Case(
        "other-words",
        "The same fact in other words",
        *alike(S, "The words differ and the fact does not."),
        "A synonym, an active verb for a passive one, another order of the sentence.",
        "The pool is cleaned by the night staff every Monday.",
        "Each Monday the night crew cleans the pool.",
    ),
    Case(
        "unit-converted",
        "A unit or a format converted",
        *alike(S, "Exactly the same quantity, written in another way, is the same fact."),
        "Days as weeks, a decimal as a fraction, 24-hour time as 12-hour time, one date format as another.",
        "Borrowed tools are due back after 21 days.",
        "You can keep a borrowed tool for three weeks.",
    ),
    Case(
        "rounded-about",
        "A rounded figure, said to be rounded",
        *alike(S, "The claim promises no more precision than it has, and the figure lies where it says."),
        "The claim says about, roughly, nearly, just over, and the figure in the source rounds to it.",
        "The tower is 49.6 metres high.",
        "The tower is about 50 metres high.",
    ),
    Case(
        "rounded-exact",
        "A rounded figure, given as exact",
        Ruling(P, "The size is asserted, the exactness is not."),
        Ruling(
            P,
            "The size is asserted, the exactness is not.",
            unless="stated where everybody rounds such a figure in that way, as a route of 9.98 km called 10 km",
        ),
        "The claim gives the rounded figure with no word that says so.",
        "The tower is 49.6 metres high.",
        "The tower is 50 metres high.",
    ),
    Case(
        "arithmetic",
        "A figure that has to be worked out",
        Ruling(A, "No sentence of the source gives the figure; working it out is the arithmetic check’s job."),
        Ruling(S, "The figures are in the source and the sum can come out in one way only."),
        "A sum, a difference, a share or a percentage of figures in the source.",
        "The workshop has 12 places. Nine are taken.",
        "Three places are free in the workshop.",
    ),
    Case(
        "modality-raised",
        "More certain than the source",
        *alike(P, "The matter is asserted, the certainty is not."),
        "The source says may, can, up to, typically, is expected to; the claim says will, is, always.",
        "Repairs may take up to ten working days.",
        "Repairs take ten working days.",
    ),
    Case(
        "modality-lowered",
        "Less than the source says",
        *alike(S, "Who asserts the more asserts the less."),
        "The claim is more careful or narrower than the source.",
        "All visitors must sign in at the desk.",
        "Visitors may be asked to sign in at the desk.",
    ),
    Case(
        "quantifier-widened",
        "Some turned into all",
        *alike(
            P,
            "It holds for those the source names; for the rest nothing is said.",
            unless="contradicted where the source itself names an exception",
        ),
        "The source speaks of some, most or a named group; the claim speaks of everybody or everything.",
        "Most of our ferries carry bicycles free of charge.",
        "All ferries carry bicycles free of charge.",
    ),
    Case(
        "list-including",
        "Part of a list, said to be part",
        *alike(S, "Everything named is in the list, and nothing says that this is all of it."),
        "The claim names some items of a list and leaves the list open: including, such as, among them.",
        "The pass covers buses, trams, the ferry and the funicular.",
        "The pass covers several means of transport, including trams and the ferry.",
    ),
    Case(
        "list-as-whole",
        "Part of a list, given as all of it",
        *alike(P, "What is named is right; that there is no more is not."),
        "The claim names some items of a list as though they were the whole list.",
        "The pass covers buses, trams, the ferry and the funicular.",
        "The means of transport that the pass covers are buses and trams.",
    ),
    Case(
        "joined-by-because",
        "Two facts joined by a because",
        Ruling(P, "Both facts are asserted, the link between them is not."),
        Ruling(
            P,
            "Both facts are asserted, the link between them is not.",
            unless="stated where the source leaves no doubt about the link, by its order or its layout",
        ),
        "The source gives two facts; the claim makes one the cause or the purpose of the other.",
        "The east wing closed in March. Visitor numbers fell in April.",
        "Visitor numbers fell in April because the east wing had closed.",
    ),
    Case(
        "ordinary-meaning",
        "What follows from ordinary meaning",
        Ruling(A, "It follows, and yet the source does not say it."),
        Ruling(S, "Nobody who understands the sentence could deny the claim."),
        "The claim is a consequence that every reader would draw, without knowledge of the subject.",
        "The kiosk closes at five o'clock.",
        "Nothing can be bought at the kiosk at six o'clock.",
    ),
    Case(
        "true-elsewhere",
        "True in the world, not in the source",
        *alike(A, "Faithfulness to the cited source is asked here. Whether the claim is correct is another label."),
        "You know that the claim is right, and the cited source does not say it.",
        "The summit hut lies on the north ridge and is open from June.",
        "Water boils at a lower temperature at the summit hut.",
    ),
    Case(
        "wrong-entity",
        "Right fact, wrong bearer",
        *alike(
            C,
            "The source gives the fact to another than the claim does.",
            unless="absent where the source does not speak of that other one either",
        ),
        "A person, product or place with a similar name gets a fact that belongs to another.",
        "The Alder Hall seats 120. The Alder Room seats 30.",
        "The Alder Room seats 120 people.",
    ),
    Case(
        "reported-as-fact",
        "Somebody's word turned into fact",
        *alike(P, "That somebody says so is asserted; that it is so is not."),
        "The source reports that someone says, believes or promises it; the claim states it as a fact.",
        "The contractor says that the bridge will be ready in May.",
        "The bridge will be ready in May.",
    ),
    Case(
        "names-the-source",
        "A claim that names its source",
        *alike(S, "The source is the one named, and it does say so."),
        "The claim says who says it (“according to the terms of hire …”), and that is what the source says.",
        "Terms of hire. Boats are returned by sunset.",
        "According to the terms of hire, boats are to be back by sunset.",
    ),
    Case(
        "source-contradicts-itself",
        "A source at odds with itself",
        *alike(
            S,
            "Go by the passage that was cited, and raise the flag.",
            unless="contradicted where the cited passage is the one that speaks against the claim",
            flag=Label.Flag.SOURCE_CONTRADICTS_ITSELF,
        ),
        "One place of the source asserts the claim and another place asserts the opposite.",
        "(cited) Dogs are welcome on deck. … (further down) Dogs are not carried on any sailing.",
        "Dogs may come on deck.",
    ),
    Case(
        "which-version",
        "A date or a version left open",
        Ruling(P, "The source has several and the claim does not say which it means."),
        Ruling(
            S,
            "Only one of them can be meant, from the question or from the rest of the answer.",
            unless="partial where more than one can be meant",
        ),
        "The claim gives a day without its year, or a figure without its plan or version, and the source has several.",
        "Day ticket 2025: 11 euros. Day ticket 2026: 12 euros.",
        "The day ticket costs 12 euros.",
    ),
    Case(
        "superseded",
        "A source that is out of date",
        *alike(S, "It was cited and it says so. That it was replaced is marked at the source and counted apart."),
        "A later version replaced the cited source, and the claim agrees with the cited one.",
        "Opening hours (replaced in spring): daily from ten.",
        "It opens at ten every day.",
    ),
    Case(
        "unreadable",
        "A place that cannot be read",
        *alike(
            A,
            "What cannot be read asserts nothing. Raise the flag, so that the source is mended.",
            flag=Label.Flag.SOURCE_FAULT,
        ),
        "The scan is broken, or the text is garbled, just where the claim would have to be found.",
        "Late f=es are cha~~ed a? 2,-0 per d@y aft",
        "The late fee is 2.50 a day.",
    ),
    Case(
        "missing-referent",
        "It, they, the plan",
        *alike(
            S,
            "Read it as the answer means it, then judge as always. Raise the flag: the claim was cut too short.",
            unless="another verdict where the source says otherwise of the thing that is meant",
            flag=Label.Flag.REFERENT_MISSING,
        ),
        "The claim has a pronoun or “the plan” in it, and only the rest of the answer says which.",
        "The family plan includes six accounts.",
        "It includes six accounts. (The answer spoke of the family plan just before.)",
    ),
    Case(
        "not-a-claim",
        "No claim at all",
        *alike(None, "There is nothing to be faithful to. Skip it with the reason “not a claim”."),
        "An opinion, a greeting, an offer to help, a question back.",
        "The help desk is open on weekdays.",
        "Happy to help, just let me know!",
    ),
    Case(
        "negation",
        "The source says the opposite",
        *alike(C, "Both cannot be true."),
        "The source says that something does not happen or is not allowed; the claim says that it is.",
        "Lockers cannot be reserved.",
        "You can reserve a locker in advance.",
    ),
    Case(
        "denies-silence",
        "A denial of what the source leaves open",
        *alike(A, "Silence is no denial."),
        "The claim says that something is not so, and the source says nothing of it either way.",
        "The rooms have a desk and a kettle.",
        "The rooms have no air conditioning.",
    ),
)

CASE_BY_KEY: Mapping[str, Case] = {case.key: case for case in CASES}
