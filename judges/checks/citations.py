"""The check *citations*: what the claim cites exists, its span lies inside it, and it is about the same thing."""

import re

from judges.checks.claims import read_claim
from judges.checks.finding import Check, CheckResult, Finding
from judges.checks.sources import SourceIndex, index_source
from judges.protocol import CitedText, ClaimInput, JudgeType, NoConfig, parse_no_config
from judges.text.words import STOP_WORDS, content_terms, has_unspaced_script, stem

NAME = "citations"
LIMITS = (
    "Proves only that a citation points nowhere or at something unrelated; one shared content word is enough to satisfy it, "
    "so it never shows that a source supports a claim."
)

_IN_ORDER = CheckResult(silence="Every citation resolves and shares a content word with the claim.")
_HAN = re.compile("[\u3400-\u9fff]")


def check_citations(claim: ClaimInput) -> CheckResult:
    """Flag citations that do not resolve, spans outside their source, and sources without a word in common.

    A claim without any citation is flagged too: nothing that it points at asserts it. Where a claim has
    several citations, they are taken together for the words in common, as its verdict is about all of them.
    """
    if not claim.cited:
        return CheckResult((Finding("", "", "The claim cites no source.", "citation"),))
    findings: list[Finding] = []
    readable: list[SourceIndex] = []
    for cited in claim.cited:
        finding = _check_place(cited)
        if finding is not None:
            findings.append(finding)
        if cited.resolved and not cited.text.isspace() and cited.text:
            readable.append(index_source(cited))
    if readable and not _share_a_word(claim.text, readable):
        reason = (
            "The cited source shares no content word with the claim."
            if len(claim.cited) == 1
            else "None of the cited sources shares a content word with the claim."
        )
        findings.append(Finding(claim.text, "", reason, "subject"))
    return CheckResult(tuple(findings)) if findings else _IN_ORDER


def _check_place(cited: CitedText) -> Finding | None:
    name = cited.title or cited.source_id
    if not cited.resolved:
        return Finding(cited.source_id, "", f"The cited source “{cited.source_id}” does not exist.", "citation")
    if not cited.text.strip():
        return Finding(cited.source_id, "", f"The cited source “{name}” has no text.", "citation")
    start, end = cited.start, cited.end
    if start is None and end is None:
        return None
    length = len(cited.text)
    if start is None or end is None:
        return Finding(
            f"{start}–{end}", "", f"The cited span of “{name}” has a start or an end only; both are needed.", "span"
        )
    if not 0 <= start < end <= length:
        reason = f"The cited span {start}–{end} lies outside the source “{name}”, which has {length} characters."
        if 0 <= end <= start <= length:
            reason = f"The cited span {start}–{end} of “{name}” is empty."
        return Finding(f"{start}–{end}", "", reason, "span")
    return None


def _share_a_word(text: str, sources: list[SourceIndex]) -> bool:
    reading = read_claim(text)
    folded = reading.folded
    words = reading.words - STOP_WORDS
    for source in sources:
        if not words.isdisjoint(source.words):
            return True
    terms = content_terms(folded)
    if not terms:
        return True
    if has_unspaced_script(folded):
        # One Chinese character is often a word by itself.
        pieces = {*terms, *_HAN.findall(folded)}
        return any(piece in source.folded for source in sources for piece in pieces)
    # Another form of the word is the same word: "refunded" meets "refunds".
    return any(_begins_a_word(source.folded, stem(term)) for source in sources for term in terms)


def _begins_a_word(folded: str, root: str) -> bool:
    place = folded.find(root)
    while place >= 0:
        if place == 0 or not folded[place - 1].isalnum():
            return True
        place = folded.find(root, place + 1)
    return False


def _build(_config: NoConfig) -> Check:
    return Check(NAME, LIMITS, check_citations)


CITATIONS = JudgeType(
    name=NAME,
    title="Citations",
    summary="Flags claims without a citation, citations that do not resolve, spans outside their source, and sources that "
    "have no content word in common with the claim.",
    limits=LIMITS,
    default_config=dict,
    parse_config=parse_no_config,
    build=_build,
    code_version="1",
)
