"""What changed from one version of a golden set to another."""

from dataclasses import dataclass

from labelling.models import GoldenSet

_WORDS = {
    "text": "text",
    "citations": "citations or their sources",
    "answer_sha256": "answer",
    "labels": "labels",
    "adjudication": "adjudication",
    "split": "split",
    "kind": "kind",
    "severity": "severity",
}


@dataclass(frozen=True, slots=True)
class Change:
    """One claim in both versions that is not the same in them. Verdicts are equal where only `what` else changed."""

    external_id: str
    before: str
    after: str
    text: str
    what: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """One claim that only one of the versions has."""

    external_id: str
    verdict: str
    text: str


@dataclass(frozen=True, slots=True)
class Difference:
    """Two versions of a golden set, held against each other; every list in the order of ids."""

    added: tuple[Entry, ...]
    removed: tuple[Entry, ...]
    changed: tuple[Change, ...]
    same: int

    @property
    def verdicts_changed(self) -> int:
        return sum(change.before != change.after for change in self.changed)


def diff_golden(before: GoldenSet, after: GoldenSet) -> Difference:
    """Compare two versions item by item."""
    old = {row.external_id: row for row in before.items.all()}
    new = {row.external_id: row for row in after.items.all()}
    changed = []
    for name in sorted(old.keys() & new.keys()):
        one, two = old[name].item, new[name].item
        if one != two:
            what = tuple(word for key, word in _WORDS.items() if one.get(key) != two.get(key))
            changed.append(Change(name, old[name].verdict, new[name].verdict, str(two["text"]), what))
    return Difference(
        added=tuple(
            Entry(name, new[name].verdict, str(new[name].item["text"])) for name in sorted(new.keys() - old.keys())
        ),
        removed=tuple(
            Entry(name, old[name].verdict, str(old[name].item["text"])) for name in sorted(old.keys() - new.keys())
        ),
        changed=tuple(changed),
        same=len(old.keys() & new.keys()) - len(changed),
    )
