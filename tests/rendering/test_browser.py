"""One page in a real Chromium: settings, scripts, limits, what it is refused."""

import stat
import struct

import pytest

import bonmun
from bonmun.errors import MissingBrowser, RenderError
from bonmun.rendering.chromium import chromium
from bonmun.rendering.requests import address_of
from tests.browser import require_chromium

PIXEL = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
PATIENT = 60.0
"""Seconds for a page on a busy machine."""


@pytest.fixture(scope="module")
def still():
    """A renderer that runs no scripts."""
    require_chromium()
    with bonmun.Renderer(bonmun.RenderSettings(seconds=PATIENT)) as renderer:
        yield renderer


@pytest.fixture(scope="module")
def scripted():
    """A renderer that runs scripts."""
    require_chromium()
    settings = bonmun.RenderSettings(seconds=PATIENT, loading=40, javascript=True, memory=700)
    with bonmun.Renderer(settings) as renderer:
        yield renderer


@pytest.fixture(scope="module")
def hasty():
    """A renderer that runs scripts for a short time."""
    require_chromium()
    with bonmun.Renderer(bonmun.RenderSettings(seconds=PATIENT, loading=2, javascript=True)) as renderer:
        yield renderer


@pytest.fixture(scope="module")
def pictured():
    """A renderer that waits longest and takes screenshots."""
    require_chromium()
    settings = bonmun.RenderSettings(seconds=PATIENT, screenshot=True, viewport=(400, 300), wait="networkidle")
    with bonmun.Renderer(settings) as renderer:
        yield renderer


def box(page, name):
    row = next(iter(page.nodes.rows_of(name)))
    layout = page.layout
    return layout.left[row], layout.top[row], layout.right[row], layout.bottom[row], layout.visible[row]


def words(page):
    return " ".join(page.blocks.text)


def test_boxes_are_in_pixels_of_the_document(still):
    page = still.render(
        "<p style='position: absolute; left: 10px; top: 2000px; margin: 0; width: 300px; height: 40px'>T"
    )
    assert box(page, "p") == (10, 2000, 310, 2040, 1)
    assert page.layout.viewport == (1366, 768)
    assert page.layout.document == (1366, 2040)
    assert page.layout.screenshot is None


def test_pictures_inside_the_page_have_their_size(still):
    assert box(still.render(f"<p>Tea <img style='zoom: 50' src='{PIXEL}'>"), "img")[2:3] > (50,)


def test_hidden_elements_have_no_box(still):
    assert box(still.render("<p>Tea<b style='display: none'>x"), "b") == (0, 0, 0, 0, 0)


def test_scripts_do_not_run_by_default(still):
    assert words(still.render("<p>Tea<script>document.body.append(' drawn')</script>")) == "Tea"


def test_requests_are_aborted_and_counted(still):
    page = still.render(
        "<link rel=stylesheet href=http://127.0.0.1/a.css><p>Tea <img src=/b.png><img src=file:///etc/hostname>"
        "<iframe src=https://example.org/></iframe>",
        url="https://example.org/tea",
    )
    assert page.layout.aborted >= 3


def test_a_page_is_at_its_own_address(scripted):
    page = scripted.render(
        "<p id=a><a id=b href=green></a><script>a.append(location.href, ' ', b.href, ' ', origin)</script>",
        url="https://example.org/tea/#top",
    )
    assert words(page) == "https://example.org/tea/ https://example.org/tea/green https://example.org"
    assert page.url == "https://example.org/tea/#top"


@pytest.mark.parametrize(
    "url", [None, "file:///etc/passwd", "javascript:alert(1)", "no url", "http://me:pw@h/", "data:,"]
)
def test_a_page_without_a_usable_address_is_nowhere(url):
    assert address_of(url) == "http://page.invalid/"


def test_the_document_after_the_scripts_is_read_and_tied(scripted):
    page = scripted.render(
        "<p>Tea<script>document.body.innerHTML = '<h1 style=\"width: 321px\">Green tea</h1><p>Leaves'</script>"
    )
    assert words(page) == "Green tea Leaves"
    left, _, right, _, visible = box(page, "h1")
    assert (right - left, visible, page.layout.untied) == (321, 1, 0)


def test_nothing_is_kept_between_pages(scripted):
    show = "<p>{}<script>document.querySelector('p').append(document.cookie, localStorage.tea || 'nothing')</script>"
    keep = "<p>Tea<script>document.cookie = 'tea=1'; localStorage.tea = 'green'</script>"
    url = "https://example.org/"
    assert words(scripted.render(keep + show.format("Now "), url=url)) == "Teatea=1green Now"
    assert words(scripted.render(show.format("Later "), url=url)) == "Later nothing"


