"""Methods and output formats by name; other packages add theirs through entry points.

Built-in names are a table, so that the common path never searches the installed packages.
"""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, cast

from bonmun.errors import PluginError, UnknownName, UnsupportedPreference

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from bonmun.analyze.analysed_document import AnalysedDocument
    from bonmun.analyze.sentences import Sentence
    from bonmun.core import Answer, Judging
    from bonmun.model.comment import Comment
    from bonmun.model.document import Document
    from bonmun.model.metadata import Metadata
    from bonmun.model.output import Output
    from bonmun.model.page import Page
    from bonmun.model.verdict import Verdicts
    from bonmun.rendering.settings import RenderSettings
    from bonmun.write.chunks import Chunk

METHODS = {
    "auto": "bonmun.methods.learned:Learned",
    "logical": "bonmun.methods.logical:LogicalStructure",
    "logical-robust": "bonmun.methods.logical_robust:LogicalRobust",
    "density": "bonmun.methods.density:Density",
    "template": "bonmun.methods.without_site:WithoutSite",
    "visual": "bonmun.methods.visual:Visual",
    "visual-centre": "bonmun.methods.visual_centre:VisualCentre",
    "xpath": "bonmun.methods.xpath_groups:XPathGroups",
    "xpath-robust": "bonmun.methods.xpath_robust:XPathRobust",
}
FORMATS = {
    "text": "bonmun.write.text:write",
    "markdown": "bonmun.write.markdown:write",
    "html": "bonmun.write.html:write",
    "json": "bonmun.write.json:write",
    "xml": "bonmun.write.xml:write",
    "tei": "bonmun.write.tei:write",
    "explain": "bonmun.write.explain:write",
    "rendered": "bonmun.write.rendered:write",
}
_GROUPS = {"methods": METHODS, "formats": FORMATS}
WITH_LAYOUT = frozenset({"visual", "visual-centre"})
"""The built-in methods with `needs_layout`, known without loading them."""
_ANALYSER = "bonmun.analyze.analysed_document:analyse"
_PLAIN_TEXT = "bonmun.write.compiled_text:plain_text"
_CHUNKER = "bonmun.write.chunks:chunks"
_DISPLAY = "bonmun.write.display:display"
_SENTENCE_SPLITTER = "bonmun.analyze.sentences:sentences"
_METADATA_READER = "bonmun.read.metadata:read_metadata"
_LANGUAGE_READER = "bonmun.read.metadata:read_language"
_RENDERER = "bonmun.rendering.kept:with_layout"
_RENDER_SETTINGS = "bonmun.rendering.settings:DEFAULT_RENDERING"
_COMMENT_READER = "bonmun.read.comments:read_comments"
BETA = {"precision": 0.7, "balance": 1.0, "recall": 2.0}
"""The beta of the F score by preference: the weight of recall relative to precision."""


class Method(Protocol):
    """A way to choose the main content: any object with a `name` and `judge`.

    One that supports ``prefer="precision"`` and ``prefer="recall"`` is an `AdjustableMethod`. One with a true attribute
    `needs_layout` gets pages that a browser has drawn: `Page.layout` is not `None`.

    >>> import bonmun
    >>> class Everything:
    ...     name = "everything"
    ...
    ...     def judge(self, page: bonmun.Page) -> bonmun.Verdicts:
    ...         count = len(page.blocks)
    ...         reasons = [(bonmun.Reason("everything"),)] * count
    ...         return bonmun.Verdicts(keep=[1] * count, score=[1.0] * count, reasons=reasons, confidence=1.0)
    >>> bonmun.extract("<nav>Home</nav><p>Tea", method=Everything()).text
    'Home\\n\\nTea'
    """

    name: str

    def judge(self, page: "Page") -> "Verdicts":
        """Return a verdict on every block; the page is read-only."""


class AdjustableMethod(Method, Protocol):
    """A method that can favour precision or recall."""

    def preferring(self, beta: float) -> Method:
        """Return the method with recall weighted `beta` times as much as precision."""


class CoreMethod(Method, Protocol):
    """A method that the compiled core applies to an ordinary page while it reads it."""

    def judging(self) -> "Judging | None":
        """Return what the core needs; `None` without it."""

    def judged(self, page: "Page", answer: "str | Answer") -> "Verdicts":
        """Return the verdicts on a page by the answer of the core."""


class SiteLookup(Protocol):
    """Known sites by URL, such as `bonmun.SiteLibrary`."""

    def site(self, url: str | None, /) -> Method | None:
        """Return the site that a URL belongs to; `None` for an unknown one."""


def method(name: str) -> Method:
    """Return the method of that name.

    >>> method("xpath").name
    'xpath'
    >>> method("magic")
    Traceback (most recent call last):
    bonmun.errors.UnknownName: no method named 'magic'; there are: auto, ..., xpath-robust
    """
    made: Method = _load("method", "methods", name)()
    return made


