"""Many rows at once: primary keys taken ahead, then COPY on PostgreSQL and executemany on SQLite."""

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, cast

from django.db import connection, models

LOOKUP = 900
EMPTY_OBJECT, EMPTY_LIST = "{}", "[]"


def reserve_ids(model: type[models.Model], count: int) -> list[int]:
    """Take primary keys that no other row has or will get; call inside the transaction that inserts them."""
    table = model._meta.db_table  # noqa: SLF001  the public face of model metadata
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)", [table, count]
            )
            return [row[0] for row in cursor.fetchall()]
        cursor.execute("SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = %s", [table])
        last = int(cursor.fetchone()[0])
        cursor.execute(f"SELECT coalesce(max(id), 0) FROM {table}")  # noqa: S608  the name comes from the model
        last = max(last, int(cursor.fetchone()[0]))
    return list(range(last + 1, last + count + 1))


def insert_rows(model: type[models.Model], columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Insert rows whose values are already what the database takes (see :func:`to_json` and :func:`stored`)."""
    table = model._meta.db_table  # noqa: SLF001
    names = ", ".join(f'"{column}"' for column in columns)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # Django does not know of COPY: what the driver raises in it is made Django's here, as with any statement.
            with connection.wrap_database_errors, cursor.copy(f"COPY {table} ({names}) FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
        else:
            marks = ", ".join(["%s"] * len(columns))
            # Typed for sequences of few types; SQLite streams any iterable.
            cursor.executemany(f"INSERT INTO {table} ({names}) VALUES ({marks})", cast("Any", rows))  # noqa: S608


def to_json(value: object) -> str:
    """A JSON column's text."""
    return json.dumps(value, ensure_ascii=False) if value else EMPTY_LIST if value == [] else EMPTY_OBJECT


@lru_cache(maxsize=64)
def _field(model: type[models.Model], name: str) -> "models.Field[object, object]":
    field = model._meta.get_field(name)  # noqa: SLF001
    assert isinstance(field, models.Field)
    return field


def stored(model: type[models.Model], name: str, value: object) -> object:
    """A date, time or UUID as this database takes it."""
    return None if value is None else _field(model, name).get_db_prep_save(value, connection)


def in_chunks(keys: Iterable[str], size: int = LOOKUP) -> Iterator[list[str]]:
    """Cut a long list of keys for look-ups, repeats left out."""
    distinct = list(dict.fromkeys(keys))
    for start in range(0, len(distinct), size):
        yield distinct[start : start + size]
