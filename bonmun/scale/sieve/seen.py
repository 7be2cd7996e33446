"""The decision on one text after the other, and the memory of those that were kept."""

import math
import struct
from dataclasses import dataclass
from hashlib import blake2b

from bonmun import minhash
from bonmun.errors import SourceError
from bonmun.scale.sieve.band_index import BandIndex
from bonmun.scale.sieve.filters import Filters, Traits, speaks

REASONS = ("language", "too_short", "too_long", "low_confidence", "duplicate", "near_duplicate")
"""Why a text is dropped, in the order in which it is asked."""
_DIGEST = 16
_MAGIC, _VERSION = b"bonmun/seen\n", 1
_HEADER = struct.Struct("<12sHHdQQQQ")
"""Magic, version, rensa's algorithm, threshold; digests and signatures before, and in the state."""
_CHECKSUM = 16


@dataclass(frozen=True, slots=True)
class Dropped:
    """Why a text is dropped."""

    reason: str
    """One of `REASONS`."""
    first: int | None = None
    """Of a duplicate: the number of the text that was kept, among those with a digest or those with a signature."""


class Seen:
    """Decides on texts in their order, and remembers those that were kept.

    >>> seen = Seen(Filters(languages=("ko",), min_chars=10))
    >>> seen.decide(Traits("ko-KR", 12)), seen.decide(Traits("ko", 3)).reason, seen.decide(Traits("en", 12)).reason
    (None, 'too_short', 'language')
    """

    def __init__(self, filters: Filters) -> None:
        self._filters = filters
        threshold = filters.near_duplicates
        self._algorithm = minhash.algorithm() if threshold is not None else 0
        self._digests = BandIndex(_DIGEST, _DIGEST)
        self._signatures = BandIndex(minhash.HASHES, minhash.rows_for(threshold or 1.0))
        self._saved = (0, 0)

    @property
    def size(self) -> int:
        """The memory that the kept texts take, in bytes."""
        return self._digests.size + self._signatures.size

    def decide(self, traits: Traits) -> Dropped | None:
        """Return why a text is dropped; None for one to keep, which is remembered."""
        return self._unfit(traits) or self._duplicate(traits)

    def _unfit(self, traits: Traits) -> Dropped | None:
        filters = self._filters
        if filters.languages and not speaks(traits.language, filters.languages):
            return Dropped("language")
        if filters.min_chars is not None and traits.chars < filters.min_chars:
            return Dropped("too_short")
        if filters.max_chars is not None and traits.chars > filters.max_chars:
            return Dropped("too_long")
        if filters.min_confidence is not None and (traits.confidence or 0.0) < filters.min_confidence:
            return Dropped("low_confidence")
        return None

    def _duplicate(self, traits: Traits) -> Dropped | None:
        digest, signature, threshold = traits.digest, traits.signature, self._filters.near_duplicates or 1.0
        equal = self._digests.look(digest) if digest else None
        if equal and equal.candidates:
            return Dropped("duplicate", equal.candidates[0])
        near = self._signatures.look(signature) if signature else None
        for first in near.candidates if near else ():
            if minhash.similarity(signature, self._signatures.record(first)) >= threshold:
                return Dropped("near_duplicate", first)
        if equal:
            self._digests.put(digest, equal)
        if near:
            self._signatures.put(signature, near)
        return None

    def state(self) -> bytes:
        """Return the texts that were kept since the last state, as bytes for `load`."""
        digests, signatures = self._saved
        self._saved = (len(self._digests), len(self._signatures))
        counts = (digests, signatures, self._saved[0] - digests, self._saved[1] - signatures)
        content = _HEADER.pack(_MAGIC, _VERSION, self._algorithm, self._threshold, *counts)
        content += self._digests.since(digests) + self._signatures.since(signatures)
        return content + _checksum(content)

    def load(self, state: bytes) -> None:
        """Remember the texts of a state. States are loaded in the order in which they were made.

        `SourceError` for bytes that are no state, are damaged, or belong to other filters or another place.
        """
        digests, signatures = self._checked(state)
        place = _HEADER.size
        for index, count, width in ((self._digests, digests, _DIGEST), (self._signatures, signatures, minhash.HASHES)):
            for start in range(place, place + count * width, width):
                index.add(state[start : start + width])
            place += count * width
        self._saved = (len(self._digests), len(self._signatures))

    def _checked(self, state: bytes) -> tuple[int, int]:
        """Return the numbers of digests and signatures of a state."""
        try:
            magic, version, algorithm, threshold, *before, digests, signatures = _HEADER.unpack_from(state)
        except struct.error:
            raise SourceError(f"not a state of duplicates: {len(state)} bytes") from None
        if magic != _MAGIC or version != _VERSION:
            raise SourceError(f"not a state of duplicates of version {_VERSION}")
        body = _HEADER.size + digests * _DIGEST + signatures * minhash.HASHES
        if len(state) != body + _CHECKSUM or state[body:] != _checksum(state[:body]):
            raise SourceError("the state of duplicates is damaged: checksum mismatch")
        if (algorithm, threshold) != (self._algorithm, self._threshold):
            raise SourceError("the state of duplicates is of other filters, or of another version of rensa")
        if tuple(before) != (len(self._digests), len(self._signatures)):
            raise SourceError("the state of duplicates is not the next one: those of the shards before it are missing")
        return digests, signatures

    @property
    def _threshold(self) -> float:
        threshold = self._filters.near_duplicates
        return -math.inf if threshold is None else threshold


def _checksum(content: bytes) -> bytes:
    return blake2b(content, digest_size=_CHECKSUM).digest()
