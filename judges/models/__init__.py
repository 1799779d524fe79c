from judges.models.extraction import Extraction
from judges.models.intents import Intent
from judges.models.judges import Judge, JudgeVersion
from judges.models.runs import Chunk, Judgement, Run

__all__ = ["Chunk", "Extraction", "Intent", "Judge", "JudgeVersion", "Judgement", "Run"]
