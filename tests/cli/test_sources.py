"""SOURCE arguments."""

import io
import os
import sys
import threading
from pathlib import Path

import pytest

from bonmun.cli import pages
from bonmun.cli.pages import pages_of, read
from bonmun.cli.sources import SourceKind, expand
from bonmun.errors import LimitExceeded, SourceError
from bonmun.inputs.member import Reading

MOST = 20_000_000


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A temporary working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def make(*names):
    for name in names:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text("<p>page")


def names(argument, **options):
    return [source.name for source in expand(argument, **options)]


def test_a_directory_is_searched_recursively_in_order(folder):
    make("d/b.html", "d/A.HTM", "d/c.xhtml", "d/sub/x.shtml", "d/sub/deep/y.xht", "d/photo.png", "d/feed.xml")
    assert names("d") == ["d/A.HTM", "d/b.html", "d/c.xhtml", "d/sub/x.shtml", "d/sub/deep/y.xht"]
    assert [str(source.relative) for source in expand("d")][-1] == "sub/deep/y.xht"


def test_hidden_files_and_directories_are_skipped(folder):
    make("d/.cache/a.html", "d/.b.html", "d/c.html")
    assert names("d") == names("d/**") == names("d/*") == ["d/c.html"]


def test_a_hidden_file_is_read_if_it_is_named(folder):
    make(".a.html", ".d/b.html")
    assert names(".a.html") == [".a.html"]
    assert names(".d") == [".d/b.html"]
    assert names(".*.html") == [".a.html"]


def test_loops_of_symbolic_links_end(folder):
    make("d/a.html")
    Path("d/again").symlink_to(".")
    Path("d/self").symlink_to("self")
    Path("d/self.html").symlink_to("self.html")
    assert names("d") == names("d/**/*.html") == ["d/a.html", "d/self.html"]
    with pytest.raises(SourceError):
        read(expand("d/self.html")[0], MOST)


def test_a_symbolic_link_to_a_page_is_a_separate_page(folder):
    make("d/a.html")
    Path("d/b.html").symlink_to("a.html")
    a, b = expand("d")
    assert a.identity != b.identity


def test_a_pipe_in_a_directory_is_no_page(folder):
    make("d/a.html")
    os.mkfifo("d/b.html")
    assert names("d") == names("d/*") == ["d/a.html"]


def test_the_output_directory_is_not_searched(folder):
    make("d/a.html", "d/out/a.html", "d/sub/out/b.html")
    assert names("d", excluded=folder / "d/out") == ["d/a.html", "d/sub/out/b.html"]


@pytest.mark.parametrize("argument", ["d", "d/*.html", "d/**/*.html"])
def test_an_argument_without_pages_is_an_error_that_names_it(folder, argument):
    make("d/notes.txt")
    with pytest.raises(SourceError, match=r"no (HTML file|file matches).* d"):
        expand(argument)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_directory_is_a_source_that_fails(folder):
    make("d/a.html", "d/closed/b.html")
    Path("d/closed").chmod(0)
    try:
        good, bad = expand("d")
        with pytest.raises(SourceError, match="cannot read d/closed"):
            read(bad, MOST)
    finally:
        Path("d/closed").chmod(0o755)
    assert good.name == "d/a.html"


def test_patterns_match_any_suffix_and_keep_the_path_below_their_fixed_part(folder):
    make("site/x/1.php", "site/y/1.php", "site/y/z/1.php")
    Path("site/y/folder.php").mkdir()
    sources = expand("site/*/*.php")
    assert [(source.name, str(source.relative)) for source in sources] == [
        ("site/x/1.php", "x/1.php"),
        ("site/y/1.php", "y/1.php"),
    ]
    assert names("site/**/*.php")[-1] == "site/y/z/1.php"
    assert names(str(folder / "site/**")) == [str(folder / name) for name in names("site/**/*.php")]


@pytest.mark.parametrize("argument", ["a**b/[", "[", "**["])
def test_an_invalid_pattern_is_a_source_error(folder, argument):
    with pytest.raises(SourceError):
        expand(argument)


