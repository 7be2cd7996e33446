"""The language a page declares, checked against the script it is written in."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

_ENOUGH_LETTERS = 40  # fewer say nothing about a page's script
_SAMPLE, _PART, _LONG = 1_500, 200, 40

# Where a script's characters start and after which they end. Latin beyond ASCII is left out: ASCII tells enough.
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
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]+")
_NO_LETTERS = bytes(byte for byte in range(128) if not chr(byte).isalpha())
_WEIGHT = {"Hangul": 2, "Han": 2, "Kana": 2}  # a syllable says what two letters do

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
"""Which languages a script writes, the first of them where the script alone decides."""
_UNDECIDED = frozenset(("Cyrillic", "Arabic", "Devanagari", "Bengali", "Ethiopic"))
_SCRIPT_OF = {language: script for script, languages in _LANGUAGES.items() for language in languages.split()}
_LATIN_TOO = frozenset("sr kk az uz ku tt mn ug".split())

_TAG = re.compile(r"\s*([a-zA-Z]{2,3})(?:[-_]([a-zA-Z]{4}))?(?:[-_]([a-zA-Z]{2}))?(?![a-zA-Z])")
_RENAMED = {"iw": "he", "ji": "yi", "in": "id", "cmn": "zh"}
_TRADITIONAL = frozenset(("tw", "hk", "mo", "hant"))


def normal_tag(declared: str) -> str | None:
    """A declared language as the shortest tag that tells it: no region, but traditional Chinese as `zh-TW`.

    >>> [normal_tag(tag) for tag in ("en-US", "ko_KR", "zh-Hant-HK", "zh-CN", "iw", "x-default", "english")]
    ['en', 'ko', 'zh-TW', 'zh', 'he', None, None]
    """
    found = _TAG.match(declared)
    if not found:
        return None
    language = found[1].lower()
    language = _RENAMED.get(language, language)
    if language == "zh" and _TRADITIONAL & {(part or "").lower() for part in found.groups()}:
        return "zh-TW"
    return language


def language_of(declared: Iterable[str], texts: Sequence[str]) -> str | None:
    """The first declared language that the script of the texts allows; else the one language of that script.

    >>> language_of(["en"], ["본문만 남기고 나머지는 모두 버린다는 것은 말처럼 쉬운 일이 아니다. 정말로 그렇다."])
    'ko'
    >>> language_of(["fr"], ["Bonjour"]), language_of([], ["Bonjour tout le monde"])
    ('fr', None)
    """
    shares = _shares(_sample(texts)) or _shares(" ".join(texts)[:_SAMPLE])
    for tag in filter(None, map(normal_tag, declared)):
        if not shares or _fits(tag.partition("-")[0], shares):
            return tag
    main = max(shares, key=shares.__getitem__, default="Latin")
    if main == "Latin" or main in _UNDECIDED or shares[main] < 0.5:
        return None
    return _LANGUAGES[main].split()[0]


def _fits(language: str, shares: Mapping[str, float]) -> bool:
    """English words stand in pages of all languages, but no others in an English page: Latin letters must prevail."""
    own = shares.get(_SCRIPT_OF.get(language, "Latin"), 0)
    return own >= (0.1 if language in _SCRIPT_OF else 0.5) or (language in _LATIN_TOO and shares.get("Latin", 0) > 0.5)


def _sample(texts: Iterable[str]) -> str:
    """The start of some longer texts: the content rather than the menus, which may be in another language."""
    sample, size = list[str](), 0
    for text in texts:
        if len(text) >= _LONG:
            sample.append(text[:_PART])
            size += min(len(text), _PART)
            if size >= _SAMPLE:
                break
    return " ".join(sample)


def _shares(text: str) -> dict[str, float]:
    """Each script's share of the letters; nothing where there are too few to tell."""
    weights = {"Latin": len(text.encode("ascii", "ignore").translate(None, _NO_LETTERS))}
    for char, times in Counter("".join(_BEYOND_ASCII.findall(text))).items():
        at = bisect_right(_STARTS, ord(char)) - 1
        if at >= 0 and ord(char) < _SCRIPTS[at][1]:
            script = _SCRIPTS[at][2]
            weights[script] = weights.get(script, 0) + times * _WEIGHT.get(script, 1)
    if 20 * weights.get("Kana", 0) > weights.get("Han", 0):
        weights["Kana"] += weights.pop("Han", 0)
    total = sum(weights.values())
    return {script: weight / total for script, weight in weights.items()} if total >= _ENOUGH_LETTERS else {}
