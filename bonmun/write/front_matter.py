"""The metadata of a document as YAML front matter, as Jekyll, Hugo, Pandoc and Obsidian read it.

All values are strings or lists of strings. One that YAML 1.1 or 1.2 could read as anything else is a double-quoted
scalar on one line, which is JSON as well.
"""

import json
import re

from bonmun.model.document import Document
from bonmun.model.metadata import Metadata

_PLAIN = re.compile(r"[^\W\d_][\w.,'()/+-]*(?: [\w.,'()/+&-]+)*")
_RESERVED = frozenset("y n yes no on off true false null".split())  # booleans and null of YAML 1.1
_UNPRINTABLE = re.compile("[^ -~\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")


def yaml_front_matter(document: Document) -> str:
    """Return the known metadata between two lines of ``---``; an empty string if there is none.

    >>> import bonmun
    >>> doc = bonmun.extract("<html lang=no><title>Tea: an introduction</title><p>Tea is made of leaves.")
    >>> print(yaml_front_matter(doc))
    ---
    title: "Tea: an introduction"
    language: "no"
    ---
    """
    metadata = document.metadata
    values = {
        "title": metadata.title,
        "author": metadata.author,
        "date": _date(metadata),
        "modified": metadata.iso_modified,
        "url": document.url,
        "canonical_url": metadata.canonical_url if metadata.canonical_url != document.url else None,
        "site": metadata.site,
        "language": metadata.language,
        "description": metadata.description,
    }
    lines = [f"{name}: {scalar(value)}" for name, value in values.items() if value]
    for name, texts in (("authors", metadata.authors), ("tags", metadata.tags)):
        if texts:
            lines += [f"{name}:", *(f"  - {scalar(text)}" for text in texts)]
    return "\n".join(["---", *lines, "---"]) if lines else ""


def _date(metadata: Metadata) -> str | None:
    """Return the date with its time, if that is on the same day."""
    if metadata.date and metadata.published and metadata.published.date() == metadata.date:
        return metadata.iso_published
    return metadata.date.isoformat() if metadata.date else None


def scalar(text: str) -> str:
    r"""Return a string as a YAML scalar: plain if it is certain to be read as that string, else double-quoted.

    >>> print(scalar("Maren Holt"), scalar("2026-03-14"), scalar("Yes"), scalar("two\nlines"))
    Maren Holt "2026-03-14" "Yes" "two\nlines"
    """
    if _PLAIN.fullmatch(text) and text.lower() not in _RESERVED:
        return text
    quoted = json.dumps(text, ensure_ascii=False)
    return _UNPRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", quoted)
