"""Page furniture: navigation, footers, dialogs, boxes of links.

A name helps and never decides alone: an element that holds a large share of the page's text is no furniture, whatever
it is called.
"""

from array import array
from dataclasses import dataclass
from itertools import accumulate

from bonmun.deadline import check
from bonmun.model.nodes import Nodes
from bonmun.model.tags import BLOCK_LEVEL, HEADINGS, TEXT, UNRENDERED, tag_set

_TAGS = tag_set("nav footer aside form dialog menu address search")
_PAGE_HEADER, _CONTENT = tag_set("header"), tag_set("article main")
_ROLES = frozenset("navigation banner contentinfo complementary search dialog alertdialog menu menubar toolbar".split())
_NAMES = frozenset(
    "advert advertisement banner breadcrumb breadcrumbs comment comments consent cookie cookies gdpr login menu modal"
    " navbar newsletter pagination popup promo recommend recommendation recommendations recommended related share"
    " sharing subscribe toolbar tooltip trending".split()
)
_MOST_BY_TAG = 0.5  # of the page's text; beyond it a footer tag is only badly chosen
_MOST_BY_NAME = 0.3


@dataclass(frozen=True, slots=True)
class BoilerplateSign:
    """Why an element is furniture."""

    detail: str
    """In words, for a reason."""
    name: str = ""
    """The word of its class, id or role, if it is one."""


def furniture(nodes: Nodes) -> dict[int, BoilerplateSign]:
    """The outermost furniture elements: row → evidence."""
    columns = zip(nodes.chars, nodes.flags, strict=True)
    before = array("q", accumulate((0 if flags & UNRENDERED else chars for chars, flags in columns), initial=0))
    most_by_tag, most_by_name = _MOST_BY_TAG * before[-1], _MOST_BY_NAME * before[-1]
    found: dict[int, BoilerplateSign] = {}
    seen: dict[str, str] = {}  # class and id strings recur
    tags, ends = nodes.tag, nodes.end
    row = content_end = 0
    while row < len(tags):
        end, tag = ends[row], tags[row]
        text = before[end] - before[row]
        if tag == TEXT or not text:
            row = end  # nothing to read inside
            continue
        if tag in _CONTENT:
            content_end = max(content_end, end)
        evidence = _by_tag(nodes, row, row < content_end) if text <= most_by_tag else None
        if not evidence and text <= most_by_name:
            evidence = _by_name(nodes, row, seen)
        if evidence:
            check()
            found[row] = evidence
        row = end if evidence else row + 1
    return found


def _by_tag(nodes: Nodes, row: int, in_content: bool) -> BoilerplateSign | None:
    tag = nodes.tag[row]
    if tag in _TAGS:
        return BoilerplateSign(f"inside <{nodes.name(row)}>")
    if tag in _PAGE_HEADER and not in_content:
        return BoilerplateSign("inside the <header> of the page")
    role = nodes.attr(row, "role")
    return BoilerplateSign(f"inside an element with the role “{role}”") if role in _ROLES else None


def _by_name(nodes: Nodes, row: int, seen: dict[str, str]) -> BoilerplateSign | None:
    if nodes.tag[row] not in BLOCK_LEVEL or nodes.tag[row] in HEADINGS:
        return None
    if nodes.attr_first[row] == nodes.attr_first[row + 1]:
        return None
    key = f"{nodes.attr(row, 'class')} {nodes.attr(row, 'id')}"
    if key not in seen:
        seen[key] = min(nodes.tokens(row) & _NAMES, default="")
    name = seen[key]
    return BoilerplateSign(f"inside an element named “{name}”", name) if name else None
