"""Cuts in a paragraph above a limit: at sentence ends, else between words, else anywhere.

A cut in Markdown leaves links, images, code spans and formulas whole, and emphasis too where another cut will do.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from bonmun import registry

_WINDOW: Final = 8192
"""Characters that are split into sentences at a time: the splitter's time is quadratic in a line without stops."""
_MOST_SENTENCES: Final = 200_000
"""Characters of one paragraph that are split into sentences; behind them it is cut between words."""

_DESTINATION = r"\((?:<(?:[^<>\\]|\\.)*>|(?:[^()<>\s\\]|\\.)*)\)"
_ALT = r"(?:[^\[\]\\]|\\.)*"
_IMAGE = rf"!\[{_ALT}\]{_DESTINATION}"
_LINK = rf"\[(?P<label>(?:[^\[\]\\]|\\.|{_IMAGE})*)\]{_DESTINATION}"
_TAG = r"</?[a-z]+>"
_FORMULA = r"|(?P<formula>\$\$\n.*?\n\$\$|\$(?:[^$\\]|\\.)+\$)"
_MARKUP = (
    rf"\\.|(?P<image>{_IMAGE})|(?P<link>{_LINK})|(?P<ticks>`+)(?!`).*?(?<!`)(?P=ticks)(?!`)"
    rf"|(?P<tag>{_TAG})|(?P<mark>\*+|_+|~~)"
)
_WITHOUT_FORMULAS = re.compile(_MARKUP, re.DOTALL)
_WITH_FORMULAS = re.compile(_MARKUP + _FORMULA, re.DOTALL)
_WORD_END = re.compile(r"\s+(?=\S)|(?<=[\u3005-\u30ff\u3400-\u9fff\uf900-\ufaff\uff01-\uff9f])(?=\S)")
"""Behind white space, and behind characters of scripts that have no spaces: Han and kana."""

_WHOLE: Final = frozenset({"image", "link", "ticks", "formula"})
_WORD_TIERS: Final = 2
"""The last tiers of cuts, those between words."""

Fits = Callable[[str], bool]
_Range = tuple[int, int]


