import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")

from bonmun import Limits  # noqa: E402
from bonmun.errors import SourceError  # noqa: E402
from bonmun.scale import BatchPool, BatchSettings, extract_batch  # noqa: E402
from bonmun.scale.packing import SharedMemory  # noqa: E402
from tests.scale.harmful_method import Harmful, with_length  # noqa: E402
from tests.signals import heed_interrupts  # noqa: E402

PAGE = "<title>{0}</title><p>This page will {0}, which is said in a sentence of some length.</p>"
STEADY = BatchSettings(method="xpath", timings=False)


def batch_of(*words: str, first: int = 0) -> Any:
    numbers = pa.array(range(first, first + len(words)), pa.int32())
    return pa.RecordBatch.from_pydict({"html": [PAGE.format(word) for word in words], "number": numbers})


def numbered(batches: int) -> Iterator[Any]:
    return (batch_of("stay", "go", first=2 * number) for number in range(batches))


def children(pid: int) -> list[str]:
    return [pid for file in Path(f"/proc/{pid}/task").glob("*/children") for pid in file.read_text().split()]


def gone(pids: list[str]) -> bool:
    deadline = time.monotonic() + 60
    while any(Path(f"/proc/{pid}").exists() for pid in pids) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not any(Path(f"/proc/{pid}").exists() for pid in pids)


@pytest.mark.skipif(sys.platform != "linux", reason="memory limits need Linux")
def test_a_page_that_crashes_or_eats_memory_is_one_failed_row() -> None:
    harm = ["stay", "exit at once", "allocate without end", "go", "crash at once", "unusual answer"]
    batches = [batch_of("stay", "go"), batch_of(*harm, first=2), batch_of("stay", first=8)]
    settings = BatchSettings(method=Harmful(), timings=False)
    with BatchPool(settings, jobs=2, memory=1 << 30) as pool:
        answers = list(pool.map(batches))
    rows = [row for batch in answers for row in batch.to_pylist()]
    assert [row["number"] for row in rows] == list(range(9))
    errors = {row["number"]: row["error"] for row in rows if row["status"] == "failed"}
    assert errors == {
        3: {"type": "WorkerDied", "message": "its process ended with status 3"},
        4: {"type": "WorkerOutOfMemory", "message": "out of memory; its process may use 1,073,741,824 bytes"},
        6: {"type": "WorkerDied", "message": "its process was killed by SIGSEGV"},
        7: {"type": "ValueError", "message": "an unusual ? answer"},
    }
    for batch, answer in zip(batches, answers, strict=True):
        for index in range(batch.num_rows):
            if batch.column("number")[index].as_py() not in errors:
                assert answer.slice(index, 1).equals(extract_batch(batch.slice(index, 1), settings))
    assert [answer.schema for answer in answers] == [answers[0].schema] * 3


def test_a_page_that_hangs_is_one_failed_row() -> None:
    settings = BatchSettings(method=Harmful(), limits=Limits(seconds=1), texts=(), timings=False)
    with BatchPool(settings, jobs=2, patience=1.0) as pool:
        (answer,) = pool.map([batch_of("stay", "sleep for ever", "go", "match for ever")])
    stopped = {"type": "WorkerTimeout", "message": "not done in 3 seconds; its process was stopped"}
    assert answer.column("error").to_pylist() == [None, stopped, None, stopped]
    assert answer.column("title").to_pylist() == ["stay", None, "go", None]


def test_the_time_limit_is_that_of_each_page_and_not_of_the_batch() -> None:
    settings = BatchSettings(method=Harmful(), limits=Limits(seconds=2), texts=(), timings=False)
    with BatchPool(settings, patience=0.0) as pool:  # 4 s for a page
        (answer,) = pool.map([batch_of(*["take its time, which are 0.4 seconds"] * 11)])
    assert answer.column("status").to_pylist() == ["ok"] * 11
    assert len({warning for page in answer.column("warnings").to_pylist() for warning in page}) == 1  # one process


