"""Judgements as native lines."""

from collections.abc import Iterator

from judges.models import Judgement
from labelling.models import Project


def judgement_lines(project: Project) -> Iterator[dict[str, object]]:
    """The counted judgements of every run of the project, by judge version and claim.

    Where two runs of a version judged the same claim, the later one is given: a version has one judgement of a claim
    in a file.
    """
    rows = Judgement.objects.counted().filter(run__project=project)
    rows = rows.select_related("run__judge_version__judge", "claim")
    ordered = rows.order_by("run__judge_version__judge__name", "run__judge_version__number", "claim", "-run")
    last: tuple[int, int] | None = None
    for row in ordered.iterator(chunk_size=1_000):
        version = row.run.judge_version
        if (version.pk, row.claim_id) == last:
            continue
        last = (version.pk, row.claim_id)
        yield judgement_line(row)


def judgement_line(row: Judgement) -> dict[str, object]:
    """One judgement; its version is the name that an external harness gave it, else the start of its fingerprint."""
    version = row.run.judge_version
    line: dict[str, object] = {
        "type": "judgement",
        "judge": version.judge.name,
        "version": version.label or ("" if version.judge.type == "external" else version.fingerprint[:16]),
        "claim": row.claim.external_id,
        "outcome": row.outcome,
        "verdict": row.verdict,
        "score": row.score,
        "quote": row.quote,
        "reason": row.reason,
        "seconds": row.seconds,
        "cost_usd": float(row.cost_usd),
    }
    kept = {key: value for key, value in line.items() if value not in (None, "")}
    return {**row.detail, **kept}
