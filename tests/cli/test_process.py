"""Signals, pipes, terminals, locales, plug-ins that misbehave, and how quickly the command starts."""

import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.signals import heed_interrupts

COMMAND = [sys.executable, "-m", "bonmun"]

PLUGIN = """
import os, signal

class Method:
    def judge(self, page):
        from bonmun.methods.learned import Learned as Auto
        if "Bad" in "".join(page.blocks.text):
            self.fail()
        print("this is not part of the document")
        return Auto().judge(page)

class Crash(Method):
    name = "crash"
    def fail(self):
        signal.raise_signal(signal.SIGSEGV)

class Bug(Method):
    name = "bug"
    def fail(self):
        raise RuntimeError("two\\nlines")

def stray(document):
    return "lone \\ud800 half"
"""


@pytest.fixture
def plugin(tmp_path_factory):
    """A third party's package with two bad methods and a bad format, as the environment that finds it."""
    home = tmp_path_factory.mktemp("plugin")
    (home / "rude.py").write_text(PLUGIN)
    package = home / "rude-1.0.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: rude\nVersion: 1.0\n")
    (package / "entry_points.txt").write_text(
        "[bonmun.methods]\ncrash = rude:Crash\nbug = rude:Bug\n[bonmun.formats]\nstray = rude:stray\n"
    )
    return {"PYTHONPATH": os.pathsep.join([str(home), os.environ.get("PYTHONPATH", "")])}


@pytest.fixture
def three(page):
    return [page("d/1.html", "First"), page("d/2.html", "Bad"), page("d/3.html", "Third")]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_crash_fails_its_own_source_only(bonmun, three, plugin, jobs):
    done = bonmun("extract", *three, "--method", "crash", "--jobs", jobs, **plugin)
    assert done.code == 1
    assert "First" in done.out
    assert "Third" in done.out
    assert "bonmun: d/2.html: WorkerDied: its process was killed by SIGSEGV\n" in done.err
    assert "Traceback" not in done.err


def test_a_worker_that_does_not_start_is_one_line(page):
    script = "import multiprocessing, bonmun.cli; multiprocessing.set_executable('/bin/false'); bonmun.cli.main()"
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script, "extract", page("a.html"), page("b.html")],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "bonmun: WorkerNotStarted: a worker process does not start: its process ended with status 1\n"
    )


def test_a_bug_is_one_line_and_with_debug_a_traceback(bonmun, three, plugin):
    done = bonmun("extract", *three, "--method", "bug", **plugin)
    assert done.code == 1
    assert "bonmun: d/2.html: RuntimeError: two lines\n" in done.err
    assert "Traceback" not in done.err
    assert "not part of the document" not in done.out
    debug = bonmun("extract", *three, "--method", "bug", BONMUN_DEBUG="1", **plugin)
    assert "Traceback" in debug.err
    assert "rude.py" in debug.err


def test_a_lone_surrogate_does_not_stop_the_output(bonmun, three, plugin):
    done = bonmun("extract", three[0], "--format", "stray", **plugin)
    assert (done.code, done.out) == (0, "lone ? half\n")


