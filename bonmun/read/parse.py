"""HTML to `Nodes`: the seam behind which one of two readers works. Nothing above it can tell which.

The compiled reader (`bonmun._core`) where it could be built, else the reference reader; both give the tree of a browser
with scripting off. Decisions, each tested in `tests/read/test_parse.py` for both:

- `template` content has no rows, as a browser shows none of it; a declarative shadow root (`shadowrootmode`) is shown:
  its content stands below its `template` row, and only there can `document.evaluate` not follow an xpath;
- `noscript` is parsed as markup (scripting off) and flagged unrendered; what may not stand in a head ends the head;
- comments, doctype and processing instructions have no rows, but they do part two text nodes;
- an XML prologue is a comment; fragments get `html`, `head` and `body`; framesets have no `body`.
"""

from bonmun.core import core
from bonmun.limits import Limits
from bonmun.model.nodes import Nodes
from bonmun.read.compiled import read_compiled

_DEFAULT_LIMITS = Limits()


def parse(html: str | bytes, limits: Limits = _DEFAULT_LIMITS) -> Nodes:
    """Read HTML into columns; bytes have to be valid UTF-8.

    >>> nodes = parse("<title>t</title><p>Hello <b>you</b>")
    >>> [nodes.name(row) for row in range(len(nodes))]
    ['html', 'head', 'title', '#text', 'body', 'p', '#text', 'b', '#text']
    """
    # Lone surrogates may stand in a str, never in UTF-8.
    source = html.encode("utf-8", "replace") if isinstance(html, str) else html
    compiled = core()
    if compiled:
        return read_compiled(compiled, source, limits)
    from bonmun.read.reference import read_by_reference  # here: it loads lexbor

    return read_by_reference(source, limits)
