"""The pipeline: bytes → page → verdicts → document. The one place that builds documents."""

from bonmun import registry
from bonmun.deadline import check, within
from bonmun.limits import DEFAULT_LIMITS, Limits
from bonmun.model.document import Document
from bonmun.model.page import Page
from bonmun.read.page import read_page


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
    with within(limits.seconds):
        page = html if isinstance(html, Page) else read_page(html, url=url, charset=charset, limits=limits)
        check()
        site = sites.site(page.url) if sites is not None and method in ("auto", "template") else None
        chosen = site or (registry.method(method) if isinstance(method, str) else method)
        chosen = registry.preferring(chosen, prefer)
        if page.layout is None and registry.needs_layout(chosen):
            page = registry.renderer()(page)
        verdicts = chosen.judge(page).unless_below(abstain_below)
        check()
    return Document(page, verdicts, chosen.name, limits=limits)