@pytest.mark.parametrize(
    "script",
    [
        "location = 'http://example.org/other'",
        "location = 'file:///etc/hostname'",
        "location = 'about:blank'",
        "location.reload()",
        "location = 'data:text/html,other'",
        "location = 'view-source:file:///etc/hostname'",
        "window.open('http://example.org/'); window.open('about:blank')",
        "for (let i = 0; i < 30; i++) document.querySelector('a').click()",
        "alert(1); confirm(2); prompt(3); print()",
        "let a = document.createElement('a'); a.href = 'data:,x'; a.download = 'x'; a.click()",
        "navigator.serviceWorker && navigator.serviceWorker.register('/sw.js').catch(() => 0)",
        "window.close()",
        "document.querySelector('form').submit()",
    ],
)
def test_a_script_cannot_leave_its_page(scripted, script):
    page = scripted.render(
        "<p>Tea<a target=_blank href=http://example.org/> </a><form method=post action=/x></form>"
        f"<script>{script}</script><p>Leaves",
        url="https://example.org/tea",
    )
    assert words(page) == "Tea Leaves"


@pytest.mark.parametrize("target", ["http://example.org/other", "", "about:blank"])
def test_a_page_that_refreshes_itself_stays(still, target):
    page = still.render(
        f"<meta http-equiv=refresh content='0;url={target}'><p>Tea<p>Leaves", url="https://example.org/"
    )
    assert words(page) == "Tea Leaves"
    assert box(page, "p")[4] == 1


def test_a_page_that_leaves_for_an_empty_one_is_an_error(pictured):
    with pytest.raises(RenderError, match="the page left its address for about:blank"):
        pictured.render("<meta http-equiv=&#114;efresh content='0;url=about:blank'><p>Tea")


@pytest.mark.parametrize(
    "script",
    ["while (true);", "while (true) alert(1);", "while (true) console.log(1);", "setInterval(() => { while (true); })"],
    ids=["loop", "alert", "messages", "timer"],
)
def test_an_endless_script_is_ended_and_the_page_measured(hasty, script):
    page = hasty.render(f"<p>Tea<script>document.body.append(' drawn ');{script}</script><p>Leaves")
    assert words(page) in ("Tea drawn Leaves", "Tea  drawn Leaves")
    assert any("not loaded in time" in warning for warning in page.warnings) or "setInterval" in script


def test_a_page_that_eats_memory_is_an_error(scripted):
    eat = "const a = []; while (true) { const b = new Uint8Array(2e7); b.fill(1); a.push(b); }"
    with pytest.raises(RenderError, match=r"more than 700 MB|crashed"):
        scripted.render(f"<p>Tea<script>{eat}</script>")
    assert words(scripted.render("<p>Leaves")) == "Leaves"


def test_a_screenshot_shows_the_whole_document_up_to_a_height(pictured):
    heights = [1000, 20_000]
    pages = list(pictured.map(f"<body style='margin: 0'><div style='height: {height}px'>T" for height in heights))
    assert [png_size(page.layout.screenshot) for page in pages] == [(400, 1000), (400, 16_000)]
    assert [page.layout.document[1] for page in pages] == heights


def png_size(data):
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    return struct.unpack(">II", data[16:24])


def program(path, text="#!/bin/sh\nexit 1\n"):
    path.write_text(text)
    path.chmod(stat.S_IRWXU)
    return str(path)


def test_chromium_is_the_named_one_or_the_first_on_the_path(tmp_path):
    assert chromium({"PATH": str(tmp_path)}) is None
    chrome = program(tmp_path / "google-chrome")
    assert chromium({"PATH": str(tmp_path)}) == chrome
    shell = program(tmp_path / "chromium-headless-shell")
    assert chromium({"PATH": str(tmp_path)}) == shell
    assert chromium({"PATH": str(tmp_path), "BONMUN_CHROMIUM": chrome}) == chrome
    with pytest.raises(MissingBrowser, match="BONMUN_CHROMIUM=/nowhere/chromium is not a program"):
        chromium({"PATH": str(tmp_path), "BONMUN_CHROMIUM": "/nowhere/chromium"})


def test_a_browser_that_does_not_start_is_one_line(tmp_path, monkeypatch):
    require_chromium()
    monkeypatch.setenv("BONMUN_CHROMIUM", program(tmp_path / "chromium"))
    with bonmun.Renderer() as renderer, pytest.raises(MissingBrowser) as caught:
        renderer.render("<p>Tea")
    assert "apt-get install chromium" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "values",
    [
        {"viewport": (0, 768)},
        {"viewport": (1366,)},
        {"viewport": (1366.5, 768)},
        {"seconds": 0},
        {"seconds": float("nan")},
        {"wait": "never"},
        {"requests": -1},
        {"bytes": -1},
        {"memory": 1},
    ],
    ids=str,
)
def test_settings_out_of_range_are_refused(values):
    with pytest.raises(ValueError, match=f"RenderSettings.{next(iter(values))} must be"):
        bonmun.RenderSettings(**values)
