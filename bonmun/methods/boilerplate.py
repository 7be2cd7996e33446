"""Page furniture: navigation, footers, dialogs, boxes of links.

A name helps and never decides alone: an element that holds a large share of the page's text is no furniture, whatever
it is called.
"""

from dataclasses import dataclass

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
    before = [0]
    for chars, flags in zip(nodes.chars, nodes.flags, strict=True):
        before.append(before[-1] + (0 if flags & UNRENDERED else chars))
    most_by_tag, most_by_name = _MOST_BY_TAG * before[-1], _MOST_BY_NAME * before[-1]
    found: dict[int, BoilerplateSign] = {}
    seen: dict[str, str] = {}  # class and id strings recur
    tags, ends = nodes.tag.tolist(), nodes.end.tolist()
    row = 0
    while row < len(tags):
        text = before[ends[row]] - before[row]
        if not text or tags[row] == TEXT:
            row = ends[row]  # nothing to read inside
            continue
        evidence = _by_tag(nodes, row) if text <= most_by_tag else None
        if not evidence and text <= most_by_name:
            evidence = _by_name(nodes, row, seen)
        if evidence:
            found[row] = evidence
        row = ends[row] if evidence else row + 1
    return found


def _by_tag(nodes: Nodes, row: int) -> BoilerplateSign | None:
    tag = nodes.tag[row]
    if tag in _TAGS:
        return BoilerplateSign(f"inside <{nodes.name(row)}>")
    if tag in _PAGE_HEADER and not any(nodes.tag[above] in _CONTENT for above in nodes.ancestors(row)):
        return BoilerplateSign("inside the <header> of the page")
    role = nodes.attr(row, "role")
    return BoilerplateSign(f"inside an element with the role “{role}”") if role in _ROLES else None


def _by_name(nodes: Nodes, row: int, seen: dict[str, str]) -> BoilerplateSign | None:
    if nodes.tag[row] not in BLOCK_LEVEL or nodes.tag[row] in HEADINGS:
        return None
    key = f"{nodes.attr(row, 'class')} {nodes.attr(row, 'id')}"
    if key not in seen:
        seen[key] = min(nodes.tokens(row) & _NAMES, default="")
    name = seen[key]
    return BoilerplateSign(f"inside an element named “{name}”", name) if name else None
