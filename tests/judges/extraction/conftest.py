from tests.judges.claude.conftest import api

__all__ = ["api"]
