import bonmun
from bonmun.methods.xpath_groups import XPathAnalysis, analyse
from bonmun.read.parse import parse


def analysis_of(html: str) -> XPathAnalysis:
    analysis = bonmun.extract(html, method="xpath").analysis
    assert isinstance(analysis, XPathAnalysis)
    return analysis


def test_the_papers_example_gives_groups_of_one_one_two_and_two() -> None:
    # Seed 000, figure 4: PCData1 … PCData6.
    html = "<div>PCData1<h3>PCData2</h3><div>PCData3</div><div>PCData4</div><h3>PCData5</h3><h3>PCData6</h3></div>"
    analysis = analyse(parse(html))
    assert [node.path for node in analysis.nodes] == [
        "html/body/div",
        "html/body/div/h3",
        "html/body/div/div",
        "html/body/div/div",
        "html/body/div/h3",
        "html/body/div/h3",
    ]
    assert [(group.path, group.count) for group in analysis.groups] == [
        ("html/body/div", 1),
        ("html/body/div/h3", 1),
        ("html/body/div/div", 2),
        ("html/body/div/h3", 2),
    ]


def test_the_longest_group_is_the_main_text() -> None:
    doc = bonmun.extract(
        "<h1>Short</h1><p>A long first paragraph.</p><p>And a second.</p><div>menu</div>", method="xpath"
    )
    assert doc.text == "A long first paragraph.\n\nAnd a second."
    assert doc.method == "xpath"


def test_on_a_tie_the_earlier_group_wins() -> None:
    assert bonmun.extract("<p>abc</p><h2>xyz</h2>", method="xpath").text == "abc"


def test_the_same_path_may_come_back_as_another_group() -> None:
    groups = analysis_of("<p>one</p><h2>two</h2><p>three</p>").groups
    assert [group.path.rpartition("/")[2] for group in groups] == ["p", "h2", "p"]


def test_lengths_count_collapsed_white_space_and_sum_over_the_group() -> None:
    [group] = analysis_of("<p> a \n b </p><p>cd</p>").groups
    assert (group.count, group.length) == (2, 5)


def test_scripts_styles_templates_and_noscript_are_no_text_nodes() -> None:
    html = "<title>t</title><body><script>var a</script><style>p{}</style><noscript>n</noscript><p>x</p>"
    assert [node.text for node in analysis_of(html).nodes] == ["x"]


def test_inline_markup_breaks_a_group_and_the_block_is_kept_in_part() -> None:
    # A weakness that the paper names; the faithful method keeps it.
    doc = bonmun.extract("<p>start <b>bold</b> a much longer rest of the sentence</p>", method="xpath")
    assert doc.text == "a much longer rest of the sentence"
    [block] = doc.blocks
    assert block.part is not None
    assert block.runs[0].text == doc.text


def test_a_comment_list_longer_than_the_article_wins() -> None:
    doc = bonmun.extract(
        "<p>Article.</p><ul><li>First long comment.</li><li>Second long comment.</li></ul>", method="xpath"
    )
    assert "comment" in doc.text
    assert "Article" not in doc.text


def test_every_block_carries_its_group_and_a_score() -> None:
    doc = bonmun.extract("<h1>Head</h1><p>Some longer text here</p>", method="xpath")
    head, body = doc.all_blocks
    assert (head.keep, body.keep) == (False, True)
    assert (head.reasons[0].name, body.reasons[0].name) == ("shorter-group", "longest-group")
    assert body.score == 1.0
    assert 0 < head.score < 1


def test_hidden_words_of_the_group_are_in_the_answer_as_the_paper_does_not_see_styles() -> None:
    doc = bonmun.extract("<div><p>one <span hidden>two</span></p></div>", method="xpath")
    assert doc.text == "one"
    doc = bonmun.extract("<div><p>a <span hidden>much longer hidden text</span></p></div>", method="xpath")
    assert doc.text == "much longer hidden text"


def test_the_analysis_is_plain_data_on_request() -> None:
    data = analysis_of("<p>one</p><p>two</p>").to_dict()
    assert data["chosen"] == {"group": 0, "path": "html/body/p"}
    assert data["groups"] == [{"path": "html/body/p", "count": 2, "length": 6}]
    assert data["text"] == ["one", "two"]


def test_a_page_without_text_is_empty_with_a_reason() -> None:
    doc = bonmun.extract("<body></body>", method="xpath")
    assert doc.status == "empty"
    assert doc.reasons[0].name == "no-text"
