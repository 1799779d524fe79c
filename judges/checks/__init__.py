"""Judges without a model: they prove that something is missing, or have no opinion."""

from typing import Any

from judges.checks.arithmetic import ARITHMETIC
from judges.checks.canon import CANON
from judges.checks.citations import CITATIONS
from judges.checks.prohibited import PROHIBITED
from judges.checks.quotes import QUOTES
from judges.checks.record import RECORD
from judges.checks.specifics import SPECIFICS
from judges.protocol import JudgeType

JUDGE_TYPES: tuple[JudgeType[Any], ...] = (QUOTES, SPECIFICS, CITATIONS, CANON, RECORD, ARITHMETIC, PROHIBITED)
