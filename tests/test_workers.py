"""Worker processes that raise, die, hang and run out of memory. Most items are calls, and the task is to make them."""

import asyncio
import itertools
import multiprocessing
import operator
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import CancelledError
from functools import partial
from pathlib import Path

import pytest

from bonmun.errors import (
    LimitExceeded,
    NotAPage,
    QueueFull,
    WorkerDied,
    WorkerError,
    WorkerNotStarted,
    WorkerTimeout,
)
from bonmun.workers import child
from bonmun.workers.failure import Failure
from bonmun.workers.pool import WorkerPool, cores
from bonmun.workers.processes import Command
from tests.signals import heed_interrupts

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc and prlimit")
MEGABYTE = 1 << 20


def pool_of_calls(**options):
    return WorkerPool(operator.call, **{"seconds": 60, **options})


def results(items, **options):
    with pool_of_calls(**options) as pool:
        return list(pool.map(items))


def numbers(count):
    return [partial(int, str(number)) for number in range(count)]


def hang():
    while True:
        pass


def fill_memory():
    blocks = []
    while True:
        blocks.append(bytearray(MEGABYTE))


def fail(error):
    raise error


class TwoArguments(Exception):
    """Can be pickled, but not unpickled: `Exception` keeps one argument, the constructor takes two."""

    def __init__(self, first, second):
        super().__init__(first + second)


def fail_with_two_arguments():
    raise TwoArguments("a", "b")


@pytest.fixture(autouse=True)
def no_process_is_left():
    yield
    assert not multiprocessing.active_children()


# ── map ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("jobs", [1, 3])
def test_results_keep_the_order_of_the_items(jobs):
    assert results([partial(time.sleep, 0.3), *numbers(40)], jobs=jobs) == [None, *range(40)]


def test_no_items_need_no_process():
    with pool_of_calls(jobs=4) as pool:
        assert list(pool.map([])) == []
        assert not multiprocessing.active_children()


def test_no_more_processes_than_items_are_started():
    with pool_of_calls(jobs=8) as pool:
        assert list(pool.map(numbers(2))) == [0, 1]
        assert len(multiprocessing.active_children()) <= 2


def test_zero_jobs_are_one_for_each_core():
    with pool_of_calls(jobs=0) as pool:
        assert list(pool.map(numbers(20 * cores()))) == list(range(20 * cores()))
        assert len(multiprocessing.active_children()) == cores()


def test_an_endless_iterable_is_consumed_only_a_queue_ahead():
    taken = []

    def endless():
        for number in itertools.count():
            taken.append(number)
            yield str(number)

    with WorkerPool(int, jobs=2, seconds=60, queue=5) as pool:
        mapped = pool.map(endless())
        assert [next(mapped) for _ in range(100)] == list(range(100))
        assert len(taken) <= 100 + 2 + 5
        mapped.close()


def test_few_results_wait_for_a_slow_item(tmp_path):
    folders = [partial(os.mkdir, tmp_path / str(number)) for number in range(60)]
    with pool_of_calls(jobs=2, queue=10) as pool:
        mapped = pool.map([partial(time.sleep, 1), *folders])
        next(mapped)
        assert 0 < len(list(tmp_path.iterdir())) <= 12 + 1
        assert list(mapped) == [None] * 60


def test_a_closed_map_leaves_the_pool_usable():
    with pool_of_calls(jobs=1) as pool:
        mapped = pool.map(numbers(50))
        assert next(mapped) == 0
        mapped.close()
        assert list(pool.map(numbers(3))) == [0, 1, 2]


@pytest.mark.timed
def test_throughput():
    with WorkerPool(int, jobs=2, seconds=60) as pool:
        list(pool.map(["1", "2"]))
        started = time.perf_counter()
        assert sum(pool.map("1" for _ in range(3000))) == 3000
        assert time.perf_counter() - started < 6  # 0.2 s on an idle machine


