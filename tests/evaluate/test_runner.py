"""Real worker processes that hang, crash and raise; and a bench that is killed."""

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from bonmun.errors import WorkerNotStarted
from bonmun.evaluate.corpora import CorpusError
from bonmun.evaluate.runner import BenchRun, collect
from bonmun.evaluate.store import Store
from bonmun.evaluate.system_worker import Outcome, SystemWorker
from tests.evaluate.records import record
from tests.signals import heed_interrupts


def answers(store, system, corpus):
    return {page: answer.status for page, answer in store.costs(system, corpus.name).items()}


def test_what_goes_wrong_on_a_page_is_counted_and_stops_nothing(echo, lines, store):
    pages = ["fine", "hang", "fine again", "crash", "raise", "nothing", "last"]
    corpus = lines(*(record(number, html=html) for number, html in enumerate(pages)))
    system = echo()
    collect(BenchRun(corpus, [system], seconds=1.0), store)
    found = answers(store, system, corpus)
    expected = ["ok", "timeout", "ok", "error", "error", "empty", "ok"]
    assert [found[str(number)] for number in range(7)] == expected
    assert store.answer(system, "small", "0").output == "echo fine"
    assert store.answer(system, "small", "4").note == "ValueError: no number"
    assert store.answer(system, "small", "3").note.startswith("its process was killed by SIGABRT")


def test_what_is_known_is_not_asked_again(echo, asked, lines, store):
    corpus = lines(record(1, html="one"), record(2, html="two"))
    system = echo()
    for _ in range(2):
        collect(BenchRun(corpus, [system]), store)
    assert asked() == ["one", "two"]


def test_a_new_version_a_changed_page_and_a_refresh_are_asked_again(echo, asked, lines, store):
    system = echo()
    corpus = lines(record(1, html="one"), record(2, html="two"))
    collect(BenchRun(corpus, [system]), store)
    collect(BenchRun(corpus, [replace(system, version="2")]), store)
    collect(BenchRun(lines(record(1, html="one"), record(2, html="new")), [system]), store)
    assert asked() == ["one", "two", "one", "two", "new"]
    store.forget(system, corpus.name)
    collect(BenchRun(lines(record(1, html="one")), [system]), store)
    assert asked()[-1] == "one"
    assert store.answered(replace(system, version="2"), corpus.name).keys() == {"1", "2"}


def test_systems_take_turns_and_lanes_share_the_pages(echo, asked, lines, store):
    corpus = lines(*(record(number, html=f"page {number}") for number in range(8)))
    systems = [echo("a"), echo("b")]
    told = []
    collect(BenchRun(corpus, systems, jobs=2), store, told.append)
    assert sum(told) == 16
    assert sorted(asked("a")) == sorted(asked("b")) == [f"page {number}" for number in range(8)]


def test_a_system_that_does_not_start_is_named(echo, lines, store, tmp_path):
    system = echo()
    (tmp_path / "echo.py").write_text("def load():\n    import no_such_module\n")
    with pytest.raises(WorkerNotStarted, match=r"echo does not start: .*no_such_module"):
        collect(BenchRun(lines(record(1)), [system]), store)


def test_a_bad_record_stops_the_run_and_leaves_no_process(echo, lines, store, tmp_path):
    corpus = lines(record(1), record(2))
    with (tmp_path / "small.jsonl").open("a") as file:
        file.write("{\n")
    system = echo(pause=0.2)
    with pytest.raises(CorpusError, match=r"small\.jsonl, line 3: invalid JSON"):
        collect(BenchRun(corpus, [system]), store)
    assert _running(tmp_path / "echo.py") == []
    assert answers(store, system, corpus).keys() <= {"1", "2"}


