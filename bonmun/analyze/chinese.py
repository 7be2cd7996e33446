"""Chinese by rjieba (MIT; jieba's dictionary and tags, compiled)."""

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
    """rjieba's shared dictionary, read only."""

    joins = False  # jieba's words are whole; two nouns side by side are seldom one

    def __init__(self, tag: Callable[[str], list[tuple[str, str]]]) -> None:
        self.name = f"rjieba {version('rjieba')}"
        self._tag = tag

    def tokens(self, text: str) -> list[Token]:
        """Words with jieba's tags; they cover the text without a gap."""
        found: list[Token] = []
        at = 0
        for word, tag in (part for pair in self._tag(text) for part in _parted(*pair)):
            found.append(Token(word, word.lower(), _pos(word, tag), at, at + len(word)))
            at += len(word)
        return found


def load() -> Chinese:
    """Load the dictionary."""
    try:
        import rjieba
    except ImportError:
        raise MissingExtra("Chinese nouns", "zh") from None
    return Chinese(rjieba.tag)


def _parted(word: str, tag: str) -> Iterator[tuple[str, str]]:
    """A person's name without the verb that jieba takes for a part of it: `周琦说`."""
    if tag.startswith("nr") and len(word) >= 3 and word[-1] in "说說称稱道问問":
        yield word[:-1], tag
        yield word[-1], "v"
    else:
        yield word, tag


def _pos(word: str, tag: str) -> Pos:
    pos = _POS.get(tag, Pos.NOUN if tag.startswith("n") and tag != "ng" else Pos.OTHER)
    if pos is Pos.NUMBER and not any(map(str.isdigit, word)):
        return Pos.OTHER
    # jieba takes single characters it does not know for names; they may be the end of a word that it does not know
    return Pos.SUFFIX if len(word) == 1 and pos is Pos.NAME else pos
