"""All elements of a page in the browser, by one call of `elements.js`."""

import json
from array import array
from importlib.resources import files
from typing import Any, Final

from bonmun.errors import LimitExceeded
from bonmun.limits import DEFAULT_LIMITS
from bonmun.rendering.tying import DrawnElements, split_names

_SCRIPT: Final = files("bonmun.rendering").joinpath("elements.js").read_text(encoding="utf-8")


def expression(*, markup: bool) -> str:
    """Return the JavaScript whose value `parsed` takes; `markup` asks for the document as it is then.

    Evaluate it in an isolated world: a page that redefines `JSON` or `Array.prototype` does so for itself.
    """
    arguments = (markup, DEFAULT_LIMITS.nodes, DEFAULT_LIMITS.bytes)
    return f"({_SCRIPT})({', '.join(map(json.dumps, arguments))})"


def parsed(value: str) -> tuple[DrawnElements, str | None]:
    """Return the elements that the browser drew, and the markup of the document if it was asked for.

    >>> value = '{"names": "html p", "boxes": "0 0 9 9 1 0 0 9 9 1", "viewport": [9, 9], "document": [9, 9]}'
    >>> parsed(value)[0].names
    ['html', 'p']
    """
    found: dict[str, Any] = json.loads(value)
    if "limit" in found:
        raise LimitExceeded(found["limit"], found["found"], getattr(DEFAULT_LIMITS, found["limit"]))
    drawn = DrawnElements(
        names=split_names(found["names"]),
        boxes=array("i", map(int, found["boxes"].split())),
        viewport=(found["viewport"][0], found["viewport"][1]),
        document=(found["document"][0], found["document"][1]),
        scripts=found.get("markup") is not None,
    )
    return drawn, found.get("markup")
