"""All elements of a page in the browser, by one call of `elements.js`."""

import json
from array import array
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from bonmun.errors import LimitExceeded, RenderError
from bonmun.limits import DEFAULT_LIMITS
from bonmun.rendering.tying import DrawnElements, split_names

if TYPE_CHECKING:
    from playwright.sync_api import Page

_SCRIPT: Final = files("bonmun.rendering").joinpath("elements.js").read_text(encoding="utf-8")


def elements(page: "Page", *, markup: bool) -> tuple[DrawnElements, str | None]:
    """Return the elements that the browser drew, and the `markup` of the document if its scripts ran.

    The script runs in an isolated world: a page that redefines `JSON` or `Array.prototype` does so for itself.
    """
    limits = DEFAULT_LIMITS
    found = json.loads(isolated(page, _SCRIPT, markup, limits.nodes, limits.bytes))
    if "limit" in found:
        raise LimitExceeded(found["limit"], found["found"], getattr(limits, found["limit"]))
    drawn = DrawnElements(
        names=split_names(found["names"]),
        boxes=array("i", map(int, found["boxes"].split())),
        viewport=(found["viewport"][0], found["viewport"][1]),
        document=(found["document"][0], found["document"][1]),
        scripts=markup,
    )
    return drawn, found["markup"]


def isolated(page: "Page", function: str, *arguments: object) -> str:
    """Call a JavaScript function in an isolated world of the page's document; return its string."""
    session = page.context.new_cdp_session(page)
    frame = session.send("Page.getFrameTree")["frameTree"]["frame"]["id"]
    world = session.send("Page.createIsolatedWorld", {"frameId": frame, "worldName": "bonmun"})["executionContextId"]
    call = f"({function})({', '.join(map(json.dumps, arguments))})"
    options = {"contextId": world, "returnByValue": True, "disableBreaks": True}
    answer: dict[str, Any] = session.send("Runtime.evaluate", {"expression": call, **options})
    if not isinstance(value := answer["result"].get("value"), str):
        raise RenderError(f"the browser gave no elements: {answer['result'].get('description', 'no result')}")
    return value
