"""Import of 200,000 claims against a bare `executemany` (SQLite) or COPY (PostgreSQL) of the same rows.

Run as `python -m bench.import_items [CLAIMS]`; `DATABASE_URL` chooses the database server, and a database of its own is
made on it and removed.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

CLAIMS = 200_000
PER_ANSWER = 4
SOURCES = 2_000
GOAL_RATIO, GOAL_MEGABYTES = 3.0, 300


def write_file(path: Path, claims: int) -> None:
    """A native file: sources, then answers each followed by its claims."""
    with path.open("w", encoding="utf-8") as out:
        for number in range(SOURCES):
            text = f"Passage {number}. " + "Returns are taken back within fourteen days of delivery. " * 12
            out.write(json.dumps({"type": "source", "id": f"s{number}", "collection": "help", "text": text}) + "\n")
        for number in range(claims // PER_ANSWER):
            answer = f"a{number}"
            text = f"You may return it within {number} days, at no cost. " * 3
            line = {"type": "answer", "id": answer, "question": "May I return it?", "text": text, "system": "bot"}
            out.write(json.dumps(line | {"retrieved": [f"s{number % SOURCES}"]}) + "\n")
            for position in range(PER_ANSWER):
                citation: dict[str, object] = {"source": f"s{(number + position) % SOURCES}", "start": 0, "end": 40}
                claim = {"type": "claim", "id": f"{answer}.{position}", "answer": answer, "citation": citation}
                text = f"It may be returned within {number} days, case {position}."
                out.write(json.dumps(claim | {"text": text, "kind": "date", "severity": "minor"}) + "\n")


def timed_import(path: Path) -> None:
    """In a process of its own: import the file and print seconds and peak memory as JSON."""
    _connect()
    from labelling.models import Project
    from reports.services.importing import import_items

    project = Project.objects.create(slug="bench", name="Bench")
    report = import_items(project=project, path=path)
    assert report.saved, report
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": report.seconds, "megabytes": peak}))


def timed_bare() -> None:
    """In a process of its own: write the rows that are there once more into emptied tables, and print the seconds."""
    _connect()
    from django.db import connection, transaction

    tables = ["source", "answer", "claim", "citation", "slot"]
    with connection.cursor() as cursor:
        rows = {}
        columns = {}
        for table in tables:
            cursor.execute(f"SELECT * FROM labelling_{table} ORDER BY id")
            columns[table] = [column[0] for column in cursor.description or ()]
            rows[table] = [tuple(_plain(value) for value in row) for row in cursor.fetchall()]
        for table in reversed(tables):
            cursor.execute(f"DELETE FROM labelling_{table}")
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("VACUUM " + ", ".join(f"labelling_{table}" for table in tables))
    started = time.monotonic()
    with transaction.atomic(), connection.cursor() as cursor:
        for table in tables:
            names = ", ".join(f'"{column}"' for column in columns[table])
            if connection.vendor == "postgresql":
                with cursor.copy(f"COPY labelling_{table} ({names}) FROM STDIN") as copy:
                    for row in rows[table]:
                        copy.write_row(row)
            else:
                marks = ", ".join(["%s"] * len(columns[table]))
                values = cast("Any", rows[table])
                cursor.executemany(f"INSERT INTO labelling_{table} ({names}) VALUES ({marks})", values)
    print(json.dumps({"seconds": time.monotonic() - started, "rows": sum(map(len, rows.values()))}))


def _plain(value: object) -> object:
    return json.dumps(value) if isinstance(value, dict | list) else value


def _connect() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()


def _child(environment: dict[str, str], *arguments: str) -> dict[str, float]:
    command = [sys.executable, "-m", "bench.import_items", *arguments]
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    result: dict[str, float] = json.loads(done.stdout.strip().splitlines()[-1])
    return result


def _databases(folder: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """SQLite always; PostgreSQL too where `DATABASE_URL` names a server."""
    base = {**os.environ, "TOUCHSTONE_DEMO": "1", "TOUCHSTONE_VAR": str(folder)}
    base.pop("DATABASE_URL", None)
    yield "SQLite, executemany", base
    server = os.environ.get("DATABASE_URL", "")
    if server.startswith("postgres"):
        import psycopg

        name = f"bench_import_{os.getpid()}"
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
            try:
                yield "PostgreSQL, COPY", base | {"DATABASE_URL": server.rsplit("/", 1)[0] + "/" + name}
            finally:
                connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def main(claims: int) -> None:
    print(f"Import of {claims:,} claims with their answers, citations and open places")
    print(f"{'database':<22}{'rows':>11}{'import s':>10}{'bare s':>9}{'ratio':>8}{'peak MB':>9}")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        file = folder / "claims.jsonl"
        write_file(file, claims)
        for name, environment in _databases(folder):
            subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], env=environment, check=True)
            imported = _child(environment, "--import", str(file))
            bare = _child(environment, "--bare")
            ratio = imported["seconds"] / bare["seconds"]
            figures = f"{bare['rows']:>11,.0f}{imported['seconds']:>10.1f}{bare['seconds']:>9.1f}{ratio:>8.2f}"
            print(f"{name:<22}{figures}{imported['megabytes']:>9.0f}", flush=True)
    print(f"goals: ratio at most {GOAL_RATIO:g}, peak memory under {GOAL_MEGABYTES} MB")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["--import", path]:
            timed_import(Path(path))
        case ["--bare"]:
            timed_bare()
        case [number]:
            main(int(number))
        case _:
            main(CLAIMS)
