"""Writers: a document as text, Markdown, HTML, JSON or XML, or drawn on its own page.

Every writer is a function over the same views of the kept blocks, which a writer of your own can use as well:
`shown_blocks` adds the captions of pictures and the media between kept texts, `outline` nests blocks in lists, quotes,
callouts and tables, `spans` nests the runs of a block in marks and links.
"""

from bonmun.model.inline import Run
from bonmun.write.figures import shown_blocks
from bonmun.write.marks import LINK, MARKS, Span, spans
from bonmun.write.nesting import NESTING, outline
from bonmun.write.structure import (
    Callout,
    Cell,
    Definition,
    Definitions,
    Details,
    Leaf,
    Line,
    List,
    Note,
    Notes,
    OutlineNode,
    Quote,
    Rule,
    Table,
    Term,
    leaves,
)

__all__ = [
    "LINK",
    "MARKS",
    "NESTING",
    "Callout",
    "Cell",
    "Definition",
    "Definitions",
    "Details",
    "Leaf",
    "Line",
    "List",
    "Note",
    "Notes",
    "OutlineNode",
    "Quote",
    "Rule",
    "Run",
    "Span",
    "Table",
    "Term",
    "leaves",
    "outline",
    "shown_blocks",
    "spans",
]
