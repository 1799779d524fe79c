"""Everything of a project as a file: native lines, or one claim a row for people and spreadsheets."""

import itertools
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import BinaryIO, Literal

from judges.exporting import judgement_lines
from judges.models import Judgement
from labelling.exporting.lines import citations_of, native_lines
from labelling.gold import gold_by_claim
from labelling.golden.exporting import csv_chunks, jsonl_chunks, write_parquet
from labelling.importing.delimited import FORMAT_MARK
from labelling.models import Claim, Label, Project

ExportFormat = Literal["jsonl", "csv", "parquet"]
FORMATS: Sequence[ExportFormat] = ("jsonl", "csv", "parquet")
WHAT = ("all", "items", "labels", "judgements")
_OF = {
    "items": ("source", "answer", "claim"),
    "labels": ("label", "adjudication", "answer_label"),
    "judgements": ("judgement",),
}
_COLUMNS = (
    "format",
    "id",
    "claim",
    "kind",
    "severity",
    "answer",
    "question",
    "answer_text",
    "system",
    "task_type",
    "model",
    "split",
    "source_id",
    "title",
    "collection",
    "source_text",
    "start",
    "end",
    "citations",
    "gold",
    "gold_basis",
)
CHUNK = 500


def all_lines(project: Project, what: str = "all") -> Iterator[dict[str, object]]:
    """Native lines of people and judges; `what` narrows them to some types."""
    wanted = _OF.get(what)
    lines = itertools.chain(native_lines(project), judgement_lines(project))
    return lines if wanted is None else (line for line in lines if line["type"] in wanted)


def write_items(*, project: Project, kind: ExportFormat, what: str, out: BinaryIO) -> None:
    """Write a project to a binary file."""
    if kind == "jsonl":
        out.writelines(jsonl_chunks(all_lines(project, what)))
        return
    columns = [*_COLUMNS, *_people_columns(project, what)]
    rows = claim_rows(project, what)
    if kind == "parquet":
        write_parquet(out, rows, columns)
    else:
        out.writelines(csv_chunks(rows, columns))


def _people_columns(project: Project, what: str) -> list[str]:
    columns: list[str] = []
    if what in ("all", "labels"):
        names = Label.objects.counted().filter(claim__project=project).values_list("annotator__pseudonym", flat=True)
        columns += [f"label:{name}" for name in sorted(set(names.order_by().distinct()))]
    if what in ("all", "judgements"):
        judges = (
            Judgement.objects.counted()
            .filter(run__project=project)
            .values_list("run__judge_version__judge__name", flat=True)
        )
        for name in sorted(set(judges.order_by().distinct())):
            columns += [f"judge:{name}", f"judge_score:{name}"]
    return columns


def claim_rows(project: Project, what: str) -> Iterator[dict[str, str]]:
    """One row a claim, with the columns that a flat import reads, gold, labels and each judge's latest verdict.

    A claim with several citations has them all, as JSON, in `citations`, and the first one's text.
    """
    gold = gold_by_claim(project)
    stream = Claim.objects.filter(project=project).select_related("answer").order_by("pk").iterator(chunk_size=CHUNK)
    while claims := list(itertools.islice(stream, CHUNK)):
        texts = dict(
            Claim.objects.filter(pk__in=[claim.pk for claim in claims], citations__order=1).values_list(
                "pk", "citations__source__text"
            )
        )
        cited = citations_of(claims)
        said = _said(claims, what)
        for claim in claims:
            citations = cited.get(claim.pk, [])
            row = {
                "format": FORMAT_MARK,
                "id": claim.external_id,
                "claim": claim.text,
                "kind": claim.kind,
                "severity": claim.severity,
                "answer": claim.answer.external_id,
                "question": claim.answer.question,
                "answer_text": claim.answer.text,
                "system": claim.answer.system,
                "task_type": claim.answer.task_type,
                "model": claim.answer.model,
                "split": claim.answer.split,
            }
            if citations:
                first = citations[0]
                row |= {
                    "source_id": first.source.external_id,
                    "title": first.source.title,
                    "collection": first.source.collection,
                    "source_text": texts.get(claim.pk, ""),
                    "start": "" if first.start is None else str(first.start),
                    "end": "" if first.end is None else str(first.end),
                }
            if len(citations) > 1:
                spans = [
                    {"source": one.source.external_id}
                    | ({} if one.start is None else {"start": one.start, "end": one.end})
                    for one in citations
                ]
                row["citations"] = json.dumps(spans, ensure_ascii=False)
            if claim.pk in gold:
                row |= {"gold": gold[claim.pk].verdict, "gold_basis": gold[claim.pk].basis}
            yield row | said.get(claim.pk, {})


def _said(claims: list[Claim], what: str) -> dict[int, dict[str, str]]:
    found: defaultdict[int, dict[str, str]] = defaultdict(dict)
    if what in ("all", "labels"):
        labels = Label.objects.counted().filter(claim__in=claims)
        for claim, name, verdict in labels.values_list("claim_id", "annotator__pseudonym", "verdict"):
            found[claim][f"label:{name}"] = verdict
    if what in ("all", "judgements"):
        rows = Judgement.objects.counted().filter(claim__in=claims).order_by("run")
        values = rows.values_list("claim_id", "run__judge_version__judge__name", "verdict", "score")
        for claim, name, verdict, score in values:
            found[claim][f"judge:{name}"] = verdict
            found[claim][f"judge_score:{name}"] = "" if score is None else repr(score)
    return found
