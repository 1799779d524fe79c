from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

from labelling.models import Claim, Label, Project, Role, Slot
from reports.models import ImportJob
from reports.services.upload_files import ProgressFile, data_path
from reports.services.uploads import run_upload
from tests.factories import make_member, make_project, make_user

TABLE = (
    b"hypothesis,premise,label\r\nIt is open.,The shop is open.,entailment\r\nIt is shut.,The shop is open.,refuted\r\n"
)


@pytest.fixture(autouse=True)
def uploads(settings: Settings, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def engineer_of(project: Project) -> Client:
    user = make_user()
    make_member(project, Role.ENGINEER, user=user)
    return signed_in(user)


def upload(client: Client, project: Project, content: bytes = TABLE, name: str = "claims.csv") -> str:
    response = client.post(f"/p/{project.slug}/import/", {"file": SimpleUploadedFile(name, content)})
    assert response.status_code == 302
    return str(response["Location"])


def work() -> None:
    for job in ImportJob.objects.filter(state=ImportJob.State.QUEUED):
        run_upload(job.pk)


CHOICES = {
    "column-0": "claim",
    "column-1": "source_text",
    "column-2": "adjudication",
    "word-0": "entailment",
    "value-0": "stated",
    "word-1": "refuted",
    "value-1": "contradicted",
}


@pytest.mark.django_db
def test_one_upload_leads_to_claims_that_wait_for_annotators() -> None:
    project = make_project(overlap=2)
    client = engineer_of(project)
    page = upload(client, project)
    shown = client.get(page).content.decode()
    assert "<option selected>claim</option>" in shown
    assert "<option selected>source_text</option>" in shown
    client.post(page, {**CHOICES, "import": "1"})
    work()
    assert Claim.objects.filter(project=project).count() == 2
    assert Slot.objects.filter(project=project, state="open").count() == 4
    assert "Imported." in client.get(page).content.decode()


@pytest.mark.django_db
def test_check_changes_nothing_and_says_what_would_come() -> None:
    project = make_project()
    client = engineer_of(project)
    page = upload(client, project)
    client.post(page, {**CHOICES, "check": "1"})
    work()
    assert not Claim.objects.exists()
    said = client.get(page).content.decode()
    assert "claim: 2 added" in said
    assert 'name="import"' in said


@pytest.mark.django_db
def test_all_problems_are_listed_escaped_with_their_lines() -> None:
    project = make_project()
    client = engineer_of(project)
    page = upload(client, project, b"claim,kind\r\nfine,<script>\r\n,figure\r\nfine too,dates\r\n")
    client.post(page, {"column-0": "claim", "column-1": "kind", "import": "1"})
    work()
    said = client.get(page).content.decode()
    assert "line 2" in said
    assert "line 3" in said
    assert "line 4" in said
    assert "&lt;script&gt;" in said
    assert "<script>'" not in said
    assert not Claim.objects.exists()


@pytest.mark.django_db
def test_pressing_import_twice_imports_once() -> None:
    project = make_project()
    client = engineer_of(project)
    page = upload(client, project)
    for _ in range(2):
        client.post(page, {**CHOICES, "import": "1"})
    work()
    client.post(page, {**CHOICES, "import": "1"})
    assert ImportJob.objects.get().attempt == 1
    assert ImportJob.objects.get().state == ImportJob.State.DONE


@pytest.mark.django_db
def test_client_file_name_is_shown_and_never_a_path() -> None:
    project = make_project()
    client = engineer_of(project)
    page = upload(client, project, name="..%2f..%2fetc<b>.csv")
    job = ImportJob.objects.get()
    assert data_path(job).is_file()
    assert job.token.hex in str(data_path(job))
    assert "etc" not in str(data_path(job))
    assert "etc&lt;b&gt;" in client.get(page).content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("role", [None, Role.ANNOTATOR])
def test_stranger_and_annotator_find_nothing(role: Role | None) -> None:
    project = make_project()
    page = upload(engineer_of(project), project)
    user = make_user()
    if role:
        make_member(project, role, user=user)
    client = signed_in(user)
    for path in (f"/p/{project.slug}/import/", page, f"{page}progress/", f"{page}rejects.jsonl"):
        assert client.get(path).status_code == 404
    assert client.post(page, {"import": "1"}).status_code == 404
    assert ImportJob.objects.get().state == ImportJob.State.UPLOADED


@pytest.mark.django_db
def test_another_projects_upload_is_not_found() -> None:
    project, other = make_project(), make_project()
    page = upload(engineer_of(project), project)
    path = page.replace(project.slug, other.slug)
    assert engineer_of(other).get(path).status_code == 404


@pytest.mark.django_db
def test_upload_without_a_file_is_said_on_the_form() -> None:
    project = make_project()
    response = engineer_of(project).post(f"/p/{project.slug}/import/", {})
    assert response.status_code == 422


@pytest.mark.django_db
def test_fragment_asks_for_itself_only_while_there_is_more_to_come() -> None:
    project = make_project()
    client = engineer_of(project)
    page = upload(client, project)
    client.post(page, {**CHOICES, "import": "1"})
    waiting = client.get(f"{page}progress/", headers={"HX-Request": "true"})
    assert "hx-trigger" in waiting.content.decode()
    assert "HX-Request" in waiting["Vary"]
    work()
    done = client.get(f"{page}progress/", headers={"HX-Request": "true"})
    assert "hx-trigger" not in done.content.decode()


@pytest.mark.django_db
def test_second_delivery_of_a_message_reads_nothing_again() -> None:
    project = make_project()
    client = engineer_of(project)
    page = upload(client, project)
    client.post(page, {**CHOICES, "import": "1"})
    job = ImportJob.objects.get()
    run_upload(job.pk)
    finished = ImportJob.objects.get().finished
    run_upload(job.pk)
    assert ImportJob.objects.get().finished == finished


@pytest.mark.django_db
def test_upload_of_a_dead_worker_is_taken_up_again() -> None:
    project = make_project()
    client = engineer_of(project)
    page = upload(client, project)
    client.post(page, {**CHOICES, "import": "1"})
    long_ago = timezone.now() - timedelta(minutes=5)
    ImportJob.objects.update(state=ImportJob.State.RUNNING, started=long_ago, attempt=1)
    client.get(f"{page}progress/")
    assert ImportJob.objects.get().state == ImportJob.State.QUEUED
    work()
    assert ImportJob.objects.get().state == ImportJob.State.DONE
    assert Claim.objects.count() == 2


@pytest.mark.django_db
def test_rejected_lines_can_be_downloaded() -> None:
    project = make_project()
    client = engineer_of(project)
    page = upload(client, project, b"claim,kind\r\nfine,figure\r\nbad,nonsense\r\n")
    client.post(page, {"column-0": "claim", "column-1": "kind", "skip_bad": "on", "import": "1"})
    work()
    assert Claim.objects.count() == 1
    content = client.get(f"{page}rejects.jsonl").getvalue().decode()
    assert "nonsense" in content
    assert '"line": 3' in content


@pytest.mark.django_db
def test_native_file_needs_no_mapping() -> None:
    project = make_project()
    client = engineer_of(project)
    lines = (
        b'{"type":"answer","id":"a","text":"Open.","claims":[{"text":"It is open.","source_text":"The shop is open."}]}\n'
        b'{"type":"label","claim":"a.1","annotator":"w1","verdict":"stated"}\n'
    )
    page = upload(client, project, lines, "x.jsonl")
    assert "Native lines: 1 answer, 1 label" in client.get(page).content.decode()
    client.post(page, {"import": "1"})
    work()
    assert Label.objects.get().verdict == "stated"


@pytest.mark.django_db
def test_list_asks_as_many_queries_for_many_files_as_for_one(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    project = make_project()
    client = engineer_of(project)
    upload(client, project)
    client.get(f"/p/{project.slug}/import/")
    for _ in range(5):
        upload(client, project)
    with django_assert_num_queries(4):
        client.get(f"/p/{project.slug}/import/")


@pytest.mark.django_db
def test_looking_again_keeps_what_was_chosen_and_reads_nothing() -> None:
    project = make_project()
    client = engineer_of(project)
    page = upload(client, project, b"Aussage,Urteil\r\nOffen.,belegt\r\n")
    assert "Words for verdicts" not in client.get(page).content.decode()
    client.post(page, {"column-0": "claim", "column-1": "adjudication", "look": "1"})
    shown = client.get(page).content.decode()
    assert "Words for verdicts" in shown
    assert "<option selected>adjudication</option>" in shown
    assert ImportJob.objects.get().state == ImportJob.State.UPLOADED
    client.post(page, {"column-0": "claim", "import": "1"})
    client.post(page, {"column-0": "", "look": "1"})
    job = ImportJob.objects.get()
    assert (job.state, job.choices["columns"]["Aussage"]) == (ImportJob.State.QUEUED, "claim")


@pytest.mark.django_db
def test_progress_is_shown_against_the_size_of_the_file() -> None:
    project = make_project()
    client = engineer_of(project)
    page = upload(client, project)
    ImportJob.objects.update(state=ImportJob.State.RUNNING, started=timezone.now(), size=3 * 1024 * 1024)
    ProgressFile(ImportJob.objects.get())(12_345, 0.42)
    said = client.get(f"{page}progress/").content.decode()
    assert '<progress id="import-share" max="100" value="42">' in said
    assert '<label for="import-share">' in said
    assert "12,345 lines read" in said
    assert "42% of 3.0" in said
