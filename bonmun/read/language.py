"""The declared language of a page, checked against the script of its text."""

import re
from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter

from bonmun.core import TEXT_COLUMNS, core
from bonmun.model.block import KINDS, Blocks, Kind

_CODE = KINDS.index(Kind.CODE)
_MIN_LETTERS = 40  # fewer do not determine a page's script
_SAMPLE_CHARS, _EXCERPT_CHARS, _MIN_EXCERPT = 1_500, 200, 40  # the whole sample; one text at most, and at least

# Start and end of a script's code points. Latin beyond ASCII is left out: ASCII is enough.
_SCRIPTS = (
    (0x0370, 0x0400, "Greek"),
    (0x0400, 0x0530, "Cyrillic"),
    (0x0531, 0x0590, "Armenian"),
    (0x05D0, 0x0600, "Hebrew"),
    (0x0600, 0x0780, "Arabic"),
    (0x0900, 0x0980, "Devanagari"),
    (0x0980, 0x0A00, "Bengali"),
    (0x0A00, 0x0A80, "Gurmukhi"),
    (0x0A80, 0x0B00, "Gujarati"),
    (0x0B00, 0x0B80, "Odia"),
    (0x0B80, 0x0C00, "Tamil"),
    (0x0C00, 0x0C80, "Telugu"),
    (0x0C80, 0x0D00, "Kannada"),
    (0x0D00, 0x0D80, "Malayalam"),
    (0x0D80, 0x0E00, "Sinhala"),
    (0x0E00, 0x0E80, "Thai"),
    (0x0E80, 0x0F00, "Lao"),
    (0x1000, 0x10A0, "Burmese"),
    (0x10A0, 0x1100, "Georgian"),
    (0x1100, 0x1200, "Hangul"),
    (0x1200, 0x13A0, "Ethiopic"),
    (0x1780, 0x1800, "Khmer"),
    (0x1F00, 0x2000, "Greek"),
    (0x3041, 0x3100, "Kana"),
    (0x3131, 0x3190, "Hangul"),
    (0x3400, 0xA000, "Han"),
    (0xAC00, 0xD7A4, "Hangul"),
    (0xF900, 0xFB00, "Han"),
)
_STARTS = [start for start, _, _ in _SCRIPTS]
_RANGES = array("i", [bound for start, stop, _ in _SCRIPTS for bound in (start, stop)])
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]+")
_NO_LETTERS = bytes(byte for byte in range(128) if not chr(byte).isalpha())
_WEIGHT = {"Hangul": 2, "Han": 2, "Kana": 2}  # a syllable counts as two letters

_LANGUAGES = {
    "Hangul": "ko",
    "Kana": "ja",
    "Han": "zh yue wuu lzh",
    "Greek": "el grc",
    "Hebrew": "he yi",
    "Armenian": "hy",
    "Georgian": "ka",
    "Thai": "th",
    "Lao": "lo",
    "Khmer": "km",
    "Burmese": "my",
    "Sinhala": "si",
    "Tamil": "ta",
    "Telugu": "te",
    "Kannada": "kn",
    "Malayalam": "ml",
    "Gujarati": "gu",
    "Gurmukhi": "pa",
    "Odia": "or",
    "Cyrillic": "ru uk be bg mk sr kk ky mn tg tt ba cv os ce ab az uz",
    "Arabic": "ar fa ur ps ckb ug sd ks ku",
    "Devanagari": "hi mr ne sa kok mai bho",
    "Bengali": "bn as",
    "Ethiopic": "am ti",
}
"""The languages of each script, first the one that is assumed if nothing is declared."""
_AMBIGUOUS = frozenset(("Cyrillic", "Arabic", "Devanagari", "Bengali", "Ethiopic"))
_SCRIPT_OF = {language: script for script, languages in _LANGUAGES.items() for language in languages.split()}
_ALSO_LATIN = frozenset("sr kk az uz ku tt mn ug".split())

_text_columns = attrgetter(*TEXT_COLUMNS)
_TAG = re.compile(r"\s*([a-zA-Z]{2,3})(?:[-_]([a-zA-Z]{4}))?(?:[-_]([a-zA-Z]{2}))?(?![a-zA-Z])")
_RENAMED = {"iw": "he", "ji": "yi", "in": "id", "cmn": "zh"}
_TRADITIONAL = frozenset(("tw", "hk", "mo", "hant"))


def normal_tag(declared: str) -> str | None:
    """Return a declared language as its shortest tag, without region; traditional Chinese as `zh-TW`.

    >>> [normal_tag(tag) for tag in ("en-US", "ko_KR", "zh-Hant-HK", "zh-CN", "iw", "x-default", "english")]
    ['en', 'ko', 'zh-TW', 'zh', 'he', None, None]
    """
    match = _TAG.match(declared)
    if not match:
        return None
    language = match[1].lower()
    language = _RENAMED.get(language, language)
    if language == "zh" and _TRADITIONAL & {(part or "").lower() for part in match.groups()}:
        return "zh-TW"
    return language


