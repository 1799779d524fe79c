"""The extractors that there are, by name, made from plain data."""

import os
from collections.abc import Mapping
from dataclasses import asdict

from judges.claude.client import (
    KEY,
    MISSING_EXTRA,
    MISSING_KEY,
    MissingExtraError,
    MissingKeyError,
    extra_installed,
)
from judges.claude.config import parse_config
from judges.extraction import claude, rules
from judges.extraction.claude import ClaudeExtractor, ClaudeExtractorConfig
from judges.extraction.protocol import Extractor
from judges.extraction.rules import RulesExtractor
from judges.protocol import reject_unknown_keys

NAMES = (rules.NAME, claude.NAME)


class ExtractorUnavailableError(Exception):
    """An extractor cannot work in this process; the message says why and what to do."""


def complete_config(name: str, data: Mapping[str, object]) -> dict[str, object]:
    """The configuration as plain values with every default filled in.

    Raises
    ------
    ValueError
        Naming the extractor or the key, what was found and what was expected.
    """
    if name == rules.NAME:
        reject_unknown_keys(data, known=())
        return {}
    if name == claude.NAME:
        reject_unknown_keys(data, known=("model",))
        return asdict(ClaudeExtractorConfig(model=parse_config(data).model))
    msg = f"extractor is {name!r}; expected one of {', '.join(NAMES)}"
    raise ValueError(msg)


def build(name: str, config: Mapping[str, object], *, expected: str = "") -> Extractor:
    """The extractor of a complete configuration; with a fingerprint, the very version of it.

    Raises
    ------
    ExtractorUnavailableError
        Where what it needs is not here, or today's code makes another version of it.
    """
    try:
        extractor = RulesExtractor() if name == rules.NAME else ClaudeExtractor(ClaudeExtractorConfig(**config))  # type: ignore[arg-type]  # written by complete_config
    except (MissingExtraError, MissingKeyError) as error:
        raise ExtractorUnavailableError(str(error)) from None
    except TypeError:
        raise ExtractorUnavailableError(f"the settings of {name} are of an earlier version") from None
    if expected and extractor.fingerprint != expected:
        msg = f"the code of the extractor {name} has changed since this was started: start it again"
        raise ExtractorUnavailableError(msg)
    return extractor


def ready_extractors() -> dict[str, tuple[str, str]]:
    """For each extractor what it cannot do, and why it cannot work in this process; empty where it can."""
    lacking = "" if extra_installed() else MISSING_EXTRA
    lacking = lacking or ("" if os.environ.get(KEY, "").strip() else MISSING_KEY)
    return {rules.NAME: (rules.LIMITS, ""), claude.NAME: (claude.LIMITS, lacking)}