def test_a_worker_whose_starter_is_gone_ends_by_itself(echo, tmp_path):
    if not hasattr(signal, "setitimer"):
        pytest.skip("no interval timers on this system")
    system = echo()
    process = subprocess.Popen(system.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    process.stdin.write(b'{"html": "hang", "url": null, "lang": "en", "seconds": 0.3}\n')
    process.stdin.flush()
    assert process.wait(60) == -signal.SIGALRM
    process.communicate()


def test_cpu_time_and_memory_are_those_of_the_page(echo, lines):
    with SystemWorker(echo()) as worker:
        (case,) = lines(record(1, html="x" * 1000)).cases()
        answer = worker.ask(case, 20)
    assert answer.status is Outcome.OK
    assert 0 <= answer.cpu < 1
    assert answer.memory > 1000 or not os.path.exists("/proc/self/status")  # noqa: PTH110


SCRIPT = """
import sys
from pathlib import Path
from bonmun.evaluate.corpora import open_corpus
from bonmun.evaluate.runner import BenchRun, collect
from bonmun.evaluate.store import Store
from bonmun.evaluate.systems import System
corpus, out, *command = sys.argv[1:]
with Store(Path(out)) as store:
    collect(BenchRun(open_corpus(corpus), [System("echo", "1", tuple(command))]), store)
"""


def test_killed_at_any_moment_it_loses_nothing_and_repeats_nothing(echo, asked, lines, tmp_path):
    corpus = lines(*(record(number, html=f"page {number}") for number in range(30)))
    system = echo(pause=0.02)
    out = tmp_path / "killed.sqlite"
    command = [sys.executable, "-c", SCRIPT, str(corpus.path), str(out), *system.command]
    kept: dict[str, str] = {}
    for count in (3, 11, 20):
        process = subprocess.Popen(command, env=system.environment())
        while not (out.exists() and _rows(out, system, corpus) >= count):
            assert process.poll() is None
            time.sleep(0.01)
        process.kill()
        process.wait()
        with Store(out) as store:
            now = store.answered(system, corpus.name)
        assert kept.items() <= now.items()
        kept = now
    subprocess.run(command, check=True, env=system.environment())
    with Store(out) as store:
        assert len(store.answered(system, corpus.name)) == 30
    pages = asked()
    assert set(pages) == {f"page {number}" for number in range(30)}
    assert len(pages) <= 30 + 3  # only the page that was being read when the kill came


def test_a_new_results_file_can_be_opened_by_several_at_once(tmp_path):
    with ThreadPoolExecutor(4) as threads:
        for number in range(30):
            for opened in [threads.submit(Store, tmp_path / f"{number}.sqlite") for _ in range(4)]:
                with opened.result():
                    pass


def test_ctrl_c_is_nobodys_error(echo, lines, tmp_path):
    corpus = lines(*(record(number, html=f"page {number}") for number in range(200)))
    system = echo(pause=0.05)
    out = tmp_path / "ended.sqlite"
    command = [sys.executable, "-c", SCRIPT, str(corpus.path), str(out), *system.command]
    options = {"stderr": subprocess.PIPE, "start_new_session": True, "preexec_fn": heed_interrupts}
    process = subprocess.Popen(command, env=system.environment(), **options)
    while not (out.exists() and _rows(out, system, corpus) >= 3):
        assert process.poll() is None
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)
    assert b"KeyboardInterrupt" in process.communicate(timeout=300)[1]
    with Store(out) as store:
        assert set(answers(store, system, corpus).values()) == {"ok"}


def test_a_worker_that_somebody_else_ends_is_asked_again(echo, asked, lines, store, tmp_path):
    if not Path("/proc").is_dir():
        pytest.skip("processes are not to be found here")
    corpus = lines(record(1, html="one"), record(2, html="two"))
    system = echo(pause=0.4)
    killer = threading.Thread(target=_kill_at_first_page, args=(tmp_path / "echo.log", str(tmp_path / "echo.py")))
    killer.start()
    collect(BenchRun(corpus, [system]), store)
    killer.join()
    assert asked() == ["one", "one", "two"]
    assert set(answers(store, system, corpus).values()) == {"ok"}


def _kill_at_first_page(log, adapter):
    while not (log.exists() and "one" in log.read_text()):
        time.sleep(0.01)
    for pid in _running(adapter):
        with suppress(OSError):
            os.kill(pid, signal.SIGKILL)


def _running(adapter):
    """The processes with an adapter on their command line, on systems that have /proc."""
    pids = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if str(adapter).encode() in entry.read_bytes():
                pids.append(int(entry.parent.name))
    return pids


def test_ctrl_c_while_a_system_starts_is_no_failure_of_that_system(echo, lines, tmp_path):
    system = echo()
    adapter = tmp_path / "echo.py"
    adapter.write_text(f"import time, pathlib\npathlib.Path({str(tmp_path / 'begun')!r}).touch()\ntime.sleep(30)\n")
    command = [sys.executable, "-c", SCRIPT, str(lines(record(1)).path), str(tmp_path / "a.sqlite"), *system.command]
    options = {"stderr": subprocess.PIPE, "start_new_session": True, "preexec_fn": heed_interrupts}
    process = subprocess.Popen(command, env=system.environment(), **options)
    while not (tmp_path / "begun").exists():
        assert process.poll() is None
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)
    said = process.communicate(timeout=300)[1]
    assert b"KeyboardInterrupt" in said
    assert b"does not start" not in said


def _rows(path, system, corpus):
    with Store(path) as store:
        return len(store.answered(system, corpus.name))
