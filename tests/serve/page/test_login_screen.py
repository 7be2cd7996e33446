"""The login screen, and what a browser does with answers of the API and with pages of other sites."""

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bonmun.run.config import LogConfig
from bonmun.run.logs import logging_to
from bonmun.serve.access.sessions import COOKIE
from bonmun.serve.access.settings import AccessSettings
from bonmun.serve.settings import ServeSettings
from tests.serve.access.live import add_token, revoke, until
from tests.serve.page.watched import NARROW, accessible, running, screenshot, watched

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def tokens(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("login") / "tokens.json"


@pytest.fixture(scope="module")
def closed_service(tokens: Path) -> Iterator[str]:
    """A service that needs tokens."""
    with running(ServeSettings(store=":memory:", workers=1, access=AccessSettings(token_file=tokens))) as address:
        yield address


def test_signing_in_and_out(browser: "Browser", closed_service: str, tokens: Path) -> None:
    secret = add_token(tokens, "reader")
    with watched(browser, closed_service, color_scheme="light") as one:
        one.expected.append("401")
        page = one.open("/sites")
        assert page.url == f"{closed_service}/login?next=/sites"
        accessible(page)
        screenshot(page, "login")
        page.keyboard.type("bonmun_wrong")  # the field has the focus
        page.keyboard.press("Enter")
        page.get_by_role("alert").wait_for()
        page.wait_for_load_state("load")  # its scripts have run
        accessible(page)
        page.get_by_label("Token").fill(secret)
        page.get_by_role("button", name="Sign in").click()
        page.wait_for_url("**/sites")
        cookie = next(cookie for cookie in page.context.cookies() if cookie["name"] == COOKIE)
        assert cookie["httpOnly"] and cookie["sameSite"] == "Strict" and secret not in str(page.context.cookies())
        assert COOKIE not in page.evaluate("document.cookie")
        assert page.evaluate("fetch('/v1/methods').then(answer => answer.status)") == 200
        page.get_by_role("button", name="Sign out").click()
        page.wait_for_url("**/login")
        assert page.evaluate("fetch('/v1/methods').then(answer => answer.status)") == 401


def test_a_revoked_token_leads_back_to_the_login(browser: "Browser", closed_service: str, tokens: Path) -> None:
    secret = add_token(tokens, "short-lived")
    with watched(browser, closed_service, locale="ko-KR", viewport=NARROW, color_scheme="dark") as one:
        one.expected.append("401")
        page = one.open("/login")
        accessible(page)
        screenshot(page, "login-narrow-dark-ko")
        assert page.evaluate("document.documentElement.scrollWidth") == NARROW["width"]
        page.get_by_label("토큰").fill(secret)
        page.get_by_role("button", name="로그인").click()
        page.wait_for_url(f"{closed_service}/")
        revoke(tokens, "short-lived")
        page = one.open("/sites")
        assert "/login" in page.url


HOSTILE = """<title>Tea</title><article><h1>Tea</h1>
<p>Tea is made of leaves, and of water that has just boiled. It is drunk in many countries, and in some at a set hour.
</p>
<script>document.title = "run"; fetch("/healthz?from=page")</script>
<p>The second paragraph says how long the leaves stay in the pot: three minutes for green tea, five for a black one.
<img src=x onerror="document.title='run'"><a href="javascript:document.title='run'">a link</a></p>
<p>In the third one the pot is warmed first, since cold clay takes the heat out of the water before the leaves do.</p>
</article>"""


class OtherSite:
    """A page of another origin that tries to use the service."""

    def __init__(self, target: str) -> None:
        page = f"""<title>evil</title><form id=form method=post action="{target}/logout"></form><script>
        const outcomes = {{}};
        const attempt = (name, path, options) => fetch("{target}" + path, options)
          .then(answer => answer.type + answer.status, () => "blocked").then(result => outcomes[name] = result);
        window.done = Promise.all([
          attempt("read", "/v1/methods", {{}}),
          attempt("json", "/v1/extract", {{method: "POST", headers: {{"Content-Type": "application/json"}}}}),
          attempt("plain", "/v1/extract", {{method: "POST", body: '{{"html": "<p>x"}}', mode: "no-cors"}}),
          attempt("get", "/r/https://example.org/", {{mode: "no-cors"}}),
          new Promise(resolve => {{ const image = new Image(); image.onload = image.onerror = event => {{
            outcomes.image = event.type; resolve(); }}; image.src = "{target}/static/icon.svg"; }}),
        ]).then(() => outcomes);
        </script>""".encode()

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(page)

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05})
        self.url = f"http://localhost:{self.server.server_port}/"

    def __enter__(self) -> "OtherSite":
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


@pytest.fixture
def answers(tmp_path: Path) -> Iterator[Callable[[], list[tuple[str, int]]]]:
    """Path and status of all requests that reached the service since."""
    log = tmp_path / "log.jsonl"
    with logging_to(LogConfig(file=log)):

        def requests() -> list[tuple[str, int]]:
            lines = map(json.loads, log.read_text().splitlines())
            return [(line["path"], line["status"]) for line in lines if "path" in line]

        yield requests


def test_a_page_of_another_site_gets_nothing_from_an_open_service(
    browser: "Browser", service: str, answers: Callable[[], list[tuple[str, int]]]
) -> None:
    context = browser.new_context()
    try:
        page = context.new_page()
        with OtherSite(service) as other:
            page.goto(other.url)
            outcomes = page.evaluate("window.done")
            page.evaluate("document.getElementById('form').submit()")
            page.wait_for_url("**/logout")
    finally:
        context.close()
    assert outcomes["read"] == outcomes["json"] == "blocked" and outcomes["image"] == "error"
    refused = ("/v1/methods", "/v1/extract", "/r/https://example.org/", "/static/icon.svg", "/logout")
    assert {(path, status) for path, status in answers() if path in refused} == {(path, 403) for path in refused}


@pytest.mark.parametrize("output", ["html", "explain", "xml"])
def test_an_answer_of_the_api_that_is_opened_runs_and_loads_nothing(
    browser: "Browser", service: str, answers: Callable[[], list[tuple[str, int]]], output: str
) -> None:
    context = browser.new_context()
    try:
        page = context.new_page()
        page.goto(f"{service}/static/base.css")  # of our origin, without scripts
        page.evaluate(
            """([html, format]) => {
              const form = document.createElement("form");
              form.method = "post"; form.action = "/v1/extract"; form.enctype = "multipart/form-data";
              const file = document.createElement("input"), field = document.createElement("input");
              const files = new DataTransfer();
              files.items.add(new File([html], "page.html", {type: "text/html"}));
              Object.assign(file, {type: "file", name: "file", files: files.files});
              Object.assign(field, {type: "hidden", name: "format", value: format});
              form.append(file, field);
              document.body.append(form);
              window.openAnswer = () => form.submit();
            }""",
            [HOSTILE, output],
        )
        with page.expect_navigation():
            page.evaluate("openAnswer()")
        assert "second paragraph" in page.content()
        assert page.title() != "run"
        assert page.evaluate("window.origin") == "null"
        asked = [answer for answer in until(answers) if not answer[0].startswith(("/static/", "/favicon"))]
        assert asked == [("/v1/extract", 200)]
    finally:
        context.close()
