from array import array
from math import isfinite

import pytest

import bonmun
from bonmun.features.table import WordWeights, features
from bonmun.methods.learned.page_figures import SUMMARY, WHOLE, summary
from bonmun.model.block import KINDS, Kind

HTML = """<title>Tea</title><body><nav><a href=/>Home</a></nav><article><h1>Tea</h1><p>Tea is hot, and it is sweet.</p>
<p>It is made of leaves, water and time.</p><ul><li>green</li><li>black</li></ul></article>"""


@pytest.fixture
def table():
    return features(bonmun.read_page(HTML), WordWeights([0.0] * (1 << 15), [0.0] * (3 << 15)))


def summed(table, keep):
    count = len(table["size"])
    tiles = [(0, array("f", [table[name][row] for row in range(count) for name in table]).tobytes())]
    chances = [0.9 if kept else 0.2 for kept in keep]
    return dict(zip(SUMMARY, summary(tuple(table), tiles, chances, [10.0] * count, keep), strict=True))


def test_the_pages_own_figures_are_those_of_the_table(table):
    assert tuple(name for name in table if name.startswith("page_")) == WHOLE
    found = summed(table, [0, 1, 1, 1, 1, 1])
    assert found["page_h1"] == table["page_h1"][0]


def test_figures_of_the_choice_are_right(table):
    found = summed(table, [0, 1, 1, 1, 0, 0])
    hits, expected = 0.9 * 30, 0.9 * 30 + 0.2 * 30
    assert found["expected_f1"] == pytest.approx(2 * hits / (30 + expected))
    assert found["expected_precision"] == pytest.approx(0.9)
    assert found["expected_recall"] == pytest.approx(hits / expected)
    assert found["kept_share"] == pytest.approx(0.5)
    assert (found["kept_first"], found["kept_last"]) == (pytest.approx(1 / 6), pytest.approx(4 / 6))
    assert found["kept_runs"] == pytest.approx(1)
    assert found["unsure"] == pytest.approx((0.9 * 0.1 + 0.2 * 0.8) / 2)


def test_kinds_of_what_is_kept_add_up(table):
    found = summed(table, [0, 1, 1, 1, 1, 0])
    assert sum(found[f"kept_{kind}"] for kind in KINDS) == pytest.approx(1)
    assert found[f"kept_{Kind.HEADING}"] == pytest.approx(0.25)


@pytest.mark.parametrize("keep", [[0] * 6, [1] * 6])
def test_nothing_and_everything_kept_have_figures_too(table, keep):
    assert all(map(isfinite, summed(table, keep).values()))


def test_a_page_without_blocks_is_all_zero():
    assert summary(("size",), [], [], [], []) == [0.0] * len(SUMMARY)
