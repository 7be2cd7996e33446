"""Parse HTML into `Nodes` with one of two interchangeable readers.

The compiled reader (`bonmun._core`), or the reference reader as a fallback; both build the tree of a browser with
scripting off. Decisions, each tested in `tests/read/test_parse.py` for both:

- `template` content has no rows, since browsers do not render it; the content of a declarative shadow root
  (`shadowrootmode`) has rows below its `template`, and only there `document.evaluate` cannot follow an xpath;
- `noscript` is parsed as markup (scripting off) and flagged unrendered; an element not allowed in a head ends the head;
- comments, doctype and processing instructions have no rows, but they separate two text nodes;
- an XML prologue is a comment; fragments get `html`, `head` and `body`; framesets have no `body`.
"""

from bonmun.core import core
from bonmun.limits import Limits
from bonmun.model.nodes import Nodes
from bonmun.read.compiled import read_compiled

_DEFAULT_LIMITS = Limits()


def parse(html: str | bytes, limits: Limits = _DEFAULT_LIMITS) -> Nodes:
    """Parse HTML into columns; bytes must be valid UTF-8.

    >>> nodes = parse("<title>t</title><p>Hello <b>you</b>")
    >>> [nodes.name(row) for row in range(len(nodes))]
    ['html', 'head', 'title', '#text', 'body', 'p', '#text', 'b', '#text']
    """
    # A str may contain lone surrogates, UTF-8 may not.
    source = html.encode("utf-8", "replace") if isinstance(html, str) else html
    compiled = core()
    if compiled:
        return read_compiled(compiled, source, limits)
    from bonmun.read.reference import read_by_reference  # a late import: it loads lexbor

    return read_by_reference(source, limits)
