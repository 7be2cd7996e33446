from dataclasses import replace
from math import isnan

import pytest

from bonmun.evaluate.growth import SIZES_MB, grown, growth
from bonmun.evaluate.runner import BenchRun
from bonmun.evaluate.speed import Trend, measure
from bonmun.evaluate.systems import find
from bonmun.pipeline import extract
from tests.evaluate.records import record


def test_r2_separates_a_line_from_a_cloud():
    line = Trend.of([(x, 3 * x + 1) for x in range(10)])
    assert (line.slope, line.intercept, line.r2) == (pytest.approx(3), pytest.approx(1), pytest.approx(1))
    assert Trend.of([(0, 0), (1, 1), (2, 0), (0, 1), (1, 0), (2, 1)]).r2 < 0.1
    assert Trend.of([(1, 1)]).slope != Trend.of([(1, 1)]).slope  # NaN: one point has no line


def test_systems_are_timed_interleaved_and_only_once(echo, asked, lines, store):
    corpus = lines(*(record(number, html=f"page {number}") for number in range(3)))
    systems = [replace(echo("trafilatura"), name="trafilatura"), echo("other")]
    for _ in range(2):
        speeds = measure(BenchRun(corpus, systems), store, rounds=2)
    assert len(asked("trafilatura")) == len(asked("other")) == 6
    by_name = {speed.system: speed for speed in speeds}
    assert by_name["trafilatura"].ratio.value == 1.0
    assert by_name["other"].ratio.value > 0
    assert {point.html for point in by_name["other"].points} == {6}


def test_without_the_reference_there_is_no_ratio(echo, lines, store):
    (speed,) = measure(BenchRun(lines(record(1), record(2)), [echo()]), store, rounds=1)
    assert speed.pages == 2
    assert isnan(speed.ratio.value)


def test_the_growing_page_has_its_size_and_extractable_text():
    for size in (100_000, 1_000_000):
        page = grown(size)
        assert 0.99 * size < len(page) <= size
    assert "tells of tea" in extract(grown(100_000)).text


def test_growth_is_measured_once_and_fitted(store, monkeypatch):
    monkeypatch.setattr("bonmun.evaluate.growth.SIZES_MB", SIZES_MB[:2])
    (first,) = growth([find("xpath")], store)
    assert growth([find("xpath")], store) == [first]
    assert [point[0] for point in first.points] == [0.1, 0.5]
    assert 0.2 < first.exponent < 2.5


def test_after_a_time_out_larger_sizes_are_skipped(echo, store, monkeypatch):
    monkeypatch.setattr("bonmun.evaluate.growth.grown", lambda size: "hang" if size > 200_000 else "page")
    (curve,) = growth([echo()], store, seconds=1.0)
    assert [point[0] for point in curve.points] == [0.1]
