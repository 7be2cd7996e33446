"""A page drawn for the frame of the service's page: marks with classes and data attributes, no style of its own.

The content security policy of the service allows no inline style, so a score is a step from 0 to 10, and the style
sheet is a file of the service. The script of the screen reaches into the frame to link marks and results.
"""

from html import escape

from bonmun.model.document import Document
from bonmun.model.judged_block import Block
from bonmun.model.links import absolute
from bonmun.write.drawing import STRUCTURE, Drawing, language_attributes
from bonmun.write.explain_runs import collapsed

_STEPS = 10
_LONGEST_ADDRESS = 2000


def write(document: Document, style: str) -> str:
    """Return the document's page, drawn, with the address of its style sheet.

    >>> import bonmun
    >>> drawn = write(bonmun.extract("<p>Tea is made of leaves, and of water."), "/static/frame.css")
    >>> drawn[drawn.index("<bm-text") : drawn.index("Tea is")]
    '<bm-text data-block="0" data-first class="bm-keep" data-score="5">'
    """
    return "".join(
        (
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Page</title>\n',
            f'<link rel="stylesheet" href="{escape(style)}">\n</head>\n<body>\n',
            f'<div class="bm-page"{language_attributes(document)}>\n',
            *Drawing(document, collapsed(document), _Pen(document.url)).pieces(),
            "\n</div>\n</body>\n</html>\n",
        )
    )


class _Pen:
    """Marks that carry the number of their block and the step of its score."""

    attributes = STRUCTURE

    def __init__(self, url: str | None) -> None:
        self.url = url
        self.about = self.kept = ""  # of the latest block: its number, its score

    def mark(self, element: str, block: Block, *, first: bool, kept: bool, content: str) -> str:
        """Return text with its block's number."""
        begins = ""
        if first:
            step = round(min(max(0.0, block.score), 1.0) * _STEPS)
            self.about = f'data-block="{block.index}"' + (" data-hidden" if block.hidden else "")
            self.kept = f'class="bm-keep" data-score="{step}"'
            begins = " data-first"
        verdict = self.kept if kept else 'class="bm-drop"'
        return f"<{element} {self.about}{begins} {verdict}>{content}</{element}>"

    def link(self, href: str) -> str:
        """Return the address as data: it is shown, never followed."""
        if len(href) > _LONGEST_ADDRESS:
            return ""
        address = absolute(href, self.url)
        return f' data-address="{escape(address)}"' if address else ""
