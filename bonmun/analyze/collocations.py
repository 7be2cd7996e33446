"""Chinese words missing from the dictionary, recognized as recurring collocations of their parts."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from bonmun.analyze.token import Pos, Token

_LEAST = 3  # occurrences
_NEARLY_ALWAYS = 0.7  # share of the rarer part's occurrences
_FIRST = frozenset((Pos.NOUN, Pos.NAME, Pos.VERB, Pos.ADJECTIVE, Pos.SUFFIX))
_SECOND = frozenset((Pos.NOUN, Pos.NAME, Pos.SUFFIX))

Pair = tuple[str, str]


def join_collocations(passages: Sequence[list[Token]]) -> list[list[Token]]:
    """Join adjacent tokens of which one rarely occurs without the other: `充电` + `宝`."""
    words = Counter(token.text for tokens in passages for token in tokens)
    pairs = Counter(
        (one.text, two.text) for tokens in passages for one, two in pairwise(tokens) if _may_be_one_word(one, two)
    )
    collocations = {
        pair
        for pair, count in pairs.items()
        if count >= _LEAST
        and count >= _NEARLY_ALWAYS * min(words[pair[0]], words[pair[1]])
        and (1 in map(len, pair) or count == words[pair[1]])
    }
    return [_join(tokens, collocations) for tokens in passages] if collocations else list(passages)


def _may_be_one_word(one: Token, two: Token) -> bool:
    """Whether two tokens are adjacent content words with at most four characters together."""
    return one.pos in _FIRST and two.pos in _SECOND and len(one.text) + len(two.text) <= 4 and one.stop == two.start


def _join(tokens: Sequence[Token], collocations: set[Pair]) -> list[Token]:
    words: list[Token] = []
    before = ""  # text of the previous token, before any joining
    for token in tokens:
        if words and (before, token.text) in collocations and _may_be_one_word(words[-1], token):
            first = words.pop()
            text = first.text + token.text
            words.append(Token(text, text.lower(), Pos.NOUN, first.start, token.stop))
        else:
            words.append(token)
        before = token.text
    return words
