"""Worker processes that raise, die or hang. Items are calls, and the task is to make them."""

import multiprocessing
import operator
import os
import signal
import sys
import time
from functools import partial

import pytest

from bonmun.cli.failure import Failure
from bonmun.cli.jobs import cores, run


def numbers(count):
    return [partial(int, str(number)) for number in range(count)]


def answers(items, jobs):
    return list(run(operator.call, items, jobs=jobs, seconds=lambda item: 60))


@pytest.mark.parametrize("jobs", [1, 3, 0])
def test_results_come_in_the_order_of_the_items(jobs):
    slow = partial(time.sleep, 0.3)
    assert answers([slow, *numbers(40)], jobs) == [None, *range(40)]


def test_no_items_need_no_process():
    assert answers([], jobs=4) == []


def test_zero_jobs_are_as_many_as_there_are_cores():
    running = run(operator.call, numbers(cores() + 5), jobs=0, seconds=lambda item: 60)
    next(running)
    assert len(multiprocessing.active_children()) == cores()
    running.close()


def test_an_error_fails_its_own_item_and_keeps_its_traceback():
    first, second, third = answers([partial(int, "1"), partial(int, "one"), partial(int, "3")], jobs=2)
    assert (first, third) == (1, 3)
    assert isinstance(second, Failure)
    assert (second.kind, "'one'" in second.message) == ("ValueError", True)
    assert second.trace.startswith("Traceback")


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_process_that_dies_fails_its_own_item_only(jobs):
    deaths = [
        (partial(os._exit, 3), "ended with status 3"),
        (partial(sys.exit, 4), "ended with status 4"),
        (partial(signal.raise_signal, signal.SIGKILL), "was killed by SIGKILL"),
        (partial(signal.raise_signal, signal.SIGSEGV), "was killed by SIGSEGV"),
    ]
    items = [call for number, (death, _) in zip(numbers(4), deaths, strict=True) for call in (number, death)]
    found = answers(items, jobs)
    assert found[::2] == [0, 1, 2, 3]
    assert found[1::2] == [Failure("WorkerDied", f"the process that read it {said}") for _, said in deaths]


def test_a_hanging_item_is_stopped_and_the_others_are_not():
    hanging = partial(time.sleep, 600)
    started = time.monotonic()
    items = [*numbers(2), hanging, *numbers(3)]
    first, second, lost, *rest = run(operator.call, items, jobs=2, seconds=lambda item: 1.5 if item is hanging else 60)
    assert time.monotonic() - started < 8
    assert (first, second, rest) == (0, 1, [0, 1, 2])
    assert lost.kind == "LimitExceeded"
    assert "1.5 seconds" in lost.message


def test_a_process_that_dies_while_idle_costs_no_item():
    running = run(operator.call, numbers(3), jobs=1, seconds=lambda item: 60)
    assert next(running) == 0
    (worker,) = multiprocessing.active_children()
    worker.kill()
    worker.join()
    assert list(running) == [1, 2]


def test_few_results_wait_for_a_slow_one(tmp_path):
    folders = [partial(os.mkdir, tmp_path / str(number)) for number in range(100)]
    running = run(operator.call, [partial(time.sleep, 2), *folders], jobs=2, seconds=lambda item: 60)
    next(running)
    done_meanwhile = len(list(tmp_path.iterdir()))
    assert 0 < done_meanwhile < 40
    assert list(running) == [None] * 100


def test_processes_end_when_nobody_wants_more_results():
    running = run(operator.call, [partial(int, "1"), partial(time.sleep, 600)], jobs=2, seconds=lambda item: 600)
    next(running)
    assert multiprocessing.active_children()
    running.close()
    assert not multiprocessing.active_children()
