"""The small version of bench/kill_run.py."""

import random
from pathlib import Path

from bench.kill_run import kill_test
from tests.run.conftest import page


def test_a_process_killed_three_times_stores_every_page_once(tmp_path: Path) -> None:
    outcome = kill_test([page(number) for number in range(40)], 3, tmp_path, "news.db", random.Random(7))
    assert outcome.is_good, outcome
