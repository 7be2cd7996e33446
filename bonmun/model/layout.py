"""Where a browser drew the elements of a page."""

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Layout:
    """Boxes of a rendered page, as columns over the rows of `Nodes`; in CSS pixels from the document's top left.

    A text node has the box of its element. A row that the browser's tree lacks has an empty box and is not visible.
    """

    left: Sequence[int]
    top: Sequence[int]
    right: Sequence[int]
    bottom: Sequence[int]
    visible: Sequence[int]
    """1 for an element with layout boxes: jQuery's `:visible`."""
    viewport: tuple[int, int]
    """Width and height."""
    document: tuple[int, int]
    """Width and height of the whole document."""
    untied: int = 0
    """Elements of the page that the browser's tree lacks."""
    aborted: int = 0
    """Requests of the page that were not sent."""
    screenshot: bytes | None = field(default=None, repr=False)
    """The document as a PNG image, in the pixels of the boxes; `None` if `RenderSettings.screenshot` is off."""

    @property
    def note(self) -> str:
        """That the page was rendered, and what the browser lacked: a document has it among its warnings.

        >>> Layout([], [], [], [], b"", (1366, 768), (1366, 768), untied=3, aborted=12).note
        'rendered: 12 requests not sent, 3 elements untied'
        """
        requests = f"{self.aborted:,} request{'s' * (self.aborted != 1)} not sent" if self.aborted else ""
        elements = f"{self.untied:,} element{'s' * (self.untied != 1)} untied" if self.untied else ""
        lacking = ", ".join(filter(None, (requests, elements)))
        return f"rendered: {lacking}" if lacking else "rendered"

    def width(self, row: int) -> int:
        """Pixels."""
        return self.right[row] - self.left[row]

    def height(self, row: int) -> int:
        """Pixels."""
        return self.bottom[row] - self.top[row]

    def centre(self, row: int) -> tuple[float, float]:
        """The centre of the box."""
        return (self.left[row] + self.right[row]) / 2, (self.top[row] + self.bottom[row]) / 2
