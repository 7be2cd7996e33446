"""What a filter asks of a text."""

from dataclasses import dataclass

from bonmun import minhash


@dataclass(frozen=True, slots=True)
class Filters:
    """Which documents to keep.

    >>> Filters(languages=("ko", "en"), min_chars=200, near_duplicates=0.9).any
    True
    """

    languages: tuple[str, ...] = ()
    """Codes such as `ko`, which stands for `ko-KR` too."""
    min_chars: int | None = None
    max_chars: int | None = None
    min_confidence: float | None = None
    unique: bool = False
    """Whether the first of several equal texts is kept alone; white space does not count."""
    near_duplicates: float | None = None
    """The Jaccard similarity of shingles from which on two texts are duplicates, above 0 and at most 1."""

    def __post_init__(self) -> None:
        if self.near_duplicates is not None and not 0 < self.near_duplicates <= 1:
            raise ValueError(f"Filters.near_duplicates must be above 0 and at most 1, not {self.near_duplicates}")
        object.__setattr__(self, "languages", tuple(code.lower() for code in self.languages))

    @property
    def any(self) -> bool:
        """Whether there is a filter at all."""
        return self != Filters()


@dataclass(frozen=True, slots=True)
class Traits:
    """What filters look at; computed in the worker process."""

    language: str | None = None
    chars: int = 0
    confidence: float | None = None
    digest: bytes = b""
    signature: bytes = b""
    """The short MinHash signature of the text; empty for a text without words."""

    @classmethod
    def of(cls, text: str, language: str | None, confidence: float | None, filters: Filters) -> "Traits":
        """Return the traits of a text that these filters need.

        >>> Traits.of("Tea is ready", "en", 0.9, Filters(min_chars=10)).chars
        12
        """
        near = filters.near_duplicates is not None
        return cls(
            language,
            len(text),
            confidence,
            minhash.text_digest(text) if filters.unique else b"",
            minhash.short(minhash.signature(minhash.words(text))) if near else b"",
        )


def speaks(language: str | None, wanted: tuple[str, ...]) -> bool:
    """Return whether a language is one of some codes, or a variant of one.

    >>> speaks("ko-KR", ("ko",)), speaks("kok", ("ko",)), speaks(None, ("ko",))
    (True, False, False)
    """
    code = (language or "").lower().replace("_", "-")
    return any(code == one or code.startswith(f"{one}-") for one in wanted)
