"""Compiled segmentation gives the blocks of its Python twin."""

from dataclasses import fields
from itertools import islice
from random import Random

import pytest
from hypothesis import given, settings

from bonmun.core import BLOCK_COLUMNS
from bonmun.model.block import Blocks
from bonmun.read.segment import segment
from bonmun.read.segment_reference import segment_by_reference
from tests.core.readers import compiled
from tests.core.tag_soup import tag_soup
from tests.core.tree_cases import CASES
from tests.corpora import pages


def columns(blocks: Blocks) -> dict[str, list[int]]:
    return {name: list(getattr(blocks, name)) for name in BLOCK_COLUMNS}


def assert_twins_agree(html: str) -> None:
    nodes = compiled(html)
    ours, theirs = segment(nodes), segment_by_reference(nodes)
    assert ours.text == theirs.text
    assert columns(ours) == columns(theirs)
    assert ours.tables == theirs.tables


def test_the_columns_are_the_first_fields_of_blocks() -> None:
    assert tuple(field.name for field in fields(Blocks))[: len(BLOCK_COLUMNS)] == BLOCK_COLUMNS


@pytest.mark.parametrize("rule", CASES)
def test_the_twins_agree_on_cases_of_tree_construction(rule: str) -> None:
    for html in CASES[rule]:
        assert_twins_agree(html)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(tag_soup())
def test_the_twins_agree_on_tag_soup(html: str) -> None:
    assert_twins_agree(html)


@pytest.mark.parametrize("end", ["", "</p>", "</p>" + 40 * "x", "&amp;", " é  \N{SOFT HYPHEN}"])
def test_the_twins_agree_on_texts_of_any_length(end: str) -> None:
    """Texts are copied sixteen bytes at a time, also where fewer are left."""
    for length in range(40):
        assert_twins_agree("<p>" + "a word,  two\nand more words of a text"[:length] + end)
        assert_twins_agree("<p>&lt;" + (4 * "words and ")[:length] + end)


def test_the_twins_agree_on_texts_of_any_script() -> None:
    random = Random(1)
    alphabet = "a b\x1c\n\x85\xa0é\u1680\u2009\u200b\u2014\u2028\u202f\u205f\u3000\u3001かЖ台\ufeff\uff01\xad😀"
    for _ in range(500):
        texts = ("".join(random.choices(alphabet, k=random.randint(1, 60))) for _ in range(4))
        assert_twins_agree(
            "<p>{}<b>{}</b>{}</p><pre>{}</pre>".format(*texts) + random.choice(["", "<p>behind</p>" * 3])
        )


def test_the_twins_agree_on_levels_of_items() -> None:
    """The level of an item is remembered for the next ones of the list."""
    inner = "<ul><li>a<ol><li>b<li>c</ol><li>d</ul>"
    assert_twins_agree(f"<li>e{inner}<li>f<blockquote>g{inner}<blockquote>h</blockquote>i</blockquote>{inner}<li>j")


@pytest.mark.parametrize("corpus", ["wcxb_dev", "cjk_dev", "daniel_dev"])
def test_the_twins_agree_on_real_pages(corpus: str) -> None:
    for page in islice(pages(corpus), 0, 200, 10):
        assert_twins_agree(page["html"])
