"""A file from the upload to the first label, in a real browser with a real worker."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from labelling.models import Adjudication, Claim, Membership, Project, Role, Slot
from reports.models import ImportJob
from reports.services.upload_files import ProgressFile
from reports.services.uploads import run_upload
from tests.browser.conftest import Axe, SignIn
from tests.factories import make_member, make_project
from tests.judges.workers import Workers

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SOURCE = "Der Laden hat von neun bis achtzehn Uhr geöffnet, außer sonntags."
FOREIGN = (
    "Aussage;Beleg;Urteil;Bemerkung\r\n"
    f"Um zehn Uhr ist geöffnet.;{SOURCE};belegt;=1+1\r\n"
    f"Sonntags ist geöffnet.;{SOURCE};widerlegt;\r\n"
    f"Am Samstag kostet es mehr.;{SOURCE};fehlt;„so“\r\n"
)
BAD = (
    "claim,source_text,kind,severity,start\nfine,The shop is open.,figure,minor,\n"
    "odd,The shop is open.,<b>dates</b>,huge,-4\n,The shop is open.,figure,minor,\n"
)


@pytest.fixture
def workers(transactional_db: None, tmp_path: Path) -> Iterator[Workers]:
    made = Workers(tmp_path)
    yield made
    made.end()


def an_engineer(project: Project) -> Membership:
    return make_member(project, Role.ENGINEER)


def signed_in_page(page: Page, signed_in: SignIn, member: Membership) -> Page:
    assert member.user is not None
    return signed_in(page, member.user)


def work() -> None:
    """What a worker does with the one job."""
    run_upload(ImportJob.objects.get().pk)


def upload(page: Page, content: str | bytes, name: str = "claims.csv") -> None:
    page.goto("/p/returns/import/")
    data = content.encode() if isinstance(content, str) else content
    page.get_by_label("File").set_input_files({"name": name, "mimeType": "text/csv", "buffer": data})
    page.get_by_role("button", name="Upload").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)


def test_a_table_with_foreign_headers_leads_to_the_first_label(
    page: Page, contexts: Callable[..., BrowserContext], signed_in: SignIn, axe: Axe, workers: Workers
) -> None:
    project = make_project(slug="returns", overlap=2)
    workers.start()
    signed_in_page(page, signed_in, an_engineer(project))
    upload(page, FOREIGN)
    columns = page.get_by_role("region", name="Columns with their first cells")
    for cell in ("Um zehn Uhr ist geöffnet.", "Sonntags ist geöffnet.", "=1+1", "„so“"):
        expect(columns.get_by_role("cell", name=cell, exact=True)).to_be_visible()
    page.get_by_label("Aussage", exact=True).select_option("claim")
    page.get_by_label("Beleg", exact=True).select_option("source_text")
    page.get_by_label("Urteil", exact=True).select_option("adjudication")
    page.get_by_role("button", name="Look again").click()
    expect(page.get_by_label("Aussage", exact=True)).to_have_value("claim")
    page.get_by_label("belegt", exact=True).select_option("stated")
    page.get_by_label("widerlegt", exact=True).select_option("contradicted")
    page.get_by_label("fehlt", exact=True).select_option("absent")
    assert axe(page) == []

    page.get_by_role("button", name="Check").click()
    expect(page.get_by_text("Nothing is wrong")).to_be_visible(timeout=40_000)
    expect(page.get_by_text("claim: 3 added")).to_be_visible()
    assert not Claim.objects.exists()
    expect(page.get_by_label("fehlt", exact=True)).to_have_value("absent")

    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_text("Imported.", exact=True)).to_be_visible(timeout=40_000)
    expect(page.locator("#import-progress")).not_to_have_attribute("hx-trigger", "every 1s")
    assert axe(page) == []
    verdicts = Adjudication.objects.order_by("claim").values_list("verdict", flat=True)
    assert list(verdicts) == ["stated", "contradicted", "absent"]
    assert Slot.objects.filter(project=project, state="open").count() == 6

    other = signed_in_page(contexts().new_page(), signed_in, make_member(project))
    other.goto("/p/returns/label/")
    expect(other.get_by_text("Um zehn Uhr ist geöffnet.").or_(other.get_by_text("ist geöffnet.")).first).to_be_visible()
    expect(other.get_by_text("außer sonntags").first).to_be_visible()


def test_every_fault_of_a_bad_file_is_listed_and_the_good_lines_can_be_taken(
    page: Page, signed_in: SignIn, axe: Axe, transactional_db: None
) -> None:
    project = make_project(slug="returns")
    signed_in_page(page, signed_in, an_engineer(project))
    upload(page, BAD)
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_text("Waiting for a worker")).to_be_visible()
    work()
    expect(page.get_by_role("alert")).to_contain_text("Nothing was changed")
    rows = page.get_by_role("region", name="Problems").locator("tbody tr")
    expect(rows.locator("td:first-child")).to_have_text(["line 3", "line 3", "line 3", "line 4"])
    expect(rows.locator("td:nth-child(2)")).to_have_text(["kind", "severity", "citation.start", "claim"])
    expect(page.get_by_role("region", name="Problems")).to_contain_text("<b>dates</b>")
    assert axe(page) == []
    assert not Claim.objects.exists()

    page.get_by_label("Import the good lines").check()
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_text("Waiting for a worker")).to_be_visible()
    work()
    expect(page.get_by_text("2 lines left out")).to_be_visible()
    with page.expect_download() as left_out:
        page.get_by_role("link", name="download them").click()
    assert left_out.value.suggested_filename == "rejects.jsonl"
    assert len(Path(left_out.value.path()).read_text().splitlines()) == 2
    assert list(Claim.objects.values_list("text", flat=True)) == ["fine"]


def test_without_scripts_a_file_is_uploaded_checked_and_imported(
    contexts: Callable[..., BrowserContext], signed_in: SignIn, transactional_db: None
) -> None:
    project = make_project(slug="returns")
    page = contexts(java_script_enabled=False).new_page()
    signed_in_page(page, signed_in, an_engineer(project))
    upload(page, "claim,source_text\nIt is open.,The shop is open.\n")
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_text("Waiting for a worker")).to_be_visible()
    work()
    page.reload()
    expect(page.get_by_text("Imported.", exact=True)).to_be_visible()


@pytest.mark.parametrize(("width", "scheme"), [(320, "dark"), (1360, "light")])
def test_pages_have_no_serious_fault_and_fit(
    contexts: Callable[..., BrowserContext],
    signed_in: SignIn,
    axe: Axe,
    transactional_db: None,
    scheme: str,
    width: int,
) -> None:
    project = make_project(slug="returns")
    page = contexts(viewport={"width": width, "height": 860}, color_scheme=scheme).new_page()
    signed_in_page(page, signed_in, an_engineer(project))
    wide = ",".join(["claim", "source_text", "verdict", *(f"a_rather_long_column_name_{n}" for n in range(12))])
    row = ",".join(["x" * 300, "The shop is open. " * 40, "entails", *(["cell"] * 12)])
    upload(page, f"{wide}\n{row}\n", name="a-rather-long-name-without-any-space-in-it-" + "x" * 80 + ".csv")
    job = ImportJob.objects.get()
    looked_at = []

    def look(what: str) -> None:
        looked_at.append(what)
        assert axe(page) == [], what
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), what

    look("preview")
    for state in ImportJob.State:
        page.goto("about:blank")  # a page that watches its job would reload by itself, into the next call
        ImportJob.objects.update(state=state, report={})
        if state == ImportJob.State.RUNNING:
            ProgressFile(job)(123_456, 0.4)
        page.goto(f"/p/returns/import/{job.token}/")
        look(state)
    problem = {"unit": "line", "line": 7, "key": "kind", "found": "y" * 60, "expected": "one of figure, date, name"}
    report = {"problems": [problem] * 30, "problems_total": 230}
    ImportJob.objects.update(state=ImportJob.State.FAILED, report=report)
    page.goto(f"/p/returns/import/{job.token}/")
    look("problems")
    page.goto("/p/returns/import/")
    look("list")
    page.get_by_role("button", name="Upload").click()
    look("upload without a file")
