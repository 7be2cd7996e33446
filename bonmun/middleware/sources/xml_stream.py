"""XML as a stream of elements, safe against entity bombs, endless text and endless nesting.

Names keep their prefix as written: many feeds and sitemaps use `media:` or `news:` without a declaration, which a
namespace-aware parser refuses.
"""

import codecs
from collections.abc import Iterable, Iterator
from typing import Final
from xml.parsers import expat

from bonmun.errors import SourceError
from bonmun.read.decode import decode
from bonmun.read.encodings import codec_of

DEEPEST: Final = 100
"""Levels of elements; feeds with XHTML content have about twenty."""
LONGEST_TEXT: Final = 4_000
"""Characters kept of an element's text: all that URLs and dates need; the content of articles is dropped."""
LARGEST_TOKEN: Final = 1_000_000
"""Bytes of a tag, comment or declaration. Expat reads an unfinished one again with every chunk, in quadratic time."""
_CHUNK: Final = 64 * 1024


class Element:
    """An element without its children."""

    __slots__ = ("attributes", "local", "name", "parent", "text")

    def __init__(self, name: str, attributes: dict[str, str], parent: "Element | None") -> None:
        self.name, self.attributes, self.parent = name, attributes, parent
        self.local = name.rpartition(":")[2]
        """The name without its prefix."""
        self.text = ""

    @property
    def prefix(self) -> str:
        """The prefix of the name, empty if it has none."""
        return self.name.rpartition(":")[0]


class _Handlers:
    """What expat calls: `ended` collects the elements that ended in the chunk being parsed."""

    def __init__(self) -> None:
        self.ended: list[Element] = []
        self._open: Element | None = None
        self._depth = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > DEEPEST:
            raise SourceError(f"XML nested deeper than {DEEPEST} levels")
        self._open = Element(name, attributes, self._open)

    def end(self, _name: str) -> None:
        assert self._open is not None  # expat reports the end of an element after its start
        self._depth -= 1
        self.ended.append(self._open)
        self._open = self._open.parent

    def text(self, text: str) -> None:
        if self._open is not None and len(self._open.text) < LONGEST_TEXT:
            self._open.text += text[:LONGEST_TEXT]

    def entity(self, name: str, is_parameter: bool, value: str | None, *_rest: object) -> None:
        """Refuse entities; only a reference to an external DTD is harmless, since it is never loaded."""
        if value is not None or not is_parameter:
            raise SourceError(f"XML that declares the entity {name[:40]!r} is refused: it may be an entity bomb")


def elements(chunks: Iterable[str]) -> Iterator[Element]:
    """Yield every element when it ends: children before their parent, the root last.

    Raise `SourceError` for malformed XML, after the elements before the error, and for hostile XML.

    >>> [element.text for element in elements(["<a><b>1</b>", "<b>2</b></a>"]) if element.name == "b"]
    ['1', '2']
    """
    handlers = _Handlers()
    parser = _parser(handlers)
    size = 0
    for piece, is_last in _with_end(chunks):
        error: SourceError | None = None
        data = piece.encode("utf-8", "replace")
        size += len(data)
        try:
            parser.Parse(data, is_last)
            if size - parser.CurrentByteIndex > LARGEST_TOKEN:
                error = SourceError(f"XML with a tag or comment of more than {LARGEST_TOKEN:,} bytes")
        except expat.ExpatError as problem:
            error = SourceError(f"malformed XML: {problem}")
        except SourceError as problem:
            error = problem
        yield from handlers.ended
        handlers.ended.clear()
        if error:
            raise error


def text_chunks(chunks: Iterable[bytes], content_type: str | None) -> Iterator[str]:
    """Decode chunks of bytes by the first of them, its declaration and the Content-Type.

    >>> "".join(text_chunks(["차".encode("cp949")], "text/xml; charset=euc-kr"))
    '차'
    """
    pieces = iter(chunks)
    first = next(pieces, b"")
    decoder = codecs.getincrementaldecoder(codec_of(decode(first, content_type).encoding))("replace")
    yield decoder.decode(first).removeprefix("\ufeff")
    for piece in pieces:
        yield decoder.decode(piece)
    yield decoder.decode(b"", final=True)


def byte_chunks(content: bytes) -> Iterator[bytes]:
    """Yield slices of bytes, at least one."""
    view = memoryview(content)
    for start in range(0, max(1, len(view)), _CHUNK):
        yield bytes(view[start : start + _CHUNK])


def _with_end(chunks: Iterable[str]) -> Iterator[tuple[str, bool]]:
    for chunk in chunks:
        yield chunk, False
    yield "", True


def _parser(handlers: _Handlers) -> expat.XMLParserType:
    parser = expat.ParserCreate("utf-8")
    parser.buffer_text = True
    parser.UseForeignDTD(True)  # entities of HTML such as &nbsp;, without a declaration, are skipped and no error
    parser.StartElementHandler = handlers.start
    parser.EndElementHandler = handlers.end
    parser.CharacterDataHandler = handlers.text
    parser.EntityDeclHandler = handlers.entity
    return parser
