import pickle
from array import array
from dataclasses import replace

import pytest

import bonmun
from bonmun.features.columns import COLUMNS
from bonmun.features.element_names import FAR
from bonmun.features.matrix import BlockFeatures
from bonmun.methods.learned.contributions import Contributions
from bonmun.methods.learned.forest import Forest
from bonmun.methods.learned.model import shipped
from bonmun.methods.learned.page_figures import PageFigures
from bonmun.methods.learned.reasons import Reasons
from bonmun.model.verdict import Reason
from bonmun.read.page import read_page

PLAIN, LINKED = 0, 1
TWO_BLOCKS = read_page("<p>One</p><p>Two</p>")
Row = dict[str, float]


def stumps(*moves: tuple[str, float]) -> Forest:
    """A tree for each move: a column from 0.5 on moves a block's sum up by so much, and down if it is below."""
    nodes = range(len(moves))
    return Forest(
        memoryview(array("i", [COLUMNS.index(column) for column, _ in moves])),
        memoryview(array("f", [0.5] * len(moves))),
        memoryview(array("i", [~(2 * node) for node in nodes])),
        memoryview(array("i", [~(2 * node + 1) for node in nodes])),
        memoryview(array("f", [leaf for _, move in moves for leaf in (-move, move)])),
        memoryview(array("i", [*nodes, len(moves)])),
    )


class Measured(BlockFeatures):
    """Features that were measured elsewhere."""

    def __init__(self, matrix: bytes) -> None:
        self.matrix = matrix

    def __len__(self) -> int:
        return len(self.matrix) // (4 * len(COLUMNS))

    def rows(self, first: int, stop: int) -> bytes:
        return self.matrix[first * 4 * len(COLUMNS) : stop * 4 * len(COLUMNS)]


def reasons(forest: Forest, *rows: Row, keep: tuple[int, ...], overruled: dict[int, Reason] | None = None) -> Reasons:
    """The reasons for blocks with some features on a page with running text; nothing around them has a name."""
    far = {name: float(FAR) for name in COLUMNS if name.startswith(("named_", "in_")) and name != "in_core"}
    usual = {**far, "size": 5.0, "page_long_size": 9.0}
    matrix = array("f", [(usual | row).get(name, 0.0) for row in rows for name in COLUMNS]).tobytes()
    return Reasons(Contributions(forest, Measured(matrix)), TWO_BLOCKS, keep, overruled or {})


def by_links(*keep: int, overruled: dict[int, Reason] | None = None) -> Reasons:
    """A block without links and one that is nothing else; size moves both alike."""
    forest = stumps(("link_share", -2), ("size", 9))
    return reasons(forest, {}, {"link_share": 1.0}, keep=keep, overruled=overruled)


def details(found: Reasons, index: int) -> list[str]:
    return [reason.detail for reason in found[index]]


def test_a_reason_is_what_sets_a_block_apart_from_the_others() -> None:
    found = by_links(1, 0)
    assert found[PLAIN] == (Reason("content-like", "no links in it"),)
    assert found[LINKED] == (Reason("boilerplate-like", "nothing but a link"),)


def test_what_speaks_against_the_verdict_is_no_reason_for_it() -> None:
    assert list(by_links(0, 1)) == [
        (Reason("boilerplate-like", "no single sign decided"),),
        (Reason("content-like", "no single sign decided"),),
    ]


def test_a_rule_that_overruled_the_trees_is_the_reason() -> None:
    rule = Reason("closing-notice", "copyright line")
    assert by_links(1, 0, overruled={LINKED: rule})[LINKED] == (rule,)


def test_columns_that_mean_the_same_count_together() -> None:
    among_links = {f"{around}_link": 0.9 for around in ("window3", "up2", "region")}
    forest = stumps(*((column, -1.0) for column in among_links), ("term_score+1", 1.5))
    found = reasons(forest, {"term_score+1": 1.0}, {**among_links, "term_score+1": -1.0}, keep=(1, 0))
    assert details(found, 1) == ["among links", "next to wording common in menus, notices and adverts"]


