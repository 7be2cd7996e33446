"""The blocks of a document as JSON. `_core` writes most of them; those of rare shapes are written here."""

from array import array
from collections.abc import Mapping, Sequence
from itertools import accumulate
from json.encoder import encode_basestring
from typing import Final, TypeGuard

from bonmun.core import Core, core
from bonmun.deadline import check
from bonmun.model.block import Kind
from bonmun.model.document import Document
from bonmun.model.inline import Run
from bonmun.model.judged_block import Block
from bonmun.model.links import Addresses
from bonmun.model.page import Page
from bonmun.model.tags import TAG_ID
from bonmun.model.valid_text import without_surrogates
from bonmun.model.verdict import Later, Reason
from bonmun.write.figures import Caption
from bonmun.write.json_groups import Placed
from bonmun.write.shown_columns import block_of

_DIGITS: Final = 4
_INDEX: Final = frozenset((int,))
_IMAGE_TAG: Final = TAG_ID["img"]
_NO_LINKS: Final = (array("i"), array("i", [0]), b"")
_CAPTION, _ASIDE = 2, 4  # bits of `_shapes`, as in `json_blocks.h`; 1: it continues the leaf before it
_CAPTION_SHAPE: Final[dict[tuple[type, bool], int]] = {(Caption, True): _CAPTION, (Caption, False): _CAPTION | _ASIDE}
_OF_CORE: Final = (Block, Caption)
_quoted = encode_basestring  # a string as JSON


def written_blocks(document: Document, placed: Placed) -> str:
    """The blocks, separated by commas."""
    compiled, entries = core(), placed.entries
    reasons = _reasons(document, entries) if document.output.reasons else None
    if compiled is None or not document.output.is_complete or document.page.nodes.formulas:
        pieces: Sequence[str | int] = range(len(entries))
    else:
        pieces = _by_core(compiled, document, placed, reasons)
    return ", ".join(
        [piece if isinstance(piece, str) else _by_python(document, placed, piece, reasons) for piece in pieces]
    )


def _by_python(document: Document, placed: Placed, place: int, reasons: tuple[str, ...] | None) -> str:
    """A block that the core does not write."""
    entry = placed.entries[place]
    score = float(document.verdicts.score[entry if isinstance(entry, int) else entry.index])
    first = (reasons[place] if reasons else "") + (', "continues": true' if placed.continues[place] else "")
    return _written(block_of(document, entry), score, first, placed.after(place))


def _reasons(document: Document, entries: "Sequence[int | Block]") -> tuple[str, ...]:
    """The reasons of each block as a field."""
    kept, known = document.verdicts.reasons, _Written()
    given = (kept[entry] if isinstance(entry, int) else entry.reasons for entry in entries)
    return tuple([known.of(each) for each in given])


class _Written(dict[tuple[str, str], str]):
    """Reasons as JSON by name and detail, each written once: the blocks of a page have most in common."""

    def __init__(self) -> None:
        super().__init__()
        self._lists: dict[int, tuple[Sequence[Reason], str]] = {}
        """Those of several reasons by their address, which is theirs as long as they are kept here."""

    def of(self, reasons: Sequence[Reason]) -> str:
        """The field of the reasons for a block."""
        known = self._lists.get(id(reasons))
        if known is None:
            written = ", ".join([self[reason.name, reason.detail] for reason in reasons])
            known = self._lists[id(reasons)] = reasons, f', "reasons": [{written}]'
        return known[1]

    def __missing__(self, reason: tuple[str, str]) -> str:
        name, detail = map(_quoted, reason)
        return self.setdefault(reason, without_surrogates(f'{{"name": {name}, "detail": {detail}}}'))


def _by_core(
    compiled: Core, document: Document, placed: Placed, reasons: tuple[str, ...] | None
) -> Sequence[str | int]:
    """The blocks that the core can write, each with those behind it in one string; the number of each other one."""
    page = document.page
    nodes = page.nodes
    paths = nodes.depth, nodes.tag, nodes.xpaths.kinds, nodes.xpaths.step_names
    blocks = _known_indexes(placed.entries, document.verdicts.parts)
    fields = _shapes(placed), placed.texts, placed.stops
    arguments = page.writer_page, page.address_bases, paths, blocks, _scores(document), fields, reasons
    answer = compiled.json_blocks(*arguments, _NO_LINKS)
    if isinstance(answer, bytes):
        answer = compiled.json_blocks(*arguments, _links(page, sorted(memoryview(answer).cast("i"))))
    return () if isinstance(answer, bytes) else answer