@dataclass(frozen=True)
class Cutter:
    """Cuts paragraphs into parts that fit."""

    fits: Fits
    language: str
    markup: bool
    """Whether the text is Markdown."""
    formulas: bool

    def parts(self, text: str) -> Iterator[_Range]:
        """Yield the ranges of the sentences, or of their parts, without white space at their ends.

        >>> cutter = Cutter(lambda text: len(text) <= 22, "en", markup=True, formulas=False)
        >>> text = "Tea. [Hot. Or not](/x). Milk, sugar and some biscuits."
        >>> [text[start:end] for start, end in cutter.parts(text)]
        ['Tea.', '[Hot. Or not](/x).', 'Milk, sugar and some', 'biscuits.']
        """
        markup = _Markup(text if self.markup else "", self.formulas)
        sentences = self._sentence_ends(text, markup.masked if self.markup else text)
        words = [match.end() for match in _WORD_END.finditer(text)]
        tiers = (
            [end for end in sentences if markup.depth(end) == 0 and not markup.inside(end)],
            [end for end in sentences if not markup.inside(end)],
            [end for end in words if not markup.inside(end)],
            words,
        )
        ranges = (
            part for sentence in pairwise([0, *tiers[0], len(text)]) for part in self._cut(text, sentence, tiers[1:])
        )
        for start, end in ranges:
            part = text[start:end].rstrip()
            if self.markup and text.startswith("\\\n", start + len(part) - 1):
                part = part[:-1].rstrip()  # the backslash of a line break
            if part.strip():
                yield start + len(part) - len(part.lstrip()), start + len(part)

    def _cut(self, text: str, whole: _Range, tiers: Sequence[Sequence[int]]) -> Iterator[_Range]:
        start, end = whole
        if self.fits(text[start:end].strip()):
            yield whole
        elif not tiers:
            yield from self._halves(text, whole)
        else:
            cuts = [start, *tiers[0][bisect_right(tiers[0], start) : bisect_left(tiers[0], end)], end]
            for part in pairwise(cuts if len(tiers) > _WORD_TIERS else self._packed(text, cuts)):
                yield from self._cut(text, part, tiers[1:])

    def _packed(self, text: str, cuts: Sequence[int]) -> list[int]:
        """Leave out the cuts between words that fit together, by exponential and binary search."""
        kept, index = [cuts[0]], 0
        while index < len(cuts) - 1:
            start, step = cuts[index], 1
            while index + step < len(cuts) and self.fits(text[start : cuts[index + step]].strip()):
                step *= 2
            candidates = range(index + step // 2 + 1, min(index + step, len(cuts)))
            more = bisect_left(candidates, True, key=lambda at: not self.fits(text[start : cuts[at]].strip()))
            index = max(index + step // 2 + more, index + 1)
            kept.append(cuts[index])
        return kept

    def _halves(self, text: str, whole: _Range) -> Iterator[_Range]:
        start, end = whole
        if end - start < 2 or self.fits(text[start:end]):
            yield whole
            return
        middle = (start + end) // 2
        yield from self._halves(text, (start, middle))
        yield from self._halves(text, (middle, end))

    def _sentence_ends(self, text: str, masked: str) -> list[int]:
        """The offsets behind the sentences and the white space after them."""
        split = registry.sentence_splitter()
        ends = []
        for offset in range(0, min(len(masked), _MOST_SENTENCES), _WINDOW):
            window = masked[offset : offset + _WINDOW]
            ends += [offset + sentence.stop for sentence in split(window, self.language)[:-1]]
        return [end + len(text[end : end + 2]) - len(text[end : end + 2].lstrip()) for end in ends]


class _Markup:
    """The inline markup of a paragraph: spans that stay whole, and the depth of emphasis."""

    def __init__(self, text: str, formulas: bool) -> None:
        self.text = text
        self._starts: list[int] = []
        self._ends: list[int] = []
        self._changes: list[int] = []
        self._depths: list[int] = []
        self.masked = self._mask(_WITH_FORMULAS if formulas else _WITHOUT_FORMULAS)
        """The text with its markup replaced: by spaces before words, by closing quotation marks after them."""

    def _mask(self, pattern: re.Pattern[str]) -> str:
        pieces, end = list[str](), 0
        opened: list[str] = []
        for match in pattern.finditer(self.text):
            pieces += (self.text[end : match.start()], self._replaced(match, opened))
            end = match.end()
            if match.lastgroup in _WHOLE:
                self._starts.append(match.start())
                self._ends.append(end)
        return "".join(pieces) + self.text[end:]

    def _replaced(self, match: re.Match[str], opened: list[str]) -> str:
        found, kind = match[0], match.lastgroup
        if kind == "image":
            return " " * len(found)
        if kind == "link":
            return f" {match['label']}".ljust(len(found), "’")
        if kind == "tag" or (kind == "mark" and self._is_delimiter(match)):
            name = found.strip("</>") if kind == "tag" else found
            closes = found.startswith("</") or (kind == "mark" and name in opened)
            if closes and name in opened:
                del opened[opened.index(name) :]
            elif not closes and name != "br":
                opened.append(name)
            self._changes.append(match.end())
            self._depths.append(len(opened))
            return ("’" if closes else " ") * len(found)
        return found

    def _is_delimiter(self, match: re.Match[str]) -> bool:
        before, after = self.text[max(match.start() - 1, 0) : match.start()], self.text[match.end() : match.end() + 1]
        if match[0][0] == "_" and before.isalnum() and after.isalnum():
            return False
        return not (before in ("", " ") and after in ("", " "))

    def inside(self, offset: int) -> bool:
        """Whether an offset is inside a link, an image, a code span or a formula."""
        index = bisect_left(self._starts, offset) - 1
        return index >= 0 and offset < self._ends[index]

    def depth(self, offset: int) -> int:
        """The number of marks that are open at an offset."""
        index = bisect_right(self._changes, offset) - 1
        return self._depths[index] if index >= 0 else 0
