"""Labels follow the convention of their corpus: what it has no opinion about is unknown, not boilerplate."""

import pytest

pytest.importorskip("numpy", reason="training needs the extra train")

from bonmun.evaluate.corpora import Case
from bonmun.training.conventions import DEFAULT, convention_of
from bonmun.training.measuring import case_file, measure

FIRST, LAST = "The tea was hot and sweet that day.", "In the evening they drank the rest of it."
ARTICLE = (
    f"<nav><ul><li>Home page of the tea</ul></nav><p>{FIRST}<ul><li>two cups of milk</ul><p>Read also: coffee<p>{LAST}"
)


def test_a_list_inside_a_news_text_is_unknown_and_a_menu_is_not():
    page = measure(Case("1", ARTICLE, (f"{FIRST}\n{LAST}",)), convention_of("news_dev"))
    assert page.labels.tolist() == [0, 1, 0, 0, 1]
    assert page.known.tolist() == [1, 1, 0, 1, 1]


def test_by_the_default_convention_every_label_is_known():
    page = measure(Case("1", ARTICLE, (f"{FIRST}\n{LAST}",)))
    assert page.known.tolist() == [1] * 5


def test_a_block_that_only_one_of_two_golds_has_is_unknown():
    page = measure(
        Case(
            "1", f"<p>{FIRST}<figure><figcaption>Tea in a cup</figcaption></figure>", (f"{FIRST}\nTea in a cup", FIRST)
        )
    )
    assert page.labels.tolist() == [1, 1]
    assert page.known.tolist() == [1, 0]


def test_lines_of_a_recipe_are_known_and_the_rest_of_its_page_is_not():
    lines = "<ul><li><b>1</b> cup of milk<li>Stir it well.</ul>"
    html = f"<div><p>Jump to: one cup of milk</div><article>{lines}<p>Enjoy</article>"
    case = Case("1", html, present=("1 cup of milk", "stir it well"))
    page = measure(case, convention_of("recipes_dev"))
    assert page.labels.tolist() == page.known.tolist() == [0, 1, 1, 0]


def test_measurements_of_another_convention_are_another_file():
    case = Case("1", ARTICLE, (FIRST,), present=("tea",))
    names = {case_file(case, convention) for convention in (DEFAULT, *map(convention_of, ("news_dev", "recipes_dev")))}
    assert len(names) == 3
