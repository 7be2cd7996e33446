"""Many pages on a pool of browsers: order, look-ahead, browsers that die, hang or are missing; the kept renderer."""

import os
import signal
import sys
import threading
import time
from itertools import count
from pathlib import Path

import pytest

import bonmun
from bonmun.errors import MissingBrowser, RenderError
from bonmun.rendering.kept import _kept, kept_renderer
from bonmun.rendering.renderer import Renderer
from bonmun.workers.failure import Failure
from tests.browser import require_chromium
from tests.drawn_method import CountedChromium, Wide, is_alive

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
PATIENT = 60.0
SLOW = "<p>Tea<script>const end = Date.now() + 2000; while (Date.now() < end);</script><p>Leaves"


@pytest.fixture(scope="module")
def chromium(tmp_path_factory):
    """Chromium that notes its starts."""
    counted = CountedChromium(tmp_path_factory.mktemp("chromium"), require_chromium())
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BONMUN_CHROMIUM", counted.path)
        yield counted


@pytest.fixture(scope="module")
def renderer(chromium):
    with Renderer(bonmun.RenderSettings(seconds=PATIENT, javascript=True), jobs=2) as renderer:
        yield renderer


def words(page):
    return " ".join(page.blocks.text) if isinstance(page, bonmun.Page) else page.kind


def test_pages_come_in_order_with_failures_between_them(renderer):
    pages = [SLOW, "<p>one", b"\x89PNG\r\n\x1a\n", ("https://example.org/", "<p>two"), bonmun.read_page("<p>three")]
    drawn = list(renderer.map(pages))
    assert [words(page) for page in drawn] == ["Tea Leaves", "one", "NotAPage", "two", "three"]
    assert drawn[3].url == "https://example.org/"
    assert all(page.layout for page in drawn if isinstance(page, bonmun.Page))


def test_pages_are_taken_only_a_little_ahead(renderer):
    taken = count()
    pages = renderer.map(f"<p>{next(taken)}" for _ in count())
    assert [words(next(pages)) for _ in range(3)] == ["0", "1", "2"]
    pages.close()
    assert next(taken) <= 12


def test_two_browsers_draw_at_a_time(renderer, chromium):
    list(renderer.map([SLOW, SLOW]))
    assert len(chromium.processes) >= 2


def started(chromium, number):
    """Wait for the next start of a browser."""
    end = time.monotonic() + PATIENT
    while len(chromium.processes) <= number:
        assert time.monotonic() < end, "no browser was started"
        time.sleep(0.05)
    return chromium.processes[number]


def all_end(processes):
    end = time.monotonic() + PATIENT
    while any(map(is_alive, processes)):
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


@on_linux
@pytest.mark.timed
@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGSTOP])
def test_a_page_is_tried_again_in_a_new_browser(chromium, sent):
    settings = bonmun.RenderSettings(seconds=PATIENT if sent == signal.SIGKILL else 8, javascript=True)
    number = len(chromium.processes)
    with Renderer(settings) as renderer:
        renderer.render("<p>Tea")
        os.kill(chromium.processes[number], sent)
        assert words(renderer.render("<p>Leaves")) == "Leaves"
    assert len(chromium.processes) == number + 2
    assert all_end(chromium.processes[number:])


@on_linux
def test_a_page_whose_browser_dies_twice_is_an_error(chromium):
    number = len(chromium.processes)

    def kill_both():
        for place in (number, number + 1):
            process = started(chromium, place)
            while not any_renderer(process):
                time.sleep(0.05)
            os.kill(process, signal.SIGKILL)

    killer = threading.Thread(target=kill_both)
    killer.start()
    endless = "<p>Tea<script>while (true);</script>"
    with Renderer(bonmun.RenderSettings(seconds=PATIENT, javascript=True, loading=40)) as renderer:
        (failure,) = renderer.map([endless])
    killer.join()
    assert isinstance(failure, Failure)
    assert failure.kind in ("RenderError", "MissingBrowser")


def any_renderer(browser):
    """Whether a browser has a busy process of a page: it has used half a second of CPU time."""
    ticks = os.sysconf("SC_CLK_TCK")
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[2]) == os.getpgid(browser) and int(stat.parent.name) != browser and int(fields[11]) > ticks / 2:
            return True
    return False


def test_a_missing_browser_ends_the_batch(tmp_path, monkeypatch):
    require_chromium()
    monkeypatch.setenv("BONMUN_CHROMIUM", str(tmp_path / "none"))
    with pytest.raises(MissingBrowser):
        Renderer()
    assert issubclass(MissingBrowser, RenderError)


def test_a_method_in_a_loop_starts_one_browser(chromium):
    number = len(chromium.processes)
    threads = [threading.Thread(target=bonmun.extract, args=("<p>Tea",), kwargs={"method": Wide()}) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for _ in range(3):
        assert bonmun.extract("<p>Tea", method=Wide()).text == "Tea"
    assert kept_renderer() is kept_renderer()
    assert len(chromium.processes) <= number + 2  # two threads at a time
    kept_renderer().close(now=True)
    _kept.cache_clear()
    assert all_end(chromium.processes[number:])


def test_a_method_draws_in_worker_processes(chromium):
    number = len(chromium.processes)
    documents = list(bonmun.extract_many(["<p>Tea", "<p>Leaves"] * 2, jobs=2, method=Wide()))
    assert [document.text for document in documents] == ["Tea", "Leaves"] * 2
    assert 1 <= len(chromium.processes) - number <= 4
    assert all_end(chromium.processes[number:])
