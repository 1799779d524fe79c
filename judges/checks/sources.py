"""A cited source as the checks look into it: folded, with its words, values and names found once."""

from collections.abc import Mapping
from functools import cached_property, lru_cache

from judges.checks.source_names import initialisms, name_runs, plain_words
from judges.checks.values.matching import ValueIndex
from judges.protocol import CitedText
from judges.text.folding import collapse_spaces, fold, fold_styles
from judges.text.words import word_set

# Sources kept ready; a text longer than the limit would fill the memory by itself and is indexed anew.
_KEPT, _LONGEST_KEPT = 1_024, 100_000


class SourceIndex:
    """What the checks ask of one source. Each part is made on first use.

    The title belongs to what the source says, as it does for the people who read it, and so does its
    structured record, written as ``key: value`` lines.
    """

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def folded(self) -> str:
        """The text with case, digits, dashes, quotes and spaces folded; offsets as in ``text``."""
        return fold(self.text)

    @cached_property
    def words(self) -> frozenset[str]:
        """The folded words."""
        return word_set(self.folded)

    @cached_property
    def values(self) -> ValueIndex:
        """Its figures, dates and amounts."""
        return ValueIndex(self.folded, self.words)

    @cached_property
    def collapsed(self) -> str:
        """The text with every run of white space as one space."""
        return collapse_spaces(self.text)

    @cached_property
    def quotable(self) -> str:
        """``collapsed`` with dashes and quotation marks in one style; offsets as in ``collapsed``."""
        return fold_quotation(self.collapsed)

    @cached_property
    def names(self) -> tuple[tuple[str, frozenset[str]], ...]:
        """Its runs of capitalised words, each with its folded words."""
        return name_runs(self.text)

    @cached_property
    def initialisms(self) -> frozenset[str]:
        """The acronyms that its names could have."""
        return initialisms(self.text)

    @cached_property
    def plain_words(self) -> frozenset[str]:
        """Its accented words without accents."""
        return plain_words(self.words)


def fold_quotation(text: str) -> str:
    """Fold dashes, spaces and quotation marks, single and double alike, since nested quotations swap them."""
    return fold_styles(text).replace('"', "'").replace("`", "'")


def index_source(cited: CitedText) -> SourceIndex:
    """Give the index of a cited source, from memory where the same text was asked for before."""
    record = _record_lines(cited.fields) if cited.fields else ""
    if len(cited.text) > _LONGEST_KEPT:
        return SourceIndex(_whole(cited.title, cited.text, record))
    return _kept(cited.title, cited.text, record)


@lru_cache(maxsize=_KEPT)
def _kept(title: str, text: str, record: str) -> SourceIndex:
    return SourceIndex(_whole(title, text, record))


def _whole(title: str, text: str, record: str) -> str:
    return "\n".join(part for part in (title, text, record) if part)


def forget_sources() -> None:
    """Empty the memory of sources."""
    _kept.cache_clear()


def _record_lines(fields: Mapping[str, object], depth: int = 0) -> str:
    lines: list[str] = []
    for key, value in fields.items():
        label = str(key).replace("_", " ")
        if isinstance(value, Mapping) and depth < 5:
            lines.append(f"{label}: {_record_lines(value, depth + 1)}")
        elif isinstance(value, list | tuple):
            lines.append(f"{label}: {', '.join(str(entry) for entry in value)}")
        else:
            lines.append(f"{label}: {value}")
    return "\n".join(lines)
