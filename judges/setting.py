"""How the settings of a judge type are put to a person, and what it needs of the machine that it runs on.

Words only: what a setting may be is for the parser of its type to say, and nothing here can change a verdict.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from judges.entry_lines import Keys

Choices = Callable[[], Sequence[tuple[str, str]]]
_NO_VARIABLES: Mapping[str, str] = MappingProxyType({})
_NO_ENTRIES: Keys = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One setting in words.

    Attributes
    ----------
    label, help : str
        What it is called, and what it does.
    group : str
        The heading under which it stands, with those before and after it that name the same one.
    choices : callable or None
        Gives the values that there are to choose from, each with words; looked up when a form is shown.
    others : bool
        Whether the choices are those known here, and any other value may be given too.
    low, high : float or None
        The range of a number. With one of them a setting whose default is none is a number that may be left open.
    written : str
        Of a text or a list how it is written: ``long`` text, ``lines`` of texts, whole ``numbers`` between commas, an
        ``amount`` that is a number or a share such as ``2%``, ``entries`` as `judges.entry_lines` reads them; empty for what
        fits its default.
    entries : mapping
        The parts of an entry and how each is written, where it is written so.
    variables : mapping
        What a long text may name in braces, each with what stands there in the end.
    """

    label: str
    help: str = ""
    group: str = ""
    choices: Choices | None = None
    others: bool = False
    low: float | None = None
    high: float | None = None
    written: Literal["", "long", "lines", "numbers", "amount", "entries"] = ""
    entries: Keys = field(default_factory=lambda: _NO_ENTRIES)
    variables: Mapping[str, str] = field(default_factory=lambda: _NO_VARIABLES)


@dataclass(frozen=True, slots=True)
class Need:
    """Something that a judge needs where it runs.

    Attributes
    ----------
    name : str
        What it is called: an extra, a variable of the environment, a model. Never what the variable holds.
    there : bool
        Whether this process has it.
    note : str
        One line: what to do where it is absent, or what follows.
    required : bool
        Whether the judge cannot be without it.
    """

    name: str
    there: bool
    note: str
    required: bool = True


def worded(*choices: tuple[str, str]) -> Choices:
    """Choices that are the same wherever they are shown."""
    return lambda: choices
