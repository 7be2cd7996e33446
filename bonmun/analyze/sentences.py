"""Sentence splitting for Korean, Chinese, Japanese, English and others.

Rules, no model: a full stop ends a sentence, except in abbreviations, numbers, quotations and brackets. A line break
always ends one.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from bonmun.analyze.abbreviations import ABBREVIATIONS, STARTERS

_STOP = re.compile(r"[.!?…。！？．｡‼⁇⁈⁉।॥؟۔።។။]+")
_GREEK_STOP = re.compile(r"[.!?…;;·]+")
_CLOSERS = "\"'”’»›」』〉》）)】］]〕"
_QUOTES = {
    "“": "”",
    "‘": "’",
    "「": "」",
    "『": "』",
    "«": "»",
    "(": ")",
    "（": "）",
    "[": "]",
    "【": "】",
    "《": "》",
    "〈": "〉",
}
_GERMAN_QUOTES = {**_QUOTES, "„": "“", "‚": "‘", "»": "«"}
_MARKS = re.compile(f'([{re.escape("".join(chain(*_GERMAN_QUOTES.items(), _QUOTES.values())))}"])\\1*')
"""A run of one mark."""
_LONGEST_QUOTE = 400  # characters; in a longer one a closing mark is probably missing
_CONTINUATION = {
    "ko": re.compile(r"[가-힣]"),
    "ja": re.compile(r"[とっなのはをがもにでかへやより、，]"),
    "zh": re.compile(r"[，、；：,;:]|[^，。！？“]{0,8}?(?:说|說|道|称|稱|表示|问|問|喊|认为|認為|指出|写道)"),
}
"""By language: text after a closing quotation mark that continues the sentence."""
_ANY_CONTINUATION = re.compile(r"\s*[,;:，、；：)）]|\s*[-–—]\s")
_WORD_BEFORE = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]+$")
_NUMBER_BEFORE = re.compile(r"(?:^|\s)[(]?\d{1,4}$")
_DATE_BEFORE = re.compile(r"\b\d{4}\.\s?\d{1,2}\.\s?\d{1,2}$")
_ORDINAL_LANGUAGES = frozenset("de da nb nn no fi cs sk hu sl hr pl et is".split())
_NOTE = re.compile(r"(?:\[\d{1,3}\]|[\u00b9\u00b2\u00b3\u2070-\u2079]|(?<=\D[.!?。”’])\d{1,2}\)(?=\s))+")
"""Footnote marks after a sentence: `[12]`, `3)`."""
_BEFORE_QUOTATION = frozenset(".!?…:,다")  # last characters before a Korean quotation that is a sentence of its own
_SHORTEST_QUOTE = 2  # characters; shorter ones are ignored
_MOST_BEFORE = 64  # characters before a dot that are searched: no abbreviation and no date is longer


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence and its offsets in the whole text: ``whole[start:stop] == text``."""

    text: str
    start: int
    stop: int


def sentences(text: str, language: str = "und") -> list[Sentence]:
    """Split a text into sentences.

    >>> [sentence.text for sentence in sentences("Dr. Kim paid 3.5 million. “It was cheap. Really,” she said.", "en")]
    ['Dr. Kim paid 3.5 million.', '“It was cheap. Really,” she said.']
    >>> [sentence.text for sentence in sentences("그는 “간다. 꼭 간다”고 말했다. 그리고 갔다.", "ko")]
    ['그는 “간다. 꼭 간다”고 말했다.', '그리고 갔다.']
    """
    result: list[Sentence] = []
    offset = 0
    for line in text.splitlines(keepends=True):
        result += _line_sentences(line, offset, language.partition("-")[0].lower())
        offset += len(line)
    return result


def _line_sentences(line: str, offset: int, language: str) -> Iterator[Sentence]:
    quoted = _quotations(line, _GERMAN_QUOTES if language == "de" else _QUOTES)
    closing = {close: begin for begin, close in quoted} if language == "ko" else {}
    start = 0
    for stop in (_GREEK_STOP if language == "el" else _STOP).finditer(line):
        if stop.start() < start:
            continue
        closed = _after_closers(line, stop.end())
        note = _NOTE.match(line, closed)
        end = note.end() if note else closed
        if (
            _ends(line, start, stop, closed, end, language)
            and not _inside(quoted, stop.start(), closed)
            and not _in_a_clause(line, start, closing.get(stop.end(), start), end)
        ):
            yield from _stripped(line, start, end, offset)
            start = end
    yield from _stripped(line, start, len(line), offset)


