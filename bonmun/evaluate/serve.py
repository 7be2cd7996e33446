"""The other end of a worker: load one system, then answer one page after the other, a JSON object a line each way.

Needs nothing but the standard library, so that an interpreter without Bonmun can run it by its path: some peers exist
for one Python version only.
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
"""From a page (`id`, `html`, `url`, `lang`) to the output; if it has a `prepare`, that gets the page first, untimed."""

_TEA = "<html lang=en><head><title>Tea</title></head><body><div><p>" + "Tea, and water that boils. " * 9 + "</p></div>"


def main(target: str) -> None:
    """Serve the system that a target names.

    `method:NAME`, `folds:FOLDER`, `sites:RULES:CORPUS`, or the path of a peer's adapter.
    """
    serve(lambda: _load(target))


def serve(load: Callable[[], Extract]) -> None:
    """Load a system and answer pages until there are no more."""
    channel = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # What a system prints must not stand among the answers.
    extract = load()
    with suppress(Exception):
        extract({"id": "", "html": _TEA, "url": None, "lang": "en"})  # What loads at first use is no page's cost.
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
    """Return what a method or a peer's adapter gives, (html, url, language) → the output, as a function of a page."""
    return lambda page: run(page["html"], page["url"], page["lang"])


def _answer(extract: Extract, page: dict[str, Any]) -> dict[str, Any]:
    _last_resort(page["seconds"])
    with suppress(Exception):  # Whatever is wrong, the extraction meets it again.
        getattr(extract, "prepare", lambda _: None)(page)
    _forget_peak()
    start, begun = time.perf_counter(), time.process_time()
    try:
        answer = {"output": extract(page)}
    except Exception as error:
        answer = {"error": f"{type(error).__name__}: {error}"[:500]}
    spent, wall = time.process_time() - begun, time.perf_counter() - start
    _last_resort(0)
    return {**answer, "cpu": spent, "wall": wall, "memory": _peak()}


def _last_resort(seconds: float) -> None:
    """Let the kernel end this process if it hangs and nobody is left to stop it."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _forget_peak() -> None:
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def _peak() -> int:
    """Return the most memory held since the page came, in kB. (`ru_maxrss` would begin with the parent's.)"""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))
    except (OSError, StopIteration):
        return 0


if __name__ == "__main__":
    main(sys.argv[1])
