"""The verdicts drawn over the screenshot of a page: one HTML file that loads nothing and runs nothing.

Of the page it has the picture that the browser drew, as a PNG inside the file, and escaped text. Every block is a box
on the picture and an entry of the list beside it; each is a link to the other.
"""

from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from typing import Final

from bonmun.model.document import Document
from bonmun.model.judged_block import Block
from bonmun.write.block_boxes import BlockBox, block_boxes, is_cut, screenshot_of
from bonmun.write.element_boxes import element_boxes
from bonmun.write.explain import facts, first_words, reasons_line, score_text, sign, verdict_line
from bonmun.write.explain_runs import collapsed

DOUBTFUL: Final = (0.3, 0.7)
"""The scores between which a verdict is doubtful: the method could as well have decided otherwise."""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
_LISTED = 5000  # blocks with a box and an entry; browsers get slow beyond
_LONGEST = 400  # characters of a block's text in its note
_NAMES = {"+": "kept", "−": "dropped", "±": "kept in part"}
_MARKS = {"+": "✓", "−": "–", "±": "±"}


def write(document: Document) -> str:
    """Return the screenshot of the document's page with the verdict drawn on every block.

    >>> import bonmun
    >>> page = bonmun.render("<p>Tea", settings=bonmun.RenderSettings(screenshot=True))  # doctest: +SKIP
    >>> bonmun.extract(page).explain_rendered()[:15]  # doctest: +SKIP
    '<!doctype html>'
    """
    picture, size = screenshot_of(document.page)
    view = _View.of(document, size)
    style = files("bonmun.write").joinpath("rendered.css").read_text("utf-8")
    title = document.title or document.url or "a page"
    return "".join(
        (
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n',
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n',
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
            f'<title>Rendered: {escape(title)}</title>\n<link rel="icon" href="data:,">\n',
            f"<style>\n{style}</style>\n</head>\n<body>\n",
            *_panel(view),
            f'<main class="bm-view">\n<div class="bm-shot" style="--width:{size[0]}px">\n',
            f'<img alt="The page as the browser drew it" width="{size[0]}" height="{size[1]}" ',
            f'src="data:image/png;base64,{b64encode(picture).decode()}">\n',
            *_elements(view),
            *_boxes(view),
            "</div>\n",
            *(f'<p class="bm-end">{note}</p>\n' for note in _end(view)),
            "</main>\n</body>\n</html>\n",
        )
    )


def is_doubtful(block: Block) -> bool:
    """Whether the score of a block is between those that are clear."""
    low, high = DOUBTFUL
    return low <= block.score <= high


@dataclass(frozen=True, slots=True)
class _View:
    """A document, the blocks to show, and their boxes on its screenshot."""

    document: Document
    size: tuple[int, int]
    listed: Sequence[Block]
    boxes: Sequence[BlockBox | None]
    """The box of every block of the page, cut at the edges of the picture."""
    cut: frozenset[int]
    """Blocks that the browser drew outside the picture."""
    elements: Sequence[tuple[BlockBox, float]]
    """Elements with their probability, of a method that judges elements."""

    @classmethod
    def of(cls, document: Document, size: tuple[int, int]) -> "_View":
        """Lay a document out."""
        assert document.page.layout is not None
        whole = block_boxes(document.page, document.page.layout)
        boxes = [box and box.within(size) for box in whole]
        cut = (index for index, box in enumerate(whole) if box and boxes[index] is None)
        stops = collapsed(document)
        shown = [block for block in document.all_blocks if not stops[block.index]]
        if len(shown) > _LISTED:
            shown = [block for block in shown if block.keep][:_LISTED]
        return cls(document, size, shown, boxes, frozenset(cut), element_boxes(document, size))

    @property
    def drawn(self) -> list[Block]:
        """The blocks with a box."""
        return [block for block in self.listed if self.boxes[block.index]]

    @property
    def undrawn(self) -> list[Block]:
        """The blocks without one."""
        return [block for block in self.listed if not self.boxes[block.index]]


def _place(box: BlockBox, size: tuple[int, int]) -> str:
    """The place of a box as a style, in percent of the picture: it may be shown at any size."""
    across, down = size[0] / 100, size[1] / 100
    sides = (box.left / across, box.top / down, (box.right - box.left) / across, (box.bottom - box.top) / down)
    return "left:{:.3f}%;top:{:.3f}%;width:{:.3f}%;height:{:.3f}%".format(*sides)


def _classes(block: Block) -> str:
    verdict = "bm-keep" if block.keep else "bm-drop"
    return f"{verdict} bm-doubt" if is_doubtful(block) else verdict


