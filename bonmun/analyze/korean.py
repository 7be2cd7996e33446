"""Korean, by kiwipiepy (Apache-2.0; its model ships with it)."""

from dataclasses import replace
from typing import TYPE_CHECKING

from bonmun.analyze.token import Pos, Token
from bonmun.errors import MissingExtra

if TYPE_CHECKING:
    from kiwipiepy import Kiwi
    from kiwipiepy import Token as Morpheme

_POS = {
    "NNG": Pos.NOUN,
    "NNP": Pos.NAME,
    "NNB": Pos.COUNTER,
    "NR": Pos.NUMBER,
    "SN": Pos.NUMBER,
    "SL": Pos.LATIN,
    "SH": Pos.NOUN,
    "XR": Pos.ADJECTIVE,
    "NP": Pos.PREFIX,
    "XPN": Pos.PREFIX,
    "VV": Pos.VERB,
    "VA": Pos.ADJECTIVE,
    "MAG": Pos.ADVERB,
    "JKS": Pos.TOPIC,
    "W_HASHTAG": Pos.NAME,
}
_EXCLUDED_SUFFIXES = frozenset("들 적 님 씩 쯤 끼리 당 여 상".split())
"""Suffixes that are not part of the noun before them: plural, -ic, honorific, each, about, among, per, odd, -wise."""
_PARTICLES = frozenset("은 는 이 가 을 를 의 에 도 만 와 과 로".split())
"""Particles that Kiwi sometimes tags as nouns after a Latin-script word."""
_TOPICS = frozenset("은 는 ᆫ".split())
_NAMES_WITH_PARTICLE = [[one, "JKG", two] for one in ("NNG", "NNP") for two in ("NNG", "NNP")]
_IN_WORD = frozenset("- + # & _ / .".split()) | {"++"}


class Korean:
    """One Kiwi for all threads; its analysis is thread-safe."""

    joins = True

    def __init__(self, kiwi: "Kiwi", version: str) -> None:
        self.name = f"kiwipiepy {version}"
        self._kiwi = kiwi

    def tokens(self, text: str) -> list[Token]:
        """Return the morphemes; a Latin-script word is one token."""
        return _join_words(text, self._kiwi.tokenize(text, normalize_coda=True))


def load() -> Korean:
    """Load Kiwi and its model, which takes about a second."""
    try:
        import kiwipiepy
    except ImportError:
        raise MissingExtra("Korean nouns", "ko") from None
    return Korean(kiwipiepy.Kiwi(num_workers=1), kiwipiepy.__version__)


def _join_words(text: str, morphemes: "list[Morpheme]") -> list[Token]:
    """Join the morphemes of Latin-script words and of names with a particle inside."""
    tokens: list[Token] = []
    first = 0
    while first < len(morphemes):
        stop, pos = _latin_word_stop(morphemes, first), Pos.LATIN
        if _is_name_with_particle(morphemes, first):
            stop, pos = first + 3, Pos.NAME
        if stop > first + 1:
            start, end = morphemes[first].start, morphemes[stop - 1].end
            tokens.append(Token(text[start:end], text[start:end].lower(), pos, start, end))
        else:
            before, following = (
                morphemes[index].tag if 0 <= index < len(morphemes) else "" for index in (first - 1, first + 1)
            )
            token = _token(morphemes[first], before, following)
            after_latin = bool(tokens) and tokens[-1].pos is Pos.LATIN and tokens[-1].stop == token.start
            mistagged = after_latin and token.text in _PARTICLES and token.pos is not Pos.TOPIC
            tokens.append(replace(token, pos=Pos.OTHER) if mistagged else token)
        first = max(stop, first + 1)
    return tokens


def _latin_word_stop(morphemes: "list[Morpheme]", first: int) -> int:
    """The index after a Latin-script word with its digits and hyphens: `COVID-19`, `5G`, `C++`."""
    stop, letters = first, False
    for index in range(first, len(morphemes)):
        morpheme = morphemes[index]
        if index > first and morpheme.start != morphemes[index - 1].end:
            break
        if morpheme.tag in ("SL", "SN"):
            letters = letters or morpheme.tag == "SL"
            stop = index + 1
        elif index == first or morpheme.form not in _IN_WORD:
            break
        elif morpheme.form == "++":
            stop = index + 1
    return stop if letters else first + 1


def _is_name_with_particle(morphemes: "list[Morpheme]", first: int) -> bool:
    """Whether noun, genitive particle and noun follow without a space, as only in names: `국민의힘`."""
    three = morphemes[first : first + 3]
    return (
        [morpheme.tag for morpheme in three] in _NAMES_WITH_PARTICLE
        and three[0].end == three[1].start
        and three[1].end == three[2].start
    )


def _token(morpheme: "Morpheme", before: str, following: str) -> Token:
    tag, form = morpheme.tag, morpheme.form
    if tag == "NNG" and following == "XSA":
        pos = Pos.ADJECTIVE  # the 중요 of 중요하다
    elif tag == "NNG" and following == "XSV" and len(form) == 1:
        pos = Pos.VERB  # the 뜻 of 뜻하다; the 결정 of 결정하다 stays a noun
    elif tag == "JX" and form in _TOPICS and before[:1] != "J":
        pos = Pos.TOPIC  # not the 는 of 에서는
    elif tag == "XSN":
        pos = Pos.OTHER if form in _EXCLUDED_SUFFIXES else Pos.SUFFIX
    else:
        pos = _POS.get(tag.partition("-")[0], Pos.MARK if tag[0] in "SW" else Pos.OTHER)
    spelled = form.lstrip("#") if tag == "W_HASHTAG" else form
    start = morpheme.start + len(form) - len(spelled)
    lemma = morpheme.lemma if pos in (Pos.VERB, Pos.ADJECTIVE) else spelled.lower()
    return Token(spelled, lemma, pos, start, morpheme.end)
