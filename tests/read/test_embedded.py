"""Pages with their text embedded for scripts only."""

import json
import pickle

import pytest

import bonmun
from bonmun.read.page import read_page

_STORY = "The sea was calm that morning, and nobody spoke. " * 8


def _script(kind: str, data: object, before: str = "") -> str:
    return f"<title>Sea</title><script {kind}>{before}{json.dumps(data)}</script><div id=app></div>"


def test_the_article_body_of_json_ld_is_read_if_the_page_has_no_visible_text():
    html = _script('type="application/ld+json"', {"@type": "Article", "articleBody": _STORY})
    doc = bonmun.extract(html)
    assert "nobody spoke" in doc.text
    assert any("JSON-LD" in warning for warning in doc.warnings)


def test_texts_of_a_framework_state_are_read_in_order_and_once():
    state = {
        "props": {
            "title": "Sea",
            "parts": [f"<p>First. {_STORY}</p>", f"Second. {_STORY}"],
            "again": f"Second. {_STORY}",
        }
    }
    page = read_page(_script('id="__NEXT_DATA__" type="application/json"', state))
    assert [text.split(".")[0] for text in page.blocks.text] == ["Sea", "First", "Second"]


def test_a_state_assigned_in_a_script_is_read_without_running_it():
    page = read_page(_script("", {"body": _STORY}, before="window.__STATE__ = "))
    assert "nobody spoke" in page.blocks.text[0]


def test_embedded_text_is_ignored_if_the_page_has_visible_text():
    html = _script('type="application/ld+json"', {"articleBody": "Something else. " * 100})
    page = read_page(html + f"<p>{_STORY * 4}</p>")
    assert not any("Something else" in text for text in page.blocks.text)
    assert not page.warnings


def test_scripts_that_are_not_json_are_ignored():
    page = read_page(f"<script>let a = {{b: 1}}; if (a) {{ alert('{_STORY}') }}</script><p>Tea</p>")
    assert page.blocks.text == ("Tea",)


def test_the_article_body_may_stand_in_a_graph_and_hold_markup():
    graph = {"@graph": [{"@type": "WebSite"}, {"headline": "The sea", "articleBody": f"<p>{_STORY}</p><h2>Boats</h2>"}]}
    page = read_page(_script('type="application/ld+json"', graph))
    assert page.blocks.text == ("The sea", _STORY.strip(), "Boats")
    escaped = {"articleBody": f"&lt;p&gt;{_STORY}&lt;/p&gt;"}
    assert read_page(_script('type="application/ld+json"', escaped)).blocks.text == (_STORY.strip(),)


def test_the_title_of_embedded_text_is_left_out_if_the_page_shows_it():
    html = _script('type="application/ld+json"', {"headline": "The sea", "articleBody": _STORY})
    assert read_page(html + "<h1>The sea</h1>").blocks.text == ("The sea", _STORY.strip())


@pytest.mark.parametrize("place", [{"i18n": {"en": "TEXT"}}, {"messages": ["TEXT"]}, {"ui": {"cookieNotice": "TEXT"}}])
def test_texts_of_the_interface_lose_to_the_article(place):
    interface = json.loads(json.dumps(place).replace("TEXT", "You can change this at any time. " * 40))
    page = read_page(_script("", {**interface, "post": {"html": _STORY}}, before="window.__STATE__ = "))
    assert page.blocks.text == (_STORY.strip(),)


def test_the_lead_and_title_beside_the_text_are_read():
    post = {"title": "Sea", "lead": "Nobody went out that day, and the gulls were bored.", "body": _STORY}
    page = read_page(_script('id="__NEXT_DATA__" type="application/json"', {"props": {"post": post}}))
    assert page.blocks.text == ("Sea", post["lead"], _STORY.strip())


def test_a_teaser_or_second_copy_of_the_text_is_not_read():
    post = {
        "summary": _STORY[:150],
        "body": [{"type": "paragraph", "model": {"text": _STORY, "parts": [{"text": _STORY}]}}],
    }
    page = read_page(_script("", {"a": post, "b": {"content": f"<p>{_STORY}</p>"}}, before="window.__STATE__ = "))
    assert page.blocks.text == (_STORY.strip(),)


@pytest.mark.parametrize(
    ("html", "source"),
    [
        (f"<p>{_STORY}</p>", "markup"),
        (f"<body><noscript><p>{_STORY}</p></noscript>", "noscript"),
        (_script('type="application/ld+json"', {"articleBody": _STORY}), "json-ld"),
        (_script("", {"body": _STORY}, before="window.__INITIAL_STATE__ = "), "script"),
        (f"<svg><text>{_STORY}</text></svg>", "drawings"),
    ],
)
def test_a_page_names_the_source_of_its_text(html, source):
    page = read_page(html)
    assert page.text_source == source
    assert pickle.loads(pickle.dumps(page)) == page  # noqa: S301
    assert bool(page.warnings) == (source != "markup")


def test_warnings_name_the_state():
    warnings = read_page(_script("", {"body": _STORY}, before="window.__APOLLO_STATE__ = ")).warnings
    assert warnings[0].startswith("nearly all text stands in the Apollo state of the page (__APOLLO_STATE__): ")
