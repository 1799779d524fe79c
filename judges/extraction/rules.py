"""The extractor that needs no model: sentences, citation markers, clauses, and what is no assertion left out."""

import re
from collections.abc import Iterator

from judges.extraction.guesses import guess_kind, guess_severity
from judges.extraction.markers import Marked, without_markers
from judges.extraction.protocol import Extracted, ExtractedClaim
from judges.fingerprints import fingerprint
from judges.text.sentences import split_sentences

NAME = "rules"
CODE_VERSION = "2"
LIMITS = "Splits by rules made for English: most pronouns stay as they are, and a list of three facts in one clause stays one claim."

_LEAD = re.compile(
    r"(?:(?:[-*•·▪‣–]|\(?\d{1,3}[.)]|#{1,6})\s+)?(?:(?:yes|no)[.,:!;]\s+)?"
    r"(?:(?:according to|based on|as per) the (?:provided |cited |given |retrieved |above )?"
    r"(?:sources?|documents?|context|information|passages?|search results)(?: provided| above)?\s?,\s*)?",
    re.IGNORECASE,
)
# Code between fences, and the first row of a table with the line under it.
_NO_PROSE = re.compile(r"^```.*?^```|^\|[^\n]*\n\|[ \t:|-]+$", re.MULTILINE | re.DOTALL)
_CELL_BORDER = re.compile(r"\s*\|\s*")
_HEADING = re.compile(r"#{1,6}\s|[^.!?]{0,120}[:：]$")
_QUESTION = re.compile(r"[?？؟]\W*$")
# What an assistant says about itself, to the reader, or about not knowing.
_NO_ASSERTION = re.compile(
    r"(?:hi|hello|hey|dear|good (?:morning|afternoon|evening)|thanks?|thank you|sure|certainly|of course|absolutely|great|"
    r"welcome|you're welcome|no problem|congratulations|best regards|kind regards|sincerely)\b[^.]{0,60}[!.,]?$"
    r"|(?:(?:great|good|excellent) question|i hope|hope th(?:is|at)|let me|feel free|please (?:let|feel|contact|reach|note"
    r" that i|ask|don't hesitate)|do not hesitate|don't hesitate|if you (?:have|need|would like|want|'d like)\b[^.]*"
    r"\b(?:question|help|assist|let me|reach|contact|ask|know)|(?:i am|i'm|i'd be|i would be) (?:happy|glad|sorry|afraid|"
    r"the|your|unable|not sure|not certain|not able|here to|just an|an ai)|would you like|happy to help|as an ai|as a language "
    r"model|i (?:can|could|will|would|may|might) (?:also |gladly )?(?:help|assist|provide|look|check|explain|find|not)|"
    r"i (?:cannot|can't|couldn't|could not|don't|do not|did not|didn't|think|believe|guess|suppose|assume|apologi[sz]e|"
    r"found no)\b|i was unable|unfortunately,? i|(?:sorry|apologies)\b|here(?:'s| is| are)\b[^.]*[:.]?$|below (?:is|are)\b|"
    r"(?:the|these|those) (?:provided |cited |given |retrieved )?(?:sources?|documents?|context|passages?) (?:do(?:es)?"
    r"(?: not|n't)|did(?: not|n't)|contains? no|provides? no|ha(?:s|ve) no)|there is no information|no information (?:is|was)|"
    r"it is (?:unclear|not clear|unknown) (?:whether|if)|in (?:summary|conclusion|short)[:,]?$)",
    re.IGNORECASE,
)
# Between two clauses that each have a subject and a verb of their own.
_JOINT = re.compile(
    r"\s*[;；]\s*(?:and |but |however,? )?|,\s*(?:and|but|while|whereas|although|yet)\s+|,?\s+(?:but|whereas)\s+"
)
_VERB = re.compile(
    r"\b(?:is|are|was|were|isn't|aren't|wasn't|weren't|has|have|had|can|cannot|can't|may|must|will|won't|would|should|could|"
    r"do|does|did|doesn't|don't|didn't|need|needs|\w{3,}(?:ed|es)|appl(?:y|ies)|begins?|ends?|starts?|costs?|takes?|runs?|"
    r"covers?|owns?|uses?|pays?|gets?|gives?|lasts?|includes?|requires?|remains?|contains?|offers?|allows?|holds?|makes?|became|began|"
    r"came|fell|found|gave|grew|held|kept|led|left|lost|made|met|rose|said|sold|took|went|won|wrote)\b",
    re.IGNORECASE,
)
_LATER_SUBJECT = re.compile(
    r"(?!(?:to|of|in|on|for|with|from|by|at|as|then|also|not|only|which|who|that|if|when)\b)\w", re.IGNORECASE
)
# "If you pay late, and …": the condition holds for both halves, so they stay together.
_CONDITION = re.compile(
    r"(?:if|when|unless|once|until|after|before|provided|because|since|although|while)\b", re.IGNORECASE
)
_EMPHASIS = re.compile(r"(?<!\w)(\*\*|__|\*|_|`)(?=\S)(.+?)(?<=\S)\1(?!\w)")
_PRONOUN = re.compile(r"(?:it|they|he|she)\b(?!')", re.IGNORECASE)
_LEANING = re.compile(r"\b(?:as|of|to|in|on|for|with|from|by|at|and|or|the|an?|all|most|some|any)$", re.IGNORECASE)
_LOOKED_AT = 200  # characters of a clause, for its subject and its verb
_SHORTEST = 2  # words


