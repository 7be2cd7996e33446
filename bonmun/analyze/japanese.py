"""Japanese, by sudachipy with sudachidict_core (Apache-2.0)."""

import re
from typing import TYPE_CHECKING

from bonmun.analyze.token import Pos, Token
from bonmun.errors import MissingExtra

if TYPE_CHECKING:
    from sudachipy import Dictionary, Morpheme

_POS = {
    "名詞": Pos.NOUN,
    "接頭辞": Pos.PREFIX,
    "形状詞": Pos.PREFIX,
    "動詞": Pos.VERB,
    "形容詞": Pos.ADJECTIVE,
    "副詞": Pos.ADVERB,
    "補助記号": Pos.MARK,
    "記号": Pos.MARK,
    "空白": Pos.MARK,
}
_KATAKANA = re.compile(r"[\u30a1-\u30ff]+")
_NAME_DOTS = frozenset("・＝゠")
_TOPICS = frozenset((("係助詞", "は"), ("係助詞", "も"), ("格助詞", "が")))
_EXCLUDED_SUFFIXES = frozenset("たち 達 ら さん 氏 様 さま 君 くん ちゃん ごと ぶり 的 中".split())
"""Suffixes that are not part of the noun before them: plural, honorifics, each, after, -ic, during."""


class Japanese:
    """One dictionary for all threads, and a tokenizer per call: it is not thread-safe and takes under a microsecond."""

    joins = True

    def __init__(self, dictionary: "Dictionary", version: str) -> None:
        self.name = f"sudachipy {version}"
        self._dictionary = dictionary

    def tokens(self, text: str) -> list[Token]:
        """Return the morphemes, in the dictionary's longest units."""
        tokens: list[Token] = []
        before = ""
        for morpheme in self._dictionary.tokenizer().tokenize(text):
            tokens.append(_token(morpheme, before))
            before = morpheme.part_of_speech()[0]
        return _join_dotted_names(tokens)


def load() -> Japanese:
    """Open the dictionary, which is memory-mapped."""
    try:
        import sudachidict_core  # noqa: F401
        import sudachipy
    except ImportError:
        raise MissingExtra("Japanese nouns", "ja") from None
    return Japanese(sudachipy.Dictionary(dict="core"), sudachipy.__version__)


def _join_dotted_names(tokens: list[Token]) -> list[Token]:
    """Join the dot-separated parts of foreign names: `ジョージ・ワシントン`."""
    joined: list[Token] = []
    for token in tokens:
        if len(joined) > 1 and joined[-1].text in _NAME_DOTS and _katakana(token) and _katakana(joined[-2]):
            dot, name = joined.pop(), joined.pop()
            text = name.text + dot.text + token.text
            token = Token(text, text, Pos.NAME, name.start, token.stop)
        joined.append(token)
    return joined


def _katakana(token: Token) -> bool:
    return token.pos in (Pos.NOUN, Pos.NAME) and bool(_KATAKANA.fullmatch(token.text))


def _token(morpheme: "Morpheme", before: str) -> Token:
    text, (major, minor, detail, *_) = morpheme.surface(), morpheme.part_of_speech()
    if major == "名詞":
        pos = _noun(text, minor, detail)
    elif (minor, text) in _TOPICS and before != "助詞":
        pos = Pos.TOPIC  # not the は of では
    elif major == "接尾辞":
        pos = Pos.OTHER if text in _EXCLUDED_SUFFIXES or minor != "名詞的" else _suffix(detail)
    else:
        pos = _POS.get(major, Pos.OTHER)
    lemma = morpheme.dictionary_form() if pos in (Pos.VERB, Pos.ADJECTIVE) else text.lower()
    return Token(text, lemma, pos, morpheme.begin(), morpheme.end())


def _noun(text: str, minor: str, detail: str) -> Pos:
    if minor == "数詞":
        return Pos.NUMBER
    if detail == "助数詞可能":
        return Pos.COUNTER
    if minor == "助動詞語幹":  # the そう of そうだ
        return Pos.OTHER
    if text.isascii() and text[0].isalpha():
        return Pos.LATIN
    return Pos.NAME if minor == "固有名詞" else Pos.NOUN


def _suffix(detail: str) -> Pos:
    return Pos.COUNTER if detail == "助数詞" else Pos.SUFFIX
