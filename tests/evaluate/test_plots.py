import re
from itertools import pairwise
from math import nan

import pytest

from bonmun.evaluate.growth import SIZES_MB, Growth
from bonmun.evaluate.report import plots, text
from bonmun.evaluate.speed import Point, Trend


def test_labels_of_growth_curves_do_not_overlap():
    curves = [Growth(f"s{number}", [(size, size, 10) for size in SIZES_MB[: 5 + number % 3]], 1) for number in range(9)]
    labels = re.findall(r'<text x="([\d.]+)" y="([\d.]+)" class="label', plots.growth(curves, {"s1"}))
    places = [(float(x), float(y)) for x, y in labels]
    assert len(places) == 9
    assert min(y for _, y in places) > 0
    edge = max(x for x, _ in places)
    for side in (sorted(y for x, y in places if (x == edge) == right) for right in (False, True)):
        assert all(second - first > 11 for first, second in pairwise(side))


def test_a_system_that_failed_at_a_size_is_marked():
    curves = [Growth("slow", [(0.1, 9.0, 10)], 1), Growth("fast", [(size, size / 100, 10) for size in SIZES_MB], 1)]
    drawing = plots.growth(curves, set())
    assert "slow †" in drawing
    assert "fast †" not in drawing


def test_a_trend_line_keeps_its_slope_at_the_edge_of_the_drawing():
    points = [Point(1000 * x, 1000 * x, 1000 * x, ms) for x, ms in ((1, 30.0), (2, 3.0), (3, 2.0), (10, 1.0))]
    trend = Trend(-0.01, 30.0, 0.5)  # below 0 from 3,000 characters on
    drawings = plots.clouds(points, (trend, trend, trend), "ours")
    (ends,) = re.findall(r'<polyline points="([\d., -]+)" class="trend"', drawings[0])
    (_, y1), (x2, y2) = ([float(number) for number in end.split(",")] for end in ends.split())
    right, bottom = 310.0, 200.0
    assert (y2, x2) == (pytest.approx(bottom), pytest.approx(44 + (right - 44) * 3 / 3, abs=0.1))
    assert y1 < bottom
    assert all("ms per 1,000" in drawing for drawing in drawings)


def test_a_growth_curve_of_one_size_has_no_exponent():
    (row,) = text.growth([Growth("slow", [(0.1, 9.0, 10)], nan)]).rows
    assert row == ("slow", "9.000", *["not done"] * 6, "10", "–")


def test_a_single_page_has_a_dot_and_no_trend_line():
    one = Trend.of([(1, 1)])
    assert 'points=""' in plots.clouds([Point(9, 9, 9, 1.0)], (one, one, one), "ours")[0]
