"""Say on a line of its own whether the tests of the entailment model will run; REQUIRE_NLI=1 makes their absence a failure."""

import os
import sys

from judges.entailment.loading import MISSING, extra_installed


def required() -> bool:
    return os.environ.get("REQUIRE_NLI") == "1"


def main() -> int:
    if extra_installed():
        print("entailment tests: run")
        return 0
    print(f"entailment tests: NOT RUN where they need a model, {MISSING}")
    return 1 if required() else 0


if __name__ == "__main__":
    sys.exit(main())
