"""The method ``"template"`` on a page of an unknown site: a page alone has no siblings to learn from.

With ``bonmun.extract(html, url=url, sites=library)`` a page is extracted by the template of its site (`bonmun.sites`).
"""

from dataclasses import replace
from typing import cast

from bonmun import registry
from bonmun.model.page import Page
from bonmun.model.verdict import Reason, Verdicts


class WithoutSite:
    """The method ``"template"`` without a site: `auto`, and a note that says so."""

    name = "template"

    def __init__(self, auto: registry.Method | None = None) -> None:
        self._auto = auto or registry.method("auto")

    def preferring(self, beta: float) -> "WithoutSite":
        """Return the method with recall weighted `beta` times as much as precision."""
        return WithoutSite(cast("registry.AdjustableMethod", self._auto).preferring(beta))

    def judge(self, page: Page) -> Verdicts:
        """Let `auto` decide."""
        verdicts = self._auto.judge(page)
        note = Reason("no-site", "no template of this page's site is known; auto decided")
        return replace(verdicts, notes=(*verdicts.notes, note))
