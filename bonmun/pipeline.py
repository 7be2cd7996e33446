"""The pipeline: bytes → page → verdicts → document. The one place that builds documents."""

from typing import cast

from bonmun import registry
from bonmun.at_once import document_of
from bonmun.deadline import check, seconds_left, within
from bonmun.limits import DEFAULT_LIMITS, Limits
from bonmun.model.document import Document
from bonmun.model.page import Page
from bonmun.model.valid_text import valid_text
from bonmun.read.ordinary import begin
from bonmun.read.page import page_of


def extract(
    html: bytes | str | Page,
    *,
    url: str | None = None,
    method: str | registry.Method = "auto",
    charset: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
    sites: registry.SiteLookup | None = None,
    prefer: str | float = "balance",
    abstain_below: float = 0.0,
) -> Document:
    """Return the main content of a page.

    `html` is the page as bytes, text or an already read `Page`; `url` is its address, used to resolve links; `charset`
    is that of the HTTP header, if any. If `sites` knows the page's site, its template decides instead of `auto`.
    `prefer` is `"precision"`, `"balance"`, `"recall"` or a number, the weight of recall relative to precision (the
    beta of the F score), for methods that support it; `abstain_below` is the minimum confidence of an answer.
    `limits` hold for reading and judging, and for each output of the document.

    >>> extract(b"<h1>Tea</h1><p>Tea is made of leaves, and of water that has just boiled.</p>").text
    'Tea\\n\\nTea is made of leaves, and of water that has just boiled.'
    """
    url = None if url is None else valid_text(url)
    chosen = None if sites is not None and method in ("auto", "template") else _method(method, prefer)
    begun = None
    if chosen and not isinstance(html, Page) and (judging := registry.judging(chosen)):
        core_method = cast("registry.CoreMethod", chosen)
        begun = begin(html, charset, limits, judging, url, min(limits.seconds, seconds_left()))
        if abstain_below <= 0 and (document := document_of(begun, url, core_method, limits)):
            return document
    with within(limits.seconds):
        check()
        answer = None
        if isinstance(html, Page):
            page = html
        else:
            page, answer = page_of(begun or begin(html, charset, limits), url, charset, limits)
        check()
        if chosen is None:
            chosen = _method((sites and sites.site(page.url)) or method, prefer)
        if page.layout is None and registry.needs_layout(chosen):
            page = registry.renderer()(page)
        verdicts = chosen.judge(page) if answer is None else cast("registry.CoreMethod", chosen).judged(page, answer)
        verdicts = verdicts.unless_below(abstain_below)
        check()
    return Document(page, verdicts, chosen.name, limits=limits)


def _method(method: str | registry.Method, prefer: str | float) -> registry.Method:
    return registry.preferring(registry.method(method) if isinstance(method, str) else method, prefer)