class RulesExtractor:
    """Claims by rules."""

    name = NAME
    limits = LIMITS

    @property
    def fingerprint(self) -> str:
        """The name of this version."""
        return fingerprint(type_name=f"extractor {NAME}", code_version=CODE_VERSION, config={}, policy="")

    def extract(self, *, question: str, answer: str) -> Extracted:  # noqa: ARG002  (the question changes no rule)
        """Find the claims of an answer, in the order in which it makes them."""
        marked = without_markers(answer)
        claims: list[ExtractedClaim] = []
        apart = [match.span() for match in _NO_PROSE.finditer(marked.text)]
        for sentence in split_sentences(marked.text):
            while apart and apart[0][1] <= sentence.start:
                apart.pop(0)
            if sentence.text.startswith("#") or (apart and apart[0][0] <= sentence.start):
                continue
            subject = ""
            for start, end in _clauses(marked.text, *_span(sentence.start, sentence.text)):
                claim = _claim(marked, start, end, subject)
                if claim is not None:
                    claims.append(claim)
                    subject = _subject(claim.text)
        return Extracted(claims=tuple(claims))


def _span(start: int, sentence: str) -> tuple[int, int]:
    """Where the assertion of a sentence may begin and end: without bullet, number and lead-in."""
    lead = _LEAD.match(sentence)
    return start + (lead.end() if lead else 0), start + len(sentence)


def _clauses(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    sentence = text[start:end]
    if not is_assertion(sentence):
        return
    if _CONDITION.match(sentence):
        yield start, end
        return
    begun = 0
    for joint in _JOINT.finditer(sentence):
        before = sentence[begun : min(joint.start(), begun + _LOOKED_AT)]
        after = sentence[joint.end() : joint.end() + _LOOKED_AT]
        if _is_clause(before) and _is_clause(after, later=True):
            yield start + begun, start + joint.start()
            begun = joint.end()
    yield start + begun, end


def _is_clause(text: str, *, later: bool = False) -> bool:
    """Whether it has a subject and, behind it, a verb; a later one must not lean on the one before it."""
    words = text.split()
    if len(words) < 3 or (later and not _LATER_SUBJECT.match(text)):
        return False
    verb = _VERB.search(text, len(words[0]))
    if verb is None or (later and not text[verb.end() :].strip(" .!?,;")):
        return False  # "and preservation of archaeological sites": at the very end it is as often a plural
    return len(text[: verb.start()].split()) <= 8


def is_assertion(sentence: str) -> bool:
    """Whether a sentence asserts something, and is no heading, question, greeting, offer or hedge."""
    bare = sentence.strip().strip("*_# ").strip()
    if len(bare.split()) < _SHORTEST and bare.isascii():
        return False
    return not (_HEADING.match(sentence) or _QUESTION.search(bare) or _NO_ASSERTION.match(bare))


def _subject(clause: str) -> str:
    """What a clause is about: what stands before its verb."""
    verb = _VERB.search(clause, len(clause.split(maxsplit=1)[0]))
    subject = clause[: verb.start()].strip() if verb else ""
    # "Jobs such as patches are …": what looks like the verb is a noun, and half a subject is worse than a pronoun.
    return "" if _LEANING.search(subject) else subject


def _claim(marked: Marked, start: int, end: int, subject: str) -> ExtractedClaim | None:
    """The claim of one clause; a pronoun at its head becomes the subject of the clause before it in the sentence."""
    text = _EMPHASIS.sub(r"\2", " ".join(marked.text[start:end].split())).strip(" ,;–-|")
    if marked.text.startswith("|", start):
        text = _CELL_BORDER.sub(", ", text)
    if subject:
        text = _PRONOUN.sub(lambda _: subject, text, count=1) if _PRONOUN.match(text) else text
    if not any(character.isalnum() for character in text):
        return None
    text = text[0].upper() + text[1:]
    return ExtractedClaim(
        text=text,
        kind=guess_kind(text),
        severity=guess_severity(text),
        citations=marked.numbers(start, end),
        start=marked.original(start),
        end=marked.original(end),
    )
