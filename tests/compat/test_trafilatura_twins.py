"""The same calls, answered by trafilatura and by us."""

import csv
import io
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from lxml import etree

from bonmun.compat import trafilatura as ours
from bonmun.compat.trafilatura.settings import use_config
from tests.compat.comparison import BOILERPLATE, MAIN, PAGES, URL, Exact, shape, unlike_parameters
from tests.middleware.local_server import Server, answer, serving

theirs = pytest.importorskip("trafilatura", reason="trafilatura is not installed")

TEA = "Tea is made of leaves, and of water that has just boiled. " * 12
DESCRIBED = (
    '<html lang="en"><head><title>Tea</title><meta name="author" content="Ann Lee, Bo Kim">'
    '<meta property="og:image" content="https://example.org/tea.jpg"><meta property="article:section" content="Food">'
    '<meta name="description" content="On tea."><meta property="og:type" content="article">'
    '<meta property="og:site_name" content="The Post"><link rel="canonical" href="https://example.org/tea">'
    f'<meta property="article:published_time" content="2026-05-16"></head><body><article><h1>Tea</h1><p>{TEA}</p>'
    "<p>It came by ship.</p></article></body></html>"
)


def described_xml(text: str) -> Exact:
    root = etree.fromstring(text.encode())
    return Exact((root.tag, sorted(root.attrib), [child.tag for child in root]))


def columns(text: str) -> Exact:
    return Exact(len(next(csv.reader(io.StringIO(text), delimiter="\t"))))


CALLS: dict[str, Callable[[Any, Any], Any]] = {
    "text": lambda package, page: package.extract(page),
    "text by url": lambda package, page: package.extract(page, URL),
    "text alone": lambda package, page: package.extract(page, include_comments=False, include_tables=False),
    "links": lambda package, page: package.extract(page, include_links=True, include_images=True),
    "precision": lambda package, page: package.extract(page, favor_precision=True, fast=True),
    "recall": lambda package, page: package.extract(page, favor_recall=True),
    "markdown": lambda package, page: package.extract(page, output_format="markdown"),
    "with metadata": lambda package, page: Exact(package.extract(page, with_metadata=True).splitlines()[0]),
    "json": lambda package, page: json.loads(package.extract(page, output_format="json")),
    "json with metadata": lambda package, page: Exact(
        [*json.loads(package.extract(page, output_format="json", with_metadata=True))]
    ),
    "xml": lambda package, page: described_xml(package.extract(page, output_format="xml")),
    "html": lambda package, page: Exact(package.extract(page, output_format="html")[:6]),
    "csv": lambda package, page: columns(package.extract(page, output_format="csv")),
    "tei": lambda package, page: Exact(etree.fromstring(package.extract(page, output_format="xmltei").encode()).tag),
    "bare": lambda package, page: package.bare_extraction(page),
    "bare without comments": lambda package, page: package.bare_extraction(page, include_comments=False),
    "whole text": lambda package, page: package.html2txt(page),
    "baseline": lambda package, page: package.baseline(page),
    "tree": lambda package, page: package.extract(package.load_html(page)),
    "pruned": lambda package, page: Exact("“" in package.extract(page, prune_xpath=["//blockquote", "//body//p[1]"])),
}


@pytest.mark.parametrize("name", ["en-harbour", "ja-bakery", "ko-harbour"])  # dates of the fourth take theirs seconds
@pytest.mark.parametrize("call", CALLS)
def test_a_call_gives_an_answer_of_the_same_shape(call: str, name: str) -> None:
    assert shape(CALLS[call](ours, PAGES[name])) == shape(CALLS[call](theirs, PAGES[name]))


@pytest.mark.parametrize("name", sorted(PAGES))
def test_both_find_the_main_text_and_ours_has_no_boilerplate(name: str) -> None:
    assert MAIN[name] in theirs.extract(PAGES[name])
    found = ours.extract(PAGES[name])
    assert found is not None
    assert MAIN[name] in found
    assert not [part for part in BOILERPLATE if part in found]


@pytest.mark.parametrize("page", [DESCRIBED, PAGES["en-harbour"]], ids=["described", "harbour"])
def test_metadata_has_the_same_values(page: Any) -> None:
    names = (
        "title author url hostname description sitename date categories tags license image pagetype filedate".split()
    )
    for read in (
        lambda package: package.extract_metadata(page, default_url=URL).as_dict(),
        lambda package: package.bare_extraction(page, url=URL, with_metadata=True).as_dict(),
        lambda package: package.extract_with_metadata(page, url=URL).as_dict(),
    ):
        mine, other = read(ours), read(theirs)
        assert list(mine) == list(other)
        assert {name: mine[name] for name in names} == {name: other[name] for name in names}
        assert [shape(mine[name]) for name in ("body", "commentsbody", "text", "raw_text", "fingerprint")] == [
            shape(other[name]) for name in ("body", "commentsbody", "text", "raw_text", "fingerprint")
        ]


def test_serialised_metadata_has_the_same_names() -> None:
    for output_format, names in {
        "xml": described_xml,
        "html": lambda text: sorted(e.get("name") for e in etree.fromstring(text.encode()).iter("meta")),
        "txt": lambda text: [line.partition(":")[0] for line in text.split("---\n")[1].splitlines()],
    }.items():
        mine, other = (
            names(package.extract(DESCRIBED, URL, output_format=output_format, with_metadata=True, record_id="7"))
            for package in (ours, theirs)
        )
        assert mine == other


