"""The program of a worker process: load one system, then answer each page, a line of JSON, with a line of JSON.

Uses only the standard library: an interpreter without Bonmun runs it by its path, since some peers exist for one
Python version only.
"""

import importlib
import importlib.util
import json
import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

Extract = Callable[[dict[str, Any]], str]
"""From a page (`id`, `html`, `url`, `lang`) to the output. Its `prepare`, if any, gets the page first, untimed."""

_TEA = "<html lang=en><head><title>Tea</title></head><body><div><p>" + "Tea, and water that boils. " * 9 + "</p></div>"


def main(target: str) -> None:
    """Answer pages with a system: `method:NAME`, `folds:FOLDER`, `sites:RULES:CORPUS`, or the path of an adapter."""
    answer_pages(lambda: _load(target))


def answer_pages(load: Callable[[], Extract]) -> None:
    """Load a system and answer pages until standard input is closed."""
    channel = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # A system's prints must not mix with the answers.
    extract = load()
    with suppress(Exception):
        extract({"id": "", "html": _TEA, "url": None, "lang": "en"})  # Warm up: not a page's cost.
    channel.write("{}\n")
    channel.flush()
    for line in sys.stdin.buffer:
        channel.write(json.dumps(_answer(extract, json.loads(line))) + "\n")
        channel.flush()


def _load(target: str) -> Extract:
    kind, _, name = target.partition(":")
    if kind == "method":
        return _of_text(importlib.import_module("bonmun.evaluate.ours").load(name))
    if kind == "folds":
        read = importlib.import_module("bonmun.evaluate.ours").load_folds(name)
        return lambda page: str(read(page["id"], page["html"], page["url"]))
    if kind == "sites":
        rules, _, corpus = name.partition(":")
        sited: Extract = importlib.import_module("bonmun.evaluate.ours").Sited(rules, corpus)
        return sited
    spec = importlib.util.spec_from_file_location(f"peer_{Path(target).stem}", target)
    if spec is None or spec.loader is None:
        raise ImportError(target)
    adapter = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(adapter)
    return _of_text(adapter.load())


def _of_text(run: Callable[[str, str | None, str | None], str]) -> Extract:
    """Adapt a function of (html, url, language), as methods and adapters give it, to a function of a page."""
    return lambda page: run(page["html"], page["url"], page["lang"])


def _answer(extract: Extract, page: dict[str, Any]) -> dict[str, Any]:
    _set_alarm(page["seconds"])
    with suppress(Exception):  # The extraction meets the same error.
        getattr(extract, "prepare", lambda _: None)(page)
    _reset_peak_memory()
    start, begun = time.perf_counter(), time.process_time()
    try:
        answer = {"output": extract(page)}
    except Exception as error:
        answer = {"error": f"{type(error).__name__}: {error}"[:500]}
    spent, wall = time.process_time() - begun, time.perf_counter() - start
    _set_alarm(0)
    return {**answer, "cpu": spent, "wall": wall, "memory": _peak_memory()}


def _set_alarm(seconds: float) -> None:
    """Let the kernel end this process if it hangs and its parent is dead."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _reset_peak_memory() -> None:
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def _peak_memory() -> int:
    """Return the peak memory since the last reset, in kB. (`ru_maxrss` would start with the parent's.)"""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))
    except (OSError, StopIteration):
        return 0


if __name__ == "__main__":
    main(sys.argv[1])