def language_of(declared: Iterable[str], texts: Sequence[str]) -> str | None:
    """Return the first declared language that uses the script of the texts, else the language of that script.

    >>> language_of(["en"], ["본문만 남기고 나머지는 모두 버린다는 것은 말처럼 쉬운 일이 아니다. 정말로 그렇다."])
    'ko'
    >>> language_of(["fr"], ["Bonjour"]), language_of([], ["Bonjour tout le monde"])
    ('fr', None)
    """
    return _language(declared, _shares(_weights(_sample(texts))) or _shares_of_start(texts))


def language_of_blocks(declared: Iterable[str], blocks: Blocks) -> str | None:
    """The same for the texts of a page without its code; only those of the sample are read."""
    skipped = _CODE if any(kind != _CODE for kind in blocks.kind_code) else -1
    if shares := _shares(weights_of_sample(blocks, skipped)):
        return _language(declared, shares)
    prose = (blocks.text_at(index) for index, kind in enumerate(blocks.kind_code) if kind != skipped)
    return _language(declared, _shares_of_start(prose))


def weights_of_sample(blocks: Blocks, skipped: int) -> dict[str, int]:
    """Return how many letters of each script the longer texts have that are not of a kind."""
    compiled = core()
    if compiled is None:
        return weights_of_sample_by_reference(blocks, skipped)
    limits = _MIN_EXCERPT, _EXCERPT_CHARS, _SAMPLE_CHARS
    letters = compiled.letters(_text_columns(blocks), blocks.text_buffer, skipped, *limits, _RANGES)
    latin, *found = memoryview(letters).cast("i")
    weights = {"Latin": latin}
    for index, times in zip(found[::2], found[1::2], strict=True):
        _add(weights, index, times)
    return weights


def weights_of_sample_by_reference(blocks: Blocks, skipped: int) -> dict[str, int]:
    """The same in Python, where the compiled twin could not be built."""
    kinds = blocks.kind_code
    long = (index for index, chars in enumerate(blocks.chars) if chars >= _MIN_EXCERPT and kinds[index] != skipped)
    return _weights(_sample(map(blocks.text_at, long)))


def _language(declared: Iterable[str], shares: Mapping[str, float]) -> str | None:
    for tag in filter(None, map(normal_tag, declared)):
        if not shares or _fits(tag.partition("-")[0], shares):
            return tag
    main = max(shares, key=shares.__getitem__, default="Latin")
    if main == "Latin" or main in _AMBIGUOUS or shares[main] < 0.5:
        return None
    return _LANGUAGES[main].split()[0]


def _fits(language: str, shares: Mapping[str, float]) -> bool:
    """Whether a text may be in a language.

    Pages of all languages contain English words, but not the reverse: a language in Latin letters needs half of them.
    """
    own = shares.get(_SCRIPT_OF.get(language, "Latin"), 0)
    return own >= (0.1 if language in _SCRIPT_OF else 0.5) or (language in _ALSO_LATIN and shares.get("Latin", 0) > 0.5)


def _sample(texts: Iterable[str]) -> str:
    """Return the start of some longer texts: content, not menus, which may be in another language."""
    sample, size = list[str](), 0
    for text in texts:
        if len(text) >= _MIN_EXCERPT:
            sample.append(text[:_EXCERPT_CHARS])
            size += min(len(text), _EXCERPT_CHARS)
            if size >= _SAMPLE_CHARS:
                break
    return " ".join(sample)


def _weights(text: str) -> dict[str, int]:
    """Return how many letters of each script a text has, in the order of their first letters."""
    weights = {"Latin": len(text.encode("ascii", "ignore").translate(None, _NO_LETTERS))}
    if text.isascii():
        return weights
    for char, times in Counter("".join(_BEYOND_ASCII.findall(text))).items():
        index = bisect_right(_STARTS, ord(char)) - 1
        if index >= 0 and ord(char) < _SCRIPTS[index][1]:
            _add(weights, index, times)
    return weights


def _add(weights: dict[str, int], index: int, times: int) -> None:
    """Add letters of a range of code points."""
    script = _SCRIPTS[index][2]
    weights[script] = weights.get(script, 0) + times * _WEIGHT.get(script, 1)


def _shares_of_start(texts: Iterable[str]) -> dict[str, float]:
    return _shares(_weights(" ".join(texts)[:_SAMPLE_CHARS]))


def _shares(weights: dict[str, int]) -> dict[str, float]:
    """Return each script's share of the letters; empty if there are too few letters."""
    if 20 * weights.get("Kana", 0) > weights.get("Han", 0):
        weights["Kana"] += weights.pop("Han", 0)
    total = sum(weights.values())
    return {script: weight / total for script, weight in weights.items()} if total >= _MIN_LETTERS else {}
