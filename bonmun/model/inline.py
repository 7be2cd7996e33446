"""What stands inside a block: stretches of text with their marks and links, and images."""

from collections.abc import Iterable
from dataclasses import dataclass

from bonmun.model.gaps import parted
from bonmun.model.links import absolute
from bonmun.model.nodes import Nodes
from bonmun.model.tags import LINK, TAG_ID, TEXT, tag_set

_MARK_OF_TAG = {
    **dict.fromkeys(tag_set("strong b"), "strong"),
    **dict.fromkeys(tag_set("em i cite dfn var"), "em"),
    **dict.fromkeys(tag_set("code kbd samp tt"), "code"),
    **dict.fromkeys(tag_set("s strike del"), "strike"),
    TAG_ID["sub"]: "sub",
    TAG_ID["sup"]: "sup",
    TAG_ID["mark"]: "mark",
}
_LINK_TAG, _IMAGE_TAG, _BREAK = TAG_ID["a"], TAG_ID["img"], TAG_ID["br"]
_LAZY_SOURCES = ("data-src", "data-original", "data-lazy-src", "data-lazy", "data-url")


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of a block's text, or an image in it."""

    text: str
    """The characters; for an image, its alternative text."""
    marks: tuple[str, ...] = ()
    """strong, em, code, strike, sub, sup, mark; outermost first."""
    href: str | None = None
    """Where it links to."""
    src: str | None = None
    """The image's address; `None` for text."""


def picture_source(nodes: Nodes, row: int) -> str | None:
    """Where an `img` loads from, a lazy one too; `None` for tracking pixels, placeholders and images in the markup."""
    if any((nodes.attr(row, side) or "").strip().removesuffix("px") in ("0", "1") for side in ("width", "height")):
        return None
    candidates = [nodes.attr(row, name) for name in ("src", *_LAZY_SOURCES)]
    for name in ("srcset", "data-srcset"):
        candidates.append((nodes.attr(row, name) or "").strip().split(" ", 1)[0].rstrip(","))
    return next((at.strip() for at in candidates if at and at.strip() and not at.lstrip().startswith("data:")), None)


def runs(nodes: Nodes, rows: Iterable[int], element: int, base: str | None, preformatted: bool = False) -> list[Run]:
    """The rows of one block, text and images, as runs; white space is collapsed across them as in the block's text."""
    found: list[Run] = []
    before = -1  # the text right before
    for row in rows:
        tag = nodes.tag[row]
        if tag == _IMAGE_TAG:
            source = picture_source(nodes, row)
            address = absolute(source, base) if source else None
            if address:
                alt = " ".join((nodes.attr(row, "alt") or "").split())
                found.append(Run(alt, (), _marks(nodes, row, element, base)[1], address))
            continue
        text = "\n" if tag == _BREAK else nodes.text(row) if tag == TEXT else ""
        if text:
            if before >= 0 and tag == TEXT and parted(nodes, before, row):
                found.append(Run(" "))
            before = row if tag == TEXT else -1
            marks, href = _marks(nodes, row, element, base)
            found.append(Run(text.replace("\xad", "").replace("\ufeff", ""), marks, href))
    return _verbatim(found) if preformatted else _collapsed(found)


def _marks(nodes: Nodes, row: int, element: int, base: str | None) -> tuple[tuple[str, ...], str | None]:
    """What the inline elements around a row, up to the block's own element, say of it. A link may stand above that."""
    marks: list[str] = []
    href = None
    linked = bool(nodes.flags[row] & LINK)
    inside = True
    for at in nodes.ancestors(row):
        inside = inside and at != element
        if not inside and not linked:
            break
        tag = nodes.tag[at]
        if linked and tag == _LINK_TAG and (target := nodes.attr(at, "href")) is not None:
            href, linked = absolute(target, base), False
        elif inside and tag in _MARK_OF_TAG and _MARK_OF_TAG[tag] not in marks:
            marks.append(_MARK_OF_TAG[tag])
    return tuple(reversed(marks)), href


def _collapsed(found: list[Run]) -> list[Run]:
    """Runs with white space collapsed across their borders, none at either end, equal neighbours joined."""
    out: list[Run] = []
    spaced = True  # nothing, or white space, stands before
    for run in found:
        if run.src is not None:
            out.append(run)
            continue
        text = " ".join(run.text.split())
        if run.text[:1].isspace() and text and not spaced:
            text = " " + text
        if run.text[-1:].isspace() and (text or not spaced):
            text += " "
        if text:
            _join(out, Run(text, run.marks, run.href))
            spaced = text.endswith(" ")
    return _stripped(out)


def _stripped(out: list[Run]) -> list[Run]:
    for at in range(len(out) - 1, -1, -1):
        if out[at].src is None:
            text = out[at].text.rstrip()
            out[at : at + 1] = [Run(text, out[at].marks, out[at].href)] if text else []
            if text:
                break
    return out


def _join(out: list[Run], run: Run) -> None:
    last = out[-1] if out else None
    if last is not None and last.src is None and (last.marks, last.href) == (run.marks, run.href):
        out[-1] = Run(last.text + run.text, run.marks, run.href)
    else:
        out.append(run)


def _verbatim(found: list[Run]) -> list[Run]:
    text = "".join(run.text for run in found if run.src is None)
    return [Run(text.strip("\n").expandtabs(4).rstrip())] + [run for run in found if run.src is not None]
