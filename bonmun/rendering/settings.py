"""How pages are rendered."""

import math
from dataclasses import dataclass
from typing import Final, Literal, get_args

Wait = Literal["domcontentloaded", "load", "networkidle"]
"""When a page counts as loaded."""

_START_SECONDS = 40.0
"""Time to start a browser, beyond the seconds for a page."""


@dataclass(frozen=True, slots=True)
class RenderSettings:
    """What the browser does with a page.

    >>> RenderSettings(javascript=True).viewport
    (1366, 768)
    >>> RenderSettings(seconds=0)
    Traceback (most recent call last):
    ValueError: RenderSettings.seconds must be between 1 and 3,600, not 0
    """

    viewport: tuple[int, int] = (1366, 768)
    """Width and height in CSS pixels."""
    seconds: float = 20.0
    """Time for a page; the browser is killed after it."""
    loading: float = 12.0
    """Time for loading, two thirds of `seconds` at most. A page that is not loaded then, or whose scripts never end, is
    measured as it stands."""
    javascript: bool = False
    """Whether the page's scripts run."""
    online: bool = False
    """Whether the page may load style sheets, pictures, fonts and scripts. They are fetched as `bonmun.fetch` does it,
    which refuses private addresses. Offline its requests are aborted and counted."""
    wait: Wait = "load"
    """When the page counts as loaded: `networkidle` is half a second without requests."""
    requests: int = 300
    """Requests of a page; further ones are aborted."""
    bytes: int = 50_000_000
    """Bytes that a page may load."""
    memory: int = 1024
    """Megabytes of the browser with all its processes, without mapped files; it is killed beyond that."""
    screenshot: bool = False
    """Whether `Layout.screenshot` has a picture of the whole document, up to a height of 16,000 pixels."""
    allow_private: bool = False
    """Whether an online page may load from private and loopback addresses."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "viewport", tuple(self.viewport))  # a list, if it comes from JSON
        if len(self.viewport) != 2 or not all(isinstance(side, int) and 16 <= side <= 8192 for side in self.viewport):
            raise ValueError(f"RenderSettings.viewport must be two numbers from 16 to 8,192, not {self.viewport}")
        if self.wait not in get_args(Wait):
            raise ValueError(f"RenderSettings.wait must be one of {', '.join(get_args(Wait))}, not {self.wait!r}")
        for name, least, most in (
            ("seconds", 1, 3600),
            ("loading", 0.1, 3600),
            ("requests", 0, 1_000_000),
            ("bytes", 0, 1 << 40),
            ("memory", 256, 1 << 20),
        ):
            value = getattr(self, name)
            if not isinstance(value, int | float) or math.isnan(value) or not least <= value <= most:
                raise ValueError(f"RenderSettings.{name} must be between {least:,} and {most:,}, not {value}")

    @property
    def most_seconds(self) -> float:
        """Time after which a page is drawn or given up: two tries, each of which may start a browser."""
        return 2 * (self.seconds + _START_SECONDS)


DEFAULT_RENDERING: Final = RenderSettings()
