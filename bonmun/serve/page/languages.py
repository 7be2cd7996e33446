"""The languages of the interface and their words: `words/<language>/<part>.json`, the same keys in all languages."""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Final

LANGUAGES: Final = MappingProxyType({"en": "English", "ko": "한국어"})
"""The languages, each with its own name; the first is the default."""


@cache
def words(language: str) -> Mapping[str, str]:
    """Return all words of a language by `part.key`.

    >>> words("en")["shell.compare"], words("ko")["shell.compare"]
    ('Compare', '비교')
    """
    folder = files("bonmun.serve.page").joinpath("words", language)
    parts = {entry.name.removesuffix(".json"): entry for entry in folder.iterdir() if entry.name.endswith(".json")}
    return MappingProxyType(
        {
            f"{part}.{key}": text
            for part, entry in sorted(parts.items())
            for key, text in json.loads(entry.read_text("utf-8")).items()
        }
    )


def words_of(language: str, parts: Iterable[str]) -> dict[str, str]:
    """Return the words of some parts: those that a screen's scripts use."""
    wanted = {*parts}
    return {name: text for name, text in words(language).items() if name.partition(".")[0] in wanted}


def chosen_language(wish: str | None, accepted: str) -> str:
    """Return the language wished for if there is one of that name, else the first accepted one that there is.

    >>> chosen_language("ko", "en"), chosen_language(None, "de-CH, ko;q=0.8, en;q=0.5"), chosen_language("xx", "")
    ('ko', 'ko', 'en')
    """
    if wish in LANGUAGES:
        return str(wish)
    ranges = (one.strip().partition(";") for one in accepted[:1000].split(","))
    ranked = sorted(((name.strip(), _quality(rest)) for name, _, rest in ranges), key=lambda one: -one[1])
    names = (name.partition("-")[0].lower() for name, quality in ranked if quality > 0)
    return next((name for name in names if name in LANGUAGES), next(iter(LANGUAGES)))


def _quality(parameters: str) -> float:
    """The `q` of a language range; 1 without one."""
    try:
        return float(parameters.strip().removeprefix("q=") or 1)
    except ValueError:
        return 0.0
