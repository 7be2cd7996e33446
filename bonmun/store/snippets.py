"""Snippets: the part of a text that shows most words of a query, with their places."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bonmun.store.query import Term
from bonmun.store.stem import stem
from bonmun.store.tokens import LONGEST, composed, fold

SEARCHED = 50_000
"""Characters of a text that are searched for the words of a query."""
_MOST_MATCHES = 50
"""Occurrences of a word that are looked at."""
_BREAK = re.compile(r"\s")


@dataclass(frozen=True, slots=True)
class Snippet:
    """A part of a text with the places of the words found.

    >>> snippet = Snippet("Black tea", ((6, 9),))
    >>> snippet.marked("<b>", "</b>"), str(snippet)
    ('Black <b>tea</b>', 'Black tea')
    """

    text: str
    places: tuple[tuple[int, int], ...]
    """Start and end of each word in `text`, in order, without overlaps."""

    def marked(self, before: str, after: str) -> str:
        """Return the text with marks around the words; for HTML, escape the text yourself and use `places`."""
        parts, done = [], 0
        for start, end in self.places:
            parts += [self.text[done:start], before, self.text[start:end], after]
            done = end
        return "".join([*parts, self.text[done:]])

    def __str__(self) -> str:
        return self.text


def snippet(text: str, terms: Sequence[Term], width: int = 160) -> Snippet:
    """Return the part of a text, about `width` characters, in which most terms occur.

    >>> from bonmun.store.query import parse
    >>> snippet("서울의 한국은행에서 금리를 올렸다.", parse("은행 금리").wanted).marked("[", "]")
    '서울의 한국[은행]에서 [금리]를 올렸다.'
    """
    text = composed(text[:SEARCHED])
    width = width * 5 // 8 if _is_wide(text) else width
    folded = fold(text)
    found = sorted(place for number, term in enumerate(terms) for place in _places(folded, term, number))
    first, last = _best_window(found, width)
    middle = (found[first][0] + found[last][1]) // 2 if found else 0
    start, end = _bounds(text, max(0, middle - width // 2), width)
    if found:
        start, end = min(start, found[first][0]), max(end, found[first][1])
    shown = " ".join(text[start:end].split())
    return _marked(shown, terms, start > 0, end < len(text))


def _marked(shown: str, terms: Sequence[Term], cut_before: bool, cut_after: bool) -> Snippet:
    before, after = "…" if cut_before else "", "…" if cut_after else ""
    folded = fold(shown)
    merged: list[tuple[int, int]] = []
    for start, end, _ in sorted(place for term in terms for place in _places(folded, term, 0)):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    shift = len(before)
    return Snippet(before + shown + after, tuple((start + shift, end + shift) for start, end in merged))


def _places(folded: str, term: Term, number: int) -> list[tuple[int, int, int]]:
    """Return start, end and the term's number of each occurrence."""
    found = []
    for match in _pattern(term).finditer(folded):
        words = [
            (piece, part)
            for place, (piece, part) in enumerate(zip(term.pieces, match.groups(), strict=True), 1)
            if not piece.of_bigrams and not (place == len(term.pieces) and _completes(part, term))
        ]
        if all(stem(part[:LONGEST]) == stem(piece.text[:LONGEST]) for piece, part in words):
            found.append((match.start(), match.end(), number))
            if len(found) == _MOST_MATCHES:
                break
    return found


def _completes(word: str, term: Term) -> bool:
    """Whether a word is what the unfinished last one of a term may become."""
    return term.is_prefix and (word.startswith(term.tokens[-1]) or stem(word[:LONGEST]) in term.others)


def _pattern(term: Term) -> re.Pattern[str]:
    """Return the pattern of a term: its runs in order, with anything but letters and digits between them."""
    parts = []
    for place, piece in enumerate(term.pieces, 1):
        unfinished = place == len(term.pieces) and (term.is_prefix or bool(term.others))
        if piece.of_bigrams:
            ends = "".join(other[-1] for other in term.others) if unfinished else ""
            last = f"[{piece.text[-1]}{ends}]" if ends else re.escape(piece.text[-1])
            parts.append(f"({re.escape(piece.text[:-1])}{last})")
        elif piece.text.isascii():
            start = _shared_start((piece.text, *term.others)) if unfinished else _common_start(piece.text)
            parts.append(rf"((?<![a-z0-9]){re.escape(start)}[a-z0-9]*)")
        else:
            end = r"[^\W_]*" if unfinished else r"(?![^\W_])"
            parts.append(rf"((?<![^\W_]){re.escape(piece.text)}{end})")
    return re.compile(r"[\W_]*".join(parts))


def _common_start(word: str) -> str:
    """Return the letters that all inflections of a word begin with."""
    root = stem(word[:LONGEST])
    return root[:-1] if root != word and root.endswith("i") else root


def _shared_start(words: Sequence[str]) -> str:
    """Return the letters that all words begin with."""
    length = 0
    for letters in zip(*words, strict=False):
        if len(set(letters)) > 1:
            break
        length += 1
    return words[0][:length]


def _best_window(found: Sequence[tuple[int, int, int]], width: int) -> tuple[int, int]:
    """Return the first and last occurrence of the window with most different terms, then most occurrences."""
    best, chosen, first = (0, 0), (0, 0), 0
    for last in range(len(found)):
        while found[last][1] - found[first][0] > width and first < last:
            first += 1
        score = (len({number for _, _, number in found[first : last + 1]}), last - first)
        if score > best:
            best, chosen = score, (first, last)
    return chosen


def _is_wide(text: str) -> bool:
    """Whether most characters of a text are twice as wide as Latin letters, judged by its start."""
    start = text[:200]
    return sum(char >= "\u1100" for char in start) > len(start) // 2


def _bounds(text: str, start: int, width: int) -> tuple[int, int]:
    """Return a window that begins and ends between words, if there is a space near."""
    start = max(0, min(start, len(text) - width))
    end = min(len(text), start + width)
    if start and (space := _BREAK.search(text, start, start + 20)):
        start = space.end()
    if end < len(text) and (cut := max(text.rfind(" ", end - 20, end), text.rfind("\n", end - 20, end))) > start:
        end = cut
    return start, end
