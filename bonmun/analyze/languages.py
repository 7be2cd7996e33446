"""Language identification by script and function words."""

import re
from collections import Counter

from bonmun.analyze.stopwords import LANGUAGES, stop_words

_SAMPLE = 20_000  # characters
_HANGUL = re.compile(r"[\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3]")
_KANA = re.compile(r"[\u3041-\u30ff\u31f0-\u31ff]")
_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
_LETTER = re.compile(r"[^\W\d_]")
_WORD = re.compile(r"[^\W\d_]+")
_SYLLABLE = 2  # weight of a syllable or ideograph, in letters of an alphabet
_ENOUGH, _ENOUGH_IF_DECLARED = (
    0.25,
    0.05,
)  # minimum share of a script: texts of any language have English words and code


def language_of(text: str, declared: str | None = None) -> str:
    """Return a text's language: by its script if distinctive, else as declared, else by function words, else `und`.

    >>> [language_of(text) for text in ("본문만 남긴다", "本文を残す", "只留正文", "The tea is on the table", "42")]
    ['ko', 'ja', 'zh', 'en', 'und']
    """
    sample = text[:_SAMPLE]
    hangul, kana, han = (len(script.findall(sample)) for script in (_HANGUL, _KANA, _HAN))
    syllables = hangul + kana + han
    letters = len(_LETTER.findall(sample)) + (_SYLLABLE - 1) * syllables
    tag = (declared or "").partition("-")[0].lower()
    by_script = "ko" if hangul >= kana + han else "ja" if 20 * kana > han else "zh"
    if _SYLLABLE * syllables > (_ENOUGH_IF_DECLARED if tag == by_script else _ENOUGH) * letters:
        return by_script
    return tag if tag and tag not in ("ko", "ja", "zh", "und") else _by_words(sample)


def _by_words(sample: str) -> str:
    """The language with the most function words, at least one word in ten; else `und`."""
    words = Counter(_WORD.findall(sample.lower()))
    hits = {
        language: sum(count for word, count in words.items() if word in stop_words(language)) for language in LANGUAGES
    }
    best = max(hits, key=lambda language: hits[language])
    return best if hits[best] > 0.1 * words.total() else "und"
