"""Judge types that other packages bring, by the entry point group ``touchstone.judge_types``.

An entry point names a :class:`~judges.protocol.JudgeType` or a tuple of them. One that cannot be used is a fault of its own:
it is logged and shown, and takes no other type with it.
"""

import logging
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from judges.protocol import JudgeType

GROUP = "touchstone.judge_types"
_NAME = re.compile(r"[-a-zA-Z0-9_]{1,50}")
logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Offered:
    """What the installed packages bring.

    Attributes
    ----------
    types : tuple of (package, JudgeType)
        In the order of package and entry point.
    faults : tuple of str
        A sentence for each entry point that brings nothing, naming it and its package.
    """

    types: tuple[tuple[str, JudgeType[Any]], ...]
    faults: tuple[str, ...]


@cache
def offered_types() -> Offered:
    """Load every entry point of the group, once in a process: who installs a package starts its processes anew."""
    types: list[tuple[str, JudgeType[Any]]] = []
    faults: list[str] = []
    for entry_point in sorted(entry_points(group=GROUP), key=lambda one: (_package(one), one.name)):
        try:
            types.extend((_package(entry_point), one) for one in _loaded(entry_point))
        except Exception as error:  # noqa: BLE001  (importing another package's code may raise anything)
            fault = (
                f"entry point {entry_point.name!r} of package {_package(entry_point)!r} brings no judge type: "
                f"{type(error).__name__}: {error}"
            )
            logger.warning(fault)
            faults.append(fault)
    return Offered(tuple(types), tuple(faults))


def _loaded(entry_point: EntryPoint) -> Iterable[JudgeType[Any]]:
    found = entry_point.load()
    listed = found if isinstance(found, tuple) else (found,)
    if not (listed and all(isinstance(one, JudgeType) for one in listed)):
        msg = f"{entry_point.value} is {found!r:.80}; expected a JudgeType or a tuple of them"
        raise TypeError(msg)
    for one in listed:
        if not _NAME.fullmatch(one.name):
            msg = f"its name is {one.name!r:.80}; expected 1 to 50 letters, digits, hyphens and underscores, as it stands in addresses"
            raise ValueError(msg)
    return listed


def _package(entry_point: EntryPoint) -> str:
    return entry_point.dist.name if entry_point.dist is not None else ""