def _in_a_clause(line: str, start: int, opened: int, end: int) -> bool:
    """Whether a quotation that ends with a stop is part of a Korean clause: `‘왜?’ 회견을 열어`."""
    before, after = line[max(start, opened - 3) : opened].rstrip(), line[end : end + 2].lstrip()
    return bool(before and after) and before[-1] not in _BEFORE_QUOTATION and "가" <= after[0] <= "힣"


def _stripped(line: str, start: int, end: int, offset: int) -> Iterator[Sentence]:
    text = line[start:end]
    left = len(text) - len(text.lstrip())
    text = text.strip()
    if text:
        yield Sentence(text, offset + start + left, offset + start + left + len(text))


def _after_closers(line: str, index: int) -> int:
    """The index after the closing quotation marks and brackets that follow a stop."""
    while index < len(line) and line[index] in _CLOSERS:
        if line[index] in "\"'" and line[index - 1].isspace():
            break
        index += 1
    return index


def _ends(line: str, start: int, stop: "re.Match[str]", closed: int, end: int, language: str) -> bool:
    """Whether a stop ends a sentence, ignoring open quotations.

    `closed` is the index after closing quotation marks and brackets, `end` the one after footnote marks.
    """
    rest = line[end : end + 20]
    if not rest.strip():
        return True
    if _ANY_CONTINUATION.match(rest):
        return False
    continuation = _CONTINUATION.get(language)
    if closed > stop.end() and continuation and continuation.match(rest):
        return False
    mark = stop[0]
    if mark[-1] in "。！？｡‼⁇⁈⁉।॥؟۔።។။":
        return True
    following = rest.lstrip()[0]
    spaced = rest[0].isspace()
    if following.islower() and (spaced or mark == "."):
        return False
    if mark == ".":
        return _is_full_stop(line[max(start, stop.start() - _MOST_BEFORE) : stop.start()], rest, spaced, language)
    return spaced or mark in ("!", "?") or not following.isascii()


def _is_full_stop(before: str, rest: str, spaced: bool, language: str) -> bool:
    """Whether a single dot is a full stop, not part of a number, an address, an abbreviation or an ordinal."""
    following = rest.lstrip()
    if not spaced:  # 했다.그는: missing space
        return len(before) > 1 and _is_syllable(before[-1]) and not before[-1].isascii() and not following[0].isdigit()
    if _DATE_BEFORE.search(before):
        return False
    if _NUMBER_BEFORE.search(before):
        alone = not before.strip().strip("(").rstrip("0123456789")
        return not (alone or following[0].isdigit() or language in _ORDINAL_LANGUAGES)
    word = _WORD_BEFORE.search(before)
    if word is None or (not word[0].isascii() and language in ("ko", "ja", "zh")):
        return True
    spelled = word[0].lower()
    if spelled in ABBREVIATIONS.get(language, ABBREVIATIONS["en"]) or (len(spelled) == 1 and word[0].isupper()):
        return False
    if "." in spelled:  # `U.S.` inside a sentence or at its end
        return following.split(maxsplit=1)[0].strip(_CLOSERS + ",") in STARTERS
    return True


def _is_syllable(char: str) -> bool:
    return "가" <= char <= "힣" or "\u3041" <= char <= "\u9fff"


def _quotations(line: str, pairs: dict[str, str]) -> Sequence[tuple[int, int]]:
    """Indexes of matching quotation marks and brackets; not unmatched ones, nor a pair around the whole line."""
    matched: list[tuple[int, int]] = []
    opened: list[tuple[str, int]] = []
    waiting = Counter[str]()  # closing marks of `opened`
    straight = -1  # index of an open straight quotation mark
    closing = set(pairs.values())
    for match in _MARKS.finditer(line):
        char = match[1]
        if char not in pairs and char != '"' and not waiting[char]:
            continue
        for index in range(*match.span()):
            if char == '"':
                if straight >= 0:
                    matched.append((straight, index))
                    straight = -1
                else:
                    straight = index
            elif char in closing and waiting[char]:
                while opened:
                    mark, begin = opened.pop()
                    waiting[mark] -= 1
                    if mark == char:
                        matched.append((begin, index))
                        break
            elif char in pairs:
                opened.append((pairs[char], index))
                waiting[pairs[char]] += 1
    longest = min(_LONGEST_QUOTE, len(line.strip()) - 2)
    return sorted((begin, end) for begin, end in matched if _SHORTEST_QUOTE < end - begin <= longest)


def _inside(quoted: Sequence[tuple[int, int]], stop: int, end: int) -> bool:
    """Whether a stop is inside a quotation that continues after it."""
    index = bisect_right(quoted, (stop, len(quoted) and quoted[-1][1] + 1))
    return any(begin < stop and end <= close for begin, close in quoted[max(0, index - 8) : index])
