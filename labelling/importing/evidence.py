"""The spans that a label rests on: parsed, held against what the claim cites, and their quotes cut here."""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from labelling.importing.delivery import Delivery, Line
from labelling.importing.fields import Fields
from labelling.models import Citation, Source


class Span(NamedTuple):
    """A stretch of a source; the source is empty where the claim cites one alone, the quote where none is given."""

    source: str
    start: int
    end: int
    quote: str = ""


def parse_evidence(fields: Fields) -> tuple[Span, ...]:
    """Read `evidence`, a list of spans; the same span twice is one."""
    spans: list[Span] = []
    for place, data in enumerate(fields.objects("evidence")):
        inner = Fields(data)
        source, quote = inner.text("source"), inner.text("quote")
        start, end = inner.offset("start"), inner.offset("end")
        if start is None or end is None:
            if not inner.faults:
                inner.fault("start" if start is None else "end", None, "an offset in code points")
        elif start >= end:
            inner.fault("end", end, f"an end beyond the start, {start}")
        for key in data.keys() - {"source", "start", "end", "quote"}:
            inner.fault(key, data[key], "source, start, end or quote")
        for fault in inner.faults:
            fields.fault(f"evidence[{place}].{fault.key}", fault.found, fault.expected)
        span = Span(source, start or 0, end or 0, quote)
        if span not in spans:
            spans.append(span)
    return tuple(spans)


def cut_quotes(
    wanted: Sequence[tuple[Line, int, Sequence[Span]]], delivery: Delivery
) -> dict[int, list[tuple[int, int, int, str]]]:
    """Find the spans in the sources that the claims cite.

    `wanted` holds lines, each with the primary key of its claim, and its spans.

    Returns
    -------
    By `id(line)`, for lines without a fault, rows of source key, start, end and quote. A line of a claim that cites
    nothing has a fault: there is nothing that it could be faithful to.
    """
    faulty: set[int] = set()
    found: dict[int, list[tuple[int, int, int, str]]] = {id(line): [] for line, _, _ in wanted}
    by_source = _by_source(wanted, delivery, faulty)
    keys = sorted(by_source)
    for start in range(0, len(keys), 500):
        texts = Source.objects.filter(pk__in=keys[start : start + 500]).values_list("pk", "text")
        # One text at a time: sources can be long, and a batch of labels may touch many.
        for key, text in texts.iterator(chunk_size=20):
            for line, span in by_source[key]:
                quote = text[span.start : span.end]
                if span.end > len(text):
                    delivery.problem(
                        line.record, "evidence", span.end, f"an end within the source, at most {len(text)}"
                    )
                    faulty.add(id(line))
                elif span.quote and span.quote != quote:
                    delivery.problem(
                        line.record, "evidence", span.quote, f"the text at {span.start}–{span.end}, {quote!r}"
                    )
                    faulty.add(id(line))
                else:
                    found[id(line)].append((key, span.start, span.end, quote))
    return {key: sorted(set(spans)) for key, spans in found.items() if key not in faulty}


def _by_source(
    wanted: Sequence[tuple[Line, int, Sequence[Span]]], delivery: Delivery, faulty: set[int]
) -> dict[int, list[tuple[Line, Span]]]:
    """The spans by the source that they lie in; lines that name none of their claim's sources are faulty."""
    cited = _cited({claim for _, claim, _ in wanted})
    found: defaultdict[int, list[tuple[Line, Span]]] = defaultdict(list)
    for line, claim, spans in wanted:
        sources = cited.get(claim, {})
        if not sources:
            delivery.problem(line.record, "claim", line.value.claim, "a claim that cites a source")
            faulty.add(id(line))
        for span in spans if sources else ():
            if not span.source and len(sources) > 1:
                delivery.problem(line.record, "evidence", None, "a source for each span: the claim cites several")
                faulty.add(id(line))
            elif span.source and span.source not in sources:
                delivery.problem(line.record, "evidence", span.source, f"one of {', '.join(sorted(sources))}")
                faulty.add(id(line))
            else:
                found[sources[span.source] if span.source else next(iter(sources.values()))].append((line, span))
    return found


def _cited(claims: set[int]) -> dict[int, dict[str, int]]:
    """By claim, the sources that it cites: id to primary key, in the order of the citations."""
    found: dict[int, dict[str, int]] = {}
    keys = sorted(claims)
    for start in range(0, len(keys), 900):
        rows = Citation.objects.filter(claim__in=keys[start : start + 900]).order_by("claim", "order")
        for claim, name, key in rows.values_list("claim_id", "source__external_id", "source_id"):
            found.setdefault(claim, {})[name] = key
    return found
