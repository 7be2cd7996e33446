from time import process_time

import pytest

from bonmun.errors import LimitExceeded
from bonmun.limits import Limits
from bonmun.read.prescan import prescan
from tests.corpora import pages


@pytest.mark.cpu_timed
@pytest.mark.parametrize(
    ("html", "limit"),
    [
        ("<div>" * 100_000, "depth"),
        ("<ul><li>" * 50_000, "depth"),
        ("<dl><dt><dd>" * 50_000, "depth"),
        ("<a><div>" * 100_000, "depth"),
        ("<div/>" * 100_000, "depth"),
        ("<div><!-- </div> --><p title='</div>'></p><script></div></script>" * 2_000, "depth"),
        ("".join(f"<p><font color={n}>" for n in range(5_000)), "depth"),
        ("<p " + " ".join(f"a{n}=1" for n in range(100_000)) + ">", "attributes"),
        ("<a '" * 300_000, "attributes"),
        ("<p>" * 2_000_001, "nodes"),
    ],
    ids=lambda value: value[:12],
)
def test_a_page_too_slow_for_lexbor_is_refused_in_less_than_a_second(html: str, limit: str) -> None:
    start = process_time()
    with pytest.raises(LimitExceeded) as refused:
        prescan(html, Limits())
    assert refused.value.limit == limit
    assert process_time() - start < 1


@pytest.mark.parametrize(
    "html",
    [
        "<p>x" * 100_000,
        "<ul>" + "<li>x" * 100_000,
        "<select>" + "<option>x" * 300_000,
        "<table>" + "<tr><td>x<td>y" * 50_000,
        "<dl>" + "<dt>x<dd>y" * 50_000,
        "x<br>" * 100_000,
        "<svg>" + "<path d='x'/>" * 50_000 + "</svg>",
        "<a href=x>y" * 10_000,
        "<" * 400_000,
        "<!--" * 300_000,
        "<script>" + "<div>" * 100_000,
    ],
    ids=lambda value: value[:16],
)
def test_long_and_broken_pages_that_are_not_deep_pass(html: str) -> None:
    prescan(html, Limits())


def test_no_real_page_is_refused() -> None:
    for name in ("cjk_dev", "cleanportaleval"):
        for record in pages(name):
            prescan(record["html"], Limits())
