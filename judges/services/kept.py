"""What was said before, used again: the word of the same version as it is, and what others kept under other thresholds.

Thresholds turn what a model said into a verdict. A version that differs from another in them alone asks nothing that was
asked for that one: its judgements are made of the probabilities that are kept there.
"""

from __future__ import annotations

from collections.abc import Sequence

from judges.fingerprints import fingerprint, input_hash
from judges.models import Judgement, JudgeVersion, Run
from judges.protocol import ClaimInput
from judges.registry import judge_type
from judges.services.judgements import judgement_row


def rows_from_kept(run: Run, claims: Sequence[ClaimInput]) -> list[Judgement]:
    """The unsaved judgements of those of the claims that need no asking; each names the one it comes from."""
    hashes = {claim.claim_id: input_hash(claim) for claim in claims}
    earlier = Judgement.objects.exclude(run=run)
    same = earlier.reusable([run.judge_version.fingerprint], hashes)
    rows = [_copy(run, row) for row in same.values()]
    others = kept_by(run.judge_version)
    left = [claim for claim in claims if claim.claim_id not in same]
    if not others or not left:
        return rows
    near = earlier.reusable(others, {claim.claim_id: hashes[claim.claim_id] for claim in left})
    derived = (_derived(run, claim, near[claim.claim_id]) for claim in left if claim.claim_id in near)
    return rows + [row for row in derived if row is not None]


def kept_by(version: JudgeVersion) -> list[str]:
    """The fingerprints of the project's versions that differ from this one in thresholds alone, under the same code."""
    kind = judge_type(version.judge.type)
    if kind.judged_again is None:
        return []
    rows = JudgeVersion.objects.filter(
        judge__project=version.judge.project_id, judge__type=kind.name, policy=version.policy
    )
    settled = {key: version.config.get(key) for key in kind.thresholds}
    return [
        row.fingerprint
        for row in rows.exclude(fingerprint=version.fingerprint).order_by("id")
        # Its own fingerprint says that it is of today's code; with our thresholds in it, it must be this version.
        if _named(version, row.config) == row.fingerprint
        and _named(version, row.config | settled) == version.fingerprint
    ]


def _named(version: JudgeVersion, config: dict[str, object]) -> str:
    kind = judge_type(version.judge.type)
    return fingerprint(type_name=kind.name, code_version=kind.code_version, config=config, policy=version.policy)


def _copy(run: Run, row: Judgement) -> Judgement:
    return Judgement(
        run=run,
        claim_id=row.claim_id,
        outcome=row.outcome,
        verdict=row.verdict,
        score=row.score,
        quote=row.quote,
        reason=row.reason,
        detail=row.detail,
        input_hash=row.input_hash,
        cached_from_id=row.cached_from_id or row.pk,
    )


def _derived(run: Run, claim: ClaimInput, row: Judgement) -> Judgement | None:
    """The judgement by this version's thresholds; None where too little was kept to tell."""
    kind = judge_type(run.judge_version.judge.type)
    assert kind.judged_again is not None
    opinion = kind.judged_again(run.judge_version.config, claim, row.opinion())
    if opinion is None:
        return None
    made = judgement_row(run, claim, opinion)
    made.cached_from_id = row.cached_from_id or row.pk
    return made
