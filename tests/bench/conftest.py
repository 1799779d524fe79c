from tests.judges.entailment.conftest import nli_extra, tiny_model

__all__ = ["nli_extra", "tiny_model"]
