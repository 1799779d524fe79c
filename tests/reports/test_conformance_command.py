from __future__ import annotations

import io
import json
from importlib.resources import files
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from calibration import conformance
from reports.management.commands import conformance as command


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The examples that are worked, without those that are simulated, which the tests of the package run."""

    def worked(examples: Any) -> tuple[conformance.Check, ...]:
        return conformance.check_examples([e for e in examples if "seed" not in e["given"]])

    monkeypatch.setattr(command, "check_examples", worked)


@pytest.mark.usefixtures("quick")
def test_every_example_is_printed_with_both_values_and_their_difference() -> None:
    out, err = io.StringIO(), io.StringIO()
    call_command("conformance", stdout=out, stderr=err)
    head, *lines = out.getvalue().splitlines()
    assert head.split() == ["example", "expected", "computed", "difference", "tolerance", "origin"]
    assert all("  ok " in line for line in lines)
    assert f"All {len(lines)} within tolerance." in err.getvalue()
    for section in ("cohen_kappa", "krippendorff_alpha", "rogan_gladen", "zero_miss_sample_size_95"):
        assert any(line.startswith(section) for line in lines)


@pytest.mark.usefixtures("quick")
def test_json_holds_the_same_checks() -> None:
    out = io.StringIO()
    call_command("conformance", "--json", stdout=out, stderr=io.StringIO())
    (first, *_) = json.loads(out.getvalue())
    assert first["name"] == "cohen_kappa 1: kappa"
    assert first["expected"] == pytest.approx(first["computed"], rel=1e-4)
    assert first["within"] is True


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("flags", [[], ["--json"]])
def test_one_figure_that_is_off_ends_with_exit_code_one(monkeypatch: pytest.MonkeyPatch, flags: list[str]) -> None:
    monkeypatch.setattr("calibration.intervals.zero_miss_sample_size", lambda _share: 28)
    out = io.StringIO()
    with pytest.raises(CommandError, match=r"off: .*zero_miss_sample_size_95 2: n") as raised:
        call_command("conformance", *flags, stdout=out, stderr=io.StringIO())
    assert raised.value.returncode == 1
    assert out.getvalue()


def test_the_table_is_part_of_the_package() -> None:
    assert files("calibration").joinpath("reference.json").is_file()
