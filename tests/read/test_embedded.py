"""Pages with their text embedded for scripts only."""

import json

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
