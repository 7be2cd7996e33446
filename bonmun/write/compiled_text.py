"""Plain text by the compiled core."""

from array import array
from itertools import accumulate

from bonmun.core import core
from bonmun.deadline import check
from bonmun.model.block import KINDS, Kind, text_of
from bonmun.model.document import Document
from bonmun.write.nesting import NESTING

_CODE, _HEADING = KINDS.index(Kind.CODE), KINDS.index(Kind.HEADING)
_NONE = array("i")
_NO_STARTS = array("i", [0])


def compiled_text(document: Document) -> str | None:
    """The kept blocks as plain text; `None` without the compiled core, and for a document with footnotes."""
    compiled, page = core(), document.page
    if compiled is None or document.footnotes.labels:
        return None
    check()
    shown, prepared = array("i", document.kept), page.writer_page
    if not document.verdicts.parts:
        return compiled.write_text(prepared, shown, NESTING, _NONE, _NO_STARTS, b"")
    places, texts = _partial(document)
    starts = array("i", [0, *accumulate(map(len, texts))])
    return compiled.write_text(prepared, shown, NESTING, places, starts, b"".join(texts))


def _partial(document: Document) -> tuple["array[int]", list[bytes]]:
    """The blocks that were kept in part: their places among the kept blocks, and their texts."""
    page, parts = document.page, document.verdicts.parts
    places, texts, kinds = array("i"), list[bytes](), page.shown_blocks.kind_code
    for place, index in enumerate(document.kept):
        if index in parts:
            check()
            kind = kinds[index]
            places.append(place)
            texts.append(text_of(page.nodes, parts[index], kind == _CODE, kind == _HEADING).encode())
    return places, texts
