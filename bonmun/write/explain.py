"""A page with every block's verdict, score and reasons drawn on it: one HTML file that loads nothing and runs nothing.

The page is written anew from its columns, with the tags and attributes of a short list and without addresses, style
sheets and scripts. Its own style sheets are left out because they hide text that has a verdict (menus, tabs), because
most pages keep them in other files, and because without them nothing of the page can cover the panel. Kept text is set
for reading; parts of the page without kept text are set small beside a line.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from importlib.resources import files
from itertools import accumulate, groupby

from bonmun.model.block import Kind
from bonmun.model.document import Document
from bonmun.model.judged_block import Block
from bonmun.write.drawing import STRUCTURE, Drawing, language_attributes, one_line
from bonmun.write.explain_runs import collapsed

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
_LISTED = 5000  # blocks in the panel's list; browsers get slow beyond
_TEXTS_WITH_REASONS = 1000  # of one block: each repeats the reasons
_BINS = 200  # of the strip that shows the places of kept text
_STYLES = frozenset({"text-align", "font-weight", "font-style", "text-decoration", "vertical-align", "list-style-type"})


def write(document: Document) -> str:
    """Return the document's page with the verdict drawn on every block.

    >>> import bonmun
    >>> drawn = bonmun.extract("<p>Tea is made of leaves, and of water that has just boiled.</p>").explain()
    >>> drawn[:15], "boiled" in drawn, "<script" in drawn
    ('<!doctype html>', True, False)
    """
    style = files("bonmun.write").joinpath("explain.css").read_text("utf-8")
    title, stops = document.title or document.url or "a page", collapsed(document)
    # The panel comes first, so that no nesting of the page can end up inside it.
    return "".join(
        (
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n',
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n',
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
            f'<title>Explained: {escape(title)}</title>\n<link rel="icon" href="data:,">\n',
            f"<style>\n{style}</style>\n</head>\n<body>\n",
            *_panel(document, stops),
            f'<div class="bm-page"{language_attributes(document)}>\n',
            *Drawing(document, stops, _Pen()).pieces(),
            "\n</div>\n</body>\n</html>\n",
        )
    )


def sign(block: Block) -> str:
    """``+`` for a kept block, ``−`` for a dropped one, ``±`` for one kept in part."""
    if not block.keep:
        return "−"
    return "+" if block.part is None else "±"


def score_text(score: float) -> str:
    """Format a score with two decimals.

    >>> score_text(0.874), score_text(0.1), score_text(1.0), score_text(0.0)
    ('.87', '.10', '1', '0')
    """
    written = f"{min(max(0.0, score), 1.0):.2f}"
    return {"0.00": "0", "1.00": "1"}.get(written, written[1:])


def first_words(block: Block, most: int = 160) -> str:
    """Return the start of a block's text on one line; for an image, of its alternative text.

    >>> import bonmun
    >>> first_words(bonmun.extract("<p>Tea is made of leaves, and of water.</p>").all_blocks[0], 15)
    'Tea is made of…'
    """
    text = block.page.blocks.text_at(block.index)
    if block.kind is Kind.IMAGE:
        text = block.page.nodes.attr(block.page.blocks.first[block.index], "alt") or ""
    line = one_line(text[: 4 * most])
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def reasons_line(block: Block) -> str:
    """The reasons of a block; the name of several in a row is written once.

    >>> import bonmun
    >>> reasons_line(bonmun.extract("<p>Tea is made of leaves, and of water.</p>").all_blocks[0])
    'snippet: on so short a page all readable text is kept'
    """
    groups = ((name, [reason.detail for reason in same]) for name, same in groupby(block.reasons, lambda one: one.name))
    return "; ".join(f"{name}: {', '.join(details)}" if any(details) else name for name, details in groups)


class _Pen:
    """Marks in the colour of their verdict; a block's first text has the anchor and the badge."""

    def __init__(self) -> None:
        self.attributes = {**STRUCTURE, "style": _plain_style}
        self.why = self.score = ""  # reasons and score of the latest block
        self.texts = 0  # of that block so far

    def mark(self, element: str, block: Block, *, first: bool, kept: bool, content: str) -> str:
        """Return text with its verdict."""
        place, badge = "", ""
        if first:
            self.why, self.texts = f' title="{escape(verdict_line(block))}"', 0
            self.score = score = score_text(block.score)
            place = f' id="b{block.index}"'
            badge = f'<a class="bm-badge" href="#r{block.index}" data-score="{score}"></a>'
        colour = "bm-keep" if kept else "bm-drop"
        style = f' style="--score:{self.score}"' if kept else ""
        self.texts += 1
        why = self.why if self.texts <= _TEXTS_WITH_REASONS else ""
        return f'<{element}{place} class="{colour}"{style}{why}>{badge}{content}</{element}>'

    def link(self, href: str) -> str:
        """Return nothing: an address could be followed."""
        return ""


def _plain_style(value: str) -> str:
    """Reduce a style to meaningful declarations that cannot load, hide or position anything.

    >>> _plain_style("Text-Align: center; position:fixed; font-weight:url(//x); font-style:italic")
    'text-align:center;font-style:italic'
    """
    parts = (part.partition(":") for part in value.lower().split(";"))
    pairs = ((name.strip(), setting.strip()) for name, _, setting in parts)
    return ";".join(
        f"{name}:{setting}"
        for name, setting in pairs
        if name in _STYLES and setting.isascii() and setting.replace("-", "").replace(" ", "").isalnum()
    )


