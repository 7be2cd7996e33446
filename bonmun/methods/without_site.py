"""The method ``"template"`` on a page of an unknown site: a page alone has no siblings to learn from.

With ``bonmun.extract(html, url=url, sites=library)`` a page is extracted by the template of its site (`bonmun.sites`).
"""

from dataclasses import replace

from bonmun import registry
from bonmun.model.page import Page
from bonmun.model.verdict import Reason, Verdicts


class WithoutSite:
    """The method ``"template"`` without a site: `auto`, and a note that says so."""

    name = "template"

    def judge(self, page: Page) -> Verdicts:
        """Let `auto` decide."""
        verdicts = registry.method("auto").judge(page)
        note = Reason("no-site", "no template of this page's site is known; auto decided")
        return replace(verdicts, notes=(*verdicts.notes, note))
