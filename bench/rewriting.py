"""Real pages made harder: an article cut to one paragraph under long comments, an article moved to another template."""

from dataclasses import dataclass
from html import escape

from bonmun.model.page import Page
from bonmun.model.tags import TEXT
from bonmun.read.page import read_page

_LEAST = 25
"""Characters of a block that tell where the gold stands: shorter ones may stand anywhere."""
_PARAGRAPH = 60
_MOSTLY = 0.7


@dataclass(frozen=True)
class Body:
    """Where a page's gold stands."""

    page: Page
    source: bytes
    region: int
    """The row of the smallest element that holds nearly all of it."""
    blocks: list[int]
    """The gold's blocks of some length."""


@dataclass(frozen=True)
class Rewritten:
    """A page made of another, with its gold."""

    html: str
    gold: str


def body_of(html: str, gold: str) -> Body | None:
    """Find the gold on its page; `None` where it does not stand there in blocks."""
    source = html.encode("utf-8", "replace")
    page, wanted = read_page(source), _bare(gold)
    blocks = [at for at, text in enumerate(page.blocks.text) if len(text) >= _LEAST and _bare(text) in wanted]
    chars = page.blocks.chars
    if page.nodes.source_start is None or not blocks:
        return None
    total = sum(chars[at] for at in blocks)
    held: dict[int, int] = {}
    for at in blocks:
        for row in (page.blocks.element[at], *page.nodes.ancestors(page.blocks.element[at])):
            held[row] = held.get(row, 0) + chars[at]
    region = max(row for row, count in held.items() if count >= 0.9 * total)
    return Body(page, source, region, blocks)


def with_comments(html: str, gold: str, comments: list[str], *, short: bool) -> Rewritten | None:
    """The page with comments behind its article, and, if it is to be short, one paragraph of the article left."""
    body = body_of(html, gold)
    if body is None:
        return None
    blocks, nodes = body.page.blocks, body.page.nodes
    rows = range(body.region, nodes.end[body.region])
    inside = [at for at in body.blocks if blocks.first[at] in rows]
    kept = max(inside, key=lambda at: blocks.chars[at])
    if blocks.chars[kept] < _PARAGRAPH:
        return None
    spared = range(blocks.first[kept], blocks.stop[kept])
    gone = [row for row in rows if short and nodes.tag[row] == TEXT and row not in spared]
    written = (f'<div class="rp"><b>reader{at}</b><p>{escape(text)}</p></div>' for at, text in enumerate(comments))
    listed = f'<div class="rp_list">{"".join(written)}</div>'
    return Rewritten(_edited(body, gone, _behind(body), listed), blocks.text[kept] if short else gold)


def moved(gold: str, frame_html: str, frame_gold: str, title: str) -> Rewritten | None:
    """An article in the place of another site's: the same text, another template."""
    frame = body_of(frame_html, frame_gold)
    if frame is None:
        return None
    nodes = frame.page.nodes
    gone = [row for row in range(frame.region, nodes.end[frame.region]) if nodes.tag[row] == TEXT]
    first = next((row for row in gone if nodes.chars[row] and _start(frame, row) >= 0), -1)
    if first < 0:
        return None
    paragraphs = "".join(f"<p>{escape(line)}</p>" for line in gold.splitlines() if line.strip())
    html = _edited(frame, gone, _start(frame, first), paragraphs)
    return Rewritten(f"{html}<!-- {escape(title)} -->", gold)


def _edited(body: Body, gone: list[int], place: int, added: str) -> str:
    """The page without the texts of some rows, and with markup at a place."""
    stops = body.page.nodes.source_stop
    assert stops is not None
    cuts = sorted((_start(body, row), stops[row]) for row in gone if 0 <= _start(body, row) < stops[row])
    parts, at, inserted = list[bytes](), 0, False
    for start, stop in [*cuts, (len(body.source), len(body.source))]:
        if not inserted and place <= start:
            parts += [body.source[at:place], added.encode()]
            at, inserted = place, True
        if start >= at:
            parts.append(body.source[at:start])
            at = stop
    return b"".join(parts).decode("utf-8", "replace")


def _behind(body: Body) -> int:
    """The place behind the article: behind the largest element around it whose text is mostly the article's."""
    nodes, blocks = body.page.nodes, body.page.blocks
    gold = sum(blocks.chars[at] for at in body.blocks)
    article = body.region
    for above in nodes.ancestors(body.region):
        inside = range(above, nodes.end[above])
        if gold < _MOSTLY * sum(
            chars for chars, first in zip(blocks.chars, blocks.first, strict=True) if first in inside
        ):
            break
        article = above
    later = (_start(body, row) for row in range(nodes.end[article], len(nodes)) if nodes.tag[row] != TEXT)
    return next((start for start in later if start >= 0), len(body.source))


def _start(body: Body, row: int) -> int:
    starts = body.page.nodes.source_start
    assert starts is not None
    return starts[row]


def _bare(text: str) -> str:
    return "".join(text.split())
