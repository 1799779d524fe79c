from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import Client

from judges.services import chunks
from labelling.models import Membership, Project, Role
from tests.factories import make_member, make_project
from tests.judges import sample_types
from tests.judges.packages import SAMPLES, installed
from tests.judges.workers import Workers


@pytest.fixture(autouse=True)
def _sample_types() -> Iterator[None]:
    sample_types.asked.clear()
    sample_types.broken.clear()
    chunks.forget_built()
    with installed(SAMPLES):
        yield
    chunks.forget_built()


@pytest.fixture
def project() -> Project:
    return make_project()


@pytest.fixture
def engineer(project: Project, client: Client) -> Membership:
    """An engineer of the project, signed in."""
    member = make_member(project, Role.ENGINEER)
    assert member.user is not None
    client.force_login(member.user)
    return member


@pytest.fixture
def workers(transactional_db: None, tmp_path: Path) -> Iterator[Workers]:
    """Real workers on the test database; gone before it is emptied."""
    made = Workers(tmp_path)
    yield made
    made.end()
