"""The compiled tokenizer: the public conformance cases of html5lib, and known pitfalls."""

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from tests.core.tokens import text, tokenize, tokens
from tests.corpora import DATA

CASES = DATA / "html5lib-tests" / "tokenizer"
MODELS = {
    "Data state": "data",
    "PLAINTEXT state": "plaintext",
    "RCDATA state": "rcdata",
    "RAWTEXT state": "rawtext",
    "Script data state": "script",
    "CDATA section state": "cdata",
}
COERCED = "coercion to an XML infoset: we keep the characters of the page"
EXCEPTIONS = {
    ("xmlViolation", "Non-XML character"): COERCED,
    ("xmlViolation", "Non-XML space"): COERCED,
    ("xmlViolation", "Double hyphen in comment"): COERCED,
}
"""The conformance cases that do not pass, and why."""


class Case(NamedTuple):
    file: str
    title: str
    source: str
    model: str
    last_start_tag: str | None
    expected: list[Any]


def conformance_cases() -> list[Case]:
    if not CASES.exists():
        pytest.skip("the conformance cases are not beside this checkout")
    return [
        case
        for path in sorted(CASES.glob("*.test"))
        for case in read_cases(path.stem, json.loads(path.read_text(encoding="utf-8")))
    ]


def read_cases(file: str, content: dict[str, list[dict[str, Any]]]) -> Iterator[Case]:
    for tests in content.values():
        for test in tests:
            source, expected = test["input"], test["output"]
            if test.get("doubleEscaped"):
                source, expected = unescaped(source), unescaped(expected)
            for state in test.get("initialStates", ["Data state"]):
                yield Case(file, test["description"], source, MODELS[state], test.get("lastStartTag"), expected)


def unescaped(value: Any) -> Any:
    if isinstance(value, str):
        halves = re.sub(r"\\u([0-9A-Fa-f]{4})", lambda match: chr(int(match[1], 16)), value)
        return halves.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    if isinstance(value, list):
        return [unescaped(item) for item in value]
    if isinstance(value, dict):
        return {unescaped(key): unescaped(item) for key, item in value.items()}
    return value


def test_every_conformance_case_passes_but_the_exceptions() -> None:
    cases = conformance_cases()
    failed = {(case.file, case.title) for case in cases if tokens(*case[2:5]) != case.expected}
    assert len(cases) > 7000
    assert failed == set(EXCEPTIONS)


@pytest.mark.parametrize("ends", ["\r\n", "\r"])
@pytest.mark.parametrize(
    ("source", "model", "expected"),
    [
        ("a|b", "data", [["Character", "a\nb"]]),
        ("a||b|", "rcdata", [["Character", "a\n\nb\n"]]),
        ("a|b", "rawtext", [["Character", "a\nb"]]),
        ("a|b", "script", [["Character", "a\nb"]]),
        ("a|b", "plaintext", [["Character", "a\nb"]]),
        ("a|b]]>", "cdata", [["Character", "a\nb"]]),
        ("<a|b|=|'|c|d'|e=f|>", "data", [["StartTag", "a", {"b": "\nc\nd", "e": "f"}]]),
        ("<!--a|b-->", "data", [["Comment", "a\nb"]]),
        ("<?a|b>", "data", [["Comment", "?a\nb"]]),
        ("<!doctype|a|public|'b|c'|'d|e'|>", "data", [["DOCTYPE", "a", "b\nc", "d\ne", True]]),
        ("&amp|&#65|b", "data", [["Character", "&\nA\nb"]]),
    ],
)
def test_every_line_end_becomes_a_line_feed(source: str, model: str, expected: list[Any], ends: str) -> None:
    assert tokens(source.replace("|", ends), model) == expected


def test_a_carriage_return_from_a_reference_is_kept() -> None:
    assert text("&#13;&#x0D;\n") == "\r\r\n"
    assert text("\n\r\n\r\r") == "\n\n\n\n"


@pytest.mark.parametrize("model", ["rcdata", "rawtext", "script", "plaintext"])
def test_a_nul_is_replaced_in_raw_text(model: str) -> None:
    assert tokens("a\0b\0", model) == [["Character", "a�b�"]]
    assert tokenize(b"\0", model)[0][5] is False


