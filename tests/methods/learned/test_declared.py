import json
from typing import Any

import pytest

import bonmun
from bonmun.methods.learned.choice import RECALL, RECIPE
from bonmun.methods.learned.declared import declares_one, may_be_recipe, recipe_lines
from bonmun.methods.learned.judgement import _recalls
from bonmun.methods.learned.model import shipped
from bonmun.model.nodes import Nodes

ONE = {"@type": "Recipe", "name": "Tea"}


def page(*scripts: Any, body: str = "<p>Tea is made of leaves.</p>") -> bonmun.Page:
    written = "".join(f'<script type="application/ld+json">{json.dumps(one)}</script>' for one in scripts)
    return bonmun.read_page(written + body)


def is_recipe(nodes: Nodes) -> bool:
    return may_be_recipe(nodes) and declares_one(nodes)


@pytest.mark.parametrize(
    "declared",
    [
        page(ONE),
        page({"@context": "https://schema.org", "@graph": [{"@type": "WebPage"}, ONE]}),
        page({"@type": ["NewsArticle", "Recipe"]}),
        page({"@type": "Person"}, ONE),
        page(body='<div itemscope itemtype="http://schema.org/Recipe"><p>Tea is made of leaves.</div>'),
    ],
)
def test_a_page_that_declares_one_recipe_is_one(declared: bonmun.Page) -> None:
    assert is_recipe(declared.nodes) and declares_one(declared.nodes)


@pytest.mark.parametrize(
    "other",
    [
        page(),
        page({"@type": "Article", "keywords": "Recipe"}),
        page({"@type": "ItemList", "itemListElement": [ONE, ONE]}),
        page(body='<script>{"@type": "Recipe"}</script><p>Tea'),
        page(body='<script type="application/ld+json"></script><p>Tea'),
        page(body='<div itemtype="https://schema.org/RecipeList/Recipes">Tea</div>' * 2),
    ],
)
def test_others_and_lists_of_recipes_are_none(other: bonmun.Page) -> None:
    assert not is_recipe(other.nodes) and not declares_one(other.nodes)


@pytest.mark.parametrize("core_is_there", [True, False])
def test_the_signs_of_a_recipe_are_found_wherever_they_stand(
    core_is_there: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not core_is_there:
        monkeypatch.setattr("bonmun.methods.learned.declared.core", lambda: None)
    for script in ('{"@type":"Recipe"', 'RR"R"Recipe, "Recip "@type": "Recipe"', '"@type" : ["Recipe"]' + "x" * 99):
        assert is_recipe(bonmun.read_page(f"<script TYPE=' Application/LD+Json;x'>{script}</script><p>Tea").nodes)
        assert not is_recipe(bonmun.read_page(f"<script type=+json+jso>{script}</script><p>Tea").nodes)
    assert is_recipe(bonmun.read_page("<p itemtype=HTTPS://Schema.org/RECIPE>Tea").nodes)
    for value in ("/recipe", "schema.org/recip", "schema.org//recipe"):
        assert not is_recipe(bonmun.read_page(f"<p itemtype={value}>Tea").nodes)


def test_recall_weighs_more_on_a_recipe_whatever_its_type() -> None:
    model = shipped()
    assert set(_recalls(page(ONE), model, recipe=True)) == {RECIPE}
    assert list(_recalls(page(), model, recipe=False)) == [RECALL.get(name, 1.0) for name in model.types]


STEPS = {
    "@type": "HowToSection",
    "name": "Tea",
    "itemListElement": [{"@type": "HowToStep", "text": "Boil the&nbsp;water."}],
}
DECLARED = ONE | {
    "recipeIngredient": ["2 cups tea", "<b>Milk</b>", None, 7],
    "recipeInstructions": [STEPS, "Pour\nit in."],
}


@pytest.mark.parametrize(
    ("declared", "lines"),
    [
        (page(DECLARED), ["2 cups tea", "Boil the\xa0water.", "it in."]),
        (page({"@graph": [{"@type": ["Recipe"], "ingredients": "2 cups tea"}]}), ["2 cups tea"]),
        (
            page(body="<ul><li itemprop=recipeIngredient>2 cups <b>tea</b><li itemprop=name>Tea leaves</ul>"),
            ["2 cups tea"],
        ),
        (page(body='<script type="application/ld+json">{"@type": "Recipe", </script>Tea'), []),
        (page(body='<script type="application/ld+json">"Recipe"' + "[" * 100_000 + "</script>Tea"), []),
    ],
)
def test_lines_of_a_declared_recipe(declared: bonmun.Page, lines: list[str]) -> None:
    assert recipe_lines(declared.nodes) == lines


ARTICLE = (
    "<article><h1>Tea</h1>"
    + "<p>Tea is made of leaves, and of water that has just boiled, every day.</p>" * 9
    + "</article>"
)


def test_declared_lines_are_kept_in_the_recipe_and_nowhere_else() -> None:
    lines = "<footer class=footer><ul><li><a href=/t>2 cups tea</a><li><a href=/i>Imprint of the site</a></ul></footer>"
    document = bonmun.extract(page(DECLARED, body=ARTICLE + lines))
    kept = [block for block in document.blocks if block.reasons[0].name == "declared"]
    assert [block.text for block in kept] == ["2 cups tea"]
    assert "Imprint" not in document.text
    other = bonmun.extract(page(DECLARED | {"@type": "HowTo"}, body=ARTICLE + lines))
    assert "2 cups tea" not in other.text


def test_hidden_copies_of_declared_lines_stay_dropped() -> None:
    document = bonmun.extract(page(DECLARED, body=ARTICLE + "<div hidden>2 cups tea</div>"))
    assert "2 cups tea" not in document.text
