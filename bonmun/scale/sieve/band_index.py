"""A compact index of fixed-size records, found by the bands that they share.

A dict of bands would take some 100 bytes for each band of each document. Here a band takes 4 bytes and its share of
the free slots: a hash table with open addressing has record numbers and no keys, which are read from the records.
"""

from array import array
from collections.abc import Iterator
from zlib import crc32

from bonmun.errors import LimitExceeded

_FIRST_SLOTS = 1 << 10
_MOST_FULL = 0.7
"""Share of occupied slots from which on the table is doubled."""
_MOST_SHARING = 64
"""Records that are found by one band. Further ones are found by their other bands only, so that a band which a million
pages have in common costs no more than another."""
_MOST_SLOTS = 1 << 32


class BandIndex:
    """Records of `width` bytes, found by pieces of `band` bytes that they have in common.

    Equal calls in equal order give equal answers, in any process.

    >>> index = BandIndex(width=4, band=2)
    >>> index.add(b"abcd"), index.add(b"abxy"), index.add(b"zzzz")
    (0, 1, 2)
    >>> index.candidates(b"ab__"), index.candidates(b"__cd"), index.candidates(b"cd__")
    ([0, 1], [0], [])
    """

    def __init__(self, width: int, band: int) -> None:
        self._width = width
        self._bands = [(start, start + band) for start in range(0, width - band + 1, band)]
        self._records = bytearray()
        self._slots = array("I", bytes(4 * _FIRST_SLOTS))
        self._used = 0

    def __len__(self) -> int:
        return len(self._records) // self._width

    @property
    def size(self) -> int:
        """The memory that it takes, in bytes."""
        return len(self._records) + self._slots.itemsize * len(self._slots)

    def record(self, number: int) -> bytes:
        """Return a record by its number."""
        return bytes(self._records[number * self._width : (number + 1) * self._width])

    def since(self, number: int) -> bytes:
        """Return all records from a number on, one after the other."""
        return bytes(self._records[number * self._width :])

    def candidates(self, record: bytes) -> list[int]:
        """Return the numbers of the records that share a band with this one, in order."""
        found: set[int] = set()
        for start, stop in self._bands:
            found.update(self._sharing(start, record[start:stop]))
        return sorted(found)

    def add(self, record: bytes) -> int:
        """Add a record; return its number."""
        if (self._used + len(self._bands)) > _MOST_FULL * len(self._slots):
            self._grow()
        number = len(self)
        self._records += record
        self._place(number, record)
        return number

    def _sharing(self, start: int, band: bytes) -> Iterator[int]:
        """Yield the records that were placed near a band and have it."""
        slots, records, width = self._slots, self._records, self._width
        mask, size = len(slots) - 1, len(band)
        slot = crc32(band, start) & mask
        while number := slots[slot]:
            place = (number - 1) * width + start
            if records[place : place + size] == band:
                yield number - 1
            slot = (slot + 1) & mask

    def _place(self, number: int, record: bytes) -> None:
        slots, records, width = self._slots, self._records, self._width
        mask = len(slots) - 1
        for start, stop in self._bands:
            band = record[start:stop]
            slot = crc32(band, start) & mask
            sharing = 0
            while other := slots[slot]:
                place = (other - 1) * width
                sharing += records[place + start : place + stop] == band
                slot = (slot + 1) & mask
            if sharing < _MOST_SHARING:
                slots[slot] = number + 1
                self._used += 1

    def _grow(self) -> None:
        size = 2 * len(self._slots)
        if size > _MOST_SLOTS:
            raise LimitExceeded("documents", len(self) + 1, len(self))
        self._slots, self._used = array("I", bytes(4 * size)), 0
        for number in range(len(self)):
            self._place(number, self.record(number))