ODD = {
    "empty": "", "no bytes": b"", "none": None, "number": 5, "list": ["a"], "a tag": "<p>", "plain text": "short",
    "PDF": b"%PDF-1.7 text", "a word": "<html><body><p>Hi</p></body></html>", "no text": "<html><body></body></html>",
}  # fmt: skip


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("function", ["extract", "bare_extraction", "html2txt", "baseline", "extract_metadata"])
def test_an_odd_input_gives_none_or_a_type_error_where_theirs_does(function: str, name: str) -> None:
    def outcome(package: Any) -> Any:
        try:
            return shape(getattr(package, function)(ODD[name]))
        except TypeError:
            return TypeError

    mine, other = outcome(ours), outcome(theirs)
    if (function, name) == ("extract_metadata", "a tag"):  # a fragment is a page of ours
        assert other["filedate"] is None and mine["filedate"] == "str"
        return
    assert mine == other


FILTERS: dict[str, Callable[[Any], Any]] = {
    "metadata that the page lacks": lambda package: package.extract(
        f"<html><p>{TEA}</p></html>", only_with_metadata=True
    ),
    "metadata that the page has": lambda package: package.extract(DESCRIBED, URL, only_with_metadata=True),
    "a URL of the blacklist": lambda package: package.extract(
        DESCRIBED, URL, url_blacklist={"https://example.org/tea"}
    ),
    "its own language": lambda package: package.extract(DESCRIBED, target_language="en"),
}


@pytest.mark.parametrize("name", FILTERS)
def test_a_filter_gives_none_where_theirs_does(name: str) -> None:
    assert (FILTERS[name](ours) is None) == (FILTERS[name](theirs) is None)


def test_a_blacklisted_author_is_left_out() -> None:
    assert [package.bare_extraction(DESCRIBED, author_blacklist={"ann lee"}).author for package in (ours, theirs)] == [
        "Bo Kim",
        "Bo Kim",
    ]


@pytest.mark.parametrize("output_format", ["python", "docx"])
def test_a_wrong_format_is_the_same_error(output_format: str) -> None:
    with pytest.raises((ValueError, AttributeError)) as other:
        theirs.extract(DESCRIBED, output_format=output_format)
    with pytest.raises(other.type):
        ours.extract(DESCRIBED, output_format=output_format)


def test_options_of_either_package_hold() -> None:
    from trafilatura.settings import Extractor

    for options in (ours.Extractor, Extractor):
        made = options(output_format="json", with_metadata=True, comments=False, url=URL)
        assert json.loads(ours.extract(DESCRIBED, options=made) or "")["author"] == "Ann Lee; Bo Kim"


@pytest.mark.parametrize("name", sorted({*theirs.__all__}))
def test_every_parameter_of_theirs_is_one_of_ours_in_the_same_place(name: str) -> None:
    assert unlike_parameters(getattr(theirs, name), getattr(ours, name)) == []


def test_extractor_has_their_parameters_and_attributes() -> None:
    from trafilatura.settings import Extractor

    assert unlike_parameters(Extractor, ours.Extractor) == []
    made, other = ours.Extractor(), Extractor()
    sizes = {name for name in Extractor.__slots__ if name.startswith(("min_", "max_"))}
    assert {*Extractor.__slots__} - {*vars(made)} == sizes
    for name in {*vars(made)} - {"config", "date_params"}:
        assert getattr(made, name) == getattr(other, name), name


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving(Server()) as running:
        yield running


def test_downloads_have_the_same_shape(server: Server) -> None:
    from trafilatura.settings import use_config as their_config

    mine, other = use_config(), their_config()
    private = server.serve(answer(PAGES["en-harbour"], Content_Type="text/html", Connection="close"), "/private")
    assert ours.fetch_url(private) is theirs.fetch_url(private) is None
    for config in (mine, other):
        config["DEFAULT"]["SSRF_PROTECTION"] = "off"
    try:
        for path, content in {"/page": PAGES["en-harbour"], "/short": b"<p>x</p>", "/empty": b""}.items():
            url = server.serve(answer(content, Content_Type="text/html", Connection="close"), path)
            assert ours.fetch_url(url, config=mine) == theirs.fetch_url(url, config=other)
        url = server.serve(answer(PAGES["ko-harbour"], Content_Type="text/html", Connection="close"), "/response")
        for decode in (False, True):
            responses = [
                package.fetch_response(url, config=config, decode=decode)
                for package, config in ((ours, mine), (theirs, other))
            ]
            assert [[*response.as_dict()] for response in responses] == [
                ["data", "headers", "html", "status", "url"]
            ] * 2
            facts = [(r.data, r.html, r.status, r.url, r.headers["content-type"]) for r in responses]
            assert facts[0] == facts[1]
            assert MAIN["ko-harbour"] in (ours.extract(responses[1]) or "")
        gone = server.serve(
            answer(PAGES["en-harbour"], "404 Not Found", Content_Type="text/html", Connection="close"), "/gone"
        )
        assert ours.fetch_url(gone, config=mine) is theirs.fetch_url(gone, config=other) is None
    finally:
        _close_their_connections()


def _close_their_connections() -> None:
    from trafilatura import downloads

    for pool in (downloads.HTTP_POOL, downloads.NO_CERT_POOL):
        if pool is not None:
            pool.clear()
    downloads.HTTP_POOL = downloads.NO_CERT_POOL = None
