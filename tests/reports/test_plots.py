"""Drawings stand where their numbers say."""

import numpy as np
import pytest

from calibration.curve_intervals import figures_at_thresholds
from calibration.results import Figure
from calibration.thresholds import people_points, threshold_curve
from reports.plots.axis import Axis, kappa_axis
from reports.plots.curve import BOTTOM, LEFT, RIGHT, TOP, curve_plot
from reports.plots.interval import MARGIN, WIDTH, interval_plots


@pytest.mark.parametrize(("value", "place"), [(0.0, 10.0), (1.0, 110.0), (0.25, 35.0), (2.0, 110.0), (-1.0, 10.0)])
def test_a_value_outside_the_scale_stays_inside_the_drawing(value: float, place: float) -> None:
    assert Axis(0.0, 1.0, 10.0, 110.0).at(value) == place


def test_the_kappa_scale_reaches_down_to_the_lowest_interval_of_all_rows() -> None:
    figures = [Figure(0.1, -0.25, 0.4, n=9), Figure.undefined("one class only"), Figure(0.8, 0.7, 0.9, n=9)]
    assert kappa_axis(figures, start=0, end=1).low == -0.3
    assert kappa_axis([Figure(0.0, -0.01, 0.1, n=9)], start=0, end=1).low == 0.0
    assert kappa_axis(figures[1:], start=0, end=1).low == 0.0


def test_rows_share_one_scale_and_an_undefined_figure_has_no_mark() -> None:
    judge, ceiling, none = Figure(0.5, 0.4, 0.6, n=9), Figure(0.8, 0.7, 0.9, n=9), Figure.undefined("one class only")
    first, second = interval_plots([judge, none], [ceiling, none], names=["a", "b"])
    assert first.mark is not None
    assert first.band is not None
    assert (first.zero, first.one) == (MARGIN, WIDTH - MARGIN)
    assert first.mark.start is not None
    assert first.mark.start < first.mark.at < first.band.x
    assert second.mark is None
    assert second.band is None
    assert second.said == "b: kappa no data, one class only; people no data, one class only"


def test_the_marker_and_its_dots_stand_on_the_curve() -> None:
    answer, gold, score = np.arange(8), np.array([0, 2] * 4), np.array([0.9, 0.2, 0.8, 0.4, 0.7, 0.3, 1.0, 0.6])
    curve = threshold_curve(gold, score)
    steps = figures_at_thresholds(answer, gold, score, thresholds=[0.25, 0.5], resamples=50)
    people = people_points(answer, np.tile(gold, (3, 1)), least=1, resamples=50)
    plot = curve_plot(curve, steps, people, ceiling=Figure(0.9, 0.8, 1.0, n=4), at=steps[1])
    assert plot.marker == (LEFT + RIGHT) / 2
    dots = {kind: (x, y) for kind, x, y in plot.dots}
    assert dots["recall"] == (plot.marker, round(BOTTOM + 0.75 * (TOP - BOTTOM), 1))
    recall = next(line.path for line in plot.lines if line.kind == "recall")
    assert f"V{dots['recall'][1]}" in recall
    assert recall.startswith(f"M{LEFT}")
    assert len(plot.people) == 3
    assert plot.strip is not None
    assert plot.strip.y == round(TOP, 1)


def test_a_figure_without_a_value_breaks_the_line() -> None:
    curve = threshold_curve([0, 0, 2], [0.5, 0.6, 0.7])
    steps = figures_at_thresholds([1, 2, 3], [0, 0, 2], [0.5, 0.6, 0.7], thresholds=[0.4], resamples=20)
    plot = curve_plot(curve, steps, (), ceiling=Figure.undefined("no pairs"), at=steps[0])
    precision = next(line.path for line in plot.lines if line.kind == "precision")
    assert not precision.startswith(f"M{LEFT}.0 ")
    assert "precision" not in {kind for kind, _, _ in plot.dots}
    assert plot.strip is None
    assert "nan" not in precision
