"""A first guess at the kind and the severity of a claim, for a person to confirm."""

import re

from judges.checks.names import read_names
from judges.checks.values.reading import read_values
from judges.text.folding import fold
from judges.text.words import word_set
from labelling.models import ClaimKind, Severity

_RULES = re.compile(
    r"\b(?:must|may|shall|should|can|cannot|can't|need(?:s|ed)? to|ha(?:s|ve) to|requires?|required|requirement|eligible|"
    r"entitled|allowed|permitted|prohibited|forbidden|accepted|refundable|polic(?:y|ies)|rules?|only if|unless)\b"
)
_WEIGHTY = re.compile(
    r"\b(?:deadline|due|no later than|at the latest|expir\w+|within|eligib\w+|entitle\w+|qualif\w+|must|required|mandatory|"
    r"penalt\w+|fines?|fees?|charges?|costs?|prices?|refund\w*|deposit|liab\w+|illegal|prohibit\w+|forbidden|danger\w*|"
    r"warning|hazard\w*|emergenc\w+|poison\w*|toxic|allerg\w+|dos(?:e|es|age)|overdose|overheat\w*|fatal|death|injur\w+)\b"
    r"|[$€£¥]\s?\d|\d\s?(?:usd|eur|gbp|dollars|euros|pounds|mg|ml|mcg)\b"
)
_DAYS = ("date", "day", "month", "year")


def guess_kind(text: str) -> str:
    """Figure, date, name, policy or relation, by what stands in the claim."""
    folded = fold(text)
    words = word_set(folded)
    values = read_values(folded, words)
    if any(value.days or value.kind in _DAYS for value in values):
        return ClaimKind.DATE.value
    if any(value.kind != "ordinal" and not (value.worded and value.numbers == (1,)) for value in values):
        return ClaimKind.FIGURE.value
    if _RULES.search(folded):
        return ClaimKind.POLICY.value
    if read_names(text, words):
        return ClaimKind.NAME.value
    return ClaimKind.RELATION.value


def guess_severity(text: str) -> str:
    """Critical where a deadline, an amount, eligibility or safety is in play, else minor."""
    return Severity.CRITICAL.value if _WEIGHTY.search(fold(text)) else Severity.MINOR.value