# ── failures ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_an_exception_fails_its_own_item_and_keeps_its_traceback():
    first, failure, third = results([partial(int, "1"), partial(int, "one"), partial(int, "3")], jobs=2)
    assert (first, third) == (1, 3)
    assert (failure.kind, "'one'" in failure.message) == ("ValueError", True)
    assert failure.traceback.startswith("Traceback")
    assert isinstance(failure.error, ValueError)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_process_that_dies_loses_its_own_item_only(jobs):
    deaths = [
        (partial(os._exit, 3), "ended with status 3"),
        (partial(sys.exit, 4), "ended with status 4"),
        (partial(signal.raise_signal, signal.SIGKILL), "was killed by SIGKILL"),
        (partial(signal.raise_signal, signal.SIGSEGV), "was killed by SIGSEGV"),
    ]
    items = [call for number, (death, _) in zip(numbers(4), deaths, strict=True) for call in (number, death)]
    found = results(items, jobs=jobs)
    assert found[::2] == [0, 1, 2, 3]
    assert found[1::2] == [Failure("WorkerDied", f"its process {ending}") for _, ending in deaths]


@pytest.mark.timed
@pytest.mark.parametrize("endless", [partial(time.sleep, 600), hang])
def test_a_hanging_item_is_killed_at_its_own_time_limit(endless):
    started = time.monotonic()
    items = [*numbers(2), endless, *numbers(3)]
    first, second, failure, *rest = results(items, jobs=2, seconds=lambda item: 0.7 if item is endless else 60)
    assert time.monotonic() - started < 8
    assert (first, second, rest) == (0, 1, [0, 1, 2])
    assert failure == Failure("WorkerTimeout", "not done in 0.7 seconds; its process was stopped")
    assert isinstance(failure.error, LimitExceeded)


@on_linux
def test_an_item_that_exhausts_the_memory_limit_fails_alone():
    first, failure, third = results([*numbers(1), fill_memory, *numbers(1)], memory=400 * MEGABYTE)
    assert (first, third) == (0, 0)
    assert failure == Failure("WorkerOutOfMemory", "out of memory; its process may use 419,430,400 bytes")


def address_limit():
    import resource

    return resource.getrlimit(resource.RLIMIT_AS)


@on_linux
def test_the_memory_limit_is_a_soft_one_that_a_worker_can_lift_for_a_browser():
    [(soft, hard)] = results([address_limit], memory=400 * MEGABYTE)
    assert (soft, hard) == (400 * MEGABYTE, address_limit()[1])


def test_an_item_or_result_that_cannot_be_pickled_fails_alone():
    item, result, number = results([lambda: 1, threading.Lock, *numbers(1)])
    assert "pickle" in item.message
    assert "cannot pickle '_thread.lock' object" in result.message
    assert number == 0


def test_an_error_that_cannot_be_unpickled_keeps_its_name():
    (failure,) = results([fail_with_two_arguments])
    assert (failure.kind, failure.message, failure.error) == ("TwoArguments", "ab", None)
    assert str(failure.exception()) == "TwoArguments: ab"


def test_an_error_in_the_time_limit_function_fails_the_item():
    first, failure = results(numbers(2), seconds=lambda item: 60 if item.args == ("0",) else 1 / 0)
    assert (first, failure.kind) == (0, "ZeroDivisionError")


def test_a_process_killed_while_idle_costs_no_item():
    with pool_of_calls() as pool:
        assert list(pool.map(numbers(1))) == [0]
        (process,) = multiprocessing.active_children()
        os.kill(process.pid, signal.SIGKILL)
        while Path(f"/proc/{process.pid}/fd").is_dir() and process.is_alive():
            time.sleep(0.01)
        assert list(pool.map(numbers(3))) == [0, 1, 2]


def mark_and_wait(marker, end=None):
    """Make a file, then wait for another, or for ever."""
    marker.touch()
    while end is None or not end.exists():
        time.sleep(0.005)


def until_exists(path, seconds=60):
    deadline = time.monotonic() + seconds
    while not path.exists():
        assert time.monotonic() < deadline, f"{path} did not appear"
        time.sleep(0.005)


