"""`make test` says on a line of its own what this machine cannot run, and fails where that was required."""

import shutil

import pytest

from tests import report_browser, report_nli


@pytest.fixture
def _bare_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CHROMIUM_PATH", "REQUIRE_BROWSER", "REQUIRE_NLI"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(shutil, "which", lambda _: None)
    monkeypatch.setattr(report_nli, "extra_installed", lambda: False)


@pytest.mark.usefixtures("_bare_machine")
def test_absence_of_a_browser_is_a_line_and_fails_only_where_one_is_required(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert report_browser.main() == 0
    assert "NOT RUN" in capsys.readouterr().out
    monkeypatch.setenv("REQUIRE_BROWSER", "1")
    assert report_browser.main() == 1


@pytest.mark.usefixtures("_bare_machine")
def test_a_browser_that_is_named_is_the_one_that_is_used(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHROMIUM_PATH", "/opt/chromium")
    assert report_browser.main() == 0
    assert capsys.readouterr().out.strip() == "browser tests: run with /opt/chromium"


@pytest.mark.usefixtures("_bare_machine")
def test_absence_of_the_entailment_extra_is_a_line_and_fails_only_where_it_is_required(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert report_nli.main() == 0
    assert "NOT RUN" in capsys.readouterr().out
    monkeypatch.setenv("REQUIRE_NLI", "1")
    assert report_nli.main() == 1