def verdict_line(block: Block) -> str:
    """The verdict on one line: ``12 kept · paragraph · .87 — in-region: holds the heaviest group``."""
    verdict = {"+": "kept", "−": "dropped", "±": "kept in part"}[sign(block)]
    reasons = reasons_line(block)
    line = f"{block.index} {verdict} · {'hidden ' if block.hidden else ''}{block.kind} · {score_text(block.score)}"
    return f"{line} — {reasons}" if reasons else line


def _panel(document: Document, stops: Sequence[int]) -> Iterator[str]:
    """Yield the panel beside the page: a summary, the legend, and every block as a link to its place."""
    every = document.all_blocks
    kept, lengths = [every[index] for index in document.kept], [len(block.text) for block in every]
    drawn = [block for block in every if not stops[block.index]]
    listed = drawn if len(drawn) <= _LISTED else [block for block in kept if not stops[block.index]][:_LISTED]
    yield '<details class="bm-panel" open>\n<summary><b>본문</b> Bonmun'
    yield f'<span class="bm-status bm-{document.status}">{document.status}</span></summary>\n'
    first = f'href="#b{kept[0].index}" title="to the first kept block"' if kept else ""
    yield f'<p class="bm-count"><a {first}><b>{len(kept):,}</b> of {len(every):,} blocks kept</a>, '
    yield f"<b>{_kept_characters(document, lengths):,}</b> of {sum(lengths):,} characters</p>\n"
    yield f'<div class="bm-strip" title="where the kept text is" style="background:{_strip(every, lengths)}"></div>\n'
    yield from facts(document)
    yield _LEGEND
    if len(listed) < len(every):
        rest = "the rest is marked on the page" if len(drawn) > len(listed) else "of runs of like blocks the first ones"
        what = "kept blocks" if len(drawn) > len(listed) else "blocks"
        yield f'<p class="bm-count">Only {len(listed):,} {what} are listed; {rest}.</p>\n'
    yield '<div class="bm-list">\n'
    yield from map(_entry, listed)
    yield "</div>\n</details>\n"


_LEGEND = """\
<p class="bm-legend"><span class="bm-keep" style="--score:1">kept, sure</span>
<span class="bm-keep" style="--score:.2">kept, less sure</span> <span class="bm-drop">dropped</span>
<span class="bm-hidden">hidden</span></p>
<p class="bm-filter"><label><input type="radio" name="bm-show" checked> all</label>
<label><input type="radio" name="bm-show" class="bm-only-kept"> kept</label>
<label><input type="radio" name="bm-show" class="bm-only-dropped"> dropped</label></p>
"""


def facts(document: Document) -> Iterator[str]:
    """Yield the facts on a page as a list of terms: method, confidence, metadata, notes and warnings."""
    data, sure, layout = document.metadata, score_text(document.confidence), document.page.layout
    browser = layout.note if layout is not None else None
    yield '<dl class="bm-facts">\n'
    yield f'<dt>method</dt><dd>{escape(document.method)}</dd>\n<dt>confidence</dt><dd><span class="bm-bar" '
    yield f'style="--score:{sure}"></span> {sure}</dd>\n'
    facts = {
        "title": data.title,
        "author": data.author,
        "date": data.date,
        "language": data.language,
        "site": data.site,
        "page type": document.page_type,
        "address": document.url,
        "encoding": document.page.encoding,
        "browser": browser,
    }
    yield from (f"<dt>{name}</dt><dd>{escape(str(value))}</dd>\n" for name, value in facts.items() if value)
    yield from (f"<dt>note</dt><dd>{escape(str(note))}</dd>\n" for note in document.reasons)
    warnings = (warning for warning in document.warnings if warning != browser)
    yield from (f'<dt class="bm-warning">warning</dt><dd>{escape(warning)}</dd>\n' for warning in warnings)
    yield "</dl>\n"


def _entry(block: Block) -> str:
    index, score = block.index, score_text(block.score)
    kind = f"hidden {block.kind}" if block.hidden else block.kind
    line = reasons_line(block)
    reasons = f" · {escape(line)}" if line else ""
    verdict = "bm-keep" if block.keep else "bm-drop"
    return (
        f'<a id="r{index}" class="{verdict}" href="#b{index}"><i>{index}</i><b>{sign(block)}</b>'
        f'<span class="bm-bar" style="--score:{score}"></span><u>{score}</u>'
        f"<span>{escape(first_words(block))}</span><small>{kind}{reasons}</small></a>\n"
    )


def _kept_characters(document: Document, lengths: Sequence[int]) -> int:
    """The characters of the kept text, with the marks of its footnotes; `lengths` are those of all blocks without."""
    if document.footnotes.labels:
        return sum(len(block.text) for block in document.blocks)
    return sum(lengths[index] for index in document.kept)


def _strip(blocks: Sequence[Block], lengths: Iterable[int]) -> str:
    """A CSS gradient over the page's text from start to end: green for kept text."""
    ends = list(accumulate(lengths))
    if not ends or not ends[-1]:
        return "none"
    places = (bisect_right(ends, (number + 0.5) * ends[-1] / _BINS) for number in range(_BINS))
    stops, stop = [], 0
    for kept, same in groupby(blocks[place].keep for place in places):
        start, stop = stop, stop + len(list(same))
        colour = "var(--bm-green)" if kept else "transparent"
        stops.append(f"{colour} {100 * start / _BINS:.3g}% {100 * stop / _BINS:.3g}%")
    return f"linear-gradient(90deg,{','.join(stops)})"