def test_a_process_killed_from_outside_loses_its_item(tmp_path):
    with pool_of_calls() as pool:
        assert pool.submit(partial(int, "1")).result() == 1
        running = pool.submit(partial(mark_and_wait, tmp_path / "begun"))
        until_exists(tmp_path / "begun")
        (process,) = multiprocessing.active_children()
        os.kill(process.pid, signal.SIGKILL)
        with pytest.raises(WorkerDied, match="killed by SIGKILL"):
            running.result(60)
        assert pool.submit(partial(int, "2")).result() == 2


def test_a_task_that_cannot_be_pickled_is_no_items_failure():
    with WorkerPool(lambda item: item) as pool, pytest.raises(WorkerNotStarted, match=r"(?i)pickle"):
        next(pool.map([1]))


def test_processes_are_replaced_after_a_number_of_items():
    pids = results([os.getpid] * 6, recycle=2)
    assert [len(list(group)) for _, group in itertools.groupby(pids)] == [2, 2, 2]


# ── submit ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_future_raises_the_original_error():
    with pool_of_calls(seconds=lambda item: 0.5 if item is hang else 60) as pool:
        with pytest.raises(NotAPage, match="a PDF") as caught:
            pool.submit(partial(fail, NotAPage("a PDF"))).result()
        assert "in fail" in caught.value.__notes__[0]
        with pytest.raises(WorkerTimeout):
            pool.submit(hang).result()
        with pytest.raises(WorkerDied):
            pool.submit(partial(os._exit, 1)).result()


@pytest.mark.timed
def test_a_full_queue_raises_or_blocks():
    with pool_of_calls(queue=1) as pool:
        pool.submit(os.getpid).result()
        futures = [pool.submit(partial(time.sleep, 0.4)) for _ in range(2)]
        started = time.monotonic()
        with pytest.raises(QueueFull):
            pool.submit(os.getpid, timeout=0)
        with pytest.raises(QueueFull):
            pool.submit(os.getpid, timeout=0.05)
        assert time.monotonic() - started < 0.3
        assert pool.submit(os.getpid).result()  # Waits for room.
        assert [future.result() for future in futures] == [None, None]


def test_a_cancelled_item_makes_room_and_is_not_run(tmp_path):
    with pool_of_calls(queue=1) as pool:
        running = pool.submit(partial(mark_and_wait, tmp_path / "begun", tmp_path / "end"))
        until_exists(tmp_path / "begun")
        waiting = pool.submit(partial(os.mkdir, tmp_path / "made"))
        assert waiting.cancel()
        assert not running.cancel()
        last = pool.submit(partial(int, "1"), timeout=0)
        (tmp_path / "end").touch()
        assert last.result() == 1
        with pytest.raises(CancelledError):
            waiting.result()
    assert not (tmp_path / "made").exists()


