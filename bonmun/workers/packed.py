"""A value that crosses processes as bytes, and is unpickled only where it is used."""

import pickle
from collections.abc import Callable
from functools import cached_property
from io import BytesIO
from multiprocessing.reduction import ForkingPickler
from typing import Any, Generic, TypeVar, cast

T = TypeVar("T")


class Packed(Generic[T]):
    """A value that is unpickled when it is first asked for: a process that passes it on does not pay for it.

    >>> import copy
    >>> copy.deepcopy(Packed(["tea"])).value
    ['tea']

    Bytes inside it that the other process has already need not travel.

    >>> page = b"<p>A long page"
    >>> received = copy.deepcopy(Packed(["tea", page]).without(page))
    >>> received.given(b"<p>A long page").value
    ['tea', b'<p>A long page']
    """

    _left_out: bytes | None = None
    _given: bytes | None = None

    def __init__(self, value: T) -> None:
        self.value = value

    def without(self, content: bytes) -> "Packed[T]":
        """The same value; pickled, it lacks that object until the receiver calls `given`."""
        made = Packed(self.value)
        made._left_out = content
        return made

    def given(self, content: bytes) -> "Packed[T]":
        """The value with the content that was left out."""
        return _of_bytes(self._bytes, content)

    @cached_property
    def value(self) -> T:
        """The value itself."""
        return cast(T, _Unpickler(self._bytes, self._given).load())

    @cached_property
    def _bytes(self) -> bytes:
        file = BytesIO()
        _Pickler(file, self._left_out).dump(self.value)
        return file.getvalue()

    def __reduce__(self) -> "tuple[Callable[..., Packed[Any]], tuple[bytes, bytes | None]]":
        return _of_bytes, (self._bytes, self._given)


def _of_bytes(packed: bytes, given: bytes | None) -> Packed[Any]:
    made: Packed[Any] = Packed.__new__(Packed)
    vars(made)["_bytes"] = packed
    made._given = given
    return made


class _Pickler(ForkingPickler):
    """Leaves one object out."""

    def __init__(self, file: BytesIO, left_out: bytes | None) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self._left_out = left_out

    def persistent_id(self, obj: object) -> int | None:
        return 0 if obj is self._left_out is not None else None


class _Unpickler(pickle.Unpickler):
    """Puts it in again. The bytes come from a worker process of ours."""

    def __init__(self, packed: bytes, given: bytes | None) -> None:
        super().__init__(BytesIO(packed))
        self._given = given

    def persistent_load(self, _: object) -> bytes:
        if self._given is None:
            raise pickle.UnpicklingError("the content that was left out is missing; call `given` first")
        return self._given