def preferring(method: Method, prefer: str | float) -> Method:
    """Return the method adjusted to favour `"precision"` or `"recall"`; itself for `"balance"`. A number is the beta.

    >>> preferring(method("xpath"), "recall")
    Traceback (most recent call last):
    bonmun.errors.UnsupportedPreference: method 'xpath' does not support prefer='recall'
    """
    if isinstance(prefer, str) and prefer not in BETA:
        raise UnknownName("preference", prefer, BETA)
    beta = BETA[prefer] if isinstance(prefer, str) else prefer
    if beta == 1.0:
        return method
    if not hasattr(method, "preferring"):
        raise UnsupportedPreference(method.name, str(prefer))
    return cast("AdjustableMethod", method).preferring(beta)


def judging(method: Method | None) -> "Judging | None":
    """Return what the compiled core needs to judge by a method while it reads a page; `None` for nearly all methods."""
    given = getattr(method, "judging", None)
    return cast("CoreMethod", method).judging() if given else None


def writer(name: str) -> "Callable[[Document], str]":
    """Return the function that writes a document in that format. The document has the `Output` to follow."""
    write: Callable[[Document], str] = _load("format", "formats", name)
    return write


def plain_text() -> "Callable[[object, bytes], str | None]":
    """Return the function that writes kept blocks of a page that the compiled core holds as plain text."""
    write: Callable[[object, bytes], str | None] = _import(_PLAIN_TEXT)
    return write


def analyser() -> "Callable[[Document], AnalysedDocument]":
    """Return the function that prepares a document for keywords and summaries."""
    analyse: Callable[[Document], AnalysedDocument] = _import(_ANALYSER)
    return analyse


def metadata_reader() -> "Callable[[Page], Metadata]":
    """Return the function that reads a page's metadata."""
    read: Callable[[Page], Metadata] = _import(_METADATA_READER)
    return read


def language_reader() -> "Callable[[Page], str | None]":
    """Return the function that reads a page's language without its other metadata."""
    read: Callable[[Page], str | None] = _import(_LANGUAGE_READER)
    return read


def needs_layout(method: str | Method) -> bool:
    """Whether a method judges pages that a browser has drawn.

    >>> needs_layout("auto"), needs_layout("visual")
    (False, True)
    """
    if isinstance(method, str):
        if method in METHODS:
            return method in WITH_LAYOUT
        try:
            method = cast("Method", _load("method", "methods", method))
        except (UnknownName, PluginError):  # raised where the method is used
            return False
    return bool(getattr(method, "needs_layout", False))


def renderer() -> "Callable[..., Page]":
    """Return the function that draws a page, by settings if given: for methods with `needs_layout`."""
    render: Callable[..., Page] = _import(_RENDERER)
    return render


def rendering_seconds(settings: "RenderSettings | None" = None) -> float:
    """Return the most seconds that `renderer` takes for a page."""
    used: RenderSettings = settings or _import(_RENDER_SETTINGS)
    return used.most_seconds


def chunker() -> "Callable[..., tuple[Chunk, ...]]":
    """Return the function behind `Document.chunks`."""
    chunks: Callable[..., tuple[Chunk, ...]] = _import(_CHUNKER)
    return chunks


def display() -> "Callable[[Document], str]":
    """Return the function that shows a document in a notebook."""
    show: Callable[[Document], str] = _import(_DISPLAY)
    return show


def sentence_splitter() -> "Callable[[str, str], list[Sentence]]":
    """Return the function that splits a text in a language into sentences."""
    split: Callable[[str, str], list[Sentence]] = _import(_SENTENCE_SPLITTER)
    return split


def comment_reader() -> "Callable[[Page, Verdicts, Output], tuple[Comment, ...]]":
    """Return the function that reads the threads of a page's comments."""
    read: Callable[[Page, Verdicts, Output], tuple[Comment, ...]] = _import(_COMMENT_READER)
    return read


def names(group: str) -> list[str]:
    """Return the names registered in the group ``"methods"`` or ``"formats"``, built-in and third-party.

    >>> "markdown" in names("formats")
    True
    """
    if group not in _GROUPS:
        raise UnknownName("group of the registry", group, _GROUPS)
    return sorted({*_GROUPS[group], *_entry_points(group)})


def _load(kind: str, group: str, name: str) -> Any:
    built_in = _GROUPS[group]
    if name in built_in:
        return _import(built_in[name])
    third_party = _entry_points(group)
    if name not in third_party:
        raise UnknownName(kind, name, {*built_in, *third_party})
    try:
        return third_party[name].load()
    except Exception as error:
        raise PluginError(name, group, f"{type(error).__name__}: {error}") from error


@cache
def _import(path: str) -> Any:
    module, _, attribute = path.partition(":")
    return getattr(import_module(module), attribute)


def _entry_points(group: str) -> "dict[str, EntryPoint]":
    from importlib.metadata import entry_points  # imported late: takes 26 ms, and the common path needs no search

    return {entry.name: entry for entry in entry_points(group=f"bonmun.{group}")}
