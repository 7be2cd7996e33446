"""The fallback tokenizer: words for scripts with spaces, else runs of one script or character n-grams.

Good enough to compare texts and to weigh blocks. Its keywords may be word fragments, so results carry a warning.
"""

import re
from collections.abc import Callable, Iterator

from bonmun.analyze import unicode_words
from bonmun.analyze.token import Pos, Token

NAME = "split by script"
_RUN = re.compile(
    r"(?P<hangul>[\uac00-\ud7a3]+)|(?P<han>[\u3400-\u9fff\uf900-\ufaff々〆]+)|(?P<katakana>[\u30a1-\u30fa\u30fc]+)"
    r"|(?P<hiragana>[\u3041-\u309f]+)|(?P<spaceless>[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u0f00-\u0fff]+)"
    r"|(?P<word>[^\W_\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff]+)"
)
_PARTICLES = tuple(
    sorted(
        "은 는 이 가 을 를 의 에 도 만 와 과 로 으로 에서 에게 에게서 까지 부터 보다 처럼 라고 이라고 이나"
        " 이라는 라는 이다 입니다 했다 한다 하는 하고 하며 하지만 된다 됐다 에는 에도 에서는 으로는 로는 으로도"
        " 으로써 들은 들이 들을 들의".split(),
        key=len,
        reverse=True,
    )
)
_HAN_GRAM, _SPACELESS_GRAM = 2, 3


def splitter(language: str) -> Callable[[str], list[Token]]:
    """Return the function that tokenizes a text of the language by script.

    >>> [token.text for token in splitter("ko")("본문을 React로 읽는다") if token.pos is Pos.NOUN]
    ['본문', '읽는다']
    >>> [token.text for token in splitter("ja")("東京タワーに登った") if token.pos is Pos.NOUN]
    ['東京', 'タワー']
    """

    def split(text: str) -> list[Token]:
        return [token for match in _RUN.finditer(text) for token in _tokens(match, language)]

    return split


def _tokens(match: "re.Match[str]", language: str) -> Iterator[Token]:
    run, start, script = match[0], match.start(), match.lastgroup
    if script == "hangul":
        stem = _without_particle(run)
        yield _noun(stem, start) if len(stem) > 1 else _other(stem, start)
        if stem != run:
            yield _other(run[len(stem) :], start + len(stem))
    elif script == "han" and language == "zh":
        yield from _grams(run, start, _HAN_GRAM)
    elif script == "spaceless":
        yield from _grams(run, start, _SPACELESS_GRAM)
    elif script in ("han", "katakana"):
        yield _noun(run, start) if len(run) > 1 else _other(run, start)
    elif script == "hiragana":
        yield _other(run, start)
    else:
        for token in unicode_words.splitter(language)(run):
            pos = Pos.LATIN if token.pos is Pos.NOUN else token.pos
            yield Token(token.text, token.lemma, pos, token.start + start, token.stop + start)


def _grams(run: str, start: int, size: int) -> Iterator[Token]:
    """Overlapping character n-grams; because their spans overlap, they are never joined to compounds."""
    for offset in range(max(1, len(run) - size + 1)):
        yield _noun(run[offset : offset + size], start + offset)


def _without_particle(word: str) -> str:
    for particle in _PARTICLES:
        if word.endswith(particle) and len(word) - len(particle) >= 2:
            return word[: -len(particle)]
    return word


def _noun(text: str, start: int) -> Token:
    return Token(text, text, Pos.NOUN, start, start + len(text))


def _other(text: str, start: int) -> Token:
    return Token(text, text, Pos.OTHER, start, start + len(text))