def test_a_column_without_a_phrase_leaves_the_word_to_the_next_of_its_group() -> None:
    forest = stumps(("window20_link", -2.0), ("up4_link", -1.0))
    found = reasons(
        forest, {"window20_link": 0.3, "up4_link": 0.05}, {"window20_link": 1.0, "up4_link": 1.0}, keep=(1, 0)
    )
    assert details(found, 0) == ["hardly any links around it"]


def test_the_same_phrase_of_several_groups_is_given_once_and_counts_for_all() -> None:
    forest = stumps(("in_nav", 1.0), ("in_footer", 1.0), ("term_score", 1.5))
    found = reasons(forest, {"term_score": 1.0}, {"in_nav": 0.0, "in_footer": 0.0}, keep=(1, 0))
    assert details(found, 0) == ["outside navigation, footers and sidebars", "wording common in main texts"]


def test_there_are_at_most_three_reasons_and_the_strongest_is_the_first() -> None:
    strength = {"dates": -1.0, "quotes": -4.0, "colons": -2.0, "brackets": -3.0}
    found = reasons(stumps(*strength.items()), {}, dict.fromkeys(strength, 1.0), keep=(1, 0))
    assert details(found, 1) == ["quotation marks in it", "brackets in it", "a colon in it"]


def test_a_picture_is_explained_by_the_text_around_it() -> None:
    text = "<p>" + "The ferry left the harbour before dawn, and the town was still asleep. " * 9 + "</p>"
    doc = bonmun.extract(f"{text}<img src=a.jpg width=800 height=600>{text.replace('dawn', 'noon')}<img src=b.jpg>")
    pictures = [block for block in doc.all_blocks if block.kind == "image"]
    assert [(block.keep, str(block.reasons[0])) for block in pictures] == [
        (True, "inside: the text before and after the picture is kept"),
        (False, "lone-image: the text before or after the picture is not kept"),
    ]


PAGE = "<nav><a href=/>Home</a></nav><p>" + "The ferry left the harbour before dawn, and the town still slept. " * 9


@pytest.fixture
def analysis() -> PageFigures:
    analysis = bonmun.extract(PAGE).analysis
    assert isinstance(analysis, PageFigures)
    return analysis


def test_raw_contributions_make_up_the_difference_between_two_blocks(analysis: PageFigures) -> None:
    menu, text = analysis.contributions(0), analysis.contributions(1)
    assert tuple(menu) == COLUMNS
    forest = shipped().trees
    first, second = forest.sums(BlockFeatures(read_page(PAGE), shipped().weights).rows(0, 2), len(COLUMNS))
    assert sum(text.values()) - sum(menu.values()) == pytest.approx(second - first, abs=1e-3)


@pytest.mark.parametrize("index", [-1, 2])
def test_contributions_of_no_block_are_an_index_error(analysis: PageFigures, index: int) -> None:
    with pytest.raises(IndexError, match=f"block {index} does not exist: the page has 2 blocks"):
        analysis.contributions(index)


def test_contributions_are_not_computed_before_they_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(Forest, "contributions", lambda *_: asked.append(1) or memoryview(array("f", [0.0] * 520)))
    doc = bonmun.extract(PAGE)
    assert doc.markdown
    assert doc.analysis.to_dict()
    assert not asked
    doc.analysis.contributions(0)
    assert asked


def test_reasons_and_figures_are_pickled_without_the_model(analysis: PageFigures) -> None:
    reasons = bonmun.extract(PAGE).verdicts.reasons
    written = pickle.dumps((reasons, analysis))
    assert len(written) < 6_000  # the page is in it, by the reference reader twice
    travelled, figures = pickle.loads(written)  # noqa: S301
    assert tuple(travelled) == tuple(reasons)
    assert figures == analysis
    assert figures.contributions(0) == analysis.contributions(0)


def test_contributions_of_a_model_of_your_own_are_not_pickled(analysis: PageFigures) -> None:
    own = replace(analysis, _contributions=Contributions(replace(shipped().trees), Measured(bytes(4 * len(COLUMNS)))))
    with pytest.raises(LookupError, match="extract the page again"):
        pickle.loads(pickle.dumps(own)).contributions(0)  # noqa: S301
