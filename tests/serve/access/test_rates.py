"""The token bucket: never more than a full bucket and what has been refilled since."""

from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun.serve.access.rates import Rate, RateLimiter, TokenBucket

RATES = st.builds(Rate, st.integers(1, 1000), st.sampled_from([1, 60, 3600, 86400]))
TIMES = st.lists(st.floats(0, 50_000), min_size=1, max_size=200).map(lambda gaps: list(accumulate(gaps)))


@given(RATES, TIMES)
def test_no_window_has_more_requests_than_a_full_bucket_and_its_refill(rate: Rate, times: list[float]) -> None:
    bucket = TokenBucket(rate, times[0])
    allowed = [time for time in times if bucket.take(time).allowed]
    for start in range(len(allowed)):
        for end in range(start, len(allowed)):
            refill = (allowed[end] - allowed[start]) * rate.requests / rate.seconds
            assert end - start + 1 <= rate.requests + refill + 1e-6


@given(RATES, TIMES)
def test_whoever_waits_as_told_is_let_in(rate: Rate, times: list[float]) -> None:
    bucket = TokenBucket(rate, times[0])
    for time in times:
        allowance = bucket.take(time)
        assert 0 <= allowance.remaining <= rate.requests
        assert (allowance.wait == 0) == (allowance.remaining >= 1)
        if not allowance.allowed:
            assert bucket.take(time + allowance.wait + 1e-6 * (1 + time)).allowed
            return


@given(RATES, st.floats(0, 1e6), st.lists(st.floats(0, 1e6), max_size=50))
def test_a_clock_that_goes_back_gives_nothing(rate: Rate, start: float, times: list[float]) -> None:
    bucket = TokenBucket(rate, start)
    allowed = [bucket.take(min(start, time)).allowed for time in times]
    assert sum(allowed) == min(len(times), rate.requests)


@given(st.lists(st.integers(0, 50), max_size=300), st.integers(1, 10))
def test_the_table_stays_small_and_keeps_those_seen_last(clients: list[int], size: int) -> None:
    limiter = RateLimiter(clients=size, clock=lambda: 0.0)
    for client in clients:
        limiter.take(str(client), Rate(1, 60))
        assert len(limiter) <= size
    for client in dict.fromkeys(list(reversed(clients))[:size]):
        assert not limiter.take(str(client), Rate(1, 60)).allowed


def test_a_new_rate_takes_effect_at_once() -> None:
    limiter = RateLimiter(clock=lambda: 0.0)
    assert [limiter.take("me", Rate(1, 60)).allowed for _ in range(2)] == [True, False]
    assert [limiter.take("me", Rate(2, 60)).allowed for _ in range(3)] == [True, True, False]


@pytest.mark.parametrize("text", ["60/min", "5/s", "1000/h", "10000/day"])
def test_a_rate_is_written_as_it_is_read(text: str) -> None:
    assert str(Rate.parse(text)) == text


@pytest.mark.parametrize("text", ["", "60", "0/min", "-1/s", "60/m", "1e3/s", "60/minute/s", "9999999999/s"])
def test_anything_else_is_no_rate(text: str) -> None:
    with pytest.raises(ValueError, match="not a rate"):
        Rate.parse(text)
