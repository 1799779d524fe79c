"""Claude as a judge, by the official SDK; the SDK is an extra and is imported when a judge is built."""

from typing import Any

from judges.claude.judge import CLAUDE
from judges.protocol import JudgeType

JUDGE_TYPES: tuple[JudgeType[Any], ...] = (CLAUDE,)
