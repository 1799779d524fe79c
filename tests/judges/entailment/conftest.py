"""The tiny model, trained once a session, and the word on whether tests that need the extra run."""

import os
from contextlib import suppress
from pathlib import Path

import pytest

from judges.entailment.loading import MISSING, extra_installed
from tests.report_nli import required


@pytest.fixture(scope="session")
def nli_extra() -> None:
    """Skip a test where torch or transformers is missing; with REQUIRE_NLI=1 that is a failure."""
    if extra_installed():
        import torch

        torch.set_num_threads(1)  # the tests share the machine with others, and the model is tiny
        return
    if required():
        pytest.fail(f"REQUIRE_NLI=1, but {MISSING}")
    pytest.skip(f"NOT RUN: {MISSING}")


@pytest.fixture(scope="session")
def tiny_model(nli_extra: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a real three-way entailment model, trained once for all the workers of a parallel run."""
    from tests.judges.entailment.tiny import train_tiny

    base = tmp_path_factory.getbasetemp()
    shared = (base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base) / "tiny-nli"
    if not shared.exists():
        trained = train_tiny(tmp_path_factory.mktemp("training"))
        # Complete when it appears; another worker may have been faster.
        with suppress(OSError):
            trained.rename(shared)
    return shared
