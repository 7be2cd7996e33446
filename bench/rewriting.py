"""Rewrite real pages: cut an article to one paragraph under long comments, or move it to another template."""

from dataclasses import dataclass
from html import escape

from bonmun.model.page import Page
from bonmun.model.tags import TEXT
from bonmun.read.page import read_page

_LEAST = 25
"""Minimum characters of a block to locate the gold; shorter texts repeat elsewhere on the page."""
_PARAGRAPH = 60
"""Minimum characters of the paragraph that is kept."""
_MOSTLY = 0.7
"""Minimum share of the gold in the text of the article's element."""


@dataclass(frozen=True)
class Body:
    """The location of a page's gold."""

    page: Page
    source: bytes
    region: int
    """The row of the smallest element with nearly all of the gold."""
    blocks: list[int]
    """The gold blocks of at least `_LEAST` characters."""


@dataclass(frozen=True)
class Rewritten:
    """A rewritten page with its gold."""

    html: str
    gold: str


def body_of(html: str, gold: str) -> Body | None:
    """Locate the gold on its page; `None` if none of its blocks is there."""
    source = html.encode("utf-8", "replace")
    page, wanted = read_page(source), _bare(gold)
    blocks = [index for index, text in enumerate(page.blocks.text) if len(text) >= _LEAST and _bare(text) in wanted]
    chars = page.blocks.chars
    if page.nodes.source_start is None or not blocks:
        return None
    total = sum(chars[block] for block in blocks)
    inside: dict[int, int] = {}
    for block in blocks:
        for row in (page.blocks.element[block], *page.nodes.ancestors(page.blocks.element[block])):
            inside[row] = inside.get(row, 0) + chars[block]
    region = max(row for row, count in inside.items() if count >= 0.9 * total)
    return Body(page, source, region, blocks)


def with_comments(html: str, gold: str, comments: list[str], *, short: bool) -> Rewritten | None:
    """Add comments after the article; if `short`, keep only one paragraph of the article."""
    body = body_of(html, gold)
    if body is None:
        return None
    blocks, nodes = body.page.blocks, body.page.nodes
    rows = range(body.region, nodes.end[body.region])
    inside = [block for block in body.blocks if blocks.first[block] in rows]
    kept = max(inside, key=lambda block: blocks.chars[block])
    if blocks.chars[kept] < _PARAGRAPH:
        return None
    kept_rows = range(blocks.first[kept], blocks.stop[kept])
    removed = [row for row in rows if short and nodes.tag[row] == TEXT and row not in kept_rows]
    items = (f'<div class="rp"><b>reader{n}</b><p>{escape(text)}</p></div>' for n, text in enumerate(comments))
    comment_list = f'<div class="rp_list">{"".join(items)}</div>'
    return Rewritten(_edited(body, removed, _after_article(body), comment_list), blocks.text[kept] if short else gold)


def moved(gold: str, frame_html: str, frame_gold: str, title: str) -> Rewritten | None:
    """Put an article in the place of another site's: same text, another template."""
    frame = body_of(frame_html, frame_gold)
    if frame is None:
        return None
    nodes = frame.page.nodes
    removed = [row for row in range(frame.region, nodes.end[frame.region]) if nodes.tag[row] == TEXT]
    first = next((row for row in removed if nodes.chars[row] and _start(frame, row) >= 0), -1)
    if first < 0:
        return None
    paragraphs = "".join(f"<p>{escape(line)}</p>" for line in gold.splitlines() if line.strip())
    html = _edited(frame, removed, _start(frame, first), paragraphs)
    return Rewritten(f"{html}<!-- {escape(title)} -->", gold)


def _edited(body: Body, removed: list[int], place: int, added: str) -> str:
    """Remove the texts of some rows and insert markup at a source offset."""
    stops = body.page.nodes.source_stop
    assert stops is not None
    cuts = sorted((_start(body, row), stops[row]) for row in removed if 0 <= _start(body, row) < stops[row])
    parts, offset, inserted = list[bytes](), 0, False
    for start, stop in [*cuts, (len(body.source), len(body.source))]:
        if not inserted and place <= start:
            parts += [body.source[offset:place], added.encode()]
            offset, inserted = place, True
        if start >= offset:
            parts.append(body.source[offset:start])
            offset = stop
    return b"".join(parts).decode("utf-8", "replace")


def _after_article(body: Body) -> int:
    """The source offset after the article: after its largest ancestor whose text is mostly gold."""
    nodes, blocks = body.page.nodes, body.page.blocks
    gold = sum(blocks.chars[block] for block in body.blocks)
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
