from judges.models.drafts import AnswerDraft, DraftRevision, ExtractionJob
from judges.models.extraction import Extraction
from judges.models.intents import Intent
from judges.models.judges import Judge, JudgeVersion
from judges.models.runs import Chunk, Judgement, Run

__all__ = [
    "AnswerDraft",
    "Chunk",
    "DraftRevision",
    "Extraction",
    "ExtractionJob",
    "Intent",
    "Judge",
    "JudgeVersion",
    "Judgement",
    "Run",
]
