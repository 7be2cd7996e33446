"""``bonmun run`` as a command: checks, the example, the screen."""

import os
import pty
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bonmun.store import open_store

ROOT = Path(__file__).parents[2]


@pytest.fixture
def example(tmp_path: Path) -> Path:
    """A copy of the example, with the pages that it reads."""
    for name in ("pages", "run"):
        shutil.copytree(ROOT / "examples" / name, tmp_path / name, ignore=shutil.ignore_patterns("out", "__pycache__"))
    return tmp_path / "run" / "config.toml"


def test_the_example_runs_without_network(bonmun, example: Path) -> None:
    done = bonmun("run", str(example), "--once")
    assert done.code == 0, done.err
    *titles, count = done.out.splitlines()
    assert sorted(titles)[2:] == ["ko: 작은 항구에 돌아온 등대지기", "zh: 老街尽头的茶馆"]
    assert count == "4 pages"
    assert '"event": "run finished", "fetched": 4, "parsed": 4, "analysed": 4, "failed": 0' in done.err
    with open_store(example.parent / "out" / "news.db") as store:
        assert [hit.title for hit in store.search("등대지기")] == ["작은 항구에 돌아온 등대지기"]


def test_a_configuration_is_checked_without_running_it(bonmun, example: Path) -> None:
    done = bonmun("run", "--check", str(example))
    assert (done.code, done.out) == (0, "config.toml: 1 source, 1 wrapper, store out/news.db\n")
    assert not (example.parent / "out").exists()
    example.write_text('sources = ["../pages/*.html"]\n[schedule]\nevery = "often"\n')
    done = bonmun("run", "--check", str(example))
    assert (done.code, done.out) == (1, "")
    message = 'line 3: \'every\' must be a duration such as "15m", not "often"\n'
    assert done.err == f"bonmun: ConfigError: {example}, {message}"


def test_the_screen_is_shown_on_a_terminal_and_gone_afterwards(example: Path) -> None:
    main, terminal = pty.openpty()
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"}
    environment.pop("NO_COLOR", None)
    command = [sys.executable, "-m", "bonmun", "run", str(example)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=terminal, env=environment)
    os.close(terminal)
    written = b""
    try:
        while part := _read(main):
            written += part
        assert process.wait(60) == 0
    finally:
        process.kill()
        process.wait()
        os.close(main)
    text = written.decode()
    assert text.index("\x1b[?1049h") < text.index("bonmun run config.toml") < text.index("\x1b[?1049l")
    after = re.sub(r"\x1b\[[?0-9;]*[A-Za-z]", "", text[text.index("\x1b[?1049l") :]).strip()
    assert re.fullmatch(r"4 fetched, 4 parsed, 4 analysed, 0 failed in \d+s", after)
    assert '"event"' not in text


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # the other end is closed
        return b""
