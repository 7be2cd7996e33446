"""Tokens for the comparison of texts: words, or characters in languages without spaces."""

import re
import unicodedata

SPACELESS = frozenset({"zh", "yue", "wuu", "ja", "th", "lo", "km", "my", "bo"})
"""Languages written without spaces between words (Korean has them)."""
_WORD = re.compile(r"\w+")
_SPACELESS_CHARACTER = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")


def without_spaces(lang: str, sample: str) -> bool:
    """Return whether to compare a text by characters; for an unknown language the script decides.

    >>> without_spaces("ko", "본문"), without_spaces("zh-TW", ""), without_spaces("und", "本文を読む")
    (False, True, True)
    """
    if lang not in ("", "und"):
        return lang.partition("-")[0].lower() in SPACELESS
    letters = sum(map(str.isalpha, sample))
    return len(_SPACELESS_CHARACTER.findall(sample)) > 0.3 * letters


def tokens(text: str, by_character: bool = False) -> list[str]:
    """Return the lower-cased words of a text, or their characters one by one.

    >>> tokens("Tea, and Water!"), tokens("茶と水。", by_character=True)
    (['tea', 'and', 'water'], ['茶', 'と', '水'])
    """
    words: list[str] = _WORD.findall(unicodedata.normalize("NFC", text).lower())
    return [char for word in words for char in word] if by_character else words


def without_line(text: str, line: str) -> str:
    """Remove the first line of a text that has the same words as `line`.

    >>> without_line("News\\nTea is hot!\\nIt boils.\\nTea is hot", "Tea is hot")
    'News\\nIt boils.\\nTea is hot'
    """
    words, lines = tokens(line), text.splitlines()
    number = next((number for number, other in enumerate(lines) if words and tokens(other) == words), None)
    return text if number is None else "\n".join(lines[:number] + lines[number + 1 :])


def collapsed(text: str, by_character: bool = False) -> str:
    """Collapse white space to single spaces, or remove it for comparison by characters.

    >>> collapsed(" one\\n  two "), collapsed("一 二", by_character=True)
    ('one two', '一二')
    """
    return ("" if by_character else " ").join(unicodedata.normalize("NFC", text).split())
