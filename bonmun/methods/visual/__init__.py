"""The method ``"visual"``: TabNet over the rows of a rendered page (M4), and the region that they cover."""

from bonmun.methods.visual.method import Visual

__all__ = ["Visual"]
