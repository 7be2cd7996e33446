"""The compiled reader takes linear time on hostile pages."""

from time import process_time

import pytest

from bench.hostile_pages import PATTERNS, page
from bonmun.errors import LimitExceeded
from bonmun.limits import Limits
from tests.core.readers import compiled

SIZE = 1_000_000
MOST_SECONDS = 1.0  # about ten times the slowest page: other load on the machine must not fail a test
MOST_GROWTH = 10.0  # for four times the size: 4 is linear, 16 quadratic; growing memory costs some more
WORTH_MEASURING = 0.1  # seconds; shorter times are too noisy to tell growth


def seconds(html: str) -> float:
    started = process_time()
    try:
        compiled(html, Limits())
    except LimitExceeded as error:
        assert error.limit == "nodes"
    return process_time() - started


@pytest.mark.cpu_timed
@pytest.mark.parametrize("name", PATTERNS)
def test_a_hostile_page_is_read_in_linear_time(name: str) -> None:
    whole, quarter = page(name, SIZE), page(name, SIZE // 4)
    taken = seconds(whole)
    if taken > WORTH_MEASURING:
        taken = min(taken, seconds(whole))
        assert taken < MOST_GROWTH * min(seconds(quarter) for _ in range(3)) or taken < WORTH_MEASURING
    assert taken < MOST_SECONDS


def test_nodes_and_attributes_of_a_hostile_page_are_bounded_by_its_size() -> None:
    html = page("laden fonts reopened", 300_000)
    nodes = compiled(html)
    assert len(nodes) + len(nodes.attr_name) < len(html)
