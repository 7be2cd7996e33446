"""The data of the Next.js app router."""

import json

import bonmun
from bonmun.read.page import read_page
from bonmun.read.parse import parse
from bonmun.read.react_flight import flight_rows, flight_text

_STORY = "The sea was calm that morning, and nobody spoke until the boats had come in again."


def _page(stream: str, size: int = 50) -> str:
    chunks = [stream[start : start + size] for start in range(0, len(stream), size)]
    pushes = (f"<script>self.__next_f.push([1,{json.dumps(chunk)}])</script>" for chunk in chunks)
    return "<title>Sea</title>" + "".join(pushes)


def _element(name: str, children: object, **properties: object) -> list[object]:
    return ["$", name, None, {**properties, "children": children}]


def test_rows_and_texts_are_joined_from_chunks() -> None:
    text = "Ein Text über 1:2 und\n3:[4]"
    rows = flight_rows(parse(_page(f'1:"$Sreact"\n2:I[1,[],""]\na:T{len(text.encode()):x},{text}b:["$La"]\n', size=7)))
    assert rows == {"1": "$Sreact", "a": text, "b": ["$La"]}


def test_elements_become_markup_with_references_in_place() -> None:
    rows: dict[str, object] = {
        "0": _element("main", [_element("h1", "A & B", className="t"), "$L1", "$L1", ["$", "br", None, {}], 2026]),
        "1": _element("p", ["$2", "$$5", "$undefined", "$0"]),
        "2": _STORY,
        "3": ["$", "$L9", None, {"notFound": _element("p", "404"), "label": "Menu", "children": _element("p", "In.")}],
        "4": _element("script", "alert()"),
    }
    assert flight_text(rows)[0] == (f'<main><h1 class="t">A &amp; B</h1><p>{_STORY}$5</p><br>2026</main><p>In.</p>')


def test_text_in_the_data_of_components_is_found() -> None:
    article = {"title": "Sea", "content": "$7", "cookieNotice": "We use cookies on this page. " * 20}
    rows = f"7:T{len(_STORY) * 10:x},{_STORY * 10}8:{json.dumps(['$', '$L9', None, {'article': article}])}\n"
    doc = bonmun.extract(_page(rows))
    assert "nobody spoke" in doc.text
    assert "cookies" not in doc.text
    assert doc.page.text_source == "script"
    assert "the Next.js data of the page (self.__next_f)" in doc.warnings[0]


def test_a_text_with_a_wrong_length_ends_at_the_next_row() -> None:
    assert flight_rows(parse(_page(f'a:T{len(_STORY) + 6:x},{_STORY}b:["x"]\n')))["b"] == ["x"]


def test_broken_pushes_and_lone_surrogates_are_skipped() -> None:
    good = json.dumps("0:" + json.dumps(_element("p", _STORY * 5)) + "\n")
    html = (
        r'<script>self.__next_f.push([1,"1:\ud83c\q\x\n"])</script><script>self.__next_f.push([1,"unclosed</script>'
        f"<script>self.__next_f.push([1,{good}])</script>"
    )
    assert _STORY in read_page(html).blocks.text[0]