def _scores(document: Document) -> "array[float]":
    """The scores of all blocks of the page."""
    given = document.verdicts.score
    column = given.column if isinstance(given, Later) else given
    return column if isinstance(column, array) and column.typecode == "d" else array("d", column)


def _links(page: Page, rows: Sequence[int]) -> "tuple[array[int], array[int], bytes]":
    """The addresses of links that need a URL parser, empty for those without one; and where each starts."""
    resolved, nodes = Addresses(page.base_url), page.nodes
    addresses = [(resolved.of(nodes.attr(row, "href") or "") or "").encode() for row in rows]
    return array("i", rows), array("i", accumulate(map(len, addresses), initial=0)), b"".join(addresses)


def _only_indexes(entries: "Sequence[int | Block]") -> "TypeGuard[Sequence[int]]":
    """Whether only kept blocks are shown, as in most documents."""
    return _INDEX.issuperset(map(type, entries))


def _shapes(placed: Placed) -> bytes:
    """What the core has to know of each block: whether it continues a leaf, and whether it is a caption."""
    if _only_indexes(placed.entries):
        return placed.continues
    shapes = zip(placed.continues, placed.entries, strict=True)
    return bytes([continues | _CAPTION_SHAPE.get((type(entry), _is_kept(entry)), 0) for continues, entry in shapes])


def _is_kept(entry: int | Block) -> bool:
    return isinstance(entry, int) or entry.keep


def _known_indexes(entries: "Sequence[int | Block]", parts: Mapping[int, tuple[int, ...]]) -> "array[int]":
    """The indexes of the blocks that the core can write; -1 for others."""
    if _only_indexes(entries) and not parts:
        return array("i", entries)
    return array("i", [_index_of(entry, parts) for entry in entries])


def _index_of(entry: int | Block, parts: Mapping[int, tuple[int, ...]]) -> int:
    """The index of a block that the core can write; -1 for others."""
    if isinstance(entry, int):
        return -1 if entry in parts else entry
    usual = type(entry) in _OF_CORE and entry.index not in parts and entry.index not in entry.notes.blocks
    return entry.index if usual and (entry.keep or type(entry) is Caption) else -1


def _written(block: Block, score: float, first: str, after: str) -> str:
    """A block, in Python; `first` are the fields right behind the score, `after` the last ones."""
    text = block.plain_text if block.keep else None
    if text is None:
        return _with_runs(block, score, first, after)
    return _joined(block, text, score, first + after)


def _with_runs(block: Block, score: float, first: str, after: str) -> str:
    """A block that may have marks, links and pictures."""
    check()
    return _joined(block, block.text, score, f"{first}{_further(block)}{after}")


def _joined(block: Block, text: str, score: float, rest: str) -> str:
    # The names in an xpath are ASCII letters and digits.
    return (
        f'{{"kind": "{block.kind}", "level": {block.level}, "text": {_quoted(text)}, "xpath": "{block.xpath}"'
        f', "score": {round(score, _DIGITS)}{rest}}}'
    )


def _further(block: Block) -> str:
    """The fields that few blocks have, in their order, each behind a comma."""
    partial = "" if block.part is None else ', "partial": true'
    aside = "" if block.keep else ', "aside": true'
    language, is_code = "", block.kind is Kind.CODE
    if is_code and (name := block.code_language):
        language = f', "language": {_quoted(name)}'
    runs = () if is_code and not _has_picture(block) else block.runs  # code has no marks and links
    if not any(run.marks or run.href or run.src or run.note for run in runs):
        return f"{partial}{aside}{language}"
    return f'{partial}{aside}{language}, "runs": [{", ".join(map(_run, runs))}]'


def _has_picture(block: Block) -> bool:
    nodes, blocks = block.page.nodes, block.page.blocks
    return _IMAGE_TAG in nodes.tag[blocks.first[block.index] : blocks.stop[block.index]].tolist()


def _run(run: Run) -> str:
    marks = f', "marks": [{", ".join(map(_quoted, run.marks))}]' if run.marks else ""
    href = f', "href": {_quoted(run.href)}' if run.href else ""
    src = f', "src": {_quoted(run.src)}' if run.src else ""
    note = f', "note": {_quoted(run.note.label)}' if run.note else ""
    media = f', "media": {_quoted(run.media)}' if run.media else ""
    return f'{{"text": {_quoted(run.text)}{marks}{href}{src}{note}{media}}}'
