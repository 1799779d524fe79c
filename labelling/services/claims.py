"""Claims that a person has settled on for an answer that came without any."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from django.db import transaction

from labelling.importing.fields import ID_LIMIT
from labelling.models import Answer, Citation, Claim, Source
from labelling.services.slots import open_slots


class ClaimsRefusedError(ValueError):
    """The claims cannot be added; the message says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewClaim:
    """One assertion to add; `citations` are ids of sources in order, `meta` is kept with the claim and exported."""

    text: str
    kind: str
    severity: str
    citations: Sequence[str] = ()
    meta: Mapping[str, object] = field(default_factory=dict)


@transaction.atomic
def add_claims(*, answer: Answer, claims: Sequence[NewClaim]) -> list[Claim]:
    """Add the claims of an answer that has none, with their citations and places for labels, in this order.

    They are called `answer.1`, `answer.2` and so on; a number that is taken in the project is passed over.

    Raises
    ------
    ClaimsRefusedError
        Where the answer has claims by now, or a source that is cited is not in the project.
    """
    # The row first: an import that adds claims to the answer in this moment is waited for, or waits.
    answer = Answer.objects.select_for_update().select_related("project").get(pk=answer.pk)
    if answer.claims.exists():
        msg = f"answer {answer.external_id} has claims by now; expected one without any"
        raise ClaimsRefusedError(msg)
    named = {source for claim in claims for source in claim.citations}
    sources = dict(
        Source.objects.filter(project=answer.project, external_id__in=named).values_list("external_id", "pk")
    )
    if missing := sorted(named - sources.keys()):
        msg = f"citations: {', '.join(missing)} is not in the project; expected the ids of its sources"
        raise ClaimsRefusedError(msg)
    made = Claim.objects.bulk_create(
        Claim(
            project=answer.project,
            answer=answer,
            external_id=name,
            text=claim.text,
            kind=claim.kind,
            severity=claim.severity,
            meta=dict(claim.meta),
        )
        for name, claim in zip(_free_names(answer), claims, strict=False)
    )
    Citation.objects.bulk_create(
        Citation(claim=row, order=order, source_id=sources[source])
        for row, claim in zip(made, claims, strict=True)
        for order, source in enumerate(dict.fromkeys(claim.citations), 1)
    )
    if made:
        open_slots(project=answer.project, claims=[claim.pk for claim in made])
    return made


def _free_names(answer: Answer) -> Iterator[str]:
    base = answer.external_id[: ID_LIMIT - 8]
    rows = Claim.objects.filter(project=answer.project, external_id__startswith=f"{base}.")
    taken = set(rows.values_list("external_id", flat=True))
    return (name for number in itertools.count(1) if (name := f"{base}.{number}") not in taken)
