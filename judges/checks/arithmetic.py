"""The check *arithmetic*: a calculated figure of a claim, recomputed from figures of the cited sources.

A calculation that the claim spells out with its operands is `contradicted` where the sources have the operands and the result
is wrong. Where a figure that the sources do not give can be calculated from theirs, the calculation is shown and there is no
opinion: figures that happen to fit prove nothing.
"""

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from judges.checks.claims import read_claim
from judges.checks.derivations import derive, operands_of
from judges.checks.finding import Check, CheckResult, Finding
from judges.checks.named_operations import NamedOperation, amount_of, figure_of, named_operations
from judges.checks.operations import Operation, Span, half_step, recompute, round_for_people, span_of, spell
from judges.checks.sources import SourceIndex, index_source
from judges.checks.values.amounts import Amount
from judges.checks.values.matching import accepted_keys
from judges.checks.values.model import Value
from judges.checks.values.stating import EXACTLY, manner
from judges.protocol import ClaimInput, JudgeType, NoConfig, Verdict, parse_no_config
from judges.text.words import STOP_WORDS

NAME = "arithmetic"
LIMITS = (
    "Contradicts only a calculation that the claim spells out with figures of the source. A derivation that it shows is one "
    "that fits, found among pairs and short sums of figures in the same unit, and may be a coincidence."
)

_TIMES = re.compile(r"(?: times\b|-?fold\b|x\b| ?×)")
_YEARS = frozenset(range(1000, 2200))
_MOST_VALUES, _LOOK_BACK = 10, 26
# With whole counts these give whole counts, so that nothing about the result is rounded.
_KEEPS_WHOLE = frozenset({Operation.SUM, Operation.DIFFERENCE, Operation.PRODUCT})


def check_arithmetic(claim: ClaimInput) -> CheckResult:
    """Flag calculations with a wrong result; show how figures that no source gives follow from theirs."""
    reading = read_claim(claim.text)
    folded, values = reading.folded, reading.values
    if not values:
        return CheckResult(silence="The claim has no figure to recompute.")
    if not claim.cited:
        return CheckResult(silence="No citation: there is no source to calculate from.")
    sources = [index_source(cited) for cited in claim.cited]
    findings = tuple(_wrong_results(folded, values, claim.text, sources))
    if findings:
        return CheckResult(findings, detail={"derivations": []})
    missing = [value for value in values if _is_to_derive(value, folded) and not _is_given(value, folded, sources)]
    if not missing:
        return CheckResult(silence="Every figure of the claim stands in the cited source, or none is one to recompute.")
    derivations = list(_derivations(missing[:_MOST_VALUES], values, claim.text, folded, sources, reading.words))
    if not derivations:
        silence = "No sum, difference, ratio, percentage or change of figures in the cited source gives the claim's."
        return CheckResult(silence=silence)
    shown = "; ".join(str(one["derivation"]) for one in derivations)
    return CheckResult(
        silence=f"Can be calculated from the cited source: {shown}.", detail={"derivations": derivations}
    )


def find_wrong_results(claim: ClaimInput) -> tuple[Finding, ...]:
    """Give the calculations with a wrong result only, without the search for derivations."""
    reading = read_claim(claim.text)
    folded, values = reading.folded, reading.values
    if len(values) < 3 or not claim.cited:
        return ()
    return tuple(_wrong_results(folded, values, claim.text, [index_source(cited) for cited in claim.cited]))


def _wrong_results(
    folded: str, values: Sequence[Value], text: str, sources: Sequence[SourceIndex]
) -> Iterator[Finding]:
    seen: set[Value] = set()
    for named in named_operations(folded, values):
        if named.result in seen or not all(_is_given(operand, folded, sources) for operand in named.operands):
            continue
        if _is_given(named.result, folded, sources):
            # The source says so itself, roundings of its own included.
            continue
        if _is_wrong(named, folded):
            seen.add(named.result)
            yield _finding(named, text)


def _is_wrong(named: NamedOperation, folded: str) -> bool:
    result = _recomputed(named)
    return result is not None and result.apart(_claimed(named, folded))


