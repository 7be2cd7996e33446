"""Threads and sub-interpreters that read at the same time get the same answers as one alone."""

import subprocess
import sys
import textwrap
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import TypeVar

import pytest

import bonmun
from tests.core.readers import compiled, rows
from tests.core.tree_cases import CASES

ROOT = Path(__file__).parents[2]
THREADS = 8
Answer = TypeVar("Answer")


def sample_pages() -> list[str]:
    examples = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "examples" / "pages").glob("*.html"))]
    assert examples
    odd = ["".join(cases) for cases in CASES.values()]
    long = "<div class=story><h2>Tea</h2>" + "<p>Water that has just boiled, and <b>leaves</b>.</p>" * 500
    return [*examples, *odd, long]


def answers(html: str) -> list[str]:
    """The outputs of two methods in two formats."""
    documents = [bonmun.extract(html, method=method) for method in ("xpath", "auto")]
    return [answer for document in documents for answer in (document.text, document.to_json())]


def in_threads(work: Callable[[int], Answer]) -> list[Answer]:
    """Run the same work in all threads at the same time."""
    ready = Barrier(THREADS)

    def run(number: int) -> Answer:
        ready.wait()
        return work(number)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(run, range(THREADS)))


def test_threads_that_extract_the_same_pages_agree() -> None:
    htmls = sample_pages()
    alone = [answers(html) for html in htmls]
    for together in in_threads(lambda _: [answers(html) for html in htmls]):
        assert together == alone


def test_threads_that_extract_different_pages_do_not_disturb_each_other() -> None:
    htmls = sample_pages()
    alone = [answers(html) for html in htmls]

    def turned(number: int) -> list[list[str]]:
        order = [(index + number * 3) % len(htmls) for index in range(len(htmls))]
        by_index = {index: answers(htmls[index]) for index in order}
        return [by_index[index] for index in range(len(htmls))]

    for together in in_threads(turned):
        assert together == alone


def test_one_page_read_by_many_threads_has_the_same_rows() -> None:
    html = "".join(sample_pages())
    alone = rows(compiled(html))
    for together in in_threads(lambda _: rows(compiled(html))):
        assert together == alone


def test_a_sub_interpreter_reads_as_the_main_one_does() -> None:
    if sys.version_info >= (3, 12):
        pytest.skip("the private module of sub-interpreters changed in Python 3.12")
    pytest.importorskip("_xxsubinterpreters")
    html = "<p>one<table>two<tr><td>three</table><b>four"
    expected = [compiled(html).text(row) for row in range(len(compiled(html)))]
    inside = f"""
        import sys
        sys.path[:] = {sys.path!r}
        from bonmun.core import core
        from bonmun.read.parse import parse
        assert core() is not None
        nodes = parse({html!r})
        assert [nodes.text(row) for row in range(len(nodes))] == {expected!r}
    """
    program = f"""
        import _xxsubinterpreters as interpreters
        for _ in range(3):  # loading and unloading leaves no state
            interpreter = interpreters.create()
            try:
                interpreters.run_string(interpreter, {textwrap.dedent(inside)!r})
            finally:
                interpreters.destroy(interpreter)
    """
    # In a process of its own: after a first sub-interpreter Python no longer tells who holds the GIL, and torch fails.
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
