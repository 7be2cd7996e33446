"""The tokens of MathML (`mi`, `mn`, `mo`, `ms`, `mtext`) as LaTeX, and pieces of LaTeX joined to a formula."""

import re
from collections.abc import Sequence
from typing import Final

from bonmun.read.latex_symbols import (
    ARROWS,
    BINARY,
    COMMAND_OF_VARIANT,
    FUNCTIONS,
    INVISIBLE,
    OPENING,
    RELATIONS,
    SYMBOLS,
    plain_letter,
    text_command,
)

TOKENS: Final = frozenset("mi mn mo ms mtext ci cn csymbol".split())

_SPACED: Final = frozenset([*RELATIONS.values(), *ARROWS.values()])
_INFIX: Final = frozenset(BINARY.values())
_OPENS: Final = frozenset([*OPENING.values(), "", "{", "^", "_", ",", "\\quad", "\\qquad"])
_SCRIPTS: Final = frozenset("^_")
_COMMAND: Final = re.compile(r"\\[A-Za-z]")
_ENDS_IN_COMMAND: Final = re.compile(r"\\[A-Za-z]+\Z")
_NUMBER: Final = re.compile(r"[0-9.,]*")
_SPACES: Final = re.compile(r"\s+")


def token(name: str, text: str, variant: str | None) -> list[str]:
    r"""A token as pieces of LaTeX, by the name of its element and its `mathvariant`.

    >>> token("mi", "sin", None), token("mi", "R", "double-struck"), token("mo", "≤", None)
    (['\\sin'], ['\\mathbb{R}'], ['\\leq'])
    """
    if name == "mtext":
        return words(text)
    if len(text) == 1 and variant is None and name != "ms" and text.isalnum() and text.isascii():  # most are
        return [text]
    text = _SPACES.sub(" ", text).strip()
    if name == "ms":
        return [text_command(f'"{text}"')]
    if name == "mn" and _NUMBER.fullmatch(text):
        return [text.replace(",", "{,}")]
    function = "".join(char for char in text if not char.isspace() and char not in INVISIBLE)
    if function in FUNCTIONS and variant in (None, "normal"):
        return [f"\\{function}"]
    if name == "mo":
        return _operator(text)
    return symbols(text) if name == "mn" else _identifier(text, variant)


def words(text: str) -> list[str]:
    """Words inside a formula; their spaces count."""
    text = _SPACES.sub(" ", "".join(char for char in text if char not in INVISIBLE))
    if not text or text == " ":
        return ["\\ "] * len(text)
    return [text_command(text)]


def symbols(text: str) -> list[str]:
    """Characters of any kind, one piece for each."""
    out = []
    for char in text:
        if char in SYMBOLS:
            out.append(SYMBOLS[char])
        elif char.isspace():
            out.append("\\ ")
        elif char.isascii():
            out.append(char)
        elif char not in INVISIBLE:
            out.append(_letter(char))
    return out


def joined(pieces: Sequence[str]) -> str:
    r"""Join pieces: a space where a command would swallow the letter behind it, and around infix operators.

    Operators inside braces, such as those of a subscript, stay close.

    >>> print(joined(["a", "=", "-", "\\alpha", "x", "+", "y", "^", "{", "n", "+", "1", "}"]))
    a = -\alpha x + y^{n+1}
    """
    if len(pieces) == 1:
        return _SPACES.sub(" ", pieces[0]).strip()
    out: list[str] = []
    depth, earlier, before = 0, "", ""
    for piece in filter(None, pieces):
        depth += (piece == "{") - (piece == "}")
        operand = not before.endswith(" ") and before not in _SPACED and before not in _INFIX and before not in _OPENS
        spaced = not depth and ((piece in _SPACED and before not in _SCRIPTS) or (piece in _INFIX and operand))
        starts_word = piece[0].isalnum() or _COMMAND.match(piece)
        swallowed = piece[0].isalpha() and _ENDS_IN_COMMAND.search(before)
        if spaced or swallowed or (starts_word and earlier in _SCRIPTS and before != "{"):
            out.append(" ")
        out.append(piece + " " if spaced or (piece == "," and not depth) else piece)
        earlier, before = before, piece
    return _SPACES.sub(" ", "".join(out)).strip()


def _operator(text: str) -> list[str]:
    if text in SYMBOLS:
        return [SYMBOLS[text]]
    if len(text) > 1 and text.isalpha() and text.isascii():
        return [f"\\operatorname{{{text}}}"]
    return symbols(text)


def _identifier(text: str, variant: str | None) -> list[str]:
    command = COMMAND_OF_VARIANT.get(variant or "", "")
    if not (text.isalpha() and text.isascii()):
        command = "\\boldsymbol" if command == "\\mathbf" else ""
        return [f"{command}{{{joined(symbols(text))}}}"] if command and text.isalpha() else symbols(text)
    if len(text) == 1:
        return [text] if command in ("", "\\mathit") else [f"{command}{{{text}}}"]
    command = command if command and variant != "normal" else "\\operatorname"
    return [f"{command}{{{text}}}"]


def _letter(char: str) -> str:
    plain, variant = plain_letter(char)
    if plain in SYMBOLS:
        return f"\\boldsymbol{{{SYMBOLS[plain]}}}" if variant and "bold" in variant else SYMBOLS[plain]
    if variant:
        return f"{COMMAND_OF_VARIANT[variant]}{{{plain}}}"
    return text_command(plain) if plain.isalpha() and not plain.isascii() else plain
