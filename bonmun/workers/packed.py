"""A value that crosses processes as bytes, and is unpickled only where it is used."""

from collections.abc import Callable
from functools import cached_property
from multiprocessing.reduction import ForkingPickler
from typing import Any, Generic, TypeVar, cast

T = TypeVar("T")


class Packed(Generic[T]):
    """A value that is unpickled when it is first asked for: a process that passes it on does not pay for it.

    >>> import copy
    >>> copy.deepcopy(Packed(["tea"])).value
    ['tea']
    """

    def __init__(self, value: T) -> None:
        self.value = value

    @cached_property
    def value(self) -> T:
        """The value itself."""
        return cast(T, ForkingPickler.loads(self._bytes))

    @cached_property
    def _bytes(self) -> bytes:
        return bytes(ForkingPickler.dumps(self.value))

    def __reduce__(self) -> "tuple[Callable[[bytes], Packed[Any]], tuple[bytes]]":
        return _of_bytes, (self._bytes,)


def _of_bytes(packed: bytes) -> Packed[Any]:
    made: Packed[Any] = Packed.__new__(Packed)
    vars(made)["_bytes"] = packed
    return made