@pytest.mark.parametrize("model", ["data", "cdata"])
def test_a_nul_in_other_text_is_left_to_the_tree(model: str) -> None:
    [(_, start, stop, characters, blank, has_nul, spilled)] = tokenize(b"a\0b", model)
    assert (start, stop, characters, blank, has_nul, spilled) == (0, 3, "a\0b", False, True, False)
    assert [token[5] for token in tokenize(b"a<b>\0<b>a", "data") if token[0] == "text"] == [False, True, False]


def test_a_nul_in_markup_is_replaced() -> None:
    assert tokens("<a\0 b\0=c\0 d='\0' e=\0>") == [["StartTag", "a�", {"b�": "c�", "d": "�", "e": "�"}]]
    assert tokens("</A\0>") == [["EndTag", "a�"]]
    assert tokens("<!--\0--><?\0>") == [["Comment", "�"], ["Comment", "?�"]]
    assert tokens("<!DOCTYPE \0A SYSTEM '\0'>") == [["DOCTYPE", "�a", None, "�", True]]
    long = "x" * 20
    assert tokens(f"<{long}\0><{long}�>") == [["StartTag", f"{long}�", {}]] * 2


@pytest.mark.parametrize(
    "characters",
    ["plain", "본문 ü 🙂", "AT&T, R&D & more", "a < b <3 <", "&unknown; &#; &#x; &", "x &lambda", "\ufeff"],
)
def test_text_without_decoding_is_not_copied(characters: str) -> None:
    [(_, start, stop, text, _, _, spilled), *_] = tokenize(f"{characters}<b>".encode())
    assert (text, start, stop, spilled) == (characters, 0, len(characters.encode()), False)


def test_decoded_text_is_one_token_with_its_offsets_in_the_source() -> None:
    source = b"<p>1 &lt; 2\r\n&amp; 3<b>"
    assert tokenize(source)[1] == ("text", 3, len(source) - 3, "1 < 2\n& 3", False, False, True)


@pytest.mark.parametrize(
    ("source", "blank"),
    [
        (" \t\n\f\r", True),
        ("\n" + " " * 20 + "\t" + " " * 9, True),
        ("\n" + " " * 16 + "x", False),
        (" " * 17 + "\0", False),
        ("&#32;&Tab;&NewLine; ", True),
        ("\xa0", False),
        ("&nbsp;", False),
        (" \0", False),
        ("\v", False),
    ],
)
def test_blank_is_what_html_calls_white_space(source: str, blank: bool) -> None:
    assert tokenize(source.encode())[0][4] is blank


def test_tokens_have_their_offsets_in_the_source() -> None:
    source = "<!doctype html><p a='&amp;' >ü&lt;</p ><!-- x --></><?y>z<![CDATA[w]]>".encode()
    places = [(kind, source[start:stop].decode()) for kind, start, stop, *_ in tokenize(source, "data", None, True)]
    assert places == [
        ("doctype", "<!doctype html>"),
        ("start", "<p a='&amp;' >"),
        ("text", "ü&lt;"),
        ("end", "</p >"),
        ("comment", "<!-- x -->"),
        ("comment", "<?y>"),
        ("text", "z"),
        ("text", "w"),
    ]


def test_the_first_of_two_equal_attributes_counts() -> None:
    assert tokens("<a B=1 b=2 c B=3>") == [["StartTag", "a", {"b": "1", "c": ""}]]
    assert tokens("<a b=1><a b=2>") == [["StartTag", "a", {"b": "1"}], ["StartTag", "a", {"b": "2"}]]
    assert tokenize(b"</a b=1 c>") == [("end", 0, 10, "a")]


def test_attributes_beyond_the_limit_are_counted_once_each() -> None:
    [(*_, attributes, self_closing, cut)] = tokenize(b"<a b=1 c=2 b d=3 e=4 d=5 c/>", "data", None, False, 2)
    assert (attributes, self_closing, cut) == ((("b", "1"), ("c", "2")), True, 2)


