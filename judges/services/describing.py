"""A version's settings in words, and what two versions have in common and what not."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from judges.entry_lines import written_entries
from judges.models import JudgeVersion
from judges.protocol import JudgeType
from judges.services.stage_words import NO_STAGES, Known, combined_words, known_stages

_LONG = 120


@dataclass(frozen=True, slots=True)
class SettingValue:
    """One setting of a version: its key, what it is called, and its value as people read it."""

    key: str
    label: str
    text: str

    @property
    def long(self) -> bool:
        """Whether it wants a place of its own."""
        return "\n" in self.text or len(self.text) > _LONG


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a text that was changed: ``kept``, ``deleted`` or ``inserted``."""

    change: str
    text: str


@dataclass(frozen=True, slots=True)
class SettingPair:
    """One setting in two versions; where a long text differs, line by line."""

    label: str
    before: str
    after: str
    lines: tuple[Line, ...] = ()

    @property
    def differs(self) -> bool:
        return self.before != self.after

    @property
    def long(self) -> bool:
        return any("\n" in text or len(text) > _LONG for text in (self.before, self.after))


def setting_values(
    kind: JudgeType[Any] | None, config: Mapping[str, object], stages: Known = NO_STAGES
) -> list[SettingValue]:
    """Every setting in the order of its type, and after them by name what the type does not list.

    The order of the stored keys says nothing: a database may keep them in one of its own. Judges that it is made of are
    named by the versions given for them.
    """
    said = kind.settings if kind else {}
    listed = dict.fromkeys((*said, *(kind.default_config() if kind else ())))
    keys = [*(key for key in listed if key in config), *sorted(config.keys() - listed.keys())]
    words = combined_words(config, stages)
    return [
        SettingValue(
            key,
            said[key].label if key in said else _plain_label(key),
            words[key] if key in words else _text(kind, key, config[key]),
        )
        for key in keys
        if not (words and key == "coefficients")  # they stand with the members that they are of
    ]


def setting_pairs(kind: JudgeType[Any] | None, before: JudgeVersion, after: JudgeVersion) -> list[SettingPair]:
    """Every setting of either version, those that differ first."""
    stages = known_stages(before.judge.project, (before.config, after.config))
    old = {one.key: one for one in setting_values(kind, before.config, stages)}
    new = {one.key: one for one in setting_values(kind, after.config, stages)}
    pairs = [_pair((new.get(key) or old[key]).label, old.get(key), new.get(key)) for key in {**old, **new}]
    pairs.append(SettingPair("Policy", before.get_policy_display(), after.get_policy_display()))
    return sorted(pairs, key=lambda pair: not pair.differs)


def _pair(label: str, old: SettingValue | None, new: SettingValue | None) -> SettingPair:
    before, after = (one.text if one else "not a setting then" for one in (old, new))
    long = any(one is not None and one.long for one in (old, new))
    lines = line_changes(before, after) if long and before != after else ()
    return SettingPair(label, before, after, tuple(lines))


def line_changes(before: str, after: str) -> list[Line]:
    """The lines of both texts in one order, each kept, deleted or inserted."""
    old, new = before.splitlines(), after.splitlines()
    changes: list[Line] = []
    for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            changes += [Line("kept", text) for text in old[a:b]]
        else:
            changes += [Line("deleted", text) for text in old[a:b]]
            changes += [Line("inserted", text) for text in new[c:d]]
    return changes


def _text(kind: JudgeType[Any] | None, key: str, value: object) -> str:
    said = kind.settings.get(key) if kind else None
    if said is not None and said.choices is not None and not said.others:
        words = dict(said.choices())
        if isinstance(value, list | tuple):
            return ", ".join(words.get(str(one), str(one)) for one in value) or "none"
        return words.get(str(value), str(value))
    if said is not None and said.written == "entries" and isinstance(value, list | tuple):
        return written_entries(value, said.entries) or "none"
    return _plain(value)


def _plain(value: object) -> str:
    if value is None or value == "":
        return "–"
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, int):
        return f"{value:,}"
    if (
        isinstance(value, Sequence)
        and not isinstance(value, str)
        and all(isinstance(one, int | float | str) for one in value)
    ):
        return ", ".join(str(one) for one in value) or "none"
    if isinstance(value, list | tuple | Mapping):
        return json.dumps(value, ensure_ascii=False, indent=1)
    return str(value)


def _plain_label(key: str) -> str:
    return "Policy in words" if key == "wording" else key.replace("_", " ").capitalize()