def _boxes(view: _View) -> Iterator[str]:
    """Yield every box with its note, which is shown while the box has pointer or focus."""
    for block in view.drawn:
        box, index = view.boxes[block.index], block.index
        assert box is not None
        mark = _MARKS[sign(block)] + ("?" if is_doubtful(block) else "")
        yield f'<a class="bm-box {_classes(block)}" id="b{index}" href="#r{index}" style="{_place(box, view.size)}" '
        yield f'aria-label="{escape(verdict_line(block))}"><b>{mark}</b>{_note(block)}</a>\n'


def _note(block: Block) -> str:
    verdict, doubt = _NAMES[sign(block)], ", doubtful" if is_doubtful(block) else ""
    head = f"<b>{verdict}{doubt}</b> {score_text(block.score)} · {block.kind} · block {block.index}"
    reasons = f"<span>{escape(reasons_line(block))}</span>" if block.reasons else ""
    text = f'<span class="bm-words">{escape(first_words(block, _LONGEST))}</span>'
    return f'<span class="bm-note"><span>{head}</span>{reasons}{text}<code>{escape(block.xpath)}</code></span>'


def _elements(view: _View) -> Iterator[str]:
    """Yield the elements shaded by their probability; inner ones cover outer ones."""
    if view.elements:
        yield '<div class="bm-elements" aria-hidden="true">\n'
        for box, probability in view.elements:
            yield f'<i style="{_place(box, view.size)};--p:{100 * probability:.0f}%"></i>\n'
        yield "</div>\n"


def _panel(view: _View) -> Iterator[str]:
    """Yield the panel beside the picture: a summary, switches, and every block as a link to its box."""
    document = view.document
    kept, every = len(document.kept), len(document.all_blocks)
    yield '<details class="bm-panel" open>\n<summary><b>본문</b> Bonmun'
    yield f'<span class="bm-status bm-{document.status}">{document.status}</span></summary>\n'
    yield f'<p class="bm-count"><b>{kept:,}</b> of {every:,} blocks kept</p>\n'
    yield from (f'<p class="bm-remark">{remark}</p>\n' for remark in (*_end(view), *_remarks(view)))
    yield from facts(document)
    yield _SWITCHES
    if view.elements:
        yield _ELEMENTS_SWITCH
    yield '</div>\n<div class="bm-list">\n'
    yield from (_entry(block) for block in view.drawn)
    yield "</div>\n"
    if undrawn := view.undrawn:
        yield f'<h2>Not on the picture <span class="bm-count">{len(undrawn):,}</span></h2>\n<div class="bm-list">\n'
        yield from (_entry(block, "outside" if block.index in view.cut else "not visible") for block in undrawn)
        yield "</div>\n"
    yield "</details>\n"


_SWITCHES = """\
<div class="bm-switches" role="group" aria-label="Shown">
<label><input type="radio" name="bm-show" checked> all</label>
<label class="bm-keep"><input type="radio" name="bm-show" class="bm-only-kept"> <b>✓</b> kept</label>
<label class="bm-drop"><input type="radio" name="bm-show" class="bm-only-dropped"> <b>–</b> dropped</label>
<label class="bm-doubt"><input type="radio" name="bm-show" class="bm-only-doubtful"> <b>?</b> doubtful</label>
<label><input type="checkbox" class="bm-actual"> actual size</label>
"""
_ELEMENTS_SWITCH = """\
<label class="bm-scale"><input type="checkbox" class="bm-with-elements"> probability of elements
<span title="from 0 to 1">0 <i></i> 1</span></label>
"""


def _end(view: _View) -> Iterator[str]:
    """Yield that the picture ends before the page does."""
    layout, height = view.document.page.layout, view.size[1]
    if layout is not None and is_cut(layout, height):
        total = f"{layout.document[1]:,}"
        yield f"The picture ends after {height:,} of {total} pixels; blocks below it are listed apart."


def _remarks(view: _View) -> Iterator[str]:
    """Yield what else is not on the picture."""
    every, listed = view.document.all_blocks, view.listed
    if len(listed) < len(every):
        yield f"Only {len(listed):,} of {len(every):,} blocks are drawn: kept ones, and the first of runs of like ones."


def _entry(block: Block, absence: str = "") -> str:
    """A block in the list: a link to its box, or why there is none."""
    index, score, line = block.index, score_text(block.score), reasons_line(block)
    facts = " · ".join(filter(None, (escape(absence), str(block.kind), escape(line))))
    inside = (
        f"<i>{index}</i><b>{sign(block)}</b>"
        f'<span class="bm-bar" style="--score:{score}"></span><u>{score}</u>'
        f"<span>{escape(first_words(block))}</span><small>{facts}</small><code>{escape(block.xpath)}</code>"
    )
    if absence:
        return f'<div id="r{index}" class="{_classes(block)}">{inside}</div>\n'
    return f'<a id="r{index}" class="{_classes(block)}" href="#b{index}">{inside}</a>\n'