def test_names_of_any_length_are_distinguished() -> None:
    words = [
        letters * count + tail for count in range(1, 12) for letters in ("a", "é", "bc") for tail in ("", "-d", "-e")
    ]
    names = [f"x{word}" for word in words]
    tags = tokenize("".join(f"<{name.upper()} {name}={place}>" for place, name in enumerate(names)).encode())
    lowered = [name.replace("é", "É") for name in names]
    assert [token[3] for token in tags] == lowered
    assert [token[4] for token in tags] == [((name, str(place)),) for place, name in enumerate(names)]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<a/>", ["a", {}, True]),
        ("<a / >", ["a", {}]),
        ("<a //>", ["a", {}, True]),
        ("<a b/>", ["a", {"b": ""}, True]),
        ("<a b=c/>", ["a", {"b": "c/"}]),
        ("<a b='c'/>", ["a", {"b": "c"}, True]),
        ("<a b='c'd>", ["a", {"b": "c", "d": ""}]),
        ("<a b=>", ["a", {"b": ""}]),
        ("<a b = >", ["a", {"b": ""}]),
        ("<a =b==c=d>", ["a", {"=b": "=c=d"}]),
        ("<a b / =c>", ["a", {"b": "", "=c": ""}]),
        ("<a \"b'<=`>", ["a", {"\"b'<": "`"}]),
        ("<a=b c>", ["a=b", {"c": ""}]),
        ("<a\vb c\vd=e\vf>", ["a\vb", {"c\vd": "e\vf"}]),
        ("<a b='>' c=\"'\">", ["a", {"b": ">", "c": "'"}]),
        ("<a<b>", ["a<b", {}]),
    ],
)
def test_malformed_tags_are_read_as_in_browsers(source: str, expected: list[Any]) -> None:
    assert tokens(source) == [["StartTag", *expected]]


@pytest.mark.parametrize(
    "inside",
    [
        "",
        "</scrip></scriptx></ script><script>",
        "<!--",
        "<!-- <script>  </script>  --> ",
        "<!-- <script> </script> ",
        "<!-- <script> </script> <script/ </script\t ",
        "<!-- <script> --> ",
        "<!-- <scriptx> ",
        "<!--><script>",
        "<!---><script>",
        "<!-- <script-->",
        "<!-- <SCRIPT> </Script/ ",
        "<!-- </script-->",
        "<!- <script>",
        "<!-- <script> </scripty> --> ",
    ],
)
def test_a_script_ends_at_its_end_tag(inside: str) -> None:
    expected = [["Character", inside]] if inside else []
    assert tokens(f"{inside}</SCRIPT a>b", "script", "script") == [*expected, ["EndTag", "script"], ["Character", "b"]]


@pytest.mark.parametrize("inside", ["<!--<script>", "<!-- <script></scriptx>", "<!--<script>--</script>--<script >"])
def test_a_script_in_a_comment_in_a_script_hides_the_end_tag(inside: str) -> None:
    assert tokens(f"{inside}</script>", "script", "script") == [["Character", f"{inside}</script>"]]
    shown = [["Character", f"{inside}</script>"], ["EndTag", "script"]]
    assert tokens(f"{inside}</script></script>", "script", "script") == shown


@pytest.mark.parametrize("model", ["rcdata", "rawtext", "script"])
def test_only_the_end_tag_of_its_own_element_ends_raw_text(model: str) -> None:
    source = "a</b></titles></title-></ title><title></TITLE "
    assert tokens(f"{source}>", model, "title")[-1] == ["EndTag", "title"]
    assert tokens(source, model, "title") == [["Character", "a</b></titles></title-></ title><title>"]]
    assert tokens("a</title", model, "title") == [["Character", "a</title"]]
    assert tokens("a</title>", model) == [["Character", "a</title>"]]
    assert tokens("</title/><b>", model, "title") == [["EndTag", "title"], ["StartTag", "b", {}]]


def test_cdata_is_text_in_foreign_content_only() -> None:
    source = "a<![CDATA[<b>&amp;]]]>]>c"
    assert tokens(source, foreign=True) == [["Character", "a<b>&amp;]]>c"]]
    assert tokens(source)[:2] == [["Character", "a"], ["Comment", "[CDATA[<b"]]
    assert tokens("<![cdata[a]]>", foreign=True) == [["Comment", "[cdata[a]]"]]
    assert tokens("<![CDATA[]]><![CDATA[]>]]", foreign=True) == [["Character", "]>]]"]]


