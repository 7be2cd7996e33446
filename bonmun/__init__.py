"""Any web page in; what a reader came for out: clean text, Markdown, structured blocks and metadata.

>>> import bonmun
>>> doc = bonmun.extract("<title>Tea</title><p>Tea is made of leaves, and of water that has just boiled.</p>")
>>> doc.title, doc.text
('Tea', 'Tea is made of leaves, and of water that has just boiled.')
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bonmun.errors import BonmunError
    from bonmun.limits import Limits
    from bonmun.model.block import Kind
    from bonmun.model.document import Block, Document, Status
    from bonmun.model.metadata import Metadata
    from bonmun.model.verdict import Reason, Verdicts
    from bonmun.pipeline import extract, read_page
    from bonmun.sites.library import SiteLibrary
    from bonmun.sites.site import Site

__version__ = "0.1.0"

__all__ = [
    "Block",
    "BonmunError",
    "Document",
    "Kind",
    "Limits",
    "Metadata",
    "Reason",
    "Site",
    "SiteLibrary",
    "Status",
    "Verdicts",
    "extract",
    "read_page",
]

_HOME = {
    "Block": "bonmun.model.document",
    "BonmunError": "bonmun.errors",
    "Document": "bonmun.model.document",
    "Kind": "bonmun.model.block",
    "Limits": "bonmun.limits",
    "Metadata": "bonmun.model.metadata",
    "Reason": "bonmun.model.verdict",
    "Site": "bonmun.sites.site",
    "SiteLibrary": "bonmun.sites.library",
    "Status": "bonmun.model.document",
    "Verdicts": "bonmun.model.verdict",
    "extract": "bonmun.pipeline",
    "read_page": "bonmun.pipeline",
}


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used: importing the package, as every command does, costs next to nothing."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOME[name]), name)
    return value
