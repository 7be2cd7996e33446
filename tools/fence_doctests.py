"""A griffe extension for the API page: doctests in docstrings become fenced code, which Markdown takes for quotes."""

import re
from typing import Any

import griffe

_DOCTEST = re.compile(r"^>>> .*\n(?:(?!\s*$).*\n?)*", re.MULTILINE)


class FenceDoctests(griffe.Extension):
    """Rewrite every docstring as it is loaded."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Fence the doctests of one object."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)


def fenced(text: str) -> str:
    """Return a docstring with each doctest in a code fence.

    >>> print(fenced("Add.\\n\\n>>> 1 + 1\\n2\\n"))
    Add.
    <BLANKLINE>
    ```pycon
    >>> 1 + 1
    2
    ```
    <BLANKLINE>
    """
    return _DOCTEST.sub(lambda match: f"```pycon\n{match[0].rstrip()}\n```\n", text)
