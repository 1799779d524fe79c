"""The guide in words: the Markdown that people read, and the plain policy wording for a prompted judge."""

from collections.abc import Mapping

from labelling.guide.cases import CASE_BY_KEY, CASES, Case
from labelling.models import Label, Policy, Verdict

CASES_HEADING = "## Borderline cases"
"""The section under this heading is written from the cases and their rulings; what stands before it is prose."""

SKIP = "skip"

VERDICT_MEANING: Mapping[str, str] = {
    Verdict.STATED: "the source asserts all of the claim",
    Verdict.PARTIAL: "the source asserts some of the claim, and the rest it does not",
    Verdict.ABSENT: "the source does not say it, whether it is on the subject or not",
    Verdict.CONTRADICTED: "the source says something that cannot be true together with the claim",
}

POLICY_MEANING: Mapping[str, str] = {
    Policy.STRICT: (
        "Only what the source asserts counts. A conclusion that has to be drawn, however safe, is not asserted."
    ),
    Policy.INFERENCE: (
        "What the source asserts counts, and so does what any reasonable reader would infer from it without "
        "knowledge of the subject. What merely could be so does not."
    ),
}

TEST = "Would a careful reader, given only the cited source, agree to “according to this source, …”?"

_PROSE = """\
# How to label

You read one claim and the source that was cited for it, and you say whether the source bears the claim out.
You are not asked whether the claim is true. A false claim that the source asserts is *stated*; a true claim that the
source does not make is *absent*.

One question decides:

> {test}

Read only what the claim itself cites. If several sources are cited, the verdict is about all of them together: what one
leaves out another may supply. What another page says, and what you happen to know, plays no part.

## The four verdicts

- **Stated**: {stated}. Being about the same subject is not enough.
- **Partial**: {partial}. Part is right, part is more than the source gives.
- **Absent**: {absent}.
- **Contradicted**: {contradicted}.

If you hesitate between *absent* and *contradicted*, ask whether both could be true at once. If they could, it is absent.
If you hesitate between *stated* and *partial*, name the word of the claim that the source does not carry. If you can
name one, it is partial.

## This project's policy: {policy_name}

{policy}

## Evidence

Mark the words that decide: for *stated* the ones that assert the claim, for *partial* the ones that assert some of it, for
*contradicted* the ones that rule it out. Short spans are better than long ones, and two short ones are better than one that
bridges a gap. Where a passage is cited and it is the one that decides, nothing needs marking. Before you choose *absent*,
look through the whole source and not only the cited passage.

## What kind of invention?

Where the verdict is not *stated* you may be asked how the claim came about:

- **A plausible specific**: a figure, a date, a name that sounds right and is not there.
- **A bridging inference**: a step that links two things the source leaves apart.
- **A confident generalisation**: some becomes all, may becomes will.
- **A made-up provenance**: something is said to come from a source, or to be a quotation, and does not.

## Flags, notes, skipping

Skip what is not a claim, and what you cannot read. Raise a flag when the source is broken, when it argues with itself,
when the claim lacks what it refers to, or when this guide does not settle the case. A word in the note helps the person
who settles disagreements.
"""


def default_prose(policy: str) -> str:
    """The part of the default guide that stands before the borderline cases, as Markdown."""
    return _PROSE.format(
        test=TEST,
        policy_name=str(Policy(policy).value),
        policy=POLICY_MEANING[policy],
        **VERDICT_MEANING,
    )


def verdict_word(case: Case, policy: str, switched: Mapping[str, str]) -> str:
    """The verdict that the case gets under the policy and the project's switches, or `skip`."""
    if case.key in switched:
        return switched[case.key]
    verdict = case.ruling(policy).verdict
    return SKIP if verdict is None else str(verdict.value)


def ruling_sentences(case: Case, policy: str, switched: Mapping[str, str]) -> str:
    """The ruling of one case in plain words, without its example."""
    ruling = case.ruling(policy)
    flag = f" Flag: {Label.Flag(ruling.flag).label.lower()}." if ruling.flag else ""
    if case.key in switched:
        return f"This project rules so.{flag}"
    unless = f" But {ruling.unless}." if ruling.unless else ""
    return f"{ruling.why}{unless}{flag}"


def cases_markdown(policy: str, switched: Mapping[str, str]) -> str:
    """The section of the borderline cases as Markdown, each with its ruling and its example."""
    parts = [CASES_HEADING, "What to do where two careful people could differ."]
    for case in CASES:
        parts += [
            f"### {case.title}",
            f"**{verdict_word(case, policy, switched).capitalize()}.** {_ruled(case, policy, switched)}",
            f"> Source: {_literal(case.source)}\n>\n> Claim: {_literal(case.claim)}",
        ]
    return "\n\n".join(parts) + "\n"


def guide_text(prose: str, *, policy: str, switched: Mapping[str, str]) -> str:
    """The whole guide as Markdown: the project's prose, then the cases as ruled."""
    return f"{prose.strip()}\n\n{cases_markdown(policy, switched)}"


def prose_of(text: str) -> str:
    """What stands before the borderline cases; all of it where there is no such section."""
    lines = text.splitlines()
    if CASES_HEADING in lines:
        lines = lines[: lines.index(CASES_HEADING)]
    return "\n".join(lines).strip()


def policy_wording(policy: str, cases: Mapping[str, str]) -> str:
    """The policy as plain text for a prompted judge: verdicts, test, policy and every ruling, without Markdown.

    Parameters
    ----------
    policy
        `strict` or `inference`.
    cases
        The project's switched rulings, case key to verdict, as a guide version keeps them.

    Raises
    ------
    ValueError
        For an unknown policy, case or verdict.
    """
    if policy not in Policy.values:
        raise ValueError(f"unknown policy {policy!r}; expected one of {', '.join(Policy.values)}")
    check_switches(cases)
    lines = [
        TEST,
        "",
        "Verdicts:",
        *(f"- {verdict}: {meaning}." for verdict, meaning in VERDICT_MEANING.items()),
        "",
        f"Policy, {policy}: {POLICY_MEANING[policy]}",
        "",
        "Borderline cases:",
    ]
    lines += (
        f"- {case.title}: {verdict_word(case, policy, cases)}. {_ruled(case, policy, cases)} "
        f"Example. Source: {case.source} Claim: {case.claim}"
        for case in CASES
    )
    return "\n".join(lines)


def effective_switches(policy: str, switched: Mapping[str, str]) -> dict[str, str]:
    """The switches that differ from the policy's own ruling."""
    return {key: verdict for key, verdict in switched.items() if CASE_BY_KEY[key].ruling(policy).verdict != verdict}


def check_switches(switched: Mapping[str, str]) -> None:
    """Refuse a switch that names an unknown case, an unknown verdict, or a case that is always skipped.

    Raises
    ------
    ValueError
        Naming the case and what was expected.
    """
    for key, verdict in switched.items():
        case = CASE_BY_KEY.get(key)
        if case is None or not case.switchable:
            raise ValueError(f"no borderline case {key!r} that could be ruled otherwise")
        if verdict not in Verdict.values:
            raise ValueError(f"case {key!r}: verdict {verdict!r}; expected one of {', '.join(Verdict.values)}")


def _ruled(case: Case, policy: str, switched: Mapping[str, str]) -> str:
    return f"{case.explanation} {ruling_sentences(case, policy, switched)}"


def _literal(text: str) -> str:
    """Example text as Markdown that shows just that text: garbled scans must not turn into formatting."""
    return "".join(f"\\{char}" if char in "\\`*_{}[]()#+!|~<>&" else char for char in text)
