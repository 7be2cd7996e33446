"""A document as a notebook shows it: title and facts at a glance, the content to unfold."""

from dataclasses import replace
from html import escape
from typing import Final

from bonmun.model.document import Document, Status

_LONGEST: Final = 200_000
"""Characters of the content: a notebook keeps all of it in its file."""
_BEGINNING: Final = 160
_QUIET: Final = "opacity:.7;font-size:.9em"
_FRAME: Final = "border:1px solid rgba(128,128,128,.4);border-radius:6px;padding:.7em 1em;max-width:60em"
_CONTENT: Final = "margin-top:.7em;padding-top:.2em;border-top:1px solid rgba(128,128,128,.4);overflow-x:auto"


def display(document: Document) -> str:
    """Return one `<div>` without scripts, style sheets or anything to load: pictures are left out."""
    title = escape(document.title or document.url or "Untitled page", quote=False)
    lines = [" · ".join(_about(document)), " · ".join(_verdict(document)), *map(_warning, document.warnings)]
    shown = "".join(f'<div style="{_QUIET}">{line}</div>' for line in lines if line)
    return f'<div style="{_FRAME}"><div style="font-weight:bold">{title}</div>{shown}{_content(document)}</div>'


def _about(document: Document) -> list[str]:
    date = document.date.isoformat() if document.date else None
    known = (document.author, date, document.site, document.language, document.page_type)
    return [escape(fact, quote=False) for fact in known if fact]


def _verdict(document: Document) -> list[str]:
    """What became of the page."""
    kept = f"{len(document.blocks):,} of {len(document.all_blocks):,} blocks by {document.method}"
    reasons = [] if document.status is Status.OK else [str(reason) for reason in document.reasons]
    facts = [document.status.value, f"confidence {document.confidence:.2f}", kept, *reasons]
    return [escape(fact, quote=False) for fact in facts]


def _warning(text: str) -> str:
    return f"warning: {escape(text, quote=False)}"


def _content(document: Document) -> str:
    """The content, folded, with its beginning as the label; nothing if there is none."""
    text = " ".join(document.text.split())
    if not text:
        return ""
    cut = text if len(text) <= _BEGINNING else f"{text[:_BEGINNING].rstrip()} …"
    label = f'<summary style="cursor:pointer">{escape(cut, quote=False)}</summary>'
    # A picture would be loaded from its server, which then knows who reads the page.
    html = document.write("html", replace(document.output, images=False))
    if len(html) > _LONGEST:
        html = f"<p>{len(text):,} characters: too long to show here. The property <code>text</code> has them.</p>"
    return f'<details style="margin-top:.5em">{label}<div style="{_CONTENT}">{html}</div></details>'
