"""The blocks of a document as JSON. `_core` writes most of them; those of rare shapes are written here."""

from array import array
from collections.abc import Mapping, Sequence
from json.encoder import encode_basestring
from operator import attrgetter
from typing import Final, TypeGuard

from bonmun.core import BLOCK_COLUMNS, NODE_COLUMNS, Core, core
from bonmun.deadline import check
from bonmun.model.block import KINDS, Kind
from bonmun.model.document import Document
from bonmun.model.inline import Run
from bonmun.model.judged_block import Block
from bonmun.model.links import Addresses
from bonmun.model.page import Page
from bonmun.model.tags import BLOCK_LEVEL, TAG_ID, TAGS
from bonmun.model.valid_text import without_surrogates
from bonmun.write.json_groups import Placed
from bonmun.write.shown_columns import block_of

_DIGITS: Final = 4
_INDEX: Final = frozenset((int,))
_KINDS: Final = tuple(map(str, KINDS))
_IMAGE_TAG: Final = TAG_ID["img"]
_BLOCK_TAGS: Final = bytes(255 * (tag in BLOCK_LEVEL) for tag in range(len(TAGS)))
_quoted = encode_basestring  # a string as JSON
_node_columns = attrgetter(*NODE_COLUMNS, "depth")
_block_columns = attrgetter(*BLOCK_COLUMNS)


def written_blocks(document: Document, placed: Placed) -> str:
    """The blocks, separated by commas."""
    given, entries = document.verdicts.score, placed.entries
    scores = array("d", map(given.__getitem__, _indexes(entries)))
    first = _first_fields(document, placed)
    compiled = core()
    if compiled is None or not document.output.is_complete or document.page.nodes.formulas:
        blocks = (block_of(document, entry) for entry in entries)
        return ", ".join(map(_written, blocks, scores, first, placed.after))
    pieces = _by_core(compiled, document, placed, _known_indexes(entries, document.verdicts.parts), scores, first)
    return ", ".join(
        [
            piece
            if isinstance(piece, str)
            else _with_runs(block_of(document, entries[piece]), scores[piece], first[piece], placed.after[piece])
            for piece in pieces
        ]
    )


def _first_fields(document: Document, placed: Placed) -> list[str]:
    """The fields of each block right behind its score."""
    continues = [', "continues": true' if continues else "" for continues in placed.continues]
    if not document.output.reasons:
        return continues
    kept, known = document.verdicts.reasons, _Written()
    reasons = (kept[entry] if isinstance(entry, int) else entry.reasons for entry in placed.entries)
    return [
        f', "reasons": [{", ".join([known[reason.name, reason.detail] for reason in given])}]{rest}'
        for given, rest in zip(reasons, continues, strict=True)
    ]


class _Written(dict[tuple[str, str], str]):
    """Reasons as JSON by name and detail, each written once: the blocks of a page have most in common."""

    def __missing__(self, reason: tuple[str, str]) -> str:
        name, detail = map(_quoted, reason)
        return self.setdefault(reason, without_surrogates(f'{{"name": {name}, "detail": {detail}}}'))


def _by_core(
    compiled: Core,
    document: Document,
    placed: Placed,
    indexes: "array[int]",
    scores: "array[float]",
    first: Sequence[str],
) -> Sequence[str | int]:
    """The blocks that the core can write, each with those behind it in one string; the number of each other one."""
    page, nodes = document.page, document.page.nodes
    columns, blocks = _node_columns(nodes), _block_columns(page.shown_blocks)
    href, style = nodes.attr_number("href"), nodes.attr_number("style")
    shared = (nodes.buffer, nodes.spill, page.blocks.text_buffer, indexes)
    writer = page.writer_page, page.address_bases
    links = compiled.json_links(columns, blocks, shared, href, *writer) if href >= 0 else (b"", ())
    addresses, targets = _addresses(page, *links)
    paths = nodes.xpaths
    rest = (*shared, paths.place, paths.step_names, links[0], targets, scores, _BLOCK_TAGS)
    return compiled.json_blocks(
        columns, blocks, rest, href, style, *writer, addresses, _KINDS, tuple(first), placed.after
    )


def _indexes(entries: "Sequence[int | Block]") -> Sequence[int]:
    """The index of the block of each entry."""
    if _only_indexes(entries):
        return entries
    return [entry if isinstance(entry, int) else entry.index for entry in entries]


def _only_indexes(entries: "Sequence[int | Block]") -> "TypeGuard[Sequence[int]]":
    """Whether only kept blocks are shown, as in most documents."""
    return _INDEX.issuperset(map(type, entries))


def _known_indexes(entries: "Sequence[int | Block]", parts: Mapping[int, tuple[int, ...]]) -> "array[int]":
    """The indexes of the blocks that the core can write; -1 for others."""
    if _only_indexes(entries) and not parts:
        return array("i", entries)
    return array("i", [_index_of(entry, parts) for entry in entries])


def _index_of(entry: int | Block, parts: Mapping[int, tuple[int, ...]]) -> int:
    """The index of a block that the core can write; -1 for others."""
    if isinstance(entry, int):
        return -1 if entry in parts else entry
    usual = type(entry) is Block and entry.index not in parts and entry.index not in entry.notes.blocks
    return entry.index if usual and entry.keep else -1


def _addresses(page: Page, links: bytes, written: Sequence[str | None]) -> "tuple[tuple[str, ...], array[int]]":
    """The addresses of links as JSON, and for each link the number of its address; -1 for none.

    `written` are those that the core knows.
    """
    resolved, nodes = Addresses(page.base_url), page.nodes
    numbers: dict[str, int] = {}
    targets = array("i")
    for row, known in zip(memoryview(links).cast("i"), written, strict=True):
        if known is None and (address := resolved.of(nodes.attr(row, "href") or "")):
            known = _quoted(address)
        targets.append(-1 if known is None else numbers.setdefault(known, len(numbers)))
    return tuple(numbers), targets


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
