from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

from calibration.ceiling import Standing
from calibration.results import Confusion, Figure, as_json


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"value": math.nan}, "an undefined figure is None"),
        ({"value": 0.5, "low": 0.1, "high": math.inf}, "high is inf"),
        ({"value": None}, "needs a reason"),
        ({"value": None, "low": 0.1, "high": 0.2, "reason": "no pairs"}, "no interval"),
        ({"value": 0.5, "low": 0.1}, "two ends"),
        ({"value": 0.5, "low": 0.6, "high": 0.4}, "crossed"),
        ({"value": 0.5, "k": 9}, "k=9, n=3"),
    ],
)
def test_a_figure_that_would_mislead_cannot_be_made(fields: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Figure(**{"low": None, "high": None, "n": 3, **fields})


def test_a_figure_is_written_with_its_denominator_and_reason() -> None:
    written = Figure.undefined("one class only", n=4).to_json()
    assert json.loads(json.dumps(written)) == {
        "value": None, "low": None, "high": None, "n": 4, "k": None, "method": "", "reason": "one class only",
    }  # fmt: skip


def test_nested_results_are_written_as_plain_values() -> None:
    assert as_json({"a": (Standing.AT, np.array([1, 2]), np.float64(0.5))}) == {"a": ["at", [1, 2], 0.5]}


def test_nan_is_refused_wherever_it_hides() -> None:
    with pytest.raises(ValueError, match="cannot be written"):
        as_json({"a": [np.array([1.0, math.nan])]})


def test_an_unknown_object_is_refused() -> None:
    with pytest.raises(TypeError, match="set cannot be written"):
        as_json({1, 2})


def test_a_confusion_has_four_rows_and_five_columns() -> None:
    with pytest.raises(ValueError, match=r"shape \(4, 4\)"):
        Confusion(np.zeros((4, 4), dtype=np.int64))
    assert Confusion(np.ones((4, 5), dtype=np.int64)) == Confusion(np.ones((4, 5), dtype=np.int64))
