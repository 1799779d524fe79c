"""Whether anything that a figure is made of has changed, told without reading it."""

from django.db import models


class Change(models.Model):
    """A number that grows, by a step nobody can foretell, in the transaction that changes a row which figures rest on.

    Written by triggers of the database alone (`labelling/changes.py`). The sum over the rows of one project and part
    is another one after every change that was committed. On PostgreSQL there are as many rows as ever wrote at once,
    so that nobody waits for another's transaction to end; SQLite has one writer, and one row.
    """

    project = models.BigIntegerField(help_text="The project's id; no foreign key, since it is the last to go.")
    part = models.CharField(max_length=20)
    shard = models.BigIntegerField(default=0)
    n = models.BigIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "part", "shard"], name="change_shard_once")]

    def __str__(self) -> str:
        return f"{self.project} {self.part}: {self.n}"
