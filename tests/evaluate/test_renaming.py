import json
import re

import pytest

from bonmun.errors import UnknownName
from bonmun.evaluate.corpora import open_corpus
from bonmun.evaluate.renaming import anonymous, renamed, without_semantics
from bonmun.read.page import read_page

PAGE = """<!doctype html><html class="no-js"><head><style>.body {color: red}</style></head>
<body id=top class='home page'><!-- <p class="body"> -->
<article CLASS="body story"><h1 class = "title">Tea</h1>
<p class=body data-class="lead">It is <b id="x">hot</b>.</p>
<script>document.write('<p class="body">')</script></article>
<footer role="contentinfo">Imprint</footer></body></html>"""


def names(html: str) -> set[str]:
    nodes = read_page(html).nodes
    listed = (nodes.attr(row, name) for row in range(len(nodes)) for name in ("class", "id"))
    return {word for value in listed if value for word in value.split()}


@pytest.mark.parametrize("mutation", [renamed, without_semantics, anonymous])
def test_all_names_change_and_the_text_stays(mutation):
    changed = mutation(PAGE, "7")
    assert not names(PAGE) & names(changed)
    assert len(names(PAGE)) == len(names(changed))
    assert list(read_page(changed).blocks.text) == list(read_page(PAGE).blocks.text)


def test_scripts_styles_comments_and_other_attributes_stay():
    changed = renamed(PAGE, "7")
    for part in (
        ".body {color",
        '<!-- <p class="body"> -->',
        """write('<p class="body">')""",
        'data-class="lead"',
        "role=",
    ):
        assert part in changed


def test_the_same_name_gets_the_same_token_and_the_same_seed_the_same_page():
    changed = renamed(PAGE, "7")
    story, paragraph = (re.search(pattern, changed)[1] for pattern in (r'CLASS="(\w+) ', r'<p class="(\w+)" data'))
    assert story == paragraph
    assert changed == renamed(PAGE, "7") != renamed(PAGE, "8")


def test_semantic_tags_become_div():
    assert "<article" in renamed(PAGE, "7")
    assert "<article" not in without_semantics(PAGE, "7")
    assert "<footer" in without_semantics(PAGE, "7")
    assert "<footer" not in anonymous(PAGE, "7")


def test_a_renamed_corpus_has_a_name_of_its_own(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"id": "1", "html": PAGE, "gold_text": "Tea"}), encoding="utf-8")
    corpus = open_corpus(path, rename="names")
    assert corpus.name == "a-renamed-names"
    (case,) = corpus.cases()
    assert case.html == renamed(PAGE, "1")
    with pytest.raises(UnknownName, match="names, tags"):
        open_corpus(path, rename="colours")
