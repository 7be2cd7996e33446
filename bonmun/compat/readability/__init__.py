"""`Document` of readability-lxml, answered by Bonmun: ``from bonmun.compat.readability import Document``."""

from bonmun.compat.readability.readability import Document, Unparseable

__all__ = ["Document", "Unparseable"]
