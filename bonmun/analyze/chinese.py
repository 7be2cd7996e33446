"""Chinese, by rjieba (MIT; jieba's dictionary and tags, compiled)."""

from collections.abc import Callable, Iterator
from importlib.metadata import version

from bonmun.analyze.token import Pos, Token
from bonmun.errors import MissingExtra

_POS = {
    "n": Pos.NOUN,
    "nr": Pos.NAME,
    "nrt": Pos.NAME,
    "nrfg": Pos.NAME,
    "ns": Pos.NAME,
    "nt": Pos.NAME,
    "nz": Pos.NAME,
    "vn": Pos.NOUN,
    "an": Pos.NOUN,
    "j": Pos.NOUN,
    "eng": Pos.LATIN,
    "v": Pos.VERB,
    "vd": Pos.VERB,
    "a": Pos.ADJECTIVE,
    "ad": Pos.ADVERB,
    "d": Pos.ADVERB,
    "m": Pos.NUMBER,
    "q": Pos.COUNTER,
    "mq": Pos.NUMBER,
    "x": Pos.MARK,
    "h": Pos.PREFIX,
    "k": Pos.SUFFIX,
}


class Chinese:
    """Tokenizer over rjieba's shared, read-only dictionary."""

    joins = False  # jieba's words are complete; adjacent nouns are rarely a compound

    def __init__(self, tag: Callable[[str], list[tuple[str, str]]]) -> None:
        self.name = f"rjieba {version('rjieba')}"
        self._tag = tag

    def tokens(self, text: str) -> list[Token]:
        """Return jieba's words, which cover the text without gaps."""
        tokens: list[Token] = []
        start = 0
        for word, tag in (part for pair in self._tag(text) for part in _split_verb(*pair)):
            tokens.append(Token(word, word.lower(), _pos(word, tag), start, start + len(word)))
            start += len(word)
        return tokens


def load() -> Chinese:
    """Load the dictionary."""
    try:
        import rjieba
    except ImportError:
        raise MissingExtra("Chinese nouns", "zh") from None
    return Chinese(rjieba.tag)


def _split_verb(word: str, tag: str) -> Iterator[tuple[str, str]]:
    """Split a verb of saying off a personal name that jieba joined it to: `周琦说`."""
    if tag.startswith("nr") and len(word) >= 3 and word[-1] in "说說称稱道问問":
        yield word[:-1], tag
        yield word[-1], "v"
    else:
        yield word, tag


def _pos(word: str, tag: str) -> Pos:
    pos = _POS.get(tag, Pos.NOUN if tag.startswith("n") and tag != "ng" else Pos.OTHER)
    if pos is Pos.NUMBER and not any(map(str.isdigit, word)):
        return Pos.OTHER
    # jieba tags unknown single characters as names; they may be the end of an unknown word
    return Pos.SUFFIX if len(word) == 1 and pos is Pos.NAME else pos
