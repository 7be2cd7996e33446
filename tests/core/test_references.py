"""Character references in the compiled tokenizer."""

import pytest

from tests.core.tokens import text, value


@pytest.mark.parametrize(
    ("source", "in_text", "in_attribute"),
    [
        ("&copy", "©", "©"),
        ("&copy;", "©", "©"),
        ("&copy=1", "©=1", "&copy=1"),
        ("&copycat", "©cat", "&copycat"),
        ("&copy1", "©1", "&copy1"),
        ("&copy;cat", "©cat", "©cat"),
        ("&copy cat", "© cat", "© cat"),
        ("&copy&amp", "©&", "©&"),
        ("&notit;", "¬it;", "&notit;"),
        ("&notin;", "∉", "∉"),
        ("&notin", "¬in", "&notin"),
        ("&not", "¬", "¬"),
        ("&no", "&no", "&no"),
        ("&ampamp;", "&amp;", "&ampamp;"),
        ("&AMP;&Amp;", "&&Amp;", "&&Amp;"),
        ("&nGt;", "≫⃒", "≫⃒"),
        ("&CounterClockwiseContourIntegral;", "∳", "∳"),
        (
            "&CounterClockwiseContourIntegrals;",
            "&CounterClockwiseContourIntegrals;",
            "&CounterClockwiseContourIntegrals;",
        ),
        ("&" + "a" * 100 + ";", "&" + "a" * 100 + ";", "&" + "a" * 100 + ";"),
        ("&;&&lt;", "&;&<", "&;&<"),
    ],
)
def test_named_references_end_where_browsers_end_them(source: str, in_text: str, in_attribute: str) -> None:
    assert text(source) == in_text
    assert text(source, "rcdata") == in_text
    assert value(source) == in_attribute
    assert text(source, "rawtext") == source


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("&#65;&#x41;&#X41;", "AAA"),
        ("&#65&#x41;b", "AAb"),
        ("&#x41g", "Ag"),
        ("&#150;&#x80;", "–€"),
        ("&#129;&#x9d;", "\x81\x9d"),
        ("&#0;&#00;", "��"),
        ("&#xD800;&#xDFFF;", "��"),
        ("&#x10FFFF;", "\U0010ffff"),
        ("&#x110000;&#99999999999999999999999;", "��"),
        ("&#xFFFE;&#x1;", "\ufffe\x01"),
        ("&#a;&#xg;&#-1;&#;&#x;", "&#a;&#xg;&#-1;&#;&#x;"),
    ],
)
def test_numeric_references(source: str, expected: str) -> None:
    assert text(source) == expected
    assert value(source) == expected


def test_a_repeated_reference_has_the_same_meaning() -> None:
    source = "&lt;&lt;\r&lt;&copy &lt;&#65;&lt;&lt &lt;&ltx;&unknown;&lt;&amp;&lt;&lt;"
    expected = "<<\n<© <A<< <{}&unknown;<&<<"
    assert text(source) == expected.format("<x;")
    assert value(source) == expected.format("&ltx;")
    assert text("&lt;" * 1000 + "&gt;" * 1000) == "<" * 1000 + ">" * 1000
    assert text("&am&amp;&amp;p;&amp") == "&am&&p;&"
