"""A compact index of fixed-size records, found by the bands that they share.

A dict of bands would take some 100 bytes for each band of each document. Here a band takes 4 bytes and its share of
the free slots: a hash table with open addressing has record numbers and no keys, which are read from the records.
"""

from array import array
from dataclasses import dataclass
from zlib import crc32

from bonmun.errors import LimitExceeded

_FIRST_SLOTS = 1 << 10
_MOST_FULL = 0.7
"""Share of occupied slots from which on the table is doubled."""
_MOST_SHARING = 64
"""Records that are found by one band. Further ones are found by their other bands only, so that a band which a million
pages have in common costs no more than another."""
_MOST_SLOTS = 1 << 32


@dataclass(frozen=True, slots=True)
class Places:
    """The answer of `BandIndex.look`, which holds until a record is added."""

    candidates: list[int]
    slots: list[int]


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
        return self.look(record).candidates

    def add(self, record: bytes) -> int:
        """Add a record; return its number."""
        return self.put(record, self.look(record))

    def look(self, record: bytes) -> "Places":
        """Return what `candidates` does, and where `put` may put the record."""
        if self._used + len(self._bands) > _MOST_FULL * len(self._slots):
            self._grow()
        return self._look(record)

    def put(self, record: bytes, places: "Places") -> int:
        """Add the record that was looked for last; return its number."""
        number = len(self)
        self._records += record
        self._fill(number, places)
        return number

    def _fill(self, number: int, places: "Places") -> None:
        slots, mask = self._slots, len(self._slots) - 1
        for slot in places.slots:
            while slots[slot]:  # by another band of this record
                slot = (slot + 1) & mask
            slots[slot] = number + 1
        self._used += len(places.slots)

    def _look(self, record: bytes) -> "Places":
        slots, records, width = self._slots, self._records, self._width
        mask = len(slots) - 1
        found: set[int] = set()
        free = []
        for start, stop in self._bands:
            band = record[start:stop]
            slot = crc32(band, start) & mask
            sharing = 0
            while number := slots[slot]:
                place = (number - 1) * width
                if records[place + start : place + stop] == band:
                    found.add(number - 1)
                    sharing += 1
                slot = (slot + 1) & mask
            if sharing < _MOST_SHARING:
                free.append(slot)
        return Places(sorted(found), free)

    def _grow(self) -> None:
        size = 2 * len(self._slots)
        if size > _MOST_SLOTS:
            raise LimitExceeded("documents", len(self) + 1, len(self))
        self._slots, self._used = array("I", bytes(4 * size)), 0
        for number in range(len(self)):
            self._fill(number, self._look(self.record(number)))
