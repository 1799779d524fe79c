r"""Patterns that people write, in a subset of regular expressions that cannot be made to take long.

Allowed: literals, ``.``, ``[…]`` and ``[^…]``, the classes ``\d \w \s`` and their opposites, ``\b``, ``^`` and ``$``, groups,
``|``, ``?`` and ``{m,n}``. Not allowed: ``*``, ``+`` and open ``{m,}``, back-references, look-around, flags. Without an open
repeat a pattern has a longest match and a countable number of ways to try one place; both are bounded here, so the time is
linear in the length of the text, with a small constant.
"""

import re
from typing import NamedTuple

MOST_WAYS, MOST_STEPS = 500, 500
"""How many ways there may be to try a pattern at one place of a text, and how many characters it may match."""

_LONGEST_PATTERN, _MOST_REPEATS, _DEEPEST = 500, 200, 10
_REPEAT = re.compile(r"\{([0-9]{1,3})(?:,([0-9]{1,3}))?\}")
_CLASS_ESCAPES = frozenset("dDwWsS")
_EDGES = frozenset("bB")


class PatternError(ValueError):
    """A pattern outside the subset; the message says what was found, where, and what to write."""


class _Piece(NamedTuple):
    """Part of a pattern: how many ways there are to try it, and the most steps that one of them takes."""

    ways: int
    steps: int


def compile_pattern(pattern: str) -> re.Pattern[str]:
    """Compile a pattern of the subset; letter case does not count.

    Raises
    ------
    PatternError
        For anything outside the subset, and for more than :data:`MOST_WAYS` ways at one place.
    """
    if len(pattern) > _LONGEST_PATTERN:
        msg = f"has {len(pattern)} characters; expected at most {_LONGEST_PATTERN}"
        raise PatternError(msg)
    reader = _Reader(pattern)
    whole = reader.read_choice(0)
    if reader.place < len(pattern):
        raise reader.error("an unmatched ')'", "'\\)' for the character itself")
    if whole.ways > MOST_WAYS:
        msg = f"can be tried in {whole.ways:,} ways at one place; expected at most {MOST_WAYS:,}: use narrower repeats"
        raise PatternError(msg)
    if whole.steps > MOST_STEPS:
        msg = f"can match {whole.steps:,} characters; expected at most {MOST_STEPS:,}: use narrower repeats"
        raise PatternError(msg)
    try:
        compiled = re.compile(pattern, re.IGNORECASE)
    except re.error as error:
        raise PatternError(str(error)) from None
    if compiled.match("") is not None:
        msg = "matches the empty text; expected a pattern that needs at least one character"
        raise PatternError(msg)
    return compiled


class _Reader:
    """A cursor over a pattern."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.place = 0

    def error(self, found: str, expected: str) -> PatternError:
        return PatternError(f"has {found} at character {self.place + 1}; expected {expected}")

    def _peek(self, length: int = 1) -> str:
        return self.pattern[self.place : self.place + length]

    def read_choice(self, depth: int) -> _Piece:
        if depth > _DEEPEST:
            raise self.error("groups inside groups", f"at most {_DEEPEST} levels")
        ways, steps = 0, 0
        while True:
            branch = self._read_sequence(depth)
            ways, steps = ways + branch.ways, max(steps, branch.steps)
            if self._peek() != "|":
                return _Piece(ways, steps)
            self.place += 1

    def _read_sequence(self, depth: int) -> _Piece:
        ways, steps = 1, 0
        while self._peek() not in ("", "|", ")"):
            piece = self._read_repeated(depth)
            ways, steps = ways * piece.ways, steps + piece.steps
            if ways > 10**9:
                msg = f"can be tried in more than {MOST_WAYS:,} ways at one place; expected fewer: use narrower repeats"
                raise PatternError(msg)
        return _Piece(ways, steps)

    def _read_repeated(self, depth: int) -> _Piece:
        atom = self._read_atom(depth)
        mark = self._peek()
        if mark in ("*", "+"):
            low = 0 if mark == "*" else 1
            raise self.error(f"the open repeat '{mark}'", f"a closed one such as '{{{low},30}}'")
        if mark == "?":
            self.place += 1
            low, high = 0, 1
        elif mark == "{":
            low, high = self._read_bounds()
        else:
            return atom
        if self._peek() in ("?", "*", "+", "{"):
            raise self.error("a repeat of a repeat", "one repeat for each part")
        # With n parts of w ways each there are w to the n ways to try them.
        ways = sum(atom.ways**count for count in range(low, high + 1)) if atom.ways > 1 else high - low + 1
        return _Piece(ways, atom.steps * high)

    def _read_bounds(self) -> tuple[int, int]:
        bounds = _REPEAT.match(self.pattern, self.place)
        if bounds is None:
            raise self.error("a '{' that is no closed repeat", "'{m,n}', or '\\{' for the character itself")
        low, high = int(bounds[1]), int(bounds[2] or bounds[1])
        if not low <= high <= _MOST_REPEATS or high == 0:
            raise self.error(f"the repeat '{bounds[0]}'", f"bounds in order, from 1 to {_MOST_REPEATS}")
        self.place = bounds.end()
        return low, high

    def _read_atom(self, depth: int) -> _Piece:
        mark = self._peek()
        if mark == "(":
            return self._read_group(depth)
        if mark == "[":
            return self._read_set()
        if mark == "\\":
            return self._read_escape()
        if mark in "*+?{":
            raise self.error(f"'{mark}' with nothing before it", f"'\\{mark}' for the character itself")
        self.place += 1
        return _Piece(1, 0 if mark in "^$" else 1)

    def _read_group(self, depth: int) -> _Piece:
        self.place += 1
        if self._peek(2) == "?:":
            self.place += 2
        elif self._peek() == "?":
            raise self.error("a special group '(?'", "'(…)' or '(?:…)'")
        inner = self.read_choice(depth + 1)
        if self._peek() != ")":
            raise self.error("a group without its end", "')'")
        self.place += 1
        return inner

    def _read_escape(self) -> _Piece:
        letter = self.pattern[self.place + 1 : self.place + 2]
        if not letter or (letter.isalnum() and letter not in _CLASS_ESCAPES | _EDGES):
            raise self.error(f"the escape '\\{letter}'", "one of \\d \\w \\s \\b, their capitals, or an escaped sign")
        self.place += 2
        return _Piece(1, 0 if letter in _EDGES else 1)

    def _read_set(self) -> _Piece:
        begun = self.place
        self.place += 1
        if self._peek() == "^":
            self.place += 1
        if self._peek() == "]":
            self.place += 1
        while self._peek() != "]":
            if not self._peek():
                self.place = begun
                raise self.error("a '[' without its end", "']'")
            if self._peek() == "[":
                raise self.error("a '[' inside a set", "'\\['")
            self.place += 2 if self._peek() == "\\" else 1
        self.place += 1
        return _Piece(1, 1)