@pytest.mark.parametrize(
    ("source", "data"),
    [
        ("<!-->", ""),
        ("<!--->", ""),
        ("<!---->", ""),
        ("<!--->-->", ""),
        ("<!---!>-->", "-!>"),
        ("<!----!>", ""),
        ("<!--a--!>", "a"),
        ("<!--a--!b-->", "a--!b"),
        ("<!--a--->", "a-"),
        ("<!--<!---->", "<!--"),
        ("<!--a", "a"),
        ("<!--a-", "a"),
        ("<!--a--", "a"),
        ("<!--a---", "a-"),
        ("<!--a--!", "a"),
        ("<!--a--!-", "a--!"),
        ("<!---", ""),
        ("<!--", ""),
        ("<!-", "-"),
        ("<!", ""),
        ("<!>", ""),
        ("<!a>", "a"),
        ("<?a?>", "?a?"),
        ("<?", "?"),
        ("</ a>", " a"),
        ("</?>", "?"),
        ("<!doctyp>", "doctyp"),
    ],
)
def test_comments_and_bogus_comments(source: str, data: str) -> None:
    assert tokens(source)[0] == ["Comment", data]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("", [None, None, None, False]),
        (" ", [None, None, None, False]),
        ("html", ["html", None, None, True]),
        (" HTML ", ["html", None, None, True]),
        (" a b", ["a", None, None, False]),
        (" a PUBLIC", ["a", None, None, False]),
        (" a public'b'", ["a", "b", None, True]),
        (" a public 'b\"", ["a", 'b"', None, False]),
        (" a public '' \"c\"", ["a", "", "c", True]),
        (" a public 'b'c", ["a", "b", None, False]),
        (" a system", ["a", None, None, False]),
        (" a system'b' c", ["a", None, "b", True]),
        (" a system 'b", ["a", None, "b", False]),
    ],
)
def test_doctypes_and_whether_they_force_quirks(source: str, expected: list[Any]) -> None:
    assert tokens(f"<!DOCTYPE{source}>") == [["DOCTYPE", *expected]]
    cut_off = [["DOCTYPE", *expected[:3], source == " a system'b' c"]]
    assert tokens(f"<!DocType{source}") == cut_off


@pytest.mark.parametrize(
    "tag", ["<a", "<a ", "<a/", "<a b", "<a b ", "<a b=", "<a b= ", "<a b='", "<a b='c'", "<a b=c", "</a", "</a "]
)
def test_an_incomplete_tag_at_the_end_of_the_file_is_dropped(tag: str) -> None:
    assert tokens(f"x{tag}") == [["Character", "x"]]


@pytest.mark.parametrize("sign", ["<", "</", "&", "&#", "&#x", "&am", "a<", "<<", "< a>", "<1>"])
def test_a_delimiter_that_starts_no_markup_is_text(sign: str) -> None:
    assert tokens(sign) == [["Character", sign]]


def test_an_end_tag_without_a_name_is_ignored() -> None:
    assert tokens("a</>b") == [["Character", "ab"]]
    assert tokenize(b"</></>") == []


EVERYTHING = (
    b"<!DOCTYPE html PUBLIC 'a' \"b\">\r\n<p A='&lt;\r\n' b=\"&#x41\" c=&amp;d e>x &copy y\0&#1;<br/></p >"
    b"<!-- a - -- b --><?pi?><![CDATA[ a ]] > b ]]></>< </ x><!-- <script> --></script><![CDATA[ &"
)


@pytest.mark.parametrize("model", MODELS.values())
@pytest.mark.parametrize("foreign", [False, True])
def test_a_page_cut_off_anywhere_gives_tokens_in_order(model: str, foreign: bool) -> None:
    for length in range(len(EVERYTHING) + 1):
        read = 0
        for _, start, stop, *_ in tokenize(EVERYTHING[:length], model, "script", foreign):
            assert read <= start < stop <= length
            read = stop


def test_invalid_utf_8_passes_through() -> None:
    with pytest.raises(UnicodeDecodeError):
        tokenize(b"\xff")
    assert tokens("<a \ud800='\udfff'>\ud800") == [["StartTag", "a", {"\ud800": "\udfff"}], ["Character", "\ud800"]]
