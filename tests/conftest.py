import os
import tempfile

# Tests never touch the state of a running installation, and never need a secret from outside.
os.environ.setdefault("TOUCHSTONE_DEMO", "1")
os.environ.setdefault("TOUCHSTONE_VAR", tempfile.mkdtemp(prefix="touchstone-test-"))
