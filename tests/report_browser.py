"""Say on a line of its own whether the browser tests will run; with REQUIRE_BROWSER=1 their absence is a failure."""

import os
import shutil
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find_chromium() -> str | None:
    """The path of a Chromium on this machine, CHROMIUM_PATH first."""
    given = os.environ.get("CHROMIUM_PATH")
    return given or next((path for name in NAMES if (path := shutil.which(name))), None)


def required() -> bool:
    return os.environ.get("REQUIRE_BROWSER") == "1"


def main() -> int:
    path = find_chromium()
    if path:
        print(f"browser tests: run with {path}")
        return 0
    print(
        "browser tests: NOT RUN, no Chromium was found (looked for " + ", ".join(NAMES) + "; CHROMIUM_PATH names one)"
    )
    return 1 if required() else 0


if __name__ == "__main__":
    sys.exit(main())
