"""``--render``, and methods that need a layout, in a real Chromium."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.browser import require_chromium
from tests.drawn_method import CountedChromium, install

TREE = str(Path(__file__).parents[2])
TEXT = "Tea is made of leaves, and of water that has just boiled, in a pot that was warmed before. " * 3
SCRIPTED = f"""<title>Tea</title><nav><a href="/">Home</a></nav><main id="app"></main>
<script>document.getElementById("app").innerHTML = "<p>{TEXT}</p>";</script>"""
BOXES = f'<p style="width: 700px">{TEXT} {{}}</p><p style="width: 90px">A narrow note beside it.</p>'


@pytest.fixture
def browser(tmp_path):
    """Chromium with a count of its starts, and the method `wide`."""
    counted = CountedChromium(tmp_path, require_chromium())
    install(tmp_path / "site")
    return counted


@pytest.fixture
def environment(browser, tmp_path):
    return {"BONMUN_CHROMIUM": browser.path, "PYTHONPATH": f"{TREE}{os.pathsep}{tmp_path / 'site'}"}


def write(name, html):
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(html, encoding="utf-8")
    return name


def test_the_scripts_of_a_page_run_for_any_method(bonmun, browser, environment):
    page = write(
        "tea.html", SCRIPTED.replace("<title>", '<link rel="stylesheet" href="https://example.org/a.css"><title>')
    )
    assert bonmun("extract", page).out.strip() == ""
    done = bonmun("extract", "--render", "--format", "jsonl", page, **environment)
    document = json.loads(done.out)
    assert (done.code, document["text"]) == (0, TEXT.strip())
    assert document["warnings"] == ["rendered: 1 request not sent"]
    assert done.err == "bonmun: tea.html: warning: rendered: 1 request not sent\n"
    assert browser.all_end()


def test_without_javascript_the_page_is_only_drawn(bonmun, environment):
    done = bonmun(
        "extract", "--render", "--no-javascript", "--format", "json", "-", stdin=SCRIPTED.encode(), **environment
    )
    assert json.loads(done.out)["status"] == "empty"
    assert json.loads(done.out)["warnings"] == ["rendered"]
    assert "rendered" not in done.err


def test_a_folder_has_one_browser_for_all_its_pages(bonmun, browser, environment):
    for number in range(4):
        write(f"pages/{number}.html", BOXES.format(number))
    done = bonmun("extract", "--method", "wide", "pages", **environment)
    assert (done.code, done.err) == (0, "")
    assert done.out.count("Tea is made") == 12 and "narrow" not in done.out
    assert len(browser.processes) == 1
    assert browser.all_end()


def test_each_worker_has_one_browser_at_most(bonmun, browser, environment):
    lines = [json.dumps({"html": BOXES.format(number), "url": f"https://example.org/{number}"}) for number in range(6)]
    write("pages.jsonl", "\n".join(lines))
    done = bonmun("extract", "--method", "wide", "--jobs", "2", "--format", "jsonl", "pages.jsonl", **environment)
    documents = [json.loads(line) for line in done.out.splitlines()]
    assert [document["url"][-1] for document in documents] == list("012345")
    assert all("narrow" not in document["text"] for document in documents)
    assert 1 <= len(browser.processes) <= 2
    assert browser.all_end()


def test_the_browser_of_a_killed_command_ends_too(folder, browser, environment):
    lines = [json.dumps({"html": BOXES.format(number)}) for number in range(400)]
    write("pages.jsonl", "\n".join(lines))
    command = [sys.executable, "-m", "bonmun", "extract", "--method", "wide", "--output", "out", "pages.jsonl"]
    with subprocess.Popen(command, env={**os.environ, **environment}, stderr=subprocess.DEVNULL) as running:
        end = time.monotonic() + 120
        while not list(Path("out").rglob("*.txt")) and time.monotonic() < end:
            time.sleep(0.05)
        running.send_signal(signal.SIGKILL)
    assert browser.processes
    assert browser.all_end(), "the browser outlived the command"


def test_the_viewport_reaches_the_method_and_explain(bonmun, environment):
    page = write("tea.html", f'<p style="width: 50%">{TEXT}</p>')
    assert "Tea" in bonmun("extract", "--method", "wide", page, **environment).out
    narrow = bonmun("explain", "--method", "wide", "--viewport", "640x480", page, **environment)
    assert narrow.code == 0 and "640" in narrow.out


class _Tea(BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.asked.append(self.path)
        script = b"document.body.innerHTML = '<p>" + TEXT.encode() + b"</p>'"
        body = script if self.path == "/tea.js" else b"<title>Tea</title><body><script src='tea.js'></script>"
        self.send_response(200)
        self.send_header("Content-Type", "text/javascript" if self.path == "/tea.js" else "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def tea_site():
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Tea)
    server.asked = []
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_url_loads_its_scripts_only_online(bonmun, environment, tea_site):
    url = f"http://127.0.0.1:{tea_site.server_port}/page"
    offline = bonmun("extract", "--render", "--allow-private", url, **environment)
    assert "empty" in offline.err and "1 request not sent" in offline.err
    assert tea_site.asked == ["/page"]
    online = bonmun("extract", "--render", "--online", "--allow-private", url, **environment)
    assert (online.code, online.out.strip(), online.err) == (0, TEXT.strip(), "")
    assert "/tea.js" in tea_site.asked[1:]


def test_a_saved_page_reaches_no_private_address(bonmun, environment, tea_site):
    page = write("tea.html", f"<script src='http://127.0.0.1:{tea_site.server_port}/tea.js'></script>")
    done = bonmun("extract", "--render", "--online", page, **environment)
    assert "1 request not sent" in done.err
    assert tea_site.asked == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--viewport", "640x480"), "--viewport needs --render, or a method that needs the layout of a page"),
        (("--online",), "--online needs --render"),
        (("--render-seconds", "5"), "--render-seconds needs --render"),
        (("--no-javascript", "--method", "xpath"), "--javascript needs --render"),
        (("--render", "--viewport", "wide"), "use a width and a height such as 1366x768"),
        (("--render", "--viewport", "1x1"), "--viewport must be two numbers from 16 to 8,192"),
        (("--render", "--wait", "tea"), "'--wait': 'tea' is not one of"),
        (("--render", "--render-seconds", "0"), "0.0 is not in the range"),
        (("--render", "--method", "magic"), "no method named 'magic'"),
    ],
)
def test_a_wrong_option_is_a_usage_error(bonmun, page, options, message):
    done = bonmun("extract", *options, page("one.html"))
    assert done.code == 2
    assert message in done.err and done.err.count("\n") == 1


def missing(bonmun, page, **environment):
    pages = [page(f"{number}.html") for number in range(3)]
    done = bonmun("extract", "--render", *pages, **environment)
    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1), done.err
    return done.err


def test_without_the_extra_one_line_says_what_to_install(bonmun, page, tmp_path):
    (tmp_path / "hidden").mkdir()
    (tmp_path / "hidden" / "sitecustomize.py").write_text("import sys; sys.modules['playwright'] = None")
    message = missing(bonmun, page, PYTHONPATH=f"{TREE}{os.pathsep}{tmp_path / 'hidden'}")
    assert message == "bonmun: MissingExtra: rendered pages need an extra: pip install 'bonmun[visual]'\n"


@pytest.mark.parametrize("kind", ["nothing", "a text file", "a program that fails"])
def test_without_chromium_one_line_says_what_to_install(bonmun, page, tmp_path, kind):
    pytest.importorskip("playwright", reason="playwright is not installed")
    named = tmp_path / "chromium"
    if kind != "nothing":
        named.write_text("#!/bin/sh\nexit 3\n")
        named.chmod(0o755 if kind == "a program that fails" else 0o644)
    message = missing(bonmun, page, BONMUN_CHROMIUM=str(named))
    assert message.startswith("bonmun: MissingBrowser: ")
    assert message.endswith("apt-get install chromium, or playwright install chromium, or name it by BONMUN_CHROMIUM\n")


def test_an_empty_path_has_no_chromium(bonmun, page, tmp_path):
    pytest.importorskip("playwright", reason="playwright is not installed")
    message = missing(bonmun, page, PATH=str(tmp_path), PLAYWRIGHT_BROWSERS_PATH=str(tmp_path), BONMUN_CHROMIUM="")
    assert message.startswith("bonmun: MissingBrowser: ") and "apt-get install chromium" in message