def test_several_threads_submit_at_once():
    found = {}
    with WorkerPool(int, jobs=2, seconds=60, queue=3) as pool:

        def submit(name):
            found[name] = [pool.submit(str(number)).result() for number in range(40)]

        threads = [threading.Thread(target=submit, args=(name,)) for name in "abcdef"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(multiprocessing.active_children()) == 2
    assert list(found.values()) == [list(range(40))] * 6


def test_a_coroutine_awaits_a_future():
    async def main(pool):
        return await asyncio.gather(*(asyncio.wrap_future(pool.submit(str(number))) for number in range(5)))

    with WorkerPool(int, jobs=2, seconds=60) as pool:
        assert asyncio.run(main(pool)) == list(range(5))


# ── the end ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_end_of_the_block_waits_for_submitted_items():
    with pool_of_calls() as pool:
        futures = [pool.submit(call) for call in numbers(5)]
    assert [future.result(0) for future in futures] == list(range(5))
    with pytest.raises(WorkerError, match="closed"):
        pool.submit(os.getpid)


@pytest.mark.timed
def test_an_exception_in_the_block_kills_the_processes():
    started = time.monotonic()
    with pytest.raises(ZeroDivisionError), pool_of_calls(jobs=2) as pool:
        futures = [pool.submit(hang) for _ in range(4)]
        raise ZeroDivisionError
    assert time.monotonic() - started < 5
    assert all(future.done() for future in futures)


PARENT = """
import os, sys, time
from tests.test_workers import pool_of_calls, hang

if __name__ == "__main__":
    with pool_of_calls(jobs=2) as pool:
        pool.submit(os.getpid).result()
        if sys.argv[1] == "hang":
            futures = [pool.submit(hang) for _ in range(2)]
            time.sleep(0.3)
        print("started", flush=True)
        time.sleep(600)
"""


def parent_script(tmp_path, mode):
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    process = subprocess.Popen(
        [sys.executable, str(script), mode],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=heed_interrupts,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
    )
    assert process.stdout.readline() == "started\n"
    return process


def group_ends(group, seconds=8):
    """Whether all processes of a group end in time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.02)
    return False


@pytest.mark.timed
def test_idle_workers_end_when_their_parent_is_killed(tmp_path):
    process = parent_script(tmp_path, "idle")
    process.kill()
    process.communicate()
    assert group_ends(process.pid)


@pytest.mark.timed
def test_ctrl_c_ends_hanging_workers_without_a_word_of_theirs(tmp_path):
    process = parent_script(tmp_path, "hang")
    os.killpg(process.pid, signal.SIGINT)
    errors = process.communicate(timeout=300)[1]
    assert errors.count("KeyboardInterrupt") == 1
    assert group_ends(process.pid)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs interval timers")
def test_a_hanging_worker_whose_parent_is_dead_is_ended_by_its_alarm():
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=serve_with_a_short_alarm, args=(theirs,))
    process.start()
    assert ours.recv() == "ready"
    ours.send((hang, 0.2))
    process.join(60)
    assert process.exitcode == -signal.SIGALRM


def serve_with_a_short_alarm(connection):
    child._ORPHAN_SECONDS = 0.1
    child.serve(connection, operator.call)


# ── commands ──────────────────────────────────────────────────────────────────────────────────────────────────────

ECHO = """
import json, sys, os
print("{}", flush=True)
for line in sys.stdin:
    item = json.loads(line)
    if item == "die":
        print("a last word", file=sys.stderr)
        os._exit(3)
    while item == "hang":
        pass
    print("not JSON" if item == "garble" else json.dumps(["echo", item]), flush=True)
"""


def test_a_command_answers_json_lines_and_is_replaced_when_it_fails():
    command = Command((sys.executable, "-c", ECHO))
    with WorkerPool(command, seconds=lambda item: 0.5 if item == "hang" else 30) as pool:
        found = list(pool.map(["tea", "die", {"a": 1}, "hang", "garble", object(), None]))
    assert (found[0], found[2], found[6]) == (["echo", "tea"], ["echo", {"a": 1}], ["echo", None])
    assert found[1] == Failure("WorkerDied", "its process ended with status 3: a last word")
    assert [found[index].kind for index in (3, 4, 5)] == ["WorkerTimeout", "JSONDecodeError", "TypeError"]


@pytest.mark.parametrize(
    ("command", "message"),
    [(("no-such-command",), "no-such-command"), ((sys.executable, "-c", "raise SystemExit('no tea')"), "no tea")],
)
def test_a_command_that_does_not_start_says_why(command, message):
    with WorkerPool(Command(command)) as pool, pytest.raises(WorkerNotStarted, match=message):
        next(pool.map(["tea"]))


@on_linux
def test_the_memory_of_a_command_is_limited():
    explode = "import sys; print('{}', flush=True); sys.stdin.readline(); b'x' * 10**9"
    command = Command((sys.executable, "-c", explode))
    with WorkerPool(command, memory=500 * MEGABYTE) as pool, pytest.raises(WorkerDied, match="MemoryError"):
        pool.submit("tea").result()