def test_answers_are_those_of_extract_batch_whatever_the_types_carried_over() -> None:
    pages = pa.array([PAGE.format(word) for word in ("stay", "go")], pa.dictionary(pa.int8(), pa.large_string()))
    odd = {
        "word": pa.array(["a", "b"], pa.dictionary(pa.int8(), pa.string())),
        "view": pa.array(["a view of more than twelve bytes", None], pa.string_view()),
        "nested": pa.array([[{"a": 1}], None], pa.list_(pa.struct([("a", pa.int64())]))),
        "nothing": pa.nulls(2),
    }
    batch = pa.RecordBatch.from_pydict({"html": pages, **odd})
    batches = [batch, batch.slice(1), batch.slice(0, 0), batch]
    with BatchPool(STEADY) as pool:
        answers = list(pool.map(batches))
        again = pool._page_by_page(batch)
    assert [one.to_pylist() for one in answers] == [extract_batch(one, STEADY).to_pylist() for one in batches]
    assert again.to_pylist() == answers[0].to_pylist()
    assert again.schema == answers[0].schema


def test_a_function_of_answers_runs_in_the_worker() -> None:
    batch = batch_of("stay", "exit at once")
    with BatchPool(BatchSettings(method=Harmful()), then=with_length, memory=None) as pool:
        (answer,) = pool.map([batch])
    assert answer.column("length").to_pylist() == [
        len("This page will stay, which is said in a sentence of some length."),
        0,
    ]
    assert answer.column("status").to_pylist() == ["ok", "failed"]


def test_a_batch_without_pages_is_refused_in_the_caller() -> None:
    wrong = pa.RecordBatch.from_pydict({"body": ["<p>Tea"]})
    with BatchPool(STEADY) as pool, pytest.raises(SourceError, match="no column 'html'"):
        list(pool.map([wrong]))


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_generator_closed_early_leaves_no_process_and_no_open_file() -> None:
    before, files = set(children(os.getpid())), len(list(Path("/proc/self/fd").iterdir()))
    taken = []

    def endless() -> Iterator[Any]:
        while True:
            taken.append(1)
            yield batch_of("stay")

    with BatchPool(STEADY, jobs=2) as pool:
        answers = pool.map(endless())
        next(answers)
        started = [pid for pid in children(os.getpid()) if pid not in before]
        answers.close()
        assert len(taken) <= 8  # three for each process, and those on their way
        assert next(pool.map([batch_of("go")])).column("title").to_pylist() == ["go"]  # the pool goes on
    assert started
    assert gone([pid for pid in started if b"resource_tracker" not in _command(pid)])
    assert len(list(Path("/proc/self/fd").iterdir())) <= files + 1  # the pipe of multiprocessing's own tracker
    assert threading.active_count() == 1 or not [t for t in threading.enumerate() if t.name == "bonmun-worker"]


def _command(pid: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


SCRIPT = """
import sys
import pyarrow as pa
from bonmun.scale import BatchPool, BatchSettings
from tests.scale.harmful_method import Harmful

if __name__ == "__main__":
    page = "<p>This page will {}, which is said in a sentence of some length."
    batches = [pa.RecordBatch.from_pydict({"html": [page.format(word)]}) for word in ("stay", "sleep for ever")]
    with BatchPool(BatchSettings(method=Harmful())) as pool:
        for answer in pool.map(batches):
            print(answer.column("status")[0], flush=True)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_an_interrupted_run_leaves_no_process() -> None:
    root = Path(__file__).parents[2]
    arguments, environment = [sys.executable, "-c", SCRIPT], os.environ | {"PYTHONPATH": str(root)}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(arguments, cwd=root, env=environment, preexec_fn=heed_interrupts, **pipes) as run:
        assert run.stdout is not None
        assert run.stdout.readline() == b"ok\n"
        started = children(run.pid)
        run.send_signal(signal.SIGINT)
        assert run.wait(60) != 0
    assert started
    assert gone(started)


def test_memory_of_a_batch_is_used_again_and_a_large_one_given_back() -> None:
    small, large = batch_of("stay"), pa.RecordBatch.from_pydict({"html": [b"x" * (33 << 20)]})
    with SharedMemory() as memory:
        places = set()
        for number in range(5):
            packed = memory.pack(batch_of("stay", first=number))
            assert packed.batch().column("number").to_pylist() == [number]
            places.add(packed.file)
            memory.release(packed)
        assert len(places) == 1
        given = memory.pack(large)
        read = given.batch()
        memory.release(given)
        kept = memory.pack(small)
        kept_read = kept.batch()
        memory.release(kept, unread=False)
        memory.pack(batch_of("go"))
        assert read.column("html")[0].as_py() == b"x" * (33 << 20)
        assert kept_read.equals(small)
