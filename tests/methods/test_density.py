import pytest

import bonmun
from bonmun.methods.density import Density, DensityAnalysis, analyse, indexed_path
from bonmun.read.parse import parse

ARTICLE = "Tea is made of leaves and of water. " * 4
COMMENT = "I like coffee far better than tea, to be honest. " * 9


def analysis_of(html: str) -> DensityAnalysis:
    analysis = bonmun.extract(html, method="density").analysis
    assert isinstance(analysis, DensityAnalysis)
    return analysis


def test_the_densities_are_those_of_the_formulas() -> None:
    # Page: 13 characters outside links, 4 inside, 2 links. The div: 10 outside, 4 inside, 1 link, 2 elements.
    html = "<div><p>ten chars.<a href=x>link</a></p></div><p>abc</p><a href=y></a>"
    [node] = analysis_of(html).block_nodes
    assert node.path == "body1/div1"
    assert node.text_density == pytest.approx(10 / 14)
    assert node.link_density == pytest.approx(1 / 3)
    assert node.plain_density == pytest.approx(10 / 15)
    assert node.size == 2
    assert node.density == pytest.approx((10 / 14) * (1 - 1 / 3) * (10 / 15) / (1 + 2 * 0.3))


def test_the_densest_block_node_is_the_main_text() -> None:
    html = f"<div><a href=1>Home</a> <a href=2>News</a></div><div id=text>{ARTICLE}</div><table><tr><td>Imprint</table>"
    doc = bonmun.extract(html, method="density")
    assert doc.text == ARTICLE.strip()
    assert doc.method == "density"


def test_on_a_tie_the_earlier_block_node_wins() -> None:
    assert bonmun.extract("<div>abc</div><div>xyz</div>", method="density").text == "abc"


def test_a_table_is_a_block_node_too() -> None:
    html = f"<div>menu</div><table><tr><td>{ARTICLE}</td></tr></table>"
    assert bonmun.extract(html, method="density").text == ARTICLE.strip()


def test_comments_longer_than_the_article_win() -> None:
    # The paper's own example of what goes wrong on one page alone.
    html = f"<div>{ARTICLE}</div><div>{COMMENT}</div>"
    assert bonmun.extract(html, method="density").text == COMMENT.strip()


def test_a_page_without_block_nodes_is_one_block() -> None:
    assert bonmun.extract("<p>One.</p><p>Two.</p>", method="density").text == "One.\n\nTwo."


def test_a_page_of_links_alone_has_nothing_dense() -> None:
    doc = bonmun.extract("<div><a href=x>one</a></div>", method="density")
    assert doc.status == "empty"
    assert [str(reason) for reason in doc.reasons] == ["no-text: no block node has text outside links"]


def test_scripts_are_no_text() -> None:
    assert bonmun.extract(f"<div><script>{COMMENT}</script>no</div><div>yes!</div>", method="density").text == "yes!"


def test_a_path_counts_siblings_of_the_same_tag() -> None:
    nodes = parse("<div></div><p></p><div><table></table><div></div><div>x</div></div>")
    assert [indexed_path(nodes, row) for row in analyse(nodes).rows] == [
        "body1/div1",
        "body1/div2",
        "body1/div2/table1",
        "body1/div2/div1",
        "body1/div2/div2",
    ]


def test_a_large_alpha_prefers_small_blocks() -> None:
    html = f"<div>{'<p>Some text of it.</p>' * 9}<div>{'Some other text. ' * 3}</div></div>"
    page = bonmun.read_page(html)
    whole, part = Density(alpha=0.01).judge(page), Density(alpha=3).judge(page)
    assert sum(whole.keep) == 10
    assert sum(part.keep) == 1


def test_every_block_has_a_reason_that_names_the_element() -> None:
    doc = bonmun.extract("<div>menu</div><div>The longest text there is.</div>", method="density")
    assert [str(block.reasons[0]) for block in doc.all_blocks] == [
        "outside-region: not in /html/body/div[2]",
        "densest-block: /html/body/div[2]",
    ]


def test_the_intermediate_results_are_plain_data() -> None:
    data = analysis_of("<div>Some text.</div>").to_dict()
    assert data["chosen"] == "body1/div1"
    assert isinstance(data["block_nodes"], list)
    assert data["block_nodes"][0]["size"] == 0
