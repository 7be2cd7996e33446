"""Pages with other names: every class and id a random token, as bundlers of style sheets write them.

A method that relies on names such as `article-body` or `sidebar` does worse on such pages. Text and structure stay.
"""

import re
from collections.abc import Callable
from random import Random
from string import ascii_letters, digits
from typing import Final

SEMANTIC: Final = frozenset("article main section header footer nav aside figure figcaption".split())
"""Tags that tell what an element is for."""
_RENAMED: Final = frozenset("article main section".split())
_TOKEN = 7  # characters
_PIECE = re.compile(  # what holds no tag of the page, or a tag with its attributes
    r"<!--.*?-->|<(script|style)\b(?:[^>\"']|\"[^\"]*\"|'[^']*')*>.*?</\1\s*>"
    r"|<(?P<slash>/?)(?P<name>[a-z][^\s/>]*)(?P<rest>(?:[^>\"']|\"[^\"]*\"|'[^']*')*)>",
    re.DOTALL | re.IGNORECASE,
)
_NAMING = re.compile(r"(\s(?:class|id)\s*=\s*)(\"[^\"]*\"|'[^']*'|[^\s\"'>]+)", re.IGNORECASE)

Mutation = Callable[[str, str], str]
"""From a page and a seed, such as its id, to another page with the same text."""


def renamed(html: str, seed: str) -> str:
    """Return the page with every class and id replaced by a random token, the same one for the same name.

    >>> renamed('<p class="lead big">Tea</p><p class=lead>Milk', "1")
    '<p class="..."...>Tea</p><p class="...">Milk'
    """
    return _rewritten(html, seed, frozenset())


def without_semantics(html: str, seed: str) -> str:
    """Return the renamed page with `article`, `main` and `section` turned into `div`.

    >>> without_semantics("<main id=top>Tea</main>", "1")
    '<div id="...">Tea</div>'
    """
    return _rewritten(html, seed, _RENAMED)


def anonymous(html: str, seed: str) -> str:
    """Return the renamed page with all semantic tags turned into `div`.

    >>> anonymous("<nav>Tea</nav>", "1")
    '<div>Tea</div>'
    """
    return _rewritten(html, seed, SEMANTIC)


MUTATIONS: Final[dict[str, Mutation]] = {"names": renamed, "tags": without_semantics}
"""The mutations of `bonmun bench --rename`."""


def _rewritten(html: str, seed: str, tags: frozenset[str]) -> str:
    random = Random(seed)
    tokens: dict[str, str] = {}

    def token(name: str) -> str:
        if name not in tokens:
            tokens[name] = random.choice(ascii_letters) + "".join(random.choices(ascii_letters + digits, k=_TOKEN - 1))
        return tokens[name]

    def naming(match: re.Match[str]) -> str:
        return f'{match[1]}"{" ".join(map(token, match[2].strip(chr(34) + chr(39)).split()))}"'

    def piece(match: re.Match[str]) -> str:
        name = match["name"]
        if name is None:
            return match[0]
        rest = match["rest"] if match["slash"] else _NAMING.sub(naming, match["rest"])
        return f"<{match['slash']}{'div' if name.lower() in tags else name}{rest}>"

    return _PIECE.sub(piece, html)
