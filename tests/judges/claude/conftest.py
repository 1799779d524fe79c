from collections.abc import Iterator

import pytest
from pytest_django.fixtures import Settings

from tests.judges.claude.factories import KEY
from tests.judges.fake_messages_api import FakeMessagesApi, fake_messages_api

pytest.importorskip("anthropic", reason='the extra "claude" is not installed')


@pytest.fixture
def api(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeMessagesApi]:
    """A server in the place of the real one, and a key that must show up nowhere."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    with fake_messages_api() as found:
        settings.ANTHROPIC_BASE_URL = found.url
        settings.JUDGE_CALL_SECONDS = 1.5
        settings.JUDGE_CALL_ATTEMPTS = 3
        settings.JUDGE_CALL_FIRST_WAIT = 0.01
        settings.JUDGE_CALL_LONGEST_WAIT = 0.1
        settings.JUDGE_BATCH_POLL_SECONDS = 0.01
        yield found
