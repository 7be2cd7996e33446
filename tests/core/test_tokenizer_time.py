"""The compiled tokenizer takes linear time, also on hostile pages."""

import gc
import time

import pytest

from tests.core.tokens import tokenize

MANY_ATTRIBUTES = "".join(f" a{number}" for number in range(200_000))
HOSTILE = {
    "signs": ("", "<", "data"),
    "ampersands": ("", "&", "data"),
    "names that are none": ("", "&a", "data"),
    "names that begin well": ("", "&notX", "rcdata"),
    "a name without end": ("&", "a", "data"),
    "a number without end": ("&#", "1", "data"),
    "references": ("", "&amp;&#13;", "data"),
    "carriage returns": ("", "\r", "data"),
    "NULs": ("", "\0", "script"),
    "end tags without a name": ("", "</", "data"),
    "end tags in raw text": ("", "</title ", "rawtext"),
    "nearly end tags": ("", "</scripts", "script"),
    "comments in a script": ("", "<!--<script>", "script"),
    "comments that end in a script": ("", "<!--><!--<script></script>", "script"),
    "scripts hidden in a comment": ("<!--", "<script></script>", "script"),
    "comment openings": ("", "<!--", "data"),
    "comments": ("", "<!---->", "data"),
    "comment endings that are none": ("<!--", "->", "data"),
    "quotes in a tag": ("", '<a "', "data"),
    "quotes that never close": ("<a ", "a='", "data"),
    "equal signs": ("<a ", "=", "data"),
    "slashes": ("<a ", "/", "data"),
    "space before an equal sign": ("<a b", " ", "data"),
    "equal attributes": ("<a ", "b=&amp; ", "data"),
    "different attributes": ("<a ", MANY_ATTRIBUTES, "data"),
    "references in an attribute": ("<a b='", "&quot;", "data"),
    "doctypes": ("", "<!doctype a public '", "data"),
    "brackets": ("", "]]", "cdata"),
    "cdata": ("", "<![CDATA[]]>", "data"),
    "cdata that never ends": ("", "<![CDATA[>", "data"),
    "bogus comments": ("", "<?", "data"),
    "a tag name without end": ("<", "a", "data"),
}


def seconds(source: bytes, model: str) -> float:
    started = time.process_time()
    tokenize(source, model, "script", True)
    return time.process_time() - started


@pytest.mark.cpu_timed
@pytest.mark.parametrize("name", HOSTILE)
def test_four_times_the_page_takes_four_times_the_time(name: str) -> None:
    start, unit, model = HOSTILE[name]
    short, long = ((start + unit * (size // len(unit) + 1))[:size].encode() for size in (1_000_000, 4_000_000))
    gc.disable()  # it would traverse millions of tokens repeatedly
    try:
        short_time, long_time = (min(seconds(source, model) for _ in range(2)) for source in (short, long))
    finally:
        gc.enable()
    assert long_time < 4 * 3 * short_time + 0.05
