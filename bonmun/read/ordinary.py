"""Ordinary pages: from bytes to blocks, and to the verdicts of a compiled method, in one call of the compiled core.

Nearly all pages start with markup, are UTF-8 that declares no other encoding, and nine in ten need no step between
parsing and segmentation; three in four need nothing of Python until they are judged. The core tells these while it
reads; for all others, and without it, the steps of `read.page` and of the method run one by one. Either way the page is
the same.
"""

from math import inf
from typing import Final, NamedTuple

from bonmun.core import JudgedColumns, Judging, OneCall, ReadColumns, SegmentColumns, core
from bonmun.errors import LimitExceeded
from bonmun.limits import Limits
from bonmun.model.aria import COMPILED_ROLE_TAGS
from bonmun.model.block import Blocks
from bonmun.model.footnotes import COMPILED_SIDENOTES, COMPILED_TARGETS, own_address
from bonmun.model.nodes import Nodes
from bonmun.model.page import DISPLAYED
from bonmun.model.valid_text import without_surrogates
from bonmun.read.compiled import FLAGS, nodes_of
from bonmun.read.encodings import encoding_of, transport_label
from bonmun.read.segment import MOST_ROWS, ROLES, blocks_of

POOR: Final = 1000
"""Characters; a page that shows at most this many is searched for text in `<noscript>` and in its scripts."""
POOR_BYTES: Final = 4 * POOR
"""The most bytes that so many characters have."""


class Begun(NamedTuple):
    """A page as far as one call of the core has come."""

    source: bytes
    """As it was sent; a `str` in UTF-8."""
    encoding: str | None
    """Of an ordinary page: UTF-8, or `None` for a `str`."""
    answer: "str | JudgedColumns | tuple[ReadColumns, str | SegmentColumns | None] | None"
    """That of the core; `None` for a page that is not ordinary."""


def begin(
    html: bytes | str,
    charset: str | None,
    limits: Limits,
    judging: Judging | None = None,
    url: str | None = None,
    seconds: float = inf,
) -> Begun:
    """Read a page in one call if it is ordinary, and judge it in these seconds if `judging` is given.

    >>> begin("Tea & biscuits", None, Limits()).answer is None
    True
    """
    compiled, is_text = core(), isinstance(html, str)
    source, encoding = _checked(html, limits), None if is_text else "utf-8"
    if compiled is None or not (is_text or charset is None or _says_utf8(charset)):
        return Begun(source, encoding, None)
    reading = _reading(source, limits, is_text)
    if judging is None:
        return Begun(source, encoding, compiled.read_ordinary(*reading))
    notes = own_address(url), COMPILED_TARGETS, COMPILED_SIDENOTES
    answer = compiled.read_and_judge(reading, judging, seconds, notes, DISPLAYED, COMPILED_ROLE_TAGS, POOR)
    return Begun(source, encoding, answer)


def begin_utf8(source: bytes, limits: Limits) -> Begun:
    """Read markup that is UTF-8, whatever it declares."""
    compiled = core()
    answer = compiled.read_ordinary(*_reading(source, limits, is_decoded=True)) if compiled else None
    return Begun(source, "utf-8", answer)


def _reading(
    source: bytes, limits: Limits, is_decoded: bool
) -> tuple[bytes, bytes, bytes, tuple[int, int, int, float], int, bool]:
    """The arguments of `Core.read_ordinary`."""
    bounds = (limits.nodes, limits.depth, limits.attributes, limits.seconds)
    return source, FLAGS, ROLES, bounds, min(limits.blocks, MOST_ROWS), is_decoded


class Ordinary(NamedTuple):
    """An ordinary page."""

    nodes: Nodes
    blocks: Blocks | None
    """`None` if the nodes need a further step before they are segmented."""
    judged: OneCall | None = None


def ordinary(begun: Begun, limits: Limits) -> Ordinary | None:
    """The ordinary page that one call has read; `None` for a page that needs a look before it is parsed."""
    if begun.answer is None:
        return None
    read, segmented, *rest = (begun.answer, None) if isinstance(begun.answer, str) else begun.answer
    nodes = nodes_of(read, begun.source, limits)
    if segmented is None:
        return Ordinary(nodes, None)
    return Ordinary(nodes, blocks_of(segmented, limits.blocks), rest[0] if rest else None)


def _checked(html: bytes | str, limits: Limits) -> bytes:
    """The page as it is, or in UTF-8; `LimitExceeded` if it is too long."""
    if len(html) > limits.bytes:  # a lower bound for a `str`, which spares encoding a huge one
        raise LimitExceeded("bytes", len(html), limits.bytes)
    if not isinstance(html, str):
        return html
    utf8 = _encoded(html)
    if len(utf8) > limits.bytes:
        raise LimitExceeded("bytes", len(utf8), limits.bytes)
    return utf8


def _encoded(html: str) -> bytes:
    try:
        return html.encode()
    except UnicodeEncodeError:  # surrogates
        return without_surrogates(html).encode()


def _says_utf8(charset: str) -> bool:
    """Whether a charset or content type names UTF-8, or no encoding."""
    label = transport_label(charset)
    return label is None or encoding_of(label) == "utf-8"
