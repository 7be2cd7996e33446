"""Modules with the interface of other packages: change the import, keep the calls. See docs/migrating.md.

Names, signatures, return types and `None` are those of the other package, the answers are Bonmun's. This is the one
place where a function has more than seven keyword arguments.
"""
