"""Korean by kiwipiepy (Apache-2.0; its model ships with it)."""

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
_ENDS_NO_NOUN = frozenset("들 적 님 씩 쯤 끼리 당 여 상".split())
"""Suffixes that are no part of the noun before them: plural, -ic, honorific, each, about, among, per, odd, -wise."""
_PARTICLES = frozenset("은 는 이 가 을 를 의 에 도 만 와 과 로".split())
"""Kiwi now and then takes them for nouns after a Latin-script word."""
_TOPICS = frozenset("은 는 ᆫ".split())
_NAMES_WITH_PARTICLE = [[one, "JKG", two] for one in ("NNG", "NNP") for two in ("NNG", "NNP")]
_IN_WORD = frozenset("- + # & _ / .".split()) | {"++"}


class Korean:
    """One Kiwi for all threads: it analyses without changing itself."""

    joins = True

    def __init__(self, kiwi: "Kiwi", version: str) -> None:
        self.name = f"kiwipiepy {version}"
        self._kiwi = kiwi

    def tokens(self, text: str) -> list[Token]:
        """Morphemes; those of a Latin-script word as one."""
        return _with_latin_words(text, self._kiwi.tokenize(text, normalize_coda=True))


def load() -> Korean:
    """Load Kiwi and its model: about a second."""
    try:
        import kiwipiepy
    except ImportError:
        raise MissingExtra("Korean nouns", "ko") from None
    return Korean(kiwipiepy.Kiwi(num_workers=1), kiwipiepy.__version__)


def _with_latin_words(text: str, morphemes: "list[Morpheme]") -> list[Token]:
    found: list[Token] = []
    at = 0
    while at < len(morphemes):
        stop, pos = _latin_word(morphemes, at), Pos.LATIN
        if _name_with_particle(morphemes, at):
            stop, pos = at + 3, Pos.NAME
        if stop > at + 1:
            start, end = morphemes[at].start, morphemes[stop - 1].end
            found.append(Token(text[start:end], text[start:end].lower(), pos, start, end))
        else:
            before, following = (
                morphemes[beside].tag if 0 <= beside < len(morphemes) else "" for beside in (at - 1, at + 1)
            )
            token = _token(morphemes[at], before, following)
            after_latin = bool(found) and found[-1].pos is Pos.LATIN and found[-1].stop == token.start
            mistaken = after_latin and token.text in _PARTICLES and token.pos is not Pos.TOPIC
            found.append(replace(token, pos=Pos.OTHER) if mistaken else token)
        at = max(stop, at + 1)
    return found


def _latin_word(morphemes: "list[Morpheme]", at: int) -> int:
    """After which morpheme a Latin-script word with its digits and hyphens ends: `COVID-19`, `5G`, `C++`."""
    stop, letters = at, False
    for index in range(at, len(morphemes)):
        morpheme = morphemes[index]
        if index > at and morpheme.start != morphemes[index - 1].end:
            break
        if morpheme.tag in ("SL", "SN"):
            letters = letters or morpheme.tag == "SL"
            stop = index + 1
        elif index == at or morpheme.form not in _IN_WORD:
            break
        elif morpheme.form == "++":
            stop = index + 1
    return stop if letters else at + 1


def _name_with_particle(morphemes: "list[Morpheme]", at: int) -> bool:
    """Whether nouns stand around a genitive without any space, as only names are written: `국민의힘`."""
    three = morphemes[at : at + 3]
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
        pos = Pos.VERB  # the 뜻 of 뜻하다; the 결정 of 결정하다 is a noun of its own
    elif tag == "JX" and form in _TOPICS and before[:1] != "J":
        pos = Pos.TOPIC  # not the 는 of 에서는
    elif tag == "XSN":
        pos = Pos.OTHER if form in _ENDS_NO_NOUN else Pos.SUFFIX
    else:
        pos = _POS.get(tag.partition("-")[0], Pos.MARK if tag[0] in "SW" else Pos.OTHER)
    spelled = form.lstrip("#") if tag == "W_HASHTAG" else form
    start = morpheme.start + len(form) - len(spelled)
    lemma = morpheme.lemma if pos in (Pos.VERB, Pos.ADJECTIVE) else spelled.lower()
    return Token(spelled, lemma, pos, start, morpheme.end)
