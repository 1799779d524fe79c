"""The settings of the product, over a throw-away state folder.

Tests never touch the state of a running installation and never need a secret from outside; what DATABASE_URL and
CELERY_BROKER_URL name is used, so the same suite runs on SQLite and on PostgreSQL with Redis.
"""

import atexit
import os
import shutil
import tempfile

os.environ.setdefault("TOUCHSTONE_DEMO", "1")
if "TOUCHSTONE_VAR" not in os.environ:
    os.environ["TOUCHSTONE_VAR"] = tempfile.mkdtemp(prefix="touchstone-test-")
    atexit.register(shutil.rmtree, os.environ["TOUCHSTONE_VAR"], ignore_errors=True)

from config.settings import *  # noqa: F403  (the environment comes first)

# However slow the machine, tests see the figures of now, but for those that ask for older ones.
FIGURES_SLOW_AFTER_S = float("inf")
