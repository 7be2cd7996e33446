"""The process of a browser: a page as a line of JSON in, what the browser drew as a line of JSON out."""

import asyncio
import base64
import json
import signal
import sys
from typing import Any

from bonmun.errors import BonmunError, MissingBrowser, MissingExtra, RenderError
from bonmun.rendering.browser import Browser, Drawn
from bonmun.rendering.settings import RenderSettings


def main() -> None:
    """Answer the lines of standard input by the settings in the first argument."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    asyncio.run(_serve(Browser(RenderSettings(**json.loads(sys.argv[1])))))


async def _serve(browser: Browser) -> None:
    try:
        _write(await _answer(browser.start()))  # the line that says it is ready; a failure repeats with each page
        while line := await asyncio.to_thread(sys.stdin.buffer.readline):
            page = json.loads(line)
            _write(await _answer(browser.draw(page["html"].encode(), page["url"])))
    finally:
        await browser.close()


async def _answer(work: Any) -> dict[str, Any]:
    try:
        result = await work
    except BonmunError as error:
        return {"error": type(error).__name__, "arguments": error.args}
    if not isinstance(result, Drawn):
        return {}
    picture = None if result.screenshot is None else base64.b64encode(result.screenshot).decode()
    return {"found": result.found, "aborted": result.aborted, "is_cut": result.is_cut, "screenshot": picture}


def _write(answer: dict[str, Any]) -> None:
    sys.stdout.buffer.write(json.dumps(answer).encode() + b"\n")
    sys.stdout.buffer.flush()


def drawn(answer: dict[str, Any]) -> Drawn:
    """Return what a line of the process says; raise its error."""
    if "error" in answer:
        kind = {"MissingBrowser": MissingBrowser, "MissingExtra": MissingExtra}.get(answer["error"], RenderError)
        raise kind(*answer["arguments"])
    picture = answer["screenshot"]
    screenshot = None if picture is None else base64.b64decode(picture)
    return Drawn(answer["found"], answer["aborted"], answer["is_cut"], screenshot)


if __name__ == "__main__":
    main()
