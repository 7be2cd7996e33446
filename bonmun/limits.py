"""How much one page may cost."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """What one page may cost before it is refused or cut.

    Beyond `bytes`, `nodes` or `seconds` the page is refused with `LimitExceeded`. Beyond `depth` or `attributes` it is
    cut and the document carries a warning: deeper tags and further attributes are ignored, their text is kept. Real
    pages stay below a depth of 60 and 100 attributes a tag; parsers need quadratic time far beyond that.

    >>> Limits(seconds=2).bytes
    20000000
    """

    bytes: int = 20_000_000
    nodes: int = 2_000_000
    depth: int = 512
    attributes: int = 256
    seconds: float = 30.0
