import subprocess
import sys


def test_checks_and_baseline_load_without_django() -> None:
    code = (
        "import sys, judges.checks, judges.lexical, judges.protocol; "
        "sys.exit(any(name.split('.')[0] in ('django', 'numpy', 'celery') for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
