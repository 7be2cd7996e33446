"""Compiled segmentation gives the blocks of its Python twin."""

from dataclasses import fields
from itertools import islice

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


@pytest.mark.parametrize("corpus", ["wcxb_dev", "cjk_dev", "daniel_dev"])
def test_the_twins_agree_on_real_pages(corpus: str) -> None:
    for page in islice(pages(corpus), 0, 200, 10):
        assert_twins_agree(page["html"])
