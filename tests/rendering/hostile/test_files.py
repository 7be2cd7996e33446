"""No page reads a file of this machine; a browser without defence does."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import bonmun
from bonmun.rendering.settings import RenderSettings
from tests.browser import chromium, require_chromium

SVG = "<svg xmlns='http://www.w3.org/2000/svg' width='321' height='123'></svg>"
PAGE = """<!doctype html><title>Tea</title><body><p>Tea is made of leaves.</p><div id=log></div>
<script>const log = (name) => { document.querySelector("#log").textContent += " read-" + name }</script>
<img src="F/secret.svg" onload="log('img')">
<link rel=stylesheet href="F/secret.css" onload="log('css')">
<script src="F/secret.js"></script>
<object data="F/secret.svg" onload="log('object')"></object>
<embed src="F/secret.svg">
<iframe src="F/secret.html"></iframe>
<svg width=9 height=9><image href="F/secret.svg" onload="log('svg')" /></svg>
<video src="F/secret.svg"></video>
<base href="F/"><img src="secret.svg" onload="log('base')">
<script>
fetch("F/secret.html").then((answer) => answer.text()).then((text) => log("fetch " + text));
const x = new XMLHttpRequest();
try { x.open("GET", "F/secret.html", false); x.send(); log("xhr " + x.responseText) } catch {}
import("F/secret.mjs").then(() => log("module"));
new Worker("F/secret.js").onmessage = () => log("worker");
addEventListener("load", () => {
  for (const frame of document.querySelectorAll("iframe"))
    try { if (frame.contentDocument.body.textContent) log("iframe " + frame.contentDocument.body.textContent) } catch {}
});
</script>"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("files")
    (folder / "secret.svg").write_text(SVG)
    (folder / "secret.css").write_text("p { width: 321px }")
    (folder / "secret.js").write_text("self.log ? log('script') : postMessage(1)")
    (folder / "secret.mjs").write_text("export const secret = 1")
    (folder / "secret.html").write_text("<p>SECRET</p>")
    (folder / "page.html").write_text(PAGE.replace("F/", f"{folder.as_uri()}/"))
    return folder


def test_a_browser_without_defence_reads_files(folder: Path) -> None:
    with chromium() as browser:
        page = browser.new_page()
        page.goto((folder / "page.html").as_uri())
        wanted, end = (
            {"read-img", "read-css", "read-script", "read-object", "read-svg", "read-base"},
            time.monotonic() + 30,
        )
        while not wanted <= set(page.inner_text("#log").split()) and time.monotonic() < end:
            page.wait_for_timeout(100)
        assert wanted <= set(page.inner_text("#log").split())


@pytest.mark.parametrize("online", [False, True], ids=["offline", "online"])
def test_no_page_reads_files(folder: Path, online: bool) -> None:
    require_chromium()
    settings = RenderSettings(javascript=True, online=online, wait="networkidle", seconds=20)
    with bonmun.Renderer(settings) as renderer:
        for url in ("https://example.org/", (folder / "page.html").as_uri()):
            page = renderer.render((folder / "page.html").read_text(), url=url)
            text = " ".join(page.blocks.text)
            assert "Tea is made of leaves." in text and "read-" not in text and "SECRET" not in text
            assert page.layout is not None
            assert 321 not in {page.layout.width(row) for row in range(len(page.nodes))}


def test_no_page_without_scripts_draws_files(folder: Path) -> None:
    require_chromium()
    with bonmun.Renderer(RenderSettings(seconds=20)) as renderer:
        page = renderer.render((folder / "page.html").read_text(), url=(folder / "page.html").as_uri())
    assert page.layout is not None
    assert 321 not in {page.layout.width(row) for row in range(len(page.nodes))}
