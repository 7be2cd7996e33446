"""The blocks of a document as JSON. `_core` writes most of them; those of rare shapes are written here."""

from array import array
from collections.abc import Sequence
from json.encoder import encode_basestring
from operator import attrgetter
from typing import Final

from bonmun.core import BLOCK_COLUMNS, NODE_COLUMNS, Core, core
from bonmun.deadline import check
from bonmun.model.block import KINDS, Kind
from bonmun.model.document import Document
from bonmun.model.inline import Run
from bonmun.model.judged_block import Block
from bonmun.model.links import Addresses
from bonmun.model.page import Page
from bonmun.model.tags import BLOCK_LEVEL, TAG_ID, TAGS
from bonmun.model.verdict import Reason
from bonmun.write.json_groups import Placed

_DIGITS: Final = 4
_KINDS: Final = tuple(map(str, KINDS))
_GIVEN: Final = (KINDS.index(Kind.CODE), KINDS.index(Kind.IMAGE))
_IMAGE_TAG: Final = TAG_ID["img"]
_BLOCK_TAGS: Final = bytes(255 * (tag in BLOCK_LEVEL) for tag in range(len(TAGS)))
_quoted = encode_basestring  # a string as JSON
_node_columns = attrgetter(*NODE_COLUMNS, "depth")
_block_columns = attrgetter(*BLOCK_COLUMNS)


def written_blocks(document: Document, placed: Sequence[Placed]) -> str:
    """The blocks, separated by commas."""
    given, reasons = document.verdicts.score, document.output.reasons
    scores = array("d", [given[entry.block.index] for entry in placed])
    first = [_first_fields(entry, reasons) for entry in placed]
    compiled = core()
    if compiled is None or not document.output.is_complete or document.page.nodes.formulas:
        return ", ".join(map(_written, placed, scores, first))
    pieces = _by_core(compiled, document, placed, scores, first)
    return ", ".join(
        [
            piece if isinstance(piece, str) else _with_runs(placed[piece], scores[piece], first[piece])
            for piece in pieces
        ]
    )


def _first_fields(entry: Placed, reasons: bool) -> str:
    """The fields of a block right behind its score."""
    continues = ', "continues": true' if entry.continues else ""
    if not reasons:
        return continues
    return f', "reasons": [{", ".join(map(_reason, entry.block.reasons))}]{continues}'


def _reason(reason: Reason) -> str:
    return f'{{"name": {_quoted(reason.name)}, "detail": {_quoted(reason.detail)}}}'


def _by_core(
    compiled: Core, document: Document, placed: Sequence[Placed], scores: "array[float]", first: Sequence[str]
) -> Sequence[str | int]:
    """The blocks that the core can write, each with those behind it in one string; the number of each other one."""
    page, nodes = document.page, document.page.nodes
    indexes = array("i", [_index_of(entry.block) for entry in placed])
    columns, blocks = _node_columns(nodes), _block_columns(page.shown_blocks)
    href, style = nodes.attr_id.get("href", -1), nodes.attr_id.get("style", -1)
    shared = (nodes.buffer, nodes.spill, page.blocks.text_buffer, indexes)
    links = memoryview(compiled.json_links(columns, blocks, shared, href)).cast("i") if href >= 0 else ()
    addresses, targets = _addresses(page, links)
    paths = nodes.xpaths
    rest = (*shared, paths.place, paths.step_names, array("i", links), targets, scores, _BLOCK_TAGS)
    before = list(first)
    kinds = page.shown_blocks.kind_code
    for number, index in enumerate(indexes):
        if index >= 0 and kinds[index] in _GIVEN:  # the core takes their runs as given
            before[number] += _further(placed[number].block)
    after = tuple([entry.after for entry in placed])
    return compiled.json_blocks(columns, blocks, rest, href, style, addresses, _KINDS, tuple(before), after)


def _index_of(block: Block) -> int:
    """The index of a block that the core can write; -1 for others."""
    index, verdicts = block.index, block.verdicts
    usual = type(block) is Block and index not in verdicts.parts and index not in block.notes.blocks
    return index if usual and verdicts.keep[index] else -1


def _addresses(page: Page, links: Sequence[int]) -> "tuple[tuple[str, ...], array[int]]":
    """The addresses of links as JSON, and for each link the number of its address; -1 for none."""
    resolved, nodes = Addresses(page.base_url), page.nodes
    numbers: dict[str | None, int] = {None: -1}
    of_row: dict[int, int] = {}
    targets = array("i")
    for row in links:
        number = of_row.get(row)
        if number is None:
            address = resolved.of(nodes.attr(row, "href") or "")
            number = of_row[row] = numbers.setdefault(address, len(numbers) - 1)
        targets.append(number)
    del numbers[None]
    return tuple([_quoted(address) for address in numbers if address]), targets


def _written(entry: Placed, score: float, first: str) -> str:
    """A block, in Python; `first` are the fields right behind the score."""
    block = entry.block
    text = block.plain_text if block.keep else None
    if text is None:
        return _with_runs(entry, score, first)
    return _joined(block, text, score, first + entry.after)


def _with_runs(entry: Placed, score: float, first: str) -> str:
    """A block that may have marks, links and pictures."""
    check()
    block = entry.block
    return _joined(block, block.text, score, f"{first}{_further(block)}{entry.after}")


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
