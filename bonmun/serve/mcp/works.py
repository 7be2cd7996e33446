"""What the tools have worker processes do. Results are small: a part of a text, a page of a list."""

from dataclasses import dataclass

from bonmun import registry
from bonmun.limits import Limits
from bonmun.model.document import Document
from bonmun.model.judged_block import Block
from bonmun.model.output import Output
from bonmun.serve.extraction import judged
from bonmun.serve.given_page import GivenPage
from bonmun.serve.mcp.windows import Window
from bonmun.serve.work import drawing_seconds
from bonmun.sites.site import Site

_OUTPUT = Output(title=True)
_FIRST_WORDS = 160
"""Characters of a block in a list of blocks."""
DOUBTFUL = (0.25, 0.75)
"""The scores between which a verdict is doubtful."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A page, and how it is judged."""

    page: GivenPage
    method: str
    prefer: str | float
    limits: Limits
    site: Site | None = None
    """The known site of the page, whose rules decide instead of `auto`."""

    def document(self) -> Document:
        """Extract it."""
        return judged(self.page, self.method, self.prefer, self.limits, self.site)


@dataclass(frozen=True, slots=True)
class ReadWork:
    """Write a part of a page's main text."""

    judged: Judged
    format: str
    offset: int
    size: int

    @property
    def seconds(self) -> float:
        """Twice the limit: extraction and output."""
        return 2 * self.judged.limits.seconds + drawing_seconds(self.judged.method)

    def run(self) -> tuple[dict[str, str], Window]:
        """Return the facts of the document and the part."""
        document = self.judged.document()
        written = registry.writer(self.format)(document.with_output(_OUTPUT))
        return facts_of(document), Window.of(written, self.offset, self.size)


@dataclass(frozen=True, slots=True)
class BlocksWork:
    """Explain the verdicts on some blocks of a page."""

    judged: Judged
    show: str
    offset: int
    limit: int

    @property
    def seconds(self) -> float:
        """Twice the limit: extraction and reasons."""
        return 2 * self.judged.limits.seconds + drawing_seconds(self.judged.method)

    def run(self) -> tuple[dict[str, str], list[str], int]:
        """Return the facts of the document, a line for each block, and how many blocks there are of this kind."""
        document = self.judged.document()
        chosen = [block for block in document.all_blocks if _SHOWN[self.show](block)]
        page = chosen[self.offset : self.offset + self.limit]
        return facts_of(document), [_line(block) for block in page], len(chosen)


def _is_doubtful(block: Block) -> bool:
    low, high = DOUBTFUL
    return low <= block.score <= high


_SHOWN = {
    "all": lambda block: True,
    "kept": lambda block: block.keep,
    "dropped": lambda block: not block.keep,
    "doubtful": _is_doubtful,
}


def _line(block: Block) -> str:
    """``12 kept 0.93 paragraph "Tea is made of" at /html/body/p[1]; reasons``."""
    verdict = "dropped" if not block.keep else "kept" if block.part is None else "kept in part"
    text = " ".join(block.text.split())
    words = text if len(text) <= _FIRST_WORDS else text[: _FIRST_WORDS - 1] + "…"
    reasons = ", ".join(map(str, block.reasons))
    return (
        f'{block.index} {verdict} {block.score:.2f} {block.kind} "{words}" at {block.xpath}; {reasons or "no reasons"}'
    )


def facts_of(document: Document) -> dict[str, str]:
    """Return what is known of a document, in words."""
    metadata = document.metadata
    found = {
        "title": metadata.title,
        "author": metadata.author,
        "published": metadata.iso_published,
        "language": metadata.language,
        "url": document.url,
        "status": document.status.value,
        "method": document.method,
        "confidence": f"{document.confidence:.2f}",
        "page type": document.page_type,
        "notes": "; ".join(map(str, document.reasons)),
        "warnings": "; ".join(document.warnings),
    }
    return {name: value for name, value in found.items() if value}
