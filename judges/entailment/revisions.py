"""What names the exact weights of a model: a commit on the hub, or the hash of the files in a folder."""

import hashlib
import re
from functools import lru_cache
from pathlib import Path

COMMIT = re.compile(r"[0-9a-f]{40}")

# Weights, configuration and tokenizer; a card, a licence or training state changes no verdict.
_SUFFIXES = frozenset({".json", ".safetensors", ".txt", ".model", ".vocab", ".jinja"})
_UNREAD = frozenset({"trainer_state.json", "all_results.json", "train_results.json", "eval_results.json"})


def folder_revision(folder: Path) -> str:
    """Name the files of a model folder: ``sha256:`` and 64 hex digits over their names and contents.

    Files that are unchanged by size and time since the last look are not read again.

    Raises
    ------
    ValueError
        Where the folder has no ``config.json`` or no weights in safetensors form.
    """
    files = sorted(
        path for path in folder.iterdir() if path.is_file() and path.suffix in _SUFFIXES and path.name not in _UNREAD
    )
    names = {path.name for path in files}
    if "config.json" not in names:
        msg = f"model is {str(folder)!r}; expected a folder with a config.json in it"
        raise ValueError(msg)
    if not any(name.endswith(".safetensors") for name in names):
        # Other weight formats can run code of their own when they are loaded.
        msg = f"model is {str(folder)!r}; expected weights in it as *.safetensors"
        raise ValueError(msg)
    total = hashlib.sha256()
    for path in files:
        state = path.stat()
        total.update(f"{path.name}\0{_file_hash(str(path), state.st_size, state.st_mtime_ns)}\n".encode())
    return f"sha256:{total.hexdigest()}"


@lru_cache(maxsize=256)
def _file_hash(path: str, size: int, modified_ns: int) -> str:  # noqa: ARG001  (size and time are there for the cache)
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
