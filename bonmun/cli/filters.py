"""Filters on documents of `bonmun extract`: the decisions of `bonmun.scale.sieve`, in words."""

from typing import TYPE_CHECKING

from bonmun.scale.sieve.filters import Filters, Traits
from bonmun.scale.sieve.seen import Dropped, Seen

if TYPE_CHECKING:
    from bonmun.model.document import Document

__all__ = ["Filters", "Sieve", "Traits", "traits_of"]


class Sieve:
    """Decides on documents in their order, and remembers those that were kept.

    >>> sieve = Sieve(Filters(languages=("ko",), min_chars=10))
    >>> sieve.reason("a", Traits("ko-KR", 12)), sieve.reason("b", Traits("ko", 3)), sieve.reason("c", Traits("en", 12))
    (None, 'too short: 3 characters', 'language: en')
    """

    def __init__(self, filters: Filters) -> None:
        self._seen = Seen(filters)
        self._digested: list[str] = []
        self._signed: list[str] = []

    def reason(self, source: str, traits: Traits) -> str | None:
        """Return why a document is dropped; None for one to keep. The words before the colon name the filter."""
        dropped = self._seen.decide(traits)
        if dropped is not None:
            return self._in_words(dropped, traits)
        if traits.digest:
            self._digested.append(source)
        if traits.signature:
            self._signed.append(source)
        return None

    def _in_words(self, dropped: Dropped, traits: Traits) -> str:
        if dropped.reason == "language":
            return f"language: {traits.language or 'unknown'}"
        if dropped.reason == "low_confidence":
            return f"low confidence: {traits.confidence or 0.0:.2f}"
        if dropped.first is None:
            return f"{dropped.reason.replace('_', ' ')}: {traits.chars:,} characters"
        kept = self._digested if dropped.reason == "duplicate" else self._signed
        return f"{dropped.reason.replace('_', ' ')}: of {kept[dropped.first]}"


def traits_of(document: "Document", filters: Filters) -> Traits:
    """Return what filters look at in a document."""
    language = document.language if filters.languages else None
    confidence = document.confidence if filters.min_confidence is not None else None
    return Traits.of(document.text, language, confidence, filters)