def _claimed(named: NamedOperation, folded: str) -> Span:
    """Give the span of what the claim says: its last figure may be rounded or cut off, and more so behind "about"."""
    amount = figure_of(named.result).amount
    step = 2 * half_step(amount)
    counted = all(isinstance(figure_of(operand).amount, int) for operand in named.operands)
    if not step and not (counted and named.operation in _KEEPS_WHOLE):
        step = Fraction(1)
    if manner(named.result, folded[max(0, named.result.start - _LOOK_BACK) : named.result.start]) != EXACTLY:
        step = max(step, abs(Fraction(amount)) / 10)
    return span_of(amount, step)


def _recomputed(named: NamedOperation, *, as_written: bool = False) -> Span | None:
    slack = Fraction(0) if as_written else None
    return recompute(named.operation, [span_of(figure_of(operand).amount, slack) for operand in named.operands])


def _calculation(named: NamedOperation, text: str) -> str:
    """Write a calculation of the claim out with the result that it has."""
    operands = sorted(named.operands, key=_size) if named.operation is Operation.DIFFERENCE else list(named.operands)
    written = [text[operand.start : operand.end] for operand in operands]
    result = _recomputed(named, as_written=True)
    per_unit = _units(named.result)
    shown = round_for_people(Span(result.low / per_unit, result.high / per_unit)) if result else "?"
    percent = "%" if named.operation in (Operation.SHARE, Operation.CHANGE) else ""
    return f"{spell(named.operation, written)} = {shown}{percent}"


def _size(value: Value) -> Amount:
    """Sort the figure that another is taken from before it."""
    return -figure_of(value).amount


def _finding(named: NamedOperation, text: str) -> Finding:
    written = text[named.result.start : named.result.end]
    reason = f"“{written}” is wrong: {_calculation(named, text)}."
    return Finding(written, "", reason, named.operation.value, Verdict.CONTRADICTED)


def _units(value: Value) -> int:
    """Give how many base units one of the unit that a value is written in has."""
    amount = figure_of(value)
    if not amount.dimension or not value.numbers or not value.numbers[0]:
        return 1
    return max(1, int(Fraction(amount.amount) / Fraction(value.numbers[0])))


def _is_to_derive(value: Value, folded: str) -> bool:
    amount = amount_of(value)
    if amount is None or not amount.amount or (value.worded and amount.amount == 1):
        return False
    if value.start > 1 and folded[value.start - 1] == "-" and folded[value.start - 2].isalpha():
        # The figure of a name, as in COVID-19.
        return False
    return bool(amount.dimension) or amount.amount not in _YEARS


def _is_given(value: Value, folded: str, sources: Sequence[SourceIndex]) -> bool:
    keys = accepted_keys(value)
    return any(source.values.has_any(keys) for source in sources) or any(
        source.values.find(value, folded) for source in sources
    )


def _derivations(
    missing: Sequence[Value],
    values: Sequence[Value],
    text: str,
    folded: str,
    sources: Sequence[SourceIndex],
    words: frozenset[str],
) -> Iterator[dict[str, object]]:
    operands = operands_of(sources, frozenset(word for word in words - STOP_WORDS if not word.isdigit()))
    spelled_out = {
        named.result: named
        for named in named_operations(folded, values)
        if all(_is_given(operand, folded, sources) for operand in named.operands)
    }
    for value in missing:
        amount = figure_of(value)
        if value in spelled_out:
            named = spelled_out[value]
            yield {
                "value": text[value.start : value.end],
                "operation": named.operation.value,
                "derivation": _calculation(named, text),
                "operands": [text[operand.start : operand.end] for operand in named.operands],
            }
            continue
        times = not amount.dimension and _TIMES.match(folded, value.end) is not None
        derivation = derive(amount, operands, times=times)
        if derivation is not None:
            written = text[value.start : value.end]
            yield {
                "value": written,
                "operation": derivation.operation.value,
                "derivation": derivation.spell(written),
                "operands": [operand.written for operand in derivation.operands],
            }


def _build(_config: NoConfig) -> Check:
    return Check(NAME, LIMITS, check_arithmetic, find_wrong_results)


ARITHMETIC = JudgeType(
    name=NAME,
    title="Arithmetic",
    summary="Recomputes sums, differences, ratios, percentages and changes: flags a calculation of which the claim names the "
    "operands and the result is wrong, and shows how a figure that the source does not give follows from those that it does.",
    limits=LIMITS,
    default_config=dict,
    parse_config=parse_no_config,
    build=_build,
    code_version="2",
)
