from itertools import pairwise
from random import Random

import pytest

from bonmun.run.durations import duration_of, seconds_of
from bonmun.run.schedule import Rhythm, Timetable


@pytest.mark.parametrize("text", ["", "often", "15", "m", "-1m", "1m2", "1 hour", "15 m x", "1.m"])
def test_what_is_no_duration_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a duration"):
        seconds_of(text)


@pytest.mark.parametrize("seconds", [0, 1, 59, 60, 3599, 3600, 86399, 90000])
def test_a_duration_shown_is_read_back_to_its_two_largest_units(seconds: int) -> None:
    assert seconds - seconds_of(duration_of(seconds)) in range(60)


def test_jitter_delays_each_run_by_another_time() -> None:
    table = Timetable({"feed": Rhythm(every=100, jitter=10)}, now=0.0, random=Random(1))
    starts = [0.0]
    for _ in range(50):
        assert table.due(starts[-1]) == ["feed"]
        table.finished("feed")
        starts.append(starts[-1] + table.wait(starts[-1], most=1000))
    gaps = [later - earlier for earlier, later in pairwise(starts)]
    assert all(100 <= gap <= 110 for gap in gaps)
    assert len(set(gaps)) > 40


def test_a_source_that_still_runs_is_not_started_twice() -> None:
    table = Timetable({"slow": Rhythm(every=10)}, now=0.0)
    assert table.due(0.0) == ["slow"]
    assert table.due(25.0) == []
    table.finished("slow")
    assert table.due(25.0) == ["slow"]
    assert table.next_runs() == {"slow": 35.0}


def test_a_schedule_without_interval_is_over_after_one_run() -> None:
    table = Timetable({"a": Rhythm(), "b": Rhythm()}, now=5.0)
    assert table.due(5.0) == ["a", "b"]
    table.finished("a")
    assert not table.is_over
    table.finished("b")
    assert table.is_over
    assert table.due(1e9) == []
