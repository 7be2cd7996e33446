"""Plain text by the compiled core."""

from array import array
from collections.abc import Iterable, Sequence
from itertools import accumulate, chain

from bonmun.core import core
from bonmun.deadline import check
from bonmun.model.block import KINDS, Kind, text_of
from bonmun.model.document import Document
from bonmun.model.judged_block import Block
from bonmun.model.nodes import Nodes
from bonmun.model.page import DISPLAYED
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
    shown = document.kept
    if not document.verdicts.parts:
        return compiled.write_text(page.writer_page, shown, NESTING, _NONE, _NO_STARTS, b"")
    places = [place for place, index in enumerate(shown) if index in document.verdicts.parts]
    parts = [document.verdicts.parts[shown[place]] for place in places]
    kinds = array("i", [page.shown_blocks.kind_code[shown[place]] for place in places])
    stops, texts = part_texts(page.nodes, kinds, parts)
    return compiled.write_text(page.writer_page, shown, NESTING, array("i", places), array("i", [0, *stops]), texts)


def text_between_notes(blocks: Sequence[Block]) -> str | None:
    """Blocks around the footnotes of a document as plain text; `None` without the compiled core."""
    compiled = core()
    if compiled is None:
        return None
    if not blocks:
        return ""
    check()
    notes, shown = blocks[0].notes.blocks, array("i", [block.index for block in blocks])
    own = [place for place, block in enumerate(blocks) if block.part is not None or block.index in notes]
    texts = [blocks[place].text.encode() for place in own]
    starts = array("i", accumulate(map(len, texts), initial=0))
    return compiled.write_text(blocks[0].page.writer_page, shown, NESTING, array("i", own), starts, b"".join(texts))


def plain_text(page: object, kept: bytes) -> str | None:
    """Blocks of a page that the core holds, without footnotes and kept as a whole; `None` without the core."""
    compiled = core()
    return compiled.write_text(page, kept, NESTING, _NONE, _NO_STARTS, b"") if compiled else None


def part_texts(nodes: Nodes, kinds: "array[int]", parts: Sequence[Sequence[int]]) -> tuple[Iterable[int], bytes]:
    """The texts of blocks of these kinds by the rows kept of them: where each ends, and the texts."""
    compiled = core()
    if compiled:
        starts, rows = array("i", accumulate(map(len, parts), initial=0)), array("i", chain.from_iterable(parts))
        made = compiled.part_texts(nodes.held, DISPLAYED, nodes.attr_number("style"), kinds, starts, rows)
        if made is not None:
            return memoryview(made[0]).cast("i"), made[1]
    return part_texts_by_reference(nodes, kinds, parts)


def part_texts_by_reference(
    nodes: Nodes, kinds: Iterable[int], parts: Iterable[Sequence[int]]
) -> tuple[Iterable[int], bytes]:
    """The same where the compiled twin could not be built, and for rows with pictures."""
    texts: list[bytes] = []
    for kind, rows in zip(kinds, parts, strict=True):
        check()
        texts.append(text_of(nodes, rows, kind == _CODE, kind == _HEADING).encode())
    return accumulate(map(len, texts)), b"".join(texts)
