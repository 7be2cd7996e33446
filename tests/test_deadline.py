import pytest

from bonmun import deadline
from bonmun.deadline import check, paused, within
from bonmun.errors import LimitExceeded


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(deadline, "monotonic", made)
    return made


def test_inside_another_limit_the_earlier_end_holds(clock: Clock) -> None:
    with within(10), within(60):
        clock.now = 9
        check()
        clock.now = 10
        with pytest.raises(LimitExceeded, match="more than 10 seconds"):
            check()


def test_a_pause_counts_for_no_limit_around_it(clock: Clock) -> None:
    with within(10):
        with within(5):
            clock.now = 4
            with paused():
                clock.now = 104
                check()
            check()
            clock.now = 105
            with pytest.raises(LimitExceeded, match="more than 5 seconds"):
                check()
        clock.now = 109
        check()
        clock.now = 110
        with pytest.raises(LimitExceeded, match="more than 10 seconds"):
            check()


def test_a_pause_that_raises_counts_for_no_limit_either(clock: Clock) -> None:
    with within(10):
        with pytest.raises(ValueError), paused():
            clock.now = 100
            raise ValueError
        check()
    with paused():
        check()
