"""Arguments of another package that have no effect here."""

import warnings
from collections.abc import Mapping


class IgnoredArgument(UserWarning):
    """An argument that the other package knows and Bonmun ignores. Python shows it once for each line of a program.

    >>> import warnings
    >>> from bonmun.compat.readability import Document
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     document = Document("<p>Tea is made of leaves.</p>", min_text_length=50)
    >>> print(caught[0].message)
    readability.Document: min_text_length=50 has no effect in bonmun.compat
    """


def warn_ignored(call: str, given: Mapping[str, object], defaults: Mapping[str, object], stacklevel: int) -> None:
    """Warn of every argument in `defaults` that was given another value; `stacklevel` is that of `warnings.warn`."""
    for name, default in defaults.items():
        value = given.get(name, default)
        if value is not default and value != default:
            message = f"{call}: {name}={value!r:.60} has no effect in bonmun.compat"
            warnings.warn(message, IgnoredArgument, stacklevel=stacklevel + 1)
