"""The compiled tokenizer's answers in the notation of the conformance cases."""

import importlib
from typing import Any

import pytest

try:
    tokenize = importlib.import_module("bonmun._core").tokenize
except (ImportError, AttributeError):
    pytest.skip("the compiled reader is not built", allow_module_level=True)


def tokens(
    source: str | bytes, model: str = "data", last_start_tag: str | None = None, foreign: bool = False
) -> list[Any]:
    """Tokens in the notation of the conformance cases, adjacent text joined."""
    encoded = source.encode("utf-8", "surrogatepass") if isinstance(source, str) else source
    found = list[Any]()
    for kind, _, _, *rest in tokenize(encoded, model, last_start_tag, foreign):
        if kind == "text" and found and found[-1][0] == "Character":
            found[-1][1] += rest[0]
        elif kind == "text":
            found.append(["Character", rest[0]])
        elif kind == "start":
            found.append(["StartTag", rest[0], dict(rest[1])] + ([True] if rest[2] else []))
        elif kind == "end":
            found.append(["EndTag", rest[0]])
        elif kind == "comment":
            found.append(["Comment", rest[0]])
        else:
            found.append(["DOCTYPE", *rest[:3], not rest[3]])
    return found


def text(source: str, model: str = "data", last_start_tag: str | None = None) -> str:
    return "".join(token[1] for token in tokens(source, model, last_start_tag) if token[0] == "Character")


def value(source: str) -> str:
    [[_, _, attributes]] = tokens(f'<a b="{source}">')
    found: str = attributes["b"]
    return found
