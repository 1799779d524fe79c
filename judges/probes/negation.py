"""A negation put in or taken out of an English claim."""

import re

from judges.probes.changes import Change, replaced
from judges.probes.english import is_english

KIND = "negation"
_BE = "is|are|was|were"
_MODAL = "can|could|will|would|should|must"
_NEGATED = re.compile(rf"\b({_BE}|{_MODAL}|has|have|had|does|do|did) not\b|\bcannot\b")
_SHORT = re.compile(r"\b(is|are|was|were|does|do|did|has|have|had|could|would|should)n['’]t\b")
_PLAIN = re.compile(
    rf"\b(?:{_BE}|{_MODAL}|(?:has|have|had)(?= (?:\w+ed|been|become|made|seen|won|taken|given|grown)\b))\b"
)
# With one of these in the claim, "not" beside it says something else than the opposite.
_OTHERWISE = re.compile(
    r"\b(?:not|never|no|none|nobody|nothing|neither|nor|only|if|unless|whether|without|hardly|rarely|few|little|any|"
    r"all|every|each|some|most|many|may|might|or|n['’]t)\b|n['’]t\b|\?",
    re.IGNORECASE,
)
_NO_VERB = re.compile(r"\b(?:the|a|an|his|her|their|its|that|which|who|what|where|when)\s$", re.IGNORECASE)


def negated(text: str) -> Change | None:
    """The claim with its one negation gone, or with one behind its first auxiliary verb; None where neither is safe."""
    if not is_english(text):
        return None
    there = list(_OTHERWISE.finditer(text)) + list(re.finditer(r"\bcannot\b", text))
    if (found := _NEGATED.search(text)) or (found := _SHORT.search(text)):
        if len(there) > 1:
            return None
        return replaced(text, *found.span(), found[1] or "can", kind=KIND)
    if there:
        return None
    for verb in _PLAIN.finditer(text):
        if not _NO_VERB.search(text[: verb.start()]):
            return replaced(text, verb.end(), verb.end(), " not", kind=KIND)
    return None
