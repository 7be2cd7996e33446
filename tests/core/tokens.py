"""Tokens of the compiled tokenizer in the notation of the html5lib conformance cases."""

import importlib
from typing import Any


def tokenize(*arguments: Any) -> list[Any]:
    """`bonmun._core.tokenize`, imported late: the module may not be built."""
    tokens: list[Any] = importlib.import_module("bonmun._core").tokenize(*arguments)
    return tokens


def tokens(
    source: str | bytes, model: str = "data", last_start_tag: str | None = None, foreign: bool = False
) -> list[Any]:
    """The tokens of a source, with adjacent text joined."""
    encoded = source.encode("utf-8", "surrogatepass") if isinstance(source, str) else source
    joined = list[Any]()
    for kind, _, _, *rest in tokenize(encoded, model, last_start_tag, foreign):
        if kind == "text" and joined and joined[-1][0] == "Character":
            joined[-1][1] += rest[0]
        elif kind == "text":
            joined.append(["Character", rest[0]])
        elif kind == "start":
            joined.append(["StartTag", rest[0], dict(rest[1])] + ([True] if rest[2] else []))
        elif kind == "end":
            joined.append(["EndTag", rest[0]])
        elif kind == "comment":
            joined.append(["Comment", rest[0]])
        else:
            joined.append(["DOCTYPE", *rest[:3], not rest[3]])
    return joined


def text(source: str, model: str = "data", last_start_tag: str | None = None) -> str:
    return "".join(token[1] for token in tokens(source, model, last_start_tag) if token[0] == "Character")


def value(source: str) -> str:
    [[_, _, attributes]] = tokens(f'<a b="{source}">')
    decoded: str = attributes["b"]
    return decoded
