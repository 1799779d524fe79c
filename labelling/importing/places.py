"""Open places for what was just imported, so that annotators see work at once."""

from collections.abc import Collection

from django.db import connection

from labelling.models import Citation, Claim, Label, Project, Slot, Source
from labelling.services.slots import open_slots


def fill_places(*, project: Project, labelled: Collection[int]) -> None:
    """Open the places of new claims in one statement, and settle those of claims that got labels one by one.

    `labelled` holds the primary keys of the claims that labels were imported for: each label reduces what is open.
    """
    slot, claim, citation, label, source = (
        model._meta.db_table  # noqa: SLF001  the public face of model metadata
        for model in (Slot, Claim, Citation, Label, Source)
    )
    numbers = " UNION ALL ".join(f"SELECT {number} AS position" for number in range(1, project.overlap + 1))
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            INSERT INTO {slot} (project_id, claim_id, position, occasion, state)
            SELECT c.project_id, c.id, n.position, 1, 'open'
            FROM {claim} c CROSS JOIN ({numbers}) n
            WHERE c.project_id = %s
              AND NOT EXISTS (SELECT 1 FROM {slot} s WHERE s.claim_id = c.id)
              AND EXISTS (SELECT 1 FROM {citation} t JOIN {source} d ON d.id = t.source_id
                          WHERE t.claim_id = c.id AND d.text <> '')
              AND NOT EXISTS (SELECT 1 FROM {label} l WHERE l.claim_id = c.id)
            ORDER BY c.id, n.position
            ON CONFLICT DO NOTHING
            """,  # noqa: S608  the names come from the models, the numbers from the project's overlap
            [project.pk],
        )
    if labelled:
        open_slots(project=project, claims=sorted(labelled))
