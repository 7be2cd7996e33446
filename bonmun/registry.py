"""Methods and output formats by name; a third party's package adds its own through entry points.

Ours stand in a table here, so that the common path never has to search the installed packages.
"""

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

from bonmun.errors import UnknownName

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from bonmun.analyze.analysed_document import AnalysedDocument
    from bonmun.model.document import Document
    from bonmun.model.page import Page
    from bonmun.model.verdict import Verdicts

METHODS = {
    "auto": "bonmun.methods.learned:Learned",
    "logical": "bonmun.methods.logical:LogicalStructure",
    "logical-robust": "bonmun.methods.logical_robust:LogicalRobust",
    "density": "bonmun.methods.density:Density",
    "template": "bonmun.methods.without_site:WithoutSite",
    "xpath": "bonmun.methods.xpath_groups:XPathGroups",
    "xpath-robust": "bonmun.methods.xpath_robust:XPathRobust",
}
FORMATS = {
    "text": "bonmun.write.text:write",
    "markdown": "bonmun.write.markdown:write",
    "html": "bonmun.write.html:write",
    "json": "bonmun.write.json:write",
    "xml": "bonmun.write.xml:write",
    "explain": "bonmun.write.explain:write",
}
_ANALYSIS = "bonmun.analyze.analysed_document:analyse"
BETA = {"precision": 0.5, "balance": 1.0, "recall": 2.0}
"""How much more than precision recall is worth, by preference."""


class Method(Protocol):
    """A way to choose the blocks that matter."""

    name: str

    def judge(self, page: "Page") -> "Verdicts":
        """A verdict on every block; the page is left as it is."""


class Sites(Protocol):
    """What knows the templates of some sites, such as `bonmun.SiteLibrary`."""

    def extract(self, page: "Page", /, *, abstain_below: float = 0.0) -> "Document | None":
        """The document of a page whose site is known; `None` where it is not."""


def method(name: str) -> Method:
    """The method of that name.

    >>> method("xpath").name
    'xpath'
    >>> method("magic")
    Traceback (most recent call last):
    bonmun.errors.UnknownName: no method named 'magic'; there are: auto, ..., xpath-robust
    """
    found: Method = _load("method", "bonmun.methods", METHODS, name)()
    return found


def preferring(chosen: Method, prefer: str) -> Method:
    """The method, leaning to precision or recall; `UnknownName` for one that cannot, or another word.

    >>> preferring(method("xpath"), "recall")
    Traceback (most recent call last):
    bonmun.errors.UnknownName: no preference of xpath named 'recall'; there are: balance
    """
    lean = getattr(chosen, "preferring", None)
    able = BETA if lean else {"balance": 1.0}
    if prefer not in able:
        raise UnknownName(f"preference of {chosen.name}", prefer, able)
    leaning: Method = lean(able[prefer]) if lean else chosen
    return leaning


def writer(name: str) -> "Callable[..., str]":
    """The function that writes a document in that format; ours may take options."""
    found: Callable[[Document], str] = _load("format", "bonmun.formats", FORMATS, name)
    return found


def analyser() -> "Callable[[Document], AnalysedDocument]":
    """The function that makes a document ready for keywords and summaries."""
    module, _, attribute = _ANALYSIS.partition(":")
    found: Callable[[Document], AnalysedDocument] = getattr(import_module(module), attribute)
    return found


def names(group: str) -> list[str]:
    """What is registered in ``"methods"`` or ``"formats"``, ours and others'."""
    ours = METHODS if group == "methods" else FORMATS
    return sorted({*ours, *_others(f"bonmun.{group}")})


def _load(what: str, group: str, ours: dict[str, str], name: str) -> Any:
    if name in ours:
        module, _, attribute = ours[name].partition(":")
        return getattr(import_module(module), attribute)
    others = _others(group)
    if name not in others:
        raise UnknownName(what, name, {*ours, *others})
    return others[name].load()


def _others(group: str) -> "dict[str, EntryPoint]":
    from importlib.metadata import entry_points  # 26 ms that the common path does without

    return {entry.name: entry for entry in entry_points(group=group)}
