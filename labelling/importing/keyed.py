"""Rows that have an id of their own: added once, the same again is nothing, another text is a conflict.

What is about a text (a title, a system's name) and differs under a known id is no conflict: what is known stays and the
line is counted as `kept`, unless the import may update.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Any, NamedTuple

from django.db import models

from labelling.importing.bulk import LOOKUP, in_chunks, insert_rows, reserve_ids
from labelling.importing.delivery import Delivery, Line
from labelling.models import GoldenItem


class Keyed(NamedTuple):
    """A line with an id: its columns' values in the table's order, and which of them it gives."""

    identifier: str
    row: tuple[Any, ...]
    given: frozenset[str]


class Known(NamedTuple):
    """A row that is there: its primary key (0 until it is inserted) and its columns' values."""

    pk: int
    row: tuple[Any, ...]


class KeyedTable:
    """One table of a project whose rows are known by `external_id`.

    Parameters
    ----------
    model
        The table.
    columns
        Names of the fields that lines fill, without id, project and external id.
    texts
        Those of them that are the text itself: another one under a known id is a conflict.
    frozen_by
        Path from an item of a golden set to the row: what a golden set speaks of is never changed under it.
    prepare
        Turns one row of values into what the database takes.
    """

    def __init__(
        self,
        model: type[models.Model],
        columns: Sequence[str],
        texts: Sequence[str],
        frozen_by: str,
        prepare: Callable[[tuple[Any, ...]], tuple[object, ...]],
    ) -> None:
        self.model = model
        self.columns = tuple(columns)
        self._texts = frozenset(texts)
        self._frozen_by = frozen_by
        self._prepare = prepare
        self._manager: models.Manager[Any] = model._default_manager  # noqa: SLF001  a model given at run time

    def known(self, project_id: int, identifiers: Iterable[str]) -> dict[str, Known]:
        """The rows that are there under these ids."""
        found: dict[str, Known] = {}
        for chunk in in_chunks(identifiers):
            # Unordered: asked for an order, the database may walk the whole table in it.
            rows = self._manager.filter(project_id=project_id, external_id__in=chunk).order_by()
            for identifier, pk, *row in rows.values_list("external_id", "pk", *self.columns):
                found[identifier] = Known(pk, tuple(row))
        return found

    def keys(self, project_id: int, identifiers: Iterable[str]) -> dict[str, int]:
        """Primary keys of the rows that are there under these ids."""
        found: dict[str, int] = {}
        for chunk in in_chunks(identifiers):
            # Unordered: asked for an order, the database may walk the whole table in it.
            rows = self._manager.filter(project_id=project_id, external_id__in=chunk).order_by()
            found.update(rows.values_list("external_id", "pk"))
        return found

    def save(self, lines: Sequence[Line], delivery: Delivery) -> dict[str, int]:
        """Insert what is new, compare the rest.

        Returns
        -------
        Primary keys by id of the rows that were inserted.
        """
        project_id = delivery.project.pk
        known = self.known(project_id, (line.value.identifier for line in lines))
        frozen = self.frozen(row.pk for row in known.values()) if delivery.options.update else set()
        fresh: dict[str, Keyed] = {}
        changed: dict[str, tuple[Any, ...]] = {}
        kind = ""
        for line in lines:
            kind, value = line.kind, line.value
            there = known.get(value.identifier)
            if there is None:
                known[value.identifier] = Known(0, value.row)
                fresh[value.identifier] = value
                continue
            row = self._compared(line, there, delivery, frozen)
            if row is there.row:
                continue
            known[value.identifier] = Known(there.pk, row)
            if there.pk:
                changed[value.identifier] = row
            else:
                fresh[value.identifier] = Keyed(value.identifier, row, value.given)
        delivery.count(kind, "added", len(fresh))
        if changed:
            self._update(changed, known)
            delivery.count(kind, "updated", len(changed))
        if not fresh:
            return {}
        keys = reserve_ids(self.model, len(fresh))
        names = [self.model._meta.get_field(name).attname for name in self.columns]  # type: ignore[union-attr]  # noqa: SLF001
        prepare = self._prepare
        insert_rows(
            self.model,
            ["id", "project_id", "external_id", *names],
            (
                (pk, project_id, identifier, *prepare(value.row))
                for pk, (identifier, value) in zip(keys, fresh.items(), strict=True)
            ),
        )
        return dict(zip(fresh, keys, strict=True))

    def frozen(self, keys: Iterable[int]) -> set[int]:
        """Those of the rows that a golden set speaks of."""
        found: set[int] = set()
        stream = iter(keys)
        while chunk := list(islice(stream, LOOKUP)):
            items = GoldenItem.objects.filter(**{f"{self._frozen_by}__in": chunk}).order_by()
            found.update(items.values_list(self._frozen_by, flat=True))
        return found

    def _compared(self, line: Line, known: Known, delivery: Delivery, frozen: set[int]) -> tuple[Any, ...]:
        """The row that stands after the line; the same object where nothing changes.

        A source that was made without a text, for a citation that came before it, takes all that a line brings.
        """
        value: Keyed = line.value
        there = known.row
        row = list(there)
        kept = False
        waited = "fields" in self.columns and there[self.columns.index("text")] == ""
        for place, name in enumerate(self.columns):
            if name not in value.given or value.row[place] == there[place]:
                continue
            if name in self._texts and known.pk in frozen and not waited:
                delivery.problem(line.record, name, value.row[place], "the text that a golden set has frozen")
                return there
            if delivery.options.update or waited:
                row[place] = value.row[place]
            elif name in self._texts:
                delivery.conflict(line, name, value.row[place], value.identifier)
                return there
            else:
                kept = True
        if row == list(there):
            delivery.count(line.kind, "kept" if kept else "unchanged")
            return there
        return tuple(row)

    def _update(self, changed: dict[str, tuple[Any, ...]], known: dict[str, Known]) -> None:
        rows = []
        for identifier, row in changed.items():
            instance = self.model(pk=known[identifier].pk)
            for name, value in zip(self.columns, row, strict=True):
                setattr(instance, "answer_id" if name == "answer" else name, value)
            rows.append(instance)
        self._manager.bulk_update(rows, self.columns, batch_size=100)
