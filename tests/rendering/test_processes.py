"""No process and no file is left behind, whatever ends a program that renders."""

import os
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path

import pytest

from tests.browser import require_chromium
from tests.signals import heed_interrupts

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
TREE = Path(__file__).parents[2]
TOKEN = "BONMUN_TEST_PROCESSES"
PATIENCE = 60.0
START = """
import itertools, os, signal, sys, time, bonmun
renderer = bonmun.Renderer(bonmun.RenderSettings(seconds=60, javascript=True, loading=40))
renderer.render("<p>Tea")
print("drawn", flush=True)
"""
BUSY = START + "for page in renderer.map(f'<p>{n}' for n in itertools.count()): pass"
HANGING = START + "renderer.render('<p>Tea<script>while (true);</script>')"
FORKED = """
import os, bonmun
bonmun.render("<p>Tea")
print("drawn", flush=True)
child = os.fork()
assert bonmun.render("<p>Leaves").layout
if not child:
    sys_exit = __import__("sys").exit(0)
assert os.waitpid(child, 0)[1] == 0
assert bonmun.render("<p>Leaves").layout
"""


@pytest.fixture
def folder(tmp_path_factory):
    """For temporary files; a short path, as Chromium puts a socket there."""
    require_chromium()
    return tmp_path_factory.mktemp("t")


def start(program, folder):
    token = uuid.uuid4().hex
    environment = {**os.environ, TOKEN: token, "PYTHONPATH": str(TREE), "TMPDIR": str(folder)}
    child = subprocess.Popen(
        [sys.executable, "-c", program],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=heed_interrupts,
    )
    return child, token


def processes(token):
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            if f"{TOKEN}={token}".encode() in (path / "environ").read_bytes():
                found.append((int(path.name), (path / "cmdline").read_bytes().replace(b"\0", b" ")[:80]))
        except OSError:
            continue
    return found


def assert_nothing_is_left(token, folder):
    end = time.monotonic() + PATIENCE
    while (left := processes(token)) or list(folder.iterdir()):
        assert time.monotonic() < end, f"left behind: {left} {list(folder.iterdir())}"
        time.sleep(0.05)


@pytest.mark.parametrize(
    ("program", "status"),
    [
        (START + "renderer.close()", 0),
        (START + "renderer.close(now=True)", 0),
        (START, 0),
        (START + "with renderer: raise ValueError('tea')", 1),
        ("import bonmun\nbonmun.render('<p>Tea')\nprint('drawn', flush=True)", 0),
        (FORKED, 0),
    ],
    ids=["closed", "closed at once", "never closed", "exception", "kept", "forked"],
)
def test_a_program_that_ends_leaves_nothing(program, status, folder):
    child, token = start(program, folder)
    output, errors = child.communicate(timeout=PATIENCE)
    assert (child.returncode, output.split()[:1]) == (status, [b"drawn"]), errors.decode()
    assert_nothing_is_left(token, folder)


@pytest.mark.parametrize("program", [BUSY, HANGING], ids=["busy", "hanging"])
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_program_that_is_ended_leaves_nothing(program, sent, folder):
    child, token = start(program, folder)
    assert child.stdout.readline() == b"drawn\n"
    assert len(processes(token)) >= 4  # program, worker, driver, browser
    child.send_signal(sent)
    child.communicate(timeout=PATIENCE)
    assert child.returncode != 0
    assert_nothing_is_left(token, folder)


def test_a_browser_that_is_stopped_ends_with_its_program(folder):
    child, token = start(BUSY, folder)
    assert child.stdout.readline() == b"drawn\n"
    for process, command in processes(token):
        if b"--type=" in command or b"--headless" in command:
            os.kill(process, signal.SIGSTOP)
    child.kill()
    child.communicate(timeout=PATIENCE)
    assert_nothing_is_left(token, folder)
