"""Every stage takes linear time on hostile pages: methods, writers, metadata, analysis, a learned site.

The limit of a stage is 1 s per 5 MB plus 0.2 s (docs/safety.md), which `bench/hostile_path.py` measures. A test must
not fail by other load on the machine: it allows ten times the limit, and tells quadratic time by its growth.
`BONMUN_HOSTILE_MB=1 pytest tests/test_hostile_path.py` runs it with pages of 1 MB.
"""

import multiprocessing
import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

import pytest

from bench.hostile_pages import PATTERNS, WHOLE_PATH
from bench.hostile_path import TIME_OUT, costs, most_seconds

SIZE = float(os.environ.get("BONMUN_HOSTILE_MB", "0.1"))
MOST_SECONDS = 10 * most_seconds(SIZE)
MOST_GROWTH = 10.0  # for four times the size: 4 is linear, 16 quadratic
WORTH_MEASURING = 0.4  # seconds; shorter times are too noisy to tell growth
NAMES = list(dict.fromkeys([*WHOLE_PATH, *list(PATTERNS)[::24]]))


def warm_up() -> None:
    """Load the model and the analysers."""
    for small in ("short paragraphs", "one compound"):
        costs(small, 0.002)


def faults(name: str) -> list[str]:
    """The stages of a page that take too long, grow too fast or end in an untyped error."""
    dear = [cost for cost in costs(name, SIZE, (), MOST_SECONDS) if cost.seconds > WORTH_MEASURING or cost.untyped]
    stages = [cost.stage for cost in dear]
    quarter = {cost.stage: cost.seconds for cost in costs(name, SIZE / 4, stages, MOST_SECONDS)} if dear else {}
    return [
        f"{cost.stage}: {cost.seconds:.2f} s, a quarter of the page {quarter[cost.stage]:.2f} s, {cost.answer}"
        for cost in dear
        if cost.untyped
        or cost.answer == TIME_OUT
        or cost.seconds > min(MOST_SECONDS, MOST_GROWTH * quarter[cost.stage])
    ]


@pytest.fixture(scope="module")
def process() -> Iterator[ProcessPoolExecutor]:
    """A process that measures, without the objects of other tests."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), initializer=warm_up) as pool:
        yield pool


@pytest.mark.parametrize("name", NAMES)
def test_every_stage_is_linear_on_a_hostile_page(name: str, process: ProcessPoolExecutor) -> None:
    found = process.submit(faults, name).result()
    assert not found or process.submit(faults, name).result() == []  # measured again
