"""Chinese words that the dictionary does not know: characters that a text has side by side again and again."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from bonmun.analyze.token import Pos, Token

_LEAST = 3  # times
_NEARLY_ALWAYS = 0.7
_FIRST = frozenset((Pos.NOUN, Pos.NAME, Pos.VERB, Pos.ADJECTIVE, Pos.SUFFIX))
_SECOND = frozenset((Pos.NOUN, Pos.NAME, Pos.SUFFIX))

Pair = tuple[str, str]


def joined(passages: Sequence[list[Token]]) -> list[list[Token]]:
    """The tokens of a text's passages, those joined of which one hardly stands without the other: `充电` + `宝`."""
    words = Counter(token.text for tokens in passages for token in tokens)
    pairs = Counter(
        (one.text, two.text) for tokens in passages for one, two in pairwise(tokens) if _may_be_one_word(one, two)
    )
    known = {
        pair
        for pair, count in pairs.items()
        if count >= _LEAST
        and count >= _NEARLY_ALWAYS * min(words[pair[0]], words[pair[1]])
        and (1 in map(len, pair) or count == words[pair[1]])
    }
    return [_join(tokens, known) for tokens in passages] if known else list(passages)


def _may_be_one_word(one: Token, two: Token) -> bool:
    """Two words of four characters at most, none of them a function word."""
    return one.pos in _FIRST and two.pos in _SECOND and len(one.text) + len(two.text) <= 4 and one.stop == two.start


def _join(tokens: Sequence[Token], known: set[Pair]) -> list[Token]:
    found: list[Token] = []
    before = ""  # the last token as it was before it was joined
    for token in tokens:
        if found and (before, token.text) in known and _may_be_one_word(found[-1], token):
            first = found.pop()
            text = first.text + token.text
            found.append(Token(text, text.lower(), Pos.NOUN, first.start, token.stop))
        else:
            found.append(token)
        before = token.text
    return found
