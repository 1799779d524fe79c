from judges.models.judges import Judge, JudgeVersion
from judges.models.runs import Chunk, Judgement, Run

__all__ = ["Chunk", "Judge", "JudgeVersion", "Judgement", "Run"]
