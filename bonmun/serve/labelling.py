"""A page with corrected verdicts as a label: work for the pool."""

from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING

from bonmun import __version__
from bonmun.errors import InputError
from bonmun.limits import Limits
from bonmun.model.document import Document
from bonmun.model.page import Page
from bonmun.model.segmentation import segmentation_digest
from bonmun.model.verdict import Reason, Verdicts
from bonmun.read.decode import decode
from bonmun.serve.extraction import judged
from bonmun.serve.given_page import GivenPage
from bonmun.serve.work import drawing_seconds
from bonmun.sites.site import Site

if TYPE_CHECKING:
    from bonmun.store.label_calls import Label

_LABELLED = (Reason("labelled"),)


@dataclass(frozen=True, slots=True)
class LabelWork:
    """Judge a page, and compare the verdicts with those that a person gave."""

    page: GivenPage
    keep: tuple[bool, ...]
    method: str
    prefer: str | float
    note: str
    limits: Limits
    site: Site | None = None
    """The known site of the page, whose rules decided instead of `auto`."""

    @property
    def seconds(self) -> float:
        """Twice the limit: extraction and output."""
        return 2 * self.limits.seconds + drawing_seconds(self.method)

    def run(self) -> "Label":
        """Return the label; raise `InputError` if there is not one verdict for each block."""
        from bonmun.store.label_calls import Label

        given = self.page
        document = judged(given, self.method, self.prefer, self.limits, self.site)
        count = len(document.page.blocks)
        if len(self.keep) != count:
            raise InputError(f"`keep` has {len(self.keep):,} entries, but the page has {count:,} blocks")
        segmentation = segmentation_digest(document.page.blocks)
        return Label(
            key=sha256(f"{given.url or ''}\n{segmentation}".encode("utf-8", "replace")).hexdigest()[:32],
            html=decode(given.content, given.content_type).text,
            keep=self.keep,
            before=tuple(map(bool, document.verdicts.keep)),
            url=given.url or "",
            segmentation=segmentation,
            gold_text=text_of(document.page, self.keep),
            language=document.metadata.language or "",
            title=document.title or "",
            page_type=document.page_type or "",
            method=document.method,
            prefer=str(self.prefer),
            model=model_version(),
            note=self.note,
        )


def text_of(page: Page, keep: tuple[bool, ...]) -> str:
    """Return the text of some blocks, as the text writer writes them.

    >>> from bonmun.read.page import read_page
    >>> text_of(read_page("<p>Menu<p>Tea<p>Milk"), (False, True, True))
    'Tea\\n\\nMilk'
    """
    count = len(keep)
    verdicts = Verdicts(bytearray(keep), [float(one) for one in keep], [_LABELLED] * count, 1.0)
    return Document(page, verdicts, "labels").text


@cache
def model_version() -> str:
    """Return the version of Bonmun with a hash of the shipped model."""
    model = files("bonmun.models").joinpath("auto.safetensors").read_bytes()
    return f"{__version__}+{sha256(model).hexdigest()[:8]}"
