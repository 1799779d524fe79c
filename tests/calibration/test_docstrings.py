from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import calibration

MODULES = [module.name for module in pkgutil.iter_modules(calibration.__path__, "calibration.")]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_run(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_the_package_reaches_for_nothing_but_numbers() -> None:
    foreign = {"django", "celery", "datetime", "time", "os", "pathlib", "socket"}
    for name in MODULES:
        module = importlib.import_module(name)
        reached = {
            getattr(value, "__module__", None) or getattr(value, "__name__", "") for value in vars(module).values()
        }
        assert not foreign & {str(found).split(".")[0] for found in reached}, name
