"""How close a run of Claude comes to the time that its calls take: 1,000 claims, one second a call, 32 at once.

    python bench/claude.py [CLAIMS] [SECONDS]

Runs against a local server, on a throw-away database.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
SERVER = """
import sys, time
from tests.judges.fake_messages_api import fake_messages_api
with fake_messages_api() as api:
    api.seconds = float(sys.argv[1])
    print(api.url, flush=True)
    sys.stdin.readline()
    print(len(api.asked), api.most_at_once, flush=True)
"""


def main(claims: int, seconds: float) -> None:
    sys.path.insert(0, str(HERE))
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(
            [sys.executable, "-c", SERVER, str(seconds)],
            cwd=HERE,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert server.stdin is not None
        assert server.stdout is not None
        os.environ |= {
            "ANTHROPIC_BASE_URL": server.stdout.readline().strip(),
            "ANTHROPIC_API_KEY": "none",
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "TOUCHSTONE_DEMO": "1",
            "TOUCHSTONE_VAR": folder,
        }
        measure(claims, seconds)
        print("asked, most at once:", server.communicate("\n")[0].strip())


def measure(claims: int, seconds: float) -> None:
    import django

    django.setup()
    from django.core.management import call_command

    from judges.services import chunks
    from tests.factories import make_claims, make_project
    from tests.judges.factories import make_version, start

    call_command("migrate", verbosity=0)
    project = make_project()
    make_claims(project, claims)
    run = start(make_version(project, "claude"))
    begun, cpu = time.perf_counter(), resource.getrusage(resource.RUSAGE_SELF)
    while chunks.work_on_run(run.pk, seconds=60):
        pass
    took, now = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_SELF)
    ideal = claims / 32 * seconds
    spent = now.ru_utime + now.ru_stime - cpu.ru_utime - cpu.ru_stime
    print(f"{claims} claims: {took:.2f} s, ideal {ideal:.2f} s, ratio {took / ideal:.3f}; CPU {spent:.2f} s")
    print("outcomes:", sorted(set(run.judgements.values_list("outcome", flat=True))))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000, float(sys.argv[2]) if len(sys.argv) > 2 else 1.0)
