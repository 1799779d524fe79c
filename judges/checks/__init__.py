"""Judges without a model: they prove that something is missing, or have no opinion."""

from typing import Any

from judges.checks.citations import CITATIONS
from judges.checks.quotes import QUOTES
from judges.checks.specifics import SPECIFICS
from judges.protocol import JudgeType

JUDGE_TYPES: tuple[JudgeType[Any], ...] = (QUOTES, SPECIFICS, CITATIONS)
