"""An ordinary page from bytes to its document in one call of the core, by a method that the core knows.

Most extractions are such. Page and verdicts are made from the core's answer when somebody asks for them: the text is
written without them.
"""

from bonmun import registry
from bonmun.core import Answer
from bonmun.limits import Limits
from bonmun.model.document import Document
from bonmun.model.page import Page
from bonmun.model.verdict import Verdicts
from bonmun.read.ordinary import Begun
from bonmun.read.page import page_of


def document_of(begun: Begun, url: str | None, method: registry.CoreMethod, limits: Limits) -> Document | None:
    """The document of a page that one call has read and judged; `None` if something is left to do for Python.

    `url` is valid text.
    """
    answer = begun.answer
    if not isinstance(answer, tuple) or len(answer) < 3:
        return None
    if answer[2] is None:
        return None
    _, written, judged, kept = answer[2]
    if kept is None:
        return None
    return Document.late(_Late(begun, judged, url, method, limits), method.name, (written, kept), limits)


class _Late:
    """The page and the verdicts of such a document."""

    __slots__ = ("_begun", "_judged", "_limits", "_method", "_url")

    def __init__(
        self, begun: Begun, judged: str | Answer, url: str | None, method: registry.CoreMethod, limits: Limits
    ) -> None:
        self._begun, self._judged, self._url, self._method, self._limits = begun, judged, url, method, limits

    def page(self) -> Page:
        """Make the page."""
        return page_of(self._begun, self._url, None, self._limits)[0]

    def verdicts(self, page: Page) -> Verdicts:
        """Make the verdicts on the page."""
        return self._method.judged(page, self._judged)
