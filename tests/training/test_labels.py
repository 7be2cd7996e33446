"""Labels that a person gave to blocks: training takes them as they are, if the page still has these blocks."""

import json
from itertools import islice
from random import Random

import pytest

pytest.importorskip("numpy", reason="training needs the extra train")

from bonmun.evaluate.corpora import Case, CorpusError, case_of
from bonmun.limits import Limits
from bonmun.serve.given_page import GivenPage
from bonmun.serve.labelling import LabelWork
from bonmun.store import open_store
from bonmun.training.block_labels import shares
from bonmun.training.measuring import case_file, measure
from tests.corpora import pages

REPEATED = "<p>Share<p>Tea is made of leaves and of hot water, and of time.<p>Share<p>More<p>More<p>Share"


def labelled(page: GivenPage, keep: tuple[bool, ...]) -> Case:
    """A label on its way through the store and its export."""
    with open_store(":memory:") as store:
        store.save_label(LabelWork(page, keep, "auto", "balance", "", Limits()).run())
        return case_of(json.loads(next(store.label_lines())), "labels")


def test_short_repeated_blocks_have_the_labels_that_were_given() -> None:
    keep = (False, True, True, False, True, False)
    case = labelled(GivenPage(REPEATED.encode()), keep)
    assert measure(case).labels.tolist() == [float(one) for one in keep]
    texts = ["Share", "Tea is made of leaves and of hot water, and of time.", "Share", "More", "More", "Share"]
    by_text = shares(texts, case.golds[0], False)
    assert by_text != [float(one) for one in keep]


def test_labels_of_other_blocks_do_not_count() -> None:
    case = labelled(GivenPage(REPEATED.encode()), (False, True, False, False, False, False))
    other = Case(case.id, case.html + "<p>New", case.golds, keep=case.keep, segmentation=case.segmentation)
    assert measure(other).labels.tolist() == [0, 1, 0, 0, 0, 0, 0]
    assert case_file(case) != case_file(Case(case.id, case.html, case.golds))


def test_a_malformed_label_is_refused() -> None:
    with pytest.raises(CorpusError, match="'keep' must be a list of 0 and 1"):
        case_of({"id": "1", "html": "<p>Tea", "keep": [2]}, "labels")


@pytest.mark.parametrize("corpus", ["wcxb_dev", "cjk_dev"])
def test_on_real_pages_every_block_with_words_has_its_corrected_label(corpus: str) -> None:
    from bonmun import extract

    random = Random(1)
    for record in islice(pages(corpus), 3, 60, 8):
        html = record["html"].encode("utf-8", "replace")
        document = extract(html, url=record.get("url"))
        keep = tuple(bool(one) != (random.random() < 0.1) for one in document.verdicts.keep)
        measured = measure(labelled(GivenPage(html, record.get("url")), keep))
        words = [stop - start for start, stop in zip(measured.words.start, measured.words.start[1:], strict=False)]
        assert measured.labels.tolist() == [float(one and count > 0) for one, count in zip(keep, words, strict=True)]
