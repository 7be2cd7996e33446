"""HTML to `Nodes`: the seam behind which one of two readers works. Nothing above it can tell which.

The compiled reader (`bonmun._core`) where it could be built, else the reference reader; both give the tree of a browser
with scripting off. Decisions, each tested in `tests/read/test_parse.py` for both:

- `template` content has no rows, as a browser shows none of it; a declarative shadow root (`shadowrootmode`) is shown:
  its content stands below its `template` row, and only there can `document.evaluate` not follow an xpath;
- `noscript` is parsed as markup (scripting off) and flagged unrendered; what may not stand in a head ends the head;
- comments, doctype and processing instructions have no rows, but they do part two text nodes;
- an XML prologue is a comment; fragments get `html`, `head` and `body`; framesets have no `body`.
"""

import os
from collections.abc import Callable

from bonmun.limits import Limits
from bonmun.model.nodes import Nodes

_DEFAULT_LIMITS = Limits()


def parse(html: str, limits: Limits = _DEFAULT_LIMITS) -> Nodes:
    """Read HTML into columns.

    >>> nodes = parse("<title>t</title><p>Hello <b>you</b>")
    >>> [nodes.name(row) for row in range(len(nodes))]
    ['html', 'head', 'title', '#text', 'body', 'p', '#text', 'b', '#text']
    """
    read = reader()
    try:
        return read(html, limits)
    except UnicodeEncodeError:  # lone surrogates may stand in a str, never in UTF-8
        return read(html.encode("utf-8", "replace").decode(), limits)


def reader() -> Callable[[str, Limits], Nodes]:
    """The reader at work; the environment variable ``BONMUN_READER=reference`` chooses the reference reader."""
    if os.environ.get("BONMUN_READER") != "reference":
        try:
            from bonmun.read.compiled import read_compiled
        except ImportError:
            pass
        else:
            return read_compiled
    from bonmun.read.reference import read_by_reference

    return read_by_reference
