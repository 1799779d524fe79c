"""The configuration names the exact model and all that can change a verdict."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from judges.entailment.config import DEFAULT_MODEL, DEFAULT_REVISION, default_config, parse_config
from judges.entailment.judge import ENTAILMENT

COMMIT = "0123456789abcdef0123456789abcdef01234567"


def make_folder(path: Path, *, weights: bytes = b"weights") -> Path:
    path.mkdir(exist_ok=True)
    (path / "config.json").write_text("{}")
    (path / "tokenizer.json").write_text("{}")
    (path / "model.safetensors").write_bytes(weights)
    return path


def test_defaults_name_the_model_and_its_commit() -> None:
    config = parse_config({})
    assert (config.model, config.revision) == (DEFAULT_MODEL, DEFAULT_REVISION)
    assert parse_config(default_config()) == config


def test_complete_config_survives_the_database() -> None:
    complete = ENTAILMENT.complete_config({"window_sizes": [3, 1, 3]})
    stored = json.loads(json.dumps(complete))
    assert json.dumps(ENTAILMENT.complete_config(stored), sort_keys=True) == json.dumps(complete, sort_keys=True)
    assert stored["window_sizes"] == [1, 3]


def test_a_folder_is_pinned_by_the_hash_of_its_files(tmp_path: Path) -> None:
    folder = make_folder(tmp_path / "model")
    first = parse_config({"model": str(folder)}).revision
    assert first.startswith("sha256:")
    (folder / "README.md").write_text("A card changes no verdict.")
    assert parse_config({"model": str(folder), "revision": first}).revision == first
    (folder / "tokenizer.json").write_text('{"changed": 1}')
    assert parse_config({"model": str(folder)}).revision != first


def test_the_same_files_elsewhere_have_the_same_revision(tmp_path: Path) -> None:
    one, other = make_folder(tmp_path / "one"), make_folder(tmp_path / "other")
    assert parse_config({"model": str(one)}).revision == parse_config({"model": str(other)}).revision


def test_weights_changed_since_the_version_was_made_are_refused(tmp_path: Path) -> None:
    folder = make_folder(tmp_path / "model")
    pinned = parse_config({"model": str(folder)}).revision
    make_folder(folder, weights=b"other weights")
    with pytest.raises(ValueError, match=r"revision is .*not those that this version was made with"):
        parse_config({"model": str(folder), "revision": pinned})


@pytest.mark.parametrize("missing", ["config.json", "model.safetensors"])
def test_a_folder_without_a_model_is_refused_by_what_it_lacks(tmp_path: Path, missing: str) -> None:
    folder = make_folder(tmp_path / "model")
    (folder / missing).unlink()
    with pytest.raises(ValueError, match=missing.removeprefix("model")):
        parse_config({"model": str(folder)})


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"model": "owner/name"}, "revision is ''.*40 hex digits"),
        ({"model": "owner/name", "revision": "main"}, "a branch moves"),
        ({"model": "owner/name", "revision": "sha256:00"}, "the hash of a folder"),
        ({"model": "no such folder/at all/x"}, "expected a folder on this machine or the name"),
        ({"model": ""}, "model is ''"),
        ({"model": 7}, "model is 7; expected text"),
        ({"threshold": 1.5}, "threshold is 1.5; expected a number from 0 to 1"),
        ({"best_windows": 0}, "best_windows is 0; expected a whole number from 1 to 200"),
        ({"best_windows": 2.0}, "best_windows is 2.0"),
        ({"window_sizes": []}, "window_sizes is "),
        ({"window_sizes": [1, True]}, "window_sizes is "),
        ({"window_sizes": "13"}, "window_sizes is '13'"),
        ({"unit": "sentence"}, "unit is 'sentence'; expected one of claim, answer"),
        ({"ranker": "embedding"}, "ranker is 'embedding'; expected one of keywords, all"),
        ({"precision": "int8"}, "precision is 'int8'"),
        ({"precision": "bfloat16"}, "precision_agreement is None"),
        ({"precision": "bfloat16", "precision_agreement": 0.99}, "precision_agreement is 0.99; expected .* 0.995"),
        ({"precision_agreement": 1.0}, "precision_agreement is 1.0, but precision is float32"),
        ({"temperature": 0}, "unknown key 'temperature'"),
    ],
)
def test_nonsense_is_refused_by_key(data: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_config(data)


def test_a_pinned_model_of_the_hub_and_a_measured_precision_are_taken() -> None:
    data = {"model": "owner/name", "revision": COMMIT, "precision": "bfloat16", "precision_agreement": 0.998}
    assert parse_config(data).precision_agreement == 0.998


def test_listing_the_judge_imports_neither_torch_nor_transformers() -> None:
    code = "import sys, judges.entailment.judge; print(sorted({'torch', 'transformers', 'django'} & set(sys.modules)))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
