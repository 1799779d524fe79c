"""`python -m bench.results DATA [MODEL]`: judge every set with every judge and write docs/results.md."""

import argparse
import os
import sys
import tempfile
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.results", description=__doc__)
    parser.add_argument("data", type=Path, help="folder with the sets, NAME.jsonl.gz or NAME.jsonl")
    parser.add_argument("model", type=Path, nargs="?", help="folder of an entailment model in Hugging Face form")
    parser.add_argument(
        "--state", type=Path, help="folder kept for the database, so that an interrupted call can go on"
    )
    parser.add_argument("--out", type=Path, default=REPOSITORY / "docs" / "results.md")
    parser.add_argument("--most", type=int, help="claims of a set, drawn by answer (default 1000)")
    parser.add_argument("--sets", nargs="*", help="only these sets")
    parser.add_argument("--threads", type=int, default=1, help="processor threads of the model (default 1)")
    given = parser.parse_args()
    for folder in (given.data, given.model):
        if folder is not None and not folder.is_dir():
            parser.error(f"{folder}: no such folder")
    with tempfile.TemporaryDirectory(prefix="touchstone-results-") as scratch:
        _connect(given.state or Path(scratch))
        from bench.results.document import write_document
        from bench.results.making import MOST, make_results

        _limit_threads(given.threads)
        results = make_results(
            given.data,
            model=str(given.model or ""),
            most=given.most or MOST,
            only=given.sets,
            scratch=Path(scratch),
            say=lambda line: print(line, file=sys.stderr, flush=True),
        )
        given.out.write_text(write_document(results), encoding="utf-8")
    print(f"written: {given.out}")


def _connect(state: Path) -> None:
    """Work on a database of its own, whatever the environment names."""
    os.environ.update(TOUCHSTONE_DEMO="1", TOUCHSTONE_VAR=str(state), DJANGO_SETTINGS_MODULE="config.settings")
    os.environ.pop("DATABASE_URL", None)
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


def _limit_threads(threads: int) -> None:
    from judges.entailment.loading import extra_installed

    if extra_installed():
        import torch

        torch.set_num_threads(threads)


if __name__ == "__main__":
    main()
