"""How pages are rendered."""

from dataclasses import dataclass
from typing import Final, Literal


@dataclass(frozen=True, slots=True)
class RenderSettings:
    """What the browser does with a page.

    >>> RenderSettings(javascript=True).viewport
    (1366, 768)
    """

    viewport: tuple[int, int] = (1366, 768)
    """Width and height in CSS pixels."""
    seconds: float = 20.0
    """Time for loading and layout of a page; the browser is killed after it."""
    javascript: bool = False
    """Whether the page's scripts run."""
    online: bool = False
    """Whether the page may load style sheets, pictures and scripts. Its requests go through the network manager, which
    refuses private addresses. Offline they are aborted and counted."""
    wait: Literal["domcontentloaded", "load", "networkidle"] = "domcontentloaded"
    """When the page counts as loaded."""
    requests: int = 300
    """Requests of a page; further ones are aborted."""
    bytes: int = 50_000_000
    """Bytes that a page may load."""
    memory: int = 1024
    """Megabytes of the browser with all its processes; it is killed beyond that."""
    screenshot: bool = False
    """Whether `Layout.screenshot` has a picture of the whole document, up to a height of 16,000 pixels."""


DEFAULT_RENDERING: Final = RenderSettings()
