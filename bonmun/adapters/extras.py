"""The package that an adapter adapts, which may be missing."""

from collections.abc import Iterator
from contextlib import contextmanager

from bonmun.errors import MissingExtra


@contextmanager
def needed(package: str, what: str, extra: str) -> Iterator[None]:
    """Raise `MissingExtra` where an import in the block fails because the package is not installed.

    >>> with needed("no_such_package", "the adapters of tea", "tea"):
    ...     import no_such_package
    Traceback (most recent call last):
    bonmun.errors.MissingExtra: the adapters of tea need an extra: pip install 'bonmun[tea]'
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != package:
            raise
        raise MissingExtra(what, extra) from None
