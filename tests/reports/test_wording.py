"""The examples in the docstrings hold, and odd numbers are written soundly."""

import doctest

import pytest

from calibration.results import Figure
from reports.shown import wording


def test_the_examples_of_the_docstrings_hold() -> None:
    failed, tried = doctest.testmod(wording)
    assert failed == 0
    assert tried > 5


@pytest.mark.parametrize(("value", "written"), [(0.995, "0.99"), (-0.004, "0.00"), (1.0, "1.00"), (-1.0, "−1.00")])
def test_decimals_have_two_places_and_a_real_minus(value: float, written: str) -> None:
    assert wording.decimal(value) == written


def test_a_figure_without_an_interval_has_no_words_for_one() -> None:
    assert wording.interval_words(Figure.point(0.5, n=3)) == ""
    assert wording.interval_words(Figure.undefined("no pairs")) == ""
