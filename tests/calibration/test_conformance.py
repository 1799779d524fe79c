from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import pytest

from calibration.conformance import check_examples

EXAMPLES: list[dict[str, Any]] = json.loads(
    files("calibration").joinpath("reference.json").read_text(encoding="utf-8")
)["examples"]
SIMULATED = {"same_skill_simulation", "recall_interval", "threshold"}


@pytest.mark.parametrize("example", [e for e in EXAMPLES if e["section"] not in SIMULATED], ids=lambda e: e["origin"])
def test_each_worked_example_comes_out_as_expected(example: dict[str, Any]) -> None:
    for check in check_examples([example]):
        assert check.within, check


@pytest.mark.slow
@pytest.mark.parametrize("example", [e for e in EXAMPLES if e["section"] in SIMULATED], ids=lambda e: e["section"])
def test_each_simulated_example_comes_out_as_expected(example: dict[str, Any]) -> None:
    for check in check_examples([example]):
        assert check.within, check


def test_every_example_says_where_it_comes_from_and_expects_something() -> None:
    for example in EXAMPLES:
        assert len(example["origin"]) >= 10
        assert example["expect"]
        for tolerance in (example.get("tolerance", 0), *example.get("tolerances", {}).values()):
            assert tolerance <= 0.05


BRIER: dict[str, Any] = {
    "section": "brier",
    "origin": "worked by hand",
    "given": {"outcome": [0, 1], "probability": [0.5, 0.5]},
    "expect": {"value": 0.25},
}


@pytest.mark.parametrize(
    ("changed", "within"),
    [
        ({}, True),
        ({"expect": {"value": 0.2501}}, False),
        ({"expect": {"value": 0.2501}, "digits": 3}, True),
        ({"expect": {"value": 0.2501}, "tolerance": 1e-6}, False),
        ({"expect": {"value": 0.26}, "tolerances": {"value": 0.02}}, True),
        ({"expect": {"value": None}}, False),
        ({"expect": {"value": None, "reason": "no scores"}, "given": {"outcome": [], "probability": []}}, True),
    ],
)
def test_how_far_a_value_may_be_off_is_what_the_example_says(changed: dict[str, Any], within: bool) -> None:
    assert all(check.within for check in check_examples([BRIER | changed])) is within


@pytest.mark.parametrize("changed", [{"section": "tea leaves"}, {"expect": {"mood": 1}}])
def test_what_cannot_be_computed_is_refused_and_not_passed_over(changed: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="expected one of"):
        check_examples([BRIER | changed])
