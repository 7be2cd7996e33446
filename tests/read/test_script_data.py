"""Data of scripts: states, JSON elements and the formats of Nuxt, read without running anything."""

import json

import pytest

from bonmun.read.javascript import NotALiteral, literal
from bonmun.read.parse import parse
from bonmun.read.script_data import script_data, unflattened


def _data(script: str, attributes: str = "") -> list[tuple[str, object]]:
    found = script_data(parse(f"<script {attributes}>{script}</script>"))
    return [(data.source, data.value) for data in found]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{a:1,'b':[true,!1,null,void 0],\"c\":'it\\'s'}", {"a": 1, "b": [True, False, None, None], "c": "it's"}),
        ("{a:new Date(0),b:Array(3),c:`tea`,d:.5,e:-1e-5,}", {"a": None, "b": None, "c": "tea", "d": 0.5, "e": -1e-5}),
        (r'"\u003cp>\x41\u{1F375}\q"', "<p>A🍵q"),
        (r"['\ud83c\udf75', '\u{110000}']", ["\ud83c\udf75", "\N{REPLACEMENT CHARACTER}"]),
        ("[tea, {b: milk}]", ["green", {"b": None}]),
    ],
)
def test_literals_of_javascript_are_data(text: str, value: object) -> None:
    assert literal(text, names={"tea": "green"})[0] == value


@pytest.mark.parametrize(
    "text", ["", "{a}", "[1", "{a:1", "]", '"tea', "f(g())", "{a:1]", "[" * 5000, "(1)", "{[1]:2}"]
)
def test_expressions_and_cut_literals_are_not(text: str) -> None:
    with pytest.raises(NotALiteral):
        literal(text)


def test_states_are_read_with_code_around_them() -> None:
    script = 'a(); window.__APOLLO_STATE__ = {"Tea:1":{"name":"Oolong"}}; if (b) { window["other"] = {c: 1} } run({})'
    assert _data(script) == [
        ("the Apollo state of the page (__APOLLO_STATE__)", {"Tea:1": {"name": "Oolong"}}),
        ("the data of a script (other)", {"c": 1}),
    ]


@pytest.mark.parametrize("quoted", [json.dumps, lambda text: "'" + text.replace("'", "\\'") + "'"])
def test_states_may_be_strings_of_json(quoted: object) -> None:
    text = quoted('{"tea": "it\'s"}')  # type: ignore[operator]
    assert _data(f"window.__PRELOADED_STATE__ = JSON.parse({text});")[0][1] == {"tea": "it's"}
    assert _data(f"window.__PRELOADED_STATE__ = {text};")[0][1] == {"tea": "it's"}
    encoded = 'window.a = JSON.parse(decodeURIComponent("%7B%22tea%22%3A%22gr%C3%BCn%22%7D"))'
    assert _data(encoded)[0][1] == {"tea": "grün"}


def test_ids_that_are_no_names_stay_out_of_warnings() -> None:
    assert _data("{}", 'id="state-1"')[0][0] == "the data of a script (state-1)"
    assert _data("{}", 'id="\x1b[31m red"')[0][0] == "the data of a script"


def test_strings_of_json_inside_a_state_are_parsed() -> None:
    inner = {"article": {"body": "Tea is made of leaves. " * 20}}
    [(_, state)] = _data(json.dumps({"urqlState": {"1": {"data": json.dumps(inner)}}}), 'id="__NEXT_DATA__"')
    assert state == {"urqlState": {"1": {"data": inner}}}


def test_parameters_of_a_nuxt_function_are_resolved() -> None:
    script = 'window.__NUXT__=(function(a,b,c){c.x=a;c["y z"]=b;return {t:a,l:[b,c],f:d}}("Tea",2,{}));'
    assert _data(script) == [
        ("the Nuxt data of the page (__NUXT__)", {"t": "Tea", "l": [2, {"x": "Tea", "y z": 2}], "f": None})
    ]


def test_a_nuxt_function_without_its_call_still_gives_its_texts() -> None:
    assert _data('window.__NUXT__=(function(a){return {t:"Tea",n:a}}(')[0][1] == {"t": "Tea", "n": None}


def test_tables_of_references_may_be_cyclic_or_broken() -> None:
    table = [["Reactive", 1], {"self": 0, "tea": 2, "no": 99, "minus": -1}, "green"]
    value = unflattened(table)
    assert isinstance(value, dict)
    assert value["self"] in (value, [])
    assert (value["tea"], value["no"], value["minus"]) == ("green", None, None)
    assert unflattened([]) is None
