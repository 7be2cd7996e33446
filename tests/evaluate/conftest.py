"""Small corpora, and systems that misbehave on purpose."""

import json
import os
import sys
from pathlib import Path

import pytest

from bonmun.evaluate import system_main
from bonmun.evaluate.corpora import open_corpus
from bonmun.evaluate.store import Store
from bonmun.evaluate.systems import System

ADAPTER = """
import os, time

def load():
    def run(html, url, lang):
        with open({log!r}, "a") as log:
            log.write(html + "\\n")
        if "hang" in html:
            while True:
                pass
        if "crash" in html:
            os.abort()
        if "raise" in html:
            raise ValueError("no number")
        if "nothing" in html:
            return "  "
        print("this is no answer")
        time.sleep({pause})
        return "echo " + html
    return run
"""


@pytest.fixture
def echo(tmp_path):
    """A system that repeats the page, unless it contains hang, crash, raise or nothing; it logs every page."""

    def make(name="echo", version="1", pause=0.0):
        adapter = tmp_path / f"{name}.py"
        adapter.write_text(ADAPTER.format(log=str(tmp_path / f"{name}.log"), pause=pause))
        return System(name, version, (sys.executable, "-I", str(Path(system_main.__file__)), str(adapter)))

    return make


@pytest.fixture
def asked(tmp_path):
    """The pages in a system's log, in order."""

    def read(name="echo"):
        log = tmp_path / f"{name}.log"
        return [line for line in log.read_text().splitlines() if not line.startswith("<html lang=en>")]

    return read


@pytest.fixture
def lines(tmp_path):
    """Write a corpus of JSON lines."""

    def write(*records, name="small"):
        path = tmp_path / f"{name}.jsonl"
        path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
        return open_corpus(path)

    return write


@pytest.fixture
def third_party(tmp_path, monkeypatch):
    """Install a third-party package with a method of that name."""

    def install(method, version="2.5"):
        package = tmp_path / "site" / "teahouse-2.5.dist-info"
        package.mkdir(parents=True, exist_ok=True)
        (package / "METADATA").write_text(f"Metadata-Version: 2.1\nName: teahouse\nVersion: {version}\n")
        (package / "entry_points.txt").write_text(f"[bonmun.methods]\n{method} = tests.evaluate.finder:Finder\n")
        monkeypatch.syspath_prepend(package.parent)
        monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [str(package.parent), os.getenv("PYTHONPATH")])))

    return install


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "bench.sqlite") as opened:
        yield opened
