"""Short blocks with years, and the letters of a sample: the core finds what Python does."""

from itertools import islice
from random import Random

import pytest

from bonmun.core import core
from bonmun.model.block import KINDS, Blocks, Kind
from bonmun.read.byline import (
    labelled_blocks,
    labelled_blocks_by_reference,
    written_blocks,
    written_blocks_by_reference,
)
from bonmun.read.language import weights_of_sample, weights_of_sample_by_reference
from bonmun.read.page import read_page
from bonmun.read.published import blocks_with_years, blocks_with_years_by_reference
from tests.corpora import pages

pytestmark = pytest.mark.skipif(core() is None, reason="the compiled core is not built")
_CODE = KINDS.index(Kind.CODE)
_PARTS = (
    *("1", "2", "9", "0", "19", "20", "２", "０", "９", "年", "，", "\u0662", "\uff1a", " ", "a", "é", "tea "),
    *("Ж", "λ", "가", "ㅏ", "漢", "か", "\u1f00", "\U0001f600", "\U00020000", "\uf900"),
    *("ﬁ", "ß", "Þ", "[", "z", "Z", "`", "Written By ", "autor:"),
)


def compared(blocks: Blocks) -> None:
    """Compare both answers, from several blocks on."""
    for start in (0, 1, len(blocks) // 2, len(blocks), len(blocks) + 3):
        assert [*blocks_with_years(blocks, start)] == blocks_with_years_by_reference(blocks, start)
        assert [*written_blocks(blocks, start)] == written_blocks_by_reference(blocks, start)
        for stop in (0, start + 1, start + 3, len(blocks), len(blocks) + 5):
            assert [*labelled_blocks(blocks, start, stop)] == labelled_blocks_by_reference(blocks, start, stop)
    for skipped in (-1, _CODE):
        found, expected = weights_of_sample(blocks, skipped), weights_of_sample_by_reference(blocks, skipped)
        assert [*found.items()] == [*expected.items()]


def test_the_twins_agree_on_random_texts() -> None:
    random = Random(7)
    for _ in range(200):
        texts = ["".join(random.choices(_PARTS, k=random.choice((3, 8, 45, 120, 260)))) for _ in range(12)]
        compared(read_page("".join(f"<{random.choice(('p', 'pre'))}>{text}</p></pre>" for text in texts)).blocks)


@pytest.mark.parametrize("corpus", ["wcxb_dev", "cjk_dev"])
def test_the_twins_agree_on_real_pages(corpus: str) -> None:
    for page in islice(pages(corpus), 0, None, 97):
        compared(read_page(page["html"]).blocks)


def test_malformed_columns_are_refused() -> None:
    compiled = core()
    assert compiled is not None
    short, long = memoryview(b"\0" * 4), memoryview(b"\0" * 8)
    with pytest.raises(ValueError, match="columns of different lengths"):
        compiled.dated_blocks((short, short, short, long), b"", 0, 100)
    beyond = memoryview(b"\1\0\0\0")
    with pytest.raises(ValueError, match="texts out of range"):
        compiled.dated_blocks((short, short, short, beyond), b"", 0, 100)
    with pytest.raises(ValueError, match="words"):
        compiled.worded_blocks((short, short, short, short), b"", 0, 100, b"Tea\0")