def test_a_file_with_wildcards_in_its_name_is_not_a_pattern(folder):
    make("a[1].html", "a1.html", "what?.html")
    assert names("a[1].html") == ["a[1].html"]
    assert names("what?.html") == ["what?.html"]


def test_a_plain_file_may_have_any_suffix(folder):
    make("page", "page.php")
    assert [expand(name)[0].kind for name in ("page", "page.php")] == [SourceKind.FILE] * 2


@pytest.mark.parametrize("url", ["http://example.org/*.html", "HTTPS://EXAMPLE.ORG", "ftp://example.org/a.html"])
def test_a_url_is_a_url(url):
    (source,) = expand(url)
    assert (source.kind, source.name) == (SourceKind.URL, url)


@pytest.mark.parametrize("argument", ["", "missing.html", "missing/", "x" * 5000])
def test_a_missing_file_is_an_error(folder, argument):
    with pytest.raises(SourceError, match=r"no such file|too long"):
        read(expand(argument)[0], MOST)


def test_two_spellings_of_a_file_are_one_source(folder):
    make("d/a.html")
    Path("link").symlink_to("d")
    same = {expand(name)[0].identity for name in ("d/a.html", "./d/a.html", "d/../d/a.html", "link/a.html")}
    assert len(same) == 1


def test_a_large_file_is_refused_with_its_size_and_not_read(folder):
    with Path("large.html").open("wb") as file:
        file.write(b"<p>" * 5000)
        file.truncate(10**12)
    with pytest.raises(LimitExceeded, match="1,000,000,000,000 bytes"):
        read(expand("large.html")[0], MOST)


def test_an_endless_stream_is_read_just_beyond_the_limit(folder):
    (source,) = expand("/dev/zero")
    assert source.kind is SourceKind.STREAM
    (page,) = pages_of(source, Reading(1000))
    assert "binary data" in str(page.error)


def test_standard_input_is_read_just_beyond_the_limit(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"<p>" * 5000)))
    (page,) = pages_of(expand("-")[0], Reading(1000))
    assert len(page.content) == 1001


def test_a_process_substitution_is_read_like_standard_input():
    reading, writing = os.pipe()
    os.write(writing, b"<p>piped")
    os.close(writing)
    (page,) = pages_of(expand(f"/dev/fd/{reading}")[0], Reading(1000))
    os.close(reading)
    assert page.content == b"<p>piped"


def test_broken_and_looping_links_fail_and_are_not_skipped(folder):
    make("d/a.html")
    Path("d/broken.html").symlink_to("nowhere")
    Path("d/loop.html").symlink_to("loop.html")
    assert names("d") == ["d/a.html", "d/broken.html", "d/loop.html"]
    assert names("d/*.html") == ["d/a.html", "d/broken.html", "d/loop.html"]
    for source in expand("d")[1:]:
        with pytest.raises(SourceError, match=r"no such file|levels of symbolic links"):
            read(source, MOST)


def test_a_pipe_without_a_writer_is_an_error_and_does_not_block(folder, monkeypatch):
    monkeypatch.setattr(pages, "_PIPE_SECONDS", 0)
    os.mkfifo("pipe")
    [page] = pages_of(expand("pipe")[0], Reading())
    assert "no program wrote into this pipe" in str(page.error)


def test_a_pipe_is_read_as_soon_as_its_writer_comes(folder):
    os.mkfifo("pipe")
    writer = threading.Timer(0.3, lambda: Path("pipe").write_bytes(b"<p>late"))
    writer.start()
    [page] = pages_of(expand("pipe")[0], Reading())
    writer.join()
    assert page.content == b"<p>late"


def test_deeply_nested_json_lines_are_an_error_of_their_line(folder):
    Path("a.jsonl").write_text('{"html": "<p>one"}\n' + "[" * 100_000 + '\n{"html": "<p>two", "url": 5}\n')
    first, second, third = pages_of(expand("a.jsonl")[0], Reading())
    assert (first.error, third.error, third.url) == (None, None, None)
    assert "not JSON" in str(second.error)