def test_output_is_utf8_whatever_the_locale(bonmun):
    text = "본문은 읽으러 온 사람을 위한 글이고 나머지는 모두 장식일 뿐이다."
    done = bonmun("extract", "-", stdin=f"<p>{text}</p>".encode(), LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert (done.code, done.out) == (0, f"{text}\n")


@pytest.mark.skipif(sys.platform != "linux", reason="needs file names that are not UTF-8")
def test_names_that_are_not_utf8_are_shown_with_replacement_characters(bonmun, page, folder):
    page("good.html")
    odd = os.fsencode(folder) + b"/d/caf\xe9\n.html"
    Path("d").mkdir()
    Path(os.fsdecode(odd)).write_text(Path("good.html").read_text())
    Path(os.fsdecode(odd.replace(b"caf", b"tea"))).write_bytes(b"%PDF-1.4")
    done = bonmun("extract", "d", "--output", "out")
    assert done.code == 1
    assert len(done.err.splitlines()) == 1
    assert done.err.startswith("bonmun: d/tea\N{REPLACEMENT CHARACTER} .html: NotAPage")
    assert sorted(path.name for path in Path("out").iterdir()) == ["caf_.txt", "manifest.jsonl"]
    assert bonmun("extract", "d").out.startswith("==> d/caf\N{REPLACEMENT CHARACTER} .html <==\n")


def test_a_closed_pipe_ends_the_command_quietly(page):
    for number in range(30):
        page(f"d/{number}.html", f"Number {number}")
    running = subprocess.Popen([*COMMAND, "extract", "d"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    running.stdout.readline()
    running.stdout.close()
    errors = running.stderr.read()
    running.stderr.close()
    assert running.wait(60) == 1
    assert errors == b""


def gone(group):
    """Whether all processes of a group end within half a minute."""
    for _ in range(600):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


def test_ctrl_c_ends_the_command_quietly_and_leaves_finished_files(page, site):
    page("a.html")
    command = [*COMMAND, "extract", "a.html", f"{site.url}/slow", "--allow-private", "--output", "out"]
    running = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True, preexec_fn=heed_interrupts
    )
    assert site.asked.wait(60)
    os.killpg(running.pid, signal.SIGINT)
    out, errors = running.communicate(timeout=300)
    assert running.returncode == 130
    assert (out, errors.strip()) == (b"", b"")
    assert "lower road" in Path("out/a.txt").read_text()
    assert sorted(path.name for path in Path("out").iterdir()) == ["a.txt", "manifest.jsonl"]
    assert gone(running.pid)


def on_terminal(*arguments):
    """Run the command with its error stream on a terminal; return its output on both streams."""
    ours, theirs = pty.openpty()
    running = subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=theirs)
    os.close(theirs)
    out = running.stdout.read()
    running.stdout.close()
    shown = b""
    try:
        while piece := os.read(ours, 65536):
            shown += piece
    except OSError:  # Linux says so when the other end is closed.
        pass
    os.close(ours)
    running.wait(60)
    return shown.decode(), out.decode()


def test_a_terminal_gets_a_progress_bar_and_whole_error_lines(three):
    Path("d/4.html").write_bytes(b"%PDF-1.4")
    shown, out = on_terminal("extract", *three, "d/4.html", "--format", "json")
    assert "3/4" in shown or "4/4" in shown
    assert "bonmun: d/4.html: NotAPage" in shown
    assert "bonmun: 3 ok, 1 failed in " in shown
    assert len(out.splitlines()) == 4
    assert out.startswith("{")


def test_one_source_needs_no_progress_bar(three):
    assert on_terminal("extract", three[0])[0] == ""


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["extract", "--help"], ["explain", "--help"]])
def test_help_and_version_load_neither_the_pipeline_nor_rich(arguments, folder):
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "bonmun", *arguments], capture_output=True, text=True, timeout=300
    )
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert done.returncode == 0
    assert done.stdout
    assert "click" in loaded
    assert not loaded & {"bonmun.pipeline", "selectolax", "rich", "ssl", "multiprocessing", "numpy"}


def test_the_parent_process_does_not_import_the_pipeline(page):
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "bonmun", "extract", page("a.html")],
        capture_output=True,
        timeout=300,
    )
    lines = done.stderr.decode().splitlines()
    loaded = [line.rpartition("|")[2].strip() for line in lines]
    assert loaded.count("click") == loaded.count("bonmun.pipeline") == 1


def test_the_installed_script_and_the_module_are_the_same_command(page):
    page("a.html")
    script = Path(sys.executable).with_name("bonmun")
    if not script.exists():
        pytest.skip("the package is not installed with its script")
    runs = [subprocess.run([*start, "extract", "a.html"], capture_output=True) for start in ([str(script)], COMMAND)]
    assert runs[0].stdout == runs[1].stdout != b""


def test_no_command_shows_the_help_and_is_wrong_usage(bonmun):
    done = bonmun()
    assert done.code == 2
    assert "Usage: " in done.out
    assert "explain" in done.out
