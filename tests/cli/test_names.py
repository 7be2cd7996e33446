"""Names of outputs."""

import re
from pathlib import PurePath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun.cli.names import output_names
from bonmun.cli.sources import PageSource, SourceKind


def files(*names):
    return [PageSource(f"d/{name}", SourceKind.FILE, PurePath(name)) for name in names]


def urls(*names):
    return [PageSource(name, SourceKind.URL) for name in names]


def named(sources, extension=".txt"):
    return [str(name) for name in output_names(sources, extension)]


def test_only_page_suffixes_are_removed():
    assert named(files("a.html", "b.XHTML", "c.php", "v1.2", "d")) == [
        "a.txt",
        "b.txt",
        "c.php.txt",
        "v1.2.txt",
        "d.txt",
    ]


def test_directories_are_mirrored():
    assert named(files("a.html", "sub/a.html", "sub/deep/b.htm")) == ["a.txt", "sub/a.txt", "sub/deep/b.txt"]


def test_a_file_is_named_by_its_last_part_and_standard_input_stdin():
    sources = [
        PageSource("../up/a.html", SourceKind.FILE),
        PageSource("-", SourceKind.STREAM),
        PageSource("/dev/fd/63", SourceKind.STREAM),
    ]
    assert named(sources) == ["a.txt", "stdin.txt", "63.txt"]


def test_an_unreadable_directory_has_a_name():
    assert named([PageSource("d", SourceKind.FILE, PurePath())]) == ["d.txt"]


def test_urls_are_named_by_host_path_and_query():
    assert named(
        urls(
            "https://example.org",
            "https://example.org/news/2024/a.html",
            "https://example.org/view?id=1&page=2",
            "https://user:secret@Example.org:8080/x",
            "https://example.org/%EB%B3%B8%EB%AC%B8",
        )
    ) == [
        "example.org/index.txt",
        "example.org/news_2024_a.txt",
        "example.org/view_id=1&page=2.txt",
        "example.org_8080/x.txt",
        "example.org/본문.txt",
    ]


@pytest.mark.parametrize(
    "sources",
    [
        files("a.html", "a.htm"),
        files("a.html", "A.HTML"),
        files("caf\u00e9.html", "cafe\u0301.html"),
        files("x/a.html", "X/a.html"),
        files("a:b.html", "a?b.html"),
        [
            PageSource("d1/a.html", SourceKind.FILE, PurePath("a.html")),
            PageSource("d2/a.html", SourceKind.FILE, PurePath("a.html")),
        ],
        urls("http://example.org/a", "https://example.org/a"),
        urls("http://example.org/a#1", "http://example.org/a#2"),
        urls("http://example.org/a/b", "http://example.org/a_b"),
    ],
)
def test_colliding_sources_all_get_a_hash(sources):
    one, other = named(sources)
    assert one.casefold() != other.casefold()
    assert all(re.fullmatch(r".+-[0-9a-f]{8}\.txt", name) for name in (one, other))
    assert named(sources[::-1]) == [other, one]


def test_the_same_path_on_two_hosts_needs_no_hash():
    assert named(urls("https://a.org/x", "https://b.org/x")) == ["a.org/x.txt", "b.org/x.txt"]


def test_a_name_that_looks_hashed_is_not_used_twice():
    (marked, _) = named(files("a.html", "a.htm"))
    names = named(files("a.html", "a.htm", marked.replace(".txt", ".html")))
    assert len(set(names)) == 3


def test_a_file_does_not_take_the_name_of_a_directory():
    file, inside = named(files("a.html", "a.txt/b.html"))
    assert inside == "a.txt/b.txt"
    assert file != "a.txt"


@pytest.mark.parametrize("name", ["CON", "con.html", "Lpt1.tar", "NUL.", "aux.x.html"])
def test_names_of_devices_are_avoided(name):
    (safe,) = named(files(name))
    assert safe.startswith("_")


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/../../etc/passwd",
        "http://example.org/%2e%2e%2f%2e%2e%2fetc",
        "http://../../x",
        "http://[broken/x",
        "http:///",
        "http://example.org/..\\..\\x",
        "http://example.org/\x00\n?\udc80",
        "http://example.org/" + "long/" * 2000 + "?" + "q" * 5000,
        "http://" + "h" * 5000 + "/",
    ],
)
def test_hostile_urls_stay_inside_the_directory(url):
    (name,) = output_names(urls(url), ".json")
    assert len(name.parts) == 2
    assert ".." not in name.parts
    assert all(len(part.encode()) < 240 and part.isprintable() for part in name.parts)


def test_long_names_with_a_common_prefix_stay_unique():
    one, other = named(urls(*(f"http://example.org/{'가' * 300}{end}" for end in "12")))
    assert one != other


parts = st.text(st.characters(max_codepoint=0x3FF) | st.sampled_from("./\\: \udc80"), max_size=12)


@given(st.lists(st.tuples(st.booleans(), parts, parts), max_size=8, unique=True), st.sampled_from([".txt", ".html"]))
def test_output_names_are_unique_and_inside_the_directory(wanted, extension):
    drawn = [
        PageSource(f"http://{one}/{two}", SourceKind.URL)
        if url
        else PageSource(
            f"{one}/{two}", SourceKind.FILE, PurePath(one.replace("/", "_") or "x", two.replace("/", "_") or "y")
        )
        for url, one, two in wanted
    ]
    sources = list({source.name: source for source in drawn}.values())
    names = output_names(sources, extension)
    assert len({str(name).casefold() for name in names}) == len(sources)
    assert not {str(name).casefold() for name in names} & {str(up).casefold() for name in names for up in name.parents}
    assert all(not name.is_absolute() and ".." not in name.parts and name.suffix == extension for name in names)
