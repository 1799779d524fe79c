"""Triggers that note a change of anything that figures are made of, whoever makes it.

A figure is kept under a stamp and shown again as long as the stamp is the same. Were it for services to say that they
changed something, one that forgot would leave wrong figures standing; a trigger forgets nothing, not the
administrators' pages, a bulk insert, or a line of SQL. Each app names the tables that it owns, and its
`post_migrate` puts the triggers there: migrations on SQLite rebuild tables and lose theirs.
"""

# ruff: noqa: S608 -- SQL made of the names of tables in the code, nothing from outside

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper

VERDICTS, ANSWERS = "verdicts", "answers"
"""What a comparison of judges with people rests on; and what only a report of whole answers does."""


@dataclass(frozen=True, slots=True)
class Watched:
    """A table, and how a row leads to its project: by its own `project_id`, or by that of a row it points at.

    With `where`, only rows count that point at such a row.
    """

    table: str
    part: str = VERDICTS
    points_at: str = ""
    column: str = ""
    where: str = "TRUE"


LABELLING = (
    Watched("labelling_source"),
    Watched("labelling_answer"),
    Watched("labelling_claim"),
    Watched("labelling_citation", points_at="labelling_source", column="source_id"),
    Watched("labelling_label", points_at="labelling_membership", column="annotator_id"),
    Watched("labelling_adjudication", points_at="labelling_membership", column="by_id"),
    Watched("labelling_samplingplan"),
    Watched("labelling_plannedclaim", points_at="labelling_samplingplan", column="plan_id"),
    Watched("labelling_answerlabel", ANSWERS, points_at="labelling_membership", column="annotator_id"),
)
# The steps are drawn, so that a number which was rolled back does not come again for other data.
_SQLITE_STEP, _POSTGRESQL_STEP = "1 + (random() & 1048575)", "1 + floor(random() * 1048575)::bigint"
_NOTE_CHANGE = f"""
CREATE OR REPLACE FUNCTION labelling_note_change(of_project bigint, of_part text) RETURNS void AS $$
BEGIN
    -- Any row that nobody holds; where all are held, one more. So no writer waits for another.
    UPDATE labelling_change SET n = n + {_POSTGRESQL_STEP} WHERE id = (
        SELECT id FROM labelling_change WHERE project = of_project AND part = of_part
        ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED
    );
    IF NOT FOUND THEN
        INSERT INTO labelling_change (project, part, shard, n)
        VALUES (of_project, of_part, txid_current(), {_POSTGRESQL_STEP});
    END IF;
END $$ LANGUAGE plpgsql"""


def install(using: str, watched: Iterable[Watched]) -> None:
    """Put the triggers on the tables of one database, in place of those that are there."""
    connection = connections[using]
    if connection.vendor not in ("sqlite", "postgresql"):
        raise NotImplementedError(f"changes are noted on SQLite and PostgreSQL, not on {connection.vendor}")
    there = set(connection.introspection.table_names())
    if "labelling_change" not in there:
        return  # migrated to before the time of this table
    with connection.cursor() as cursor:
        for statement in statements(connection, [one for one in watched if one.table in there]):
            cursor.execute(statement)


def statements(connection: BaseDatabaseWrapper, watched: Iterable[Watched]) -> list[str]:
    """The SQL that watches the tables, every change of a row on SQLite and every statement on PostgreSQL."""
    if connection.vendor == "sqlite":
        return [statement for one in watched for statement in _on_sqlite(one)]
    return [_NOTE_CHANGE, *(statement for one in watched for statement in _on_postgresql(one))]


def on_migrated(watched: tuple[Watched, ...]) -> Any:
    """A receiver of `post_migrate` that installs the triggers of one app's tables."""

    def receive(*, using: str, **_: Any) -> None:
        install(using, watched)

    return receive


def _on_sqlite(one: Watched) -> list[str]:
    made = []
    for event, row in (("INSERT", "NEW"), ("UPDATE", "NEW"), ("DELETE", "OLD")):
        project = (
            f"SELECT project_id AS project FROM {one.points_at} WHERE id = {row}.{one.column} AND {one.where}"
            if one.points_at
            else f"SELECT {row}.project_id AS project"
        )
        name = f"{one.table}_changed_{event.lower()}"
        made += [
            f"DROP TRIGGER IF EXISTS {name}",
            f"""CREATE TRIGGER {name} AFTER {event} ON {one.table} BEGIN
                INSERT INTO labelling_change (project, part, shard, n)
                SELECT project, '{one.part}', 0, {_SQLITE_STEP} FROM ({project}) WHERE project IS NOT NULL
                ON CONFLICT (project, part, shard) DO UPDATE SET n = n + excluded.n;
            END""",
        ]
    return made


def _on_postgresql(one: Watched) -> list[str]:
    owners = f"(SELECT id, project_id FROM {one.points_at} WHERE {one.where}) AS owner"
    rows = f"changed JOIN {owners} ON owner.id = changed.{one.column}" if one.points_at else "changed"
    made = [
        f"""CREATE OR REPLACE FUNCTION {one.table}_changed() RETURNS trigger AS $$
        DECLARE of_project bigint;
        BEGIN
            FOR of_project IN SELECT DISTINCT project_id FROM {rows} LOOP
                PERFORM labelling_note_change(of_project, '{one.part}');
            END LOOP;
            RETURN NULL;
        END $$ LANGUAGE plpgsql"""
    ]
    for event, row in (("INSERT", "NEW"), ("UPDATE", "NEW"), ("DELETE", "OLD")):
        name = f"{one.table}_changed_{event.lower()}"
        made += [
            f"DROP TRIGGER IF EXISTS {name} ON {one.table}",
            f"""CREATE TRIGGER {name} AFTER {event} ON {one.table} REFERENCING {row} TABLE AS changed
            FOR EACH STATEMENT EXECUTE FUNCTION {one.table}_changed()""",
        ]
    return made
