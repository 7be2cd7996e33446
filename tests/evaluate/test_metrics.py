"""Properties of the metrics; worked examples are in their docstrings."""

import random
import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun.errors import UnknownName
from bonmun.evaluate import alignment
from bonmun.evaluate.alignment import common, covered, encoded, matched
from bonmun.evaluate.corpora import Case
from bonmun.evaluate.metrics import METRICS, metric
from bonmun.evaluate.truth import Truth

LCSseq = pytest.importorskip("rapidfuzz.distance").LCSseq

GOLD = "The river rose in the night.\nBy morning the lower road was gone."
PAGE = "<nav><a href=/>Home</a></nav><main><p>{}</p><p>{}</p></main><p>Contact</p>".format(*GOLD.splitlines())


def figures(output, gold=GOLD, html=PAGE, **more):
    truth = Truth(Case("1", html, (gold,) if gold else (), **more))
    return {
        figure.key: figure.of(metric.measure(truth, output)) for metric in METRICS.values() for figure in metric.figures
    }


def test_a_perfect_output_scores_1_by_every_metric():
    scores = figures(GOLD, present=("river rose",), absent=("Contact",))
    assert scores == dict.fromkeys(scores, 1.0)


def test_an_empty_output_scores_0_by_every_metric():
    scores = figures("", present=("river rose",), absent=("Contact",))
    assert scores.pop("without") == 1.0
    unknown = {"recognition_precision", "shingle_precision", "block_precision"}
    assert {key for key, value in scores.items() if value != value} == unknown
    assert all(value == 0 for key, value in scores.items() if key not in unknown)


def test_an_empty_output_for_an_empty_gold_scores_1():
    scores = figures("", gold="", html="<p></p>")
    assert (scores["word_f1"], scores["lcs_f1"], scores["right"], scores["rouge_f1"]) == (1, 1, 1, 1)
    assert figures("an advert", gold="", html="<p></p>")["word_f1"] == 0


def test_languages_without_spaces_are_scored_on_characters():
    assert figures("茶是热的", gold="茶是冷的", lang="zh")["word_f1"] == 0.75
    assert figures("茶 是热 的", gold="茶是热的", lang="zh")["lcs_f1"] == 1.0
    assert figures("차는 뜨겁다", gold="차는 차갑다", lang="ko")["word_f1"] == 0.5


def test_of_several_golds_the_nearest_counts():
    truth = Truth(Case("1", PAGE, ("the whole text with a caption", "the whole text")))
    assert metric("words").measure(truth, "the whole text")[2] == 1.0
    assert metric("words").measure(truth, "the whole text with a caption")[2] == 1.0


def test_pages_without_snippets_do_not_count_for_snippets():
    sums = [sum(column) for column in zip(
        metric("snippets").measure(Truth(Case("1", PAGE, (GOLD,), present=("river",))), GOLD),
        metric("snippets").measure(Truth(Case("2", PAGE, (GOLD,))), ""),
        strict=True,
    )]  # fmt: skip
    assert metric("snippets").figures[0].of(sums) == 1.0


def test_hidden_text_and_scripts_are_not_counted_as_text_nodes():
    page = "<p>The tea is hot</p><p hidden>secret words here</p><script>var words</script>"
    assert len(Truth(Case("1", page, ("The tea is hot",))).nodes) == 1


def test_inline_markup_splits_text_nodes_but_not_blocks():
    truth = Truth(Case("1", "<p>The <b>tea</b> is hot</p>", ("The tea is hot",)))
    assert (len(truth.nodes), len(truth.blocks)) == (3, 1)


def test_metrics_have_names_and_sources():
    assert set(METRICS) == {
        "words", "lcs", "nodes", "blocks", "recognition", "right", "shingles", "snippets", "rouge",
    }  # fmt: skip
    for one in METRICS.values():
        assert one.source
        assert "Source:" in (one.against.__doc__ or "")
    with pytest.raises(UnknownName, match="words"):
        metric("bleu")


@given(st.text("ab c", max_size=60), st.text("ab c", max_size=60))
def test_the_common_length_is_exact_for_short_texts_and_symmetric(a, b):
    assert common(a, b) == common(b, a) == LCSseq.similarity(a, b)
    assert sum(stop - start for start, stop in matched(a, b)) == common(a, b)


@pytest.mark.parametrize("change", [0.0, 0.02, 0.3])
def test_long_texts_are_compared_nearly_exactly(monkeypatch, change):
    draw = random.Random(1)
    words = ["".join(draw.choices("etaoinshrdlu", k=draw.randint(2, 9))) for _ in range(2000)]
    one = draw.choices(words, k=5000)
    other = [draw.choice(words) if draw.random() < change else word for word in one]
    a, b = " ".join(one), " ".join(other[:1000] + draw.choices(words, k=1500) + other[1000:])
    exact = LCSseq.similarity(a, b)
    monkeypatch.setattr(alignment, "_EXACT", 1000)
    monkeypatch.setattr(alignment, "_EXACT_STEPS", 1000)
    assert 0.97 * exact <= common(a, b) <= exact
    stretches = sorted(matched(a, b))
    assert sum(stop - start for start, stop in stretches) == common(a, b)
    assert all(first[1] <= second[0] for first, second in pairwise(stretches))


@pytest.mark.cpu_timed
@pytest.mark.parametrize("alike", [True, False])
def test_texts_of_200_kb_score_in_well_under_a_second(alike):
    draw = random.Random(2)
    words = ["".join(draw.choices("etaoinshrdlu", k=draw.randint(2, 9))) for _ in range(3000)]
    one = draw.choices(words, k=31_000)
    other = [word for word in one if draw.random() > 0.1] if alike else draw.choices(words, k=31_000)
    a, b = " ".join(one), " ".join(other)
    assert len(a) > 200_000
    start = time.process_time()
    length = common(a, b)
    assert time.process_time() - start < 0.5
    assert length == pytest.approx(LCSseq.similarity(a, b), rel=0.01)


@pytest.mark.cpu_timed
def test_a_page_of_thousands_of_lines_is_scored_in_seconds():
    lines = [f"Part {number} tells of tea and of the water {number * 7} it needs." for number in range(5_000)]
    gold = "\n".join(lines[::2])
    truth = Truth(Case("1", "".join(f"<p>{line}</p>" for line in lines), (gold,)))
    start = time.process_time()
    for one in METRICS.values():
        one.measure(truth, "\n".join(lines[:3_000]))
    assert time.process_time() - start < 8


def test_a_word_in_the_menu_is_not_matched_with_one_in_the_text():
    known = {}
    page = [encoded(unit.split(), known) for unit in ["tea", "milk", "about tea we know that tea is hot", "tea"]]
    text = encoded("about tea we know that tea is hot".split(), known)
    assert covered(page, text) == [False, False, True, False]
