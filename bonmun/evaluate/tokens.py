"""What a text is made of when texts are compared: words, or characters where a language writes no spaces."""

import re
import unicodedata

SPACELESS = frozenset({"zh", "yue", "wuu", "ja", "th", "lo", "km", "my", "bo"})
"""Languages that do not part words by spaces. Korean does."""
_WORD = re.compile(r"\w+")
_SPACELESS_CHARACTER = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")


def without_spaces(lang: str, sample: str) -> bool:
    """Tell whether a text is to be compared by characters; its script decides where the language is unknown.

    >>> without_spaces("ko", "본문"), without_spaces("zh-TW", ""), without_spaces("und", "本文を読む")
    (False, True, True)
    """
    if lang not in ("", "und"):
        return lang.partition("-")[0].lower() in SPACELESS
    letters = sum(map(str.isalpha, sample))
    return len(_SPACELESS_CHARACTER.findall(sample)) > 0.3 * letters


def tokens(text: str, by_character: bool = False) -> list[str]:
    """Return the words of a text in lower case, or its letters and digits one by one.

    >>> tokens("Tea, and Water!"), tokens("茶と水。", by_character=True)
    (['tea', 'and', 'water'], ['茶', 'と', '水'])
    """
    found = _WORD.findall(unicodedata.normalize("NFC", text).lower())
    return [char for word in found for char in word] if by_character else found


def without_line(text: str, line: str) -> str:
    """Return a text without the first of its lines that has the words of another line.

    >>> without_line("News\\nTea is hot!\\nIt boils.\\nTea is hot", "Tea is hot")
    'News\\nIt boils.\\nTea is hot'
    """
    words, lines = tokens(line), text.splitlines()
    at = next((number for number, other in enumerate(lines) if words and tokens(other) == words), None)
    return text if at is None else "\n".join(lines[:at] + lines[at + 1 :])


def collapsed(text: str, by_character: bool = False) -> str:
    """Return the characters of a text with white space as single spaces; without any where spaces mean nothing.

    >>> collapsed(" one\\n  two "), collapsed("一 二", by_character=True)
    ('one two', '一二')
    """
    return ("" if by_character else " ").join(unicodedata.normalize("NFC", text).split())
