"""What a page declares itself to be, in JSON-LD or microdata: a recipe, whose lines are short and easily dropped."""

import json
import re
from collections.abc import Iterator
from html import unescape
from itertools import islice
from typing import Final

from bonmun.core import core
from bonmun.model.nodes import Nodes

_RECIPE: Final = '"Recipe"'
_TYPE: Final = re.compile(r'"@type"\s*:\s*(?:\[[^\]]{0,200})?"Recipe"')
_ITEM_TYPE: Final = "schema.org/recipe"
_LISTS: Final = ("recipeIngredient", "ingredients", "recipeInstructions")
_TEXTS: Final = ("itemListElement", "text", "name")
"""Where a section or a step has its text, the first that is there."""
_TAG_OR_LINE: Final = re.compile(r"<[^<>]*>|[\r\n]+")
_MOST_LINES: Final = 300
_SHORTEST: Final = 6  # letters of a line, or two words: "Tea" stands in many a block
_LETTERS: Final = re.compile(r"[^\W_]")


def may_be_recipe(nodes: Nodes) -> bool:
    """Whether a page has a sign of a recipe: hardly any other page has one.

    >>> from bonmun.read.parse import parse
    >>> may_be_recipe(parse('<script type="application/ld+json">{"@type": "Recipe", "name": "Tea"}</script>'))
    True
    >>> may_be_recipe(parse("<p>Recipe"))
    False
    """
    compiled = core()
    if compiled:
        return bool(compiled.may_be_recipe(nodes.held, nodes.attr_number("type"), nodes.attr_number("itemtype")))
    return bool(nodes.rows_having("itemtype", _ITEM_TYPE)) or any(True for _ in _scripts(nodes))


def declares_one(nodes: Nodes) -> bool:
    """Whether a page declares one recipe. One with several is a list of them.

    >>> from bonmun.read.parse import parse
    >>> declares_one(parse("<div itemtype=https://schema.org/Recipe>Tea</div>"))
    True
    >>> declares_one(parse("<div itemtype=https://schema.org/Recipe>Tea</div>" * 2))
    False
    """
    named = sum(len(_TYPE.findall(script)) for script in _scripts(nodes))
    return named == 1 or (not named and len(nodes.rows_having("itemtype", _ITEM_TYPE)) == 1)


def recipe_lines(nodes: Nodes) -> list[str]:
    """The ingredients and steps of the recipes that a page declares, as far as its data can be read.

    >>> from bonmun.read.parse import parse
    >>> recipe_lines(parse('<script type="application/ld+json">{"@type": "Recipe", "recipeIngredient": ["2 cups tea"],'
    ...     '"recipeInstructions": {"@type": "HowToStep", "text": "<p>Boil water.</p><p>Pour it.</p>"}}</script>'))
    ['2 cups tea', 'Boil water.', 'Pour it.']
    """
    return list(islice(filter(_is_line, _lines(nodes)), _MOST_LINES))


def _scripts(nodes: Nodes) -> Iterator[str]:
    """The JSON-LD that names a recipe."""
    for row in nodes.rows_having("type", "ld+json"):
        if nodes.end[row] > row + 1 and _RECIPE in (script := nodes.text(row + 1)):
            yield script


def _lines(nodes: Nodes) -> Iterator[str]:
    for script in _scripts(nodes):
        for recipe in _recipes(_value(script)):
            for name in _LISTS:
                yield from _texts(recipe.get(name))
    for row in nodes.rows_having("itemprop", *map(str.lower, _LISTS)):
        yield nodes.content(row)


def _value(script: str) -> object:
    try:
        return json.loads(script, strict=False)
    except (ValueError, RecursionError):
        return None


def _recipes(value: object) -> Iterator[dict[str, object]]:
    """The recipes anywhere in a value."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            kind = one.get("@type")
            if "Recipe" in (kind if isinstance(kind, list) else [kind]):
                yield one
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one


def _texts(value: object) -> Iterator[str]:
    """The texts in a list of lines, steps, or sections with steps, in order."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            yield from filter(None, map(str.strip, _TAG_OR_LINE.split(unescape(unescape(one)))))
        elif isinstance(one, dict):
            waiting.append(next((one[name] for name in _TEXTS if one.get(name)), None))
        elif isinstance(one, list):
            waiting += reversed(one)


def _is_line(text: str) -> bool:
    return len(text.split()) > 1 or len(_LETTERS.findall(text)) >= _SHORTEST
