"""The limits hold for a whole extraction: reading, judging and every output."""

import pickle
from time import process_time
from typing import Any

import pytest

import bonmun
from bonmun import LimitExceeded, Limits, deadline
from bonmun.registry import FORMATS

PAGE = "<title>Tea</title><p>Tea is made of leaves, and of water that has just boiled.</p>" * 3


@pytest.mark.parametrize("name", ["bytes", "nodes", "blocks", "depth", "attributes", "output", "seconds"])
@pytest.mark.parametrize(("value", "error"), [(-1, ValueError), (True, TypeError), ("1", TypeError), (None, TypeError)])
def test_invalid_limits_are_errors(name: str, value: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match=rf"Limits\.{name} must be"):
        Limits(**{name: value})


def test_seconds_may_be_a_fraction_but_not_nan() -> None:
    assert Limits(seconds=0.5).seconds == 0.5
    with pytest.raises(ValueError, match=r"Limits\.seconds must be 0 or more, not nan"):
        Limits(seconds=float("nan"))
    with pytest.raises(TypeError, match=r"Limits\.bytes must be an integer, not float"):
        Limits(bytes=1.5)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", [name for name in FORMATS if name != "rendered"])  # needs a browser
def test_an_output_beyond_its_limit_is_refused(name: str) -> None:
    document = bonmun.extract(PAGE, limits=Limits(output=20))
    with pytest.raises(LimitExceeded, match=r"the output has [\d,]+ characters; the limit is 20 \(Limits\.output\)"):
        document.write(name)


def test_chunks_beyond_the_limit_of_an_output_are_refused() -> None:
    with pytest.raises(LimitExceeded):
        bonmun.extract(PAGE, limits=Limits(output=20)).chunks()


def test_a_document_keeps_its_limits() -> None:
    limits = Limits(output=20)
    document = bonmun.extract(PAGE, limits=limits)
    (of_many,) = bonmun.extract_many([PAGE], limits=limits)
    assert isinstance(of_many, bonmun.Document)
    again = pickle.loads(pickle.dumps(document))  # noqa: S301
    changed = document.with_output(bonmun.Output(title=True))
    assert [each.limits for each in (document, of_many, again, changed)] == [limits] * 4
    assert bonmun.extract(PAGE).limits == Limits()


class _Checked:
    """A method without blocks to keep; its outputs check the time."""

    name = "checked"

    def judge(self, page: bonmun.Page) -> bonmun.Verdicts:
        count = len(page.blocks)
        return bonmun.Verdicts(
            [1] * count, [1.0] * count, [()] * count, 1.0, comments=[1] * count, read_metadata=_metadata
        )


def _metadata(page: bonmun.Page) -> bonmun.Metadata:
    deadline.check()
    return bonmun.Metadata(title="Tea")


def test_metadata_has_the_time_of_an_output() -> None:
    document = bonmun.extract(PAGE, method=_Checked())
    document.limits = Limits(seconds=0)
    with pytest.raises(LimitExceeded, match="more than 0 seconds"):
        document.metadata  # noqa: B018
    document.limits = Limits()
    assert document.title == "Tea"


METADATA = {
    "titles with bars": f"<title>{'a | ' * 500}</title>",
    "site names": "<meta property=og:site_name content=a{}><title>b | {}</title>",
    "bylines": "<span class=author>By A B{}</span>",
    "author links": "<a rel=author href=x>Ann{} Lee</a>",
    "written by": "<p>Author: nobody{}</p>",
    "dates": "<time>2026-11-16</time> ",
    "dated lines": "<p>Posted on 32 May 2026</p>",
    "structured data": '<script type="application/ld+json">{"@type":"Article","headline":"x | {}"}</script>',
    "invalid structured data": '<script type="application/ld+json">{"a":x,}</script>',
    "metas": "<meta name=a{} content=b><meta name=author content='Ann{} Lee'>",
    "first headings": "<h1>Tea {} - a</h1>",
    "nested first headings": "<h1><b>a</b>",
    "related boxes": "<div class=related><a rel=author>Ann Lee</a></div>",
    "canonical links": "<link rel=canonical href='x:{}'>",
}
STARTS = {
    "one title": "<title>" + "a | " * 250_000,
    "one list of names": '<script type="application/ld+json">{"@type":"Article","author":["A B"'
    + ',"A B"' * 150_000
    + "]}</script>",
    "one class": "<title>Tea</title><h1>Tea</h1><div class='" + "a" * 500_000 + "'>" + "<p>2026 Jan</p>" * 30_000,
    "nested data": '<script type="application/ld+json">' + '{"name":[' * 100_000,
    "nested bylines": "<title>Tea</title><h1>Tea</h1>" + "<span class=author>" * 400 + "<i></i>" * 140_000,
}


def hostile(part: str) -> str:
    """A megabyte of a part, behind a headline."""
    times = range(1_000_000 // len(part))
    return "<title>Tea</title><h1>Tea</h1>" + "".join(part.replace("{}", str(number)) for number in times)


@pytest.mark.cpu_timed
@pytest.mark.parametrize("html", [*map(hostile, METADATA.values()), *STARTS.values()], ids=[*METADATA, *STARTS])
def test_metadata_of_a_megabyte_is_read_in_time(html: str) -> None:
    document = bonmun.extract(bonmun.read_page(html, limits=Limits(blocks=10**6)), method=_Plain())
    started = process_time()
    assert document.metadata
    assert process_time() - started < 2  # 0.25 s on an idle machine; quadratic time is 5 s or more


class _Plain:
    name = "plain"

    def judge(self, page: bonmun.Page) -> bonmun.Verdicts:
        count = len(page.blocks)
        return bonmun.Verdicts([0] * count, [0.0] * count, [()] * count, 1.0)
