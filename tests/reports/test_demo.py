"""`make demo` from an empty folder: what it prints, what it serves, and that nothing stays behind."""

import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django.fixtures import Settings

from judges.entailment.loading import extra_installed
from judges.services.extraction_figures import extractor_figures
from judges.services.extraction_lists import to_review
from labelling.models import Claim, Label, Project, Slot
from reports.demo.processes import DidNotStartError, Processes, free_port
from reports.demo.seed import ACCOUNTS, SLUG, seed_demo
from reports.services.releases import releases_of

ROOT = Path(__file__).resolve().parents[2]


def start_demo(var: Path, *arguments: str) -> subprocess.Popen[str]:
    """The demo on its own state, on the embedded default whatever the suite runs on."""
    environment = {k: v for k, v in os.environ.items() if k not in ("DATABASE_URL", "CELERY_BROKER_URL")}
    return subprocess.Popen(
        [sys.executable, "manage.py", "demo", *arguments],
        cwd=ROOT,
        env=environment
        | {"TOUCHSTONE_DEMO": "1", "TOUCHSTONE_VAR": str(var), "DJANGO_SETTINGS_MODULE": "config.settings"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def read_until(process: subprocess.Popen[str], text: str) -> str:
    assert process.stdout is not None
    seen = ""
    for line in process.stdout:
        seen += line
        if text in line:
            return seen
    pytest.fail(f"the demo ended without {text!r}:\n{seen}")


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def test_demo_judges_compares_exports_serves_and_leaves_nothing_behind(tmp_path: Path) -> None:
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        taken = busy.getsockname()[1]
        demo = start_demo(tmp_path, "--port", str(taken))
        seen = read_until(demo, "Ctrl-C stops everything")

    assert f"port {taken} is busy; taking " in seen
    for judge in ("quotes", "specifics", "citations", "lexical", "overnight-llm"):
        assert re.search(rf"^{judge} v1 ", seen, re.MULTILINE), judge
    assert ("make demo-nli" in seen) is not extra_installed(), "what is missing is said in a line"
    assert "People" in seen
    assert re.search(r"^Claim extraction: \d+ proposed; .* added by a person \(10 answers\)$", seen, re.MULTILINE)
    assert "the demo project is made and judged" in seen
    golden = re.search(r"golden set +(\S+)", seen)
    assert golden is not None
    assert Path(golden[1]).is_file()
    for account in ACCOUNTS:
        assert re.search(rf"sign in as +{account.name} +password +{account.password}", seen)

    address = re.search(r"open +http://127\.0\.0\.1:(\d+)/", seen)
    assert address is not None
    port = int(address[1])
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/sign-in/") as page:
        assert page.status == 200

    demo.send_signal(signal.SIGINT)
    rest, _ = demo.communicate(timeout=30)
    assert "stopped" in rest
    assert not listens(port)

    again = start_demo(tmp_path, "--no-serve")
    second, _ = again.communicate(timeout=60)
    assert again.returncode == 0, second
    assert "as you left it" in second
    assert "golden/demo-v1.jsonl" in second


@pytest.mark.django_db
def test_answers_without_claims_are_reviewed_but_for_three_that_a_visitor_may_try() -> None:
    seed_demo()
    project = Project.objects.get(slug=SLUG)
    assert to_review(project).count() == 3
    (figures,) = extractor_figures(project)
    counts = figures.counts
    assert (figures.answers, figures.empty) == (10, 2)
    assert all((counts.kept, counts.edited, counts.split, counts.merged, counts.dropped, counts.added))
    reviewed = Claim.objects.filter(answer__in=[draft.answer_id for draft in to_review(project)])
    assert not reviewed.exists()
    made = Claim.objects.filter(project=project, meta__has_key="extractor")
    assert made.count() == counts.made
    assert not Label.objects.filter(claim__in=made).exists(), "they enter no figure of people or judges"


@pytest.mark.django_db
def test_demo_is_refused_where_passwords_must_be_secret(settings: Settings) -> None:
    settings.DEMO = False
    with pytest.raises(CommandError, match="known passwords"):
        call_command("demo", "--no-serve")


def test_a_process_that_ends_by_itself_is_reported_with_the_end_of_its_log(tmp_path: Path) -> None:
    with Processes(tmp_path) as processes:
        processes.start("broken", ["no_such_module_here"])
        with pytest.raises(DidNotStartError, match=r"(?s)broken ended with exit code 1.*no_such_module_here"):
            processes.wait_for_port("127.0.0.1", free_port(20_000))


def test_leaving_stops_every_process(tmp_path: Path) -> None:
    with Processes(tmp_path) as processes:
        port = free_port(20_100)
        processes.start("web", ["http.server", str(port), "--bind", "127.0.0.1"])
        processes.wait_for_port("127.0.0.1", port)
        child = processes.running["web"]
    assert child.poll() is not None
    assert not listens(port)


@pytest.mark.django_db
def test_a_visitor_of_the_demo_is_nobody_whose_labels_came_with_it() -> None:
    assert seed_demo()
    project = Project.objects.get(slug=SLUG)
    assert project.illustrative
    for account in ACCOUNTS:
        member = project.memberships.get(user__username=account.name)
        assert member.role == account.role
        assert not member.labels.exists()
    assert project.memberships.filter(user=None, labels__isnull=False).distinct().count() == 3
    assert project.slots.filter(state=Slot.State.OPEN).exists()
    assert not seed_demo(), "a second start makes nothing new"


@pytest.mark.django_db
def test_every_release_of_the_demo_has_answers_before_and_after_it() -> None:
    seed_demo()
    project = Project.objects.get(slug=SLUG)
    releases = list(releases_of(project))
    assert len(releases) == 3
    for release in releases:
        answers = project.answers.filter(system=release.system)
        assert answers.filter(created__lt=release.at).exists(), release
        assert answers.filter(created__gte=release.at).exists(), release
