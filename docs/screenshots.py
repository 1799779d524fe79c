"""The pictures of the README, taken from a demo that this script starts on a state of its own.

Run by `make screenshots`; needs a Chromium (`CHROMIUM_PATH` names one) and writes `docs/images/`.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.report_browser import find_chromium

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "docs" / "images"
PROJECT = "/p/demo"


def main() -> None:
    chromium = find_chromium()
    if chromium is None:
        sys.exit("no Chromium was found; CHROMIUM_PATH names one")
    OUT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as var:
        demo, address, passwords = start_demo(var)
        try:
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(
                    executable_path=chromium,
                    args=["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"],
                )
                for scheme in ("light", "dark"):
                    context = {"color_scheme": scheme, "viewport": {"width": 1360, "height": 860}}
                    page = browser.new_page(**context)  # type: ignore[arg-type]
                    sign_in(page, address, "annotator", passwords)
                    take_label(page, address, scheme)
                    page = browser.new_page(**context)  # type: ignore[arg-type]
                    sign_in(page, address, "owner", passwords)
                    take(page, f"{address}{PROJECT}/compare/", f"compare-{scheme}.png")
                    take(page, f"{address}{PROJECT}/compare/overnight-llm/v1/", f"judge-{scheme}.png")
                    take(page, f"{address}{PROJECT}/adjudicate/", f"adjudicate-{scheme}.png")
                browser.close()
        finally:
            demo.terminate()
            demo.wait()


def start_demo(var: str) -> tuple[subprocess.Popen[str], str, dict[str, str]]:
    """A demo on a state of its own: the process, its address, and the passwords that it prints."""
    demo = subprocess.Popen(
        [sys.executable, "manage.py", "demo", "--port", "8300"],
        cwd=ROOT,
        env=os.environ | {"TOUCHSTONE_DEMO": "1", "TOUCHSTONE_VAR": var},
        stdout=subprocess.PIPE,
        text=True,
    )
    printed = ""
    for line in demo.stdout or ():
        printed += line
        if "Ctrl-C" in line:
            address = re.search(r"open +(http://\S+?)/?\n", printed)
            passwords = dict(re.findall(r"sign in as +(\S+) +password +(\S+)", printed))
            return demo, address[1] if address else "", passwords
    sys.exit(f"the demo did not start:\n{printed}")


def sign_in(page: Page, address: str, name: str, passwords: dict[str, str]) -> None:
    page.goto(f"{address}/sign-in/")
    page.fill("#id_username", name)
    page.fill("#id_password", passwords[name])
    page.click("button.primary")


def take(page: Page, url: str, name: str) -> None:
    page.goto(url)
    page.wait_for_load_state("networkidle")
    page.screenshot(path=str(OUT / name))


def take_label(page: Page, address: str, scheme: str) -> None:
    page.goto(f"{address}{PROJECT}/label/")
    page.wait_for_load_state("networkidle")
    page.keyboard.press("2")
    page.wait_for_timeout(400)
    page.screenshot(path=str(OUT / f"label-{scheme}.png"))


if __name__ == "__main__":
    main()
