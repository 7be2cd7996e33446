"""`bonmun extract`, run for real."""

import json
import time
from pathlib import Path

import pytest
from lxml import etree

PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00"
PDF = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< /Type /Catalog >>\nendobj\n"


def lines(text):
    return text.splitlines()


def test_the_text_of_a_file_ends_with_one_line_break(bonmun, page):
    done = bonmun("extract", page("a.html"))
    assert (done.code, done.err) == (0, "")
    assert "the lower road was gone" in done.out
    assert done.out.endswith(".\n")
    assert not done.out.endswith("\n\n")


def test_standard_input_is_a_source(bonmun):
    done = bonmun("extract", "-", stdin=b"<p>Tea is made of leaves, and of water that has just boiled.</p>")
    assert (done.code, done.out) == (0, "Tea is made of leaves, and of water that has just boiled.\n")


def test_method_selects_the_method(bonmun, page):
    done = bonmun("extract", page("a.html"), "--method", "xpath", "--format", "json")
    assert json.loads(done.out)["method"] == "xpath"


def test_url_makes_the_links_of_a_file_absolute(bonmun):
    html = b'<p>Tea is made of <a href="leaf">leaves</a>, and of water that has just boiled.</p>'
    done = bonmun("extract", "-", "--url", "https://example.org/tea/", "--format", "markdown", stdin=html)
    assert "https://example.org/tea/leaf" in done.out


@pytest.mark.parametrize(("charset", "text"), [("koi8-r", "абц де"), ("windows-1251", "БВГ ДЕ")])
def test_charset_selects_the_encoding(bonmun, charset, text):
    assert bonmun("extract", "-", "--charset", charset, stdin=b"<p>\xc1\xc2\xc3 \xc4\xc5").out == f"{text}\n"


# ── emptiness and errors ──────────────────────────────────────────────────────────────────────────────────────────


def test_a_warning_about_a_page_is_one_line(bonmun):
    lying = "<meta charset=euc-kr><p>본문은 독자가 찾아온 바로 그 글이다.</p>".encode()
    done = bonmun("extract", "-", stdin=lying)
    assert (done.code, done.out) == (0, "본문은 독자가 찾아온 바로 그 글이다.\n")
    assert done.err == "bonmun: -: warning: meta says euc-kr, but the bytes are utf-8\n"


def test_empty_input_is_an_empty_document_with_a_reason(bonmun):
    done = bonmun("extract", "-")
    assert (done.code, done.out) == (0, "\n")
    assert len(lines(done.err)) == 1
    assert done.err.startswith("bonmun: -: empty: ")


@pytest.mark.parametrize(("content", "kind"), [(PNG, "PNG"), (PDF, "PDF")])
def test_other_file_types_are_refused_by_name(bonmun, content, kind):
    done = bonmun("extract", "-", stdin=content)
    assert (done.code, done.out) == (1, "")
    assert len(lines(done.err)) == 1
    assert done.err.startswith("bonmun: -: NotAPage: ")
    assert kind in done.err


@pytest.mark.timed
@pytest.mark.parametrize("source", ["large.html", "-"])
def test_fifty_megabytes_of_div_are_refused_at_once(bonmun, source):
    content = b"<div>" * 10_000_000
    if source != "-":
        Path(source).write_bytes(content)
    started = time.monotonic()
    done = bonmun("extract", source, stdin=content if source == "-" else b"")
    assert time.monotonic() - started < 5
    assert (done.code, done.out) == (1, "")
    assert len(lines(done.err)) == 1
    assert done.err.startswith(f"bonmun: {source}: LimitExceeded: ")


def test_a_missing_file_and_a_directory_without_pages_are_errors(bonmun, folder):
    (folder / "nothing").mkdir()
    done = bonmun("extract", "missing.html", "nothing", "*.html")
    assert (done.code, done.out) == (1, "")
    assert sorted(lines(done.err)) == [
        "bonmun: *.html: SourceError: no file matches *.html",
        "bonmun: missing.html: SourceError: no such file: missing.html",
        "bonmun: nothing: SourceError: no HTML file or web archive in the directory nothing",
    ]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_one_bad_source_does_not_stop_the_rest(bonmun, page, jobs):
    page("d/1.html", "First")
    page("d/3.html", "Third")
    Path("d/2.html").write_bytes(PNG)
    done = bonmun("extract", "d", "--jobs", jobs)
    assert done.code == 1
    assert [line for line in lines(done.out) if line.startswith("==>")] == ["==> d/1.html <==", "==> d/3.html <=="]
    assert "Third" in done.out
    assert len(lines(done.err)) == 1
    assert done.err.startswith("bonmun: d/2.html: NotAPage: ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["extract"], "SOURCE"),
        (["extract", "a.html", "--method", "magic"], "no method named 'magic'; there are: auto, "),
        (["extract", "a.html", "--format", "docx"], "no format named 'docx'; there are: "),
        (["extract", "a.html", "--charset", "klingon"], "no charset named 'klingon'"),
        (["extract", "a.html", "--jobs", "-1"], "--jobs"),
        (["extract", "a.html", "--colour"], "--colour"),
        (["extract", "a.html", "b.html", "--format", "html"], "--output DIRECTORY"),
        (["extract", ".", "--format", "xml"], "--output DIRECTORY"),
        (["extract", "a.html", "b.html", "--url", "https://example.org"], "--url"),
        (["extract", "https://example.org", "--url", "https://example.org"], "--url"),
        (["extract", "a.html", "b.html", "--output", "b.html"], "is a file"),
        (["extract", "a.html", "b.html", "--output", "all.txt"], "looks like a file"),
        (["extract", "a.html", "--format", "html", "--output", "a.html"], "overwrite the source a.html"),
        (["extract", ".", "--format", "html", "--output", "."], "overwrite the source a.html"),
        (["abstract", "a.html"], "abstract"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(bonmun, page, arguments, message):
    page("a.html")
    page("b.html")
    before = Path("a.html").read_text()
    done = bonmun(*arguments)
    assert (done.code, done.out) == (2, "")
    assert len(lines(done.err)) == 1
    assert message in done.err
    assert sorted(path.name for path in Path().iterdir()) == ["a.html", "b.html"]
    assert Path("a.html").read_text() == before


# ── several sources ───────────────────────────────────────────────────────────────────────────────────────────────


def test_several_texts_have_headings_with_their_sources(bonmun, page):
    done = bonmun("extract", page("b.html", "B"), page("a.html", "A"), "./b.html")
    titles = [(index, line) for index, line in enumerate(lines(done.out)) if line.startswith("==>")]
    assert [line for _, line in titles] == ["==> b.html <==", "==> a.html <=="]
    assert titles[0][0] == 0
    assert lines(done.out)[titles[1][0] - 1] == ""


def test_several_json_documents_are_one_line_each(bonmun, page):
    done = bonmun("extract", page("a.html", "일"), page("b.html", "Two"), "--format", "json")
    first, second = map(json.loads, lines(done.out))
    assert (first["metadata"]["title"], second["metadata"]["title"]) == ("일", "Two")
    assert "일" in done.out


def test_a_directory_of_one_page_is_treated_as_several(bonmun, page):
    page("d/a.html")
    assert bonmun("extract", "d").out.startswith("==> d/a.html <==\n")


def test_more_jobs_give_the_same_output(bonmun, page):
    for number in range(12):
        page(f"d/{number % 3}/{number}.html", f"Number {number}")
    one, two = (bonmun("extract", "d", "--jobs", jobs) for jobs in ("1", "2"))
    assert one.code == two.code == 0
    assert one.bytes == two.bytes
    assert one.out.count("==> ") == 12
    for jobs in ("1", "2"):
        assert bonmun("extract", "d", "--jobs", jobs, "--output", f"out{jobs}", "--format", "json").code == 0
    assert tree("out1") == tree("out2")
    assert len(tree("out1")) == 12


# ── files ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def tree(top):
    """The outputs in a directory, without the manifest."""
    files = {str(path.relative_to(top)): path.read_bytes() for path in sorted(Path(top).rglob("*")) if path.is_file()}
    assert files.pop("manifest.jsonl")
    return files


@pytest.mark.parametrize(
    ("format", "suffix", "text_in"),
    [
        ("text", "txt", str),
        ("markdown", "md", str),
        ("html", "html", str),
        ("json", "json", lambda text: json.dumps(json.loads(text))),
        ("xml", "xml", lambda text: "".join(etree.fromstring(text.encode()).itertext())),
    ],
)
def test_a_directory_is_mirrored_in_every_format(bonmun, page, format, suffix, text_in):
    page("d/a.html")
    page("d/sub/b.htm")
    done = bonmun("extract", "d", "--output", "out/new", "--format", format)
    assert (done.code, done.out, done.err) == (0, "", "")
    assert list(tree("out/new")) == [f"a.{suffix}", f"sub/b.{suffix}"]
    for content in tree("out/new").values():
        assert "the lower road was gone" in text_in(content.decode())
        assert content.endswith(b"\n")


def test_one_source_goes_to_a_file_or_into_a_directory(bonmun, page):
    page("a.html")
    Path("there").mkdir()
    for output in ("x/result", "there", "new/"):
        assert bonmun("extract", "a.html", "--output", output).code == 0
    assert Path("x/result").read_bytes() == Path("there/a.txt").read_bytes() == Path("new/a.txt").read_bytes()
    assert Path("x/result").read_bytes() == bonmun("extract", "a.html").bytes


def test_colliding_names_are_made_unique_and_stable(bonmun, page):
    for name in ("a.html", "a.htm", "A.html", "sub/CON.html", "sub/b.html"):
        page(f"d/{name}", f"Title of {name}")
    runs = []
    for _ in range(2):
        assert bonmun("extract", "d", "--output", "out").code == 0
        runs.append(tree("out"))
    assert runs[0] == runs[1]
    assert len({name.casefold() for name in runs[0]}) == 5
    assert sorted(text.decode().split("Title of ")[1].split(".\n")[0].split("\n")[0] for text in runs[0].values()) == [
        "A.html",
        "a.htm",
        "a.html",
        "sub/CON.html",
        "sub/b.html",
    ]


def test_an_output_directory_inside_the_source_is_not_read_again(bonmun, page):
    page("a.html")
    for _ in range(2):
        assert bonmun("extract", ".", "--output", "out", "--format", "html").code == 0
    assert list(tree("out")) == ["a.html"]


def test_a_file_that_cannot_be_written_fails_its_source_only(bonmun, page):
    page("d/a.html")
    page("d/b.html")
    Path("out/a.txt/x").mkdir(parents=True)
    done = bonmun("extract", "d", "--output", "out")
    assert done.code == 1
    assert lines(done.err) == ["bonmun: d/a.html: IsADirectoryError: cannot write out/a.txt: Is a directory"]
    assert Path("out/b.txt").exists()
    assert not list(Path("out").glob(".*"))


def test_a_device_is_written_to_and_not_replaced(bonmun, page):
    done = bonmun("extract", page("a.html"), "--output", "/dev/stdout")
    assert (done.code, done.bytes) == (0, bonmun("extract", "a.html").bytes)
    assert Path("/dev/stdout").is_symlink()


# ── the web ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_url_is_fetched_and_is_the_base_of_its_links(bonmun, site):
    done = bonmun("extract", f"{site.url}/moved", "--allow-private", "--format", "markdown")
    assert (done.code, done.err) == (0, "")
    assert f"({site.url}/news/other.html)" in done.out


def test_the_charset_of_the_http_header_is_used(bonmun, site):
    done = bonmun("extract", f"{site.url}/korean", "--allow-private")
    assert done.out.startswith("본문은 읽으러 온 사람을")


@pytest.mark.timed
@pytest.mark.parametrize(
    ("path", "options", "error"),
    [
        ("/page.html", [], "AddressRefused"),
        ("/bomb", ["--allow-private"], "LimitExceeded"),
        ("/nowhere", ["--allow-private"], "BadStatus"),
    ],
)
def test_a_failed_fetch_is_one_line_that_names_the_url_once(bonmun, site, path, options, error):
    started = time.monotonic()
    done = bonmun("extract", f"{site.url}{path}", *options)
    assert time.monotonic() - started < 5
    assert (done.code, done.out) == (1, "")
    assert len(lines(done.err)) == 1
    assert done.err.startswith(f"bonmun: {site.url}{path}: {error}: ")
    assert done.err.count(path) == 1


def test_abstain_below_returns_nothing_below_the_threshold(bonmun, page):
    done = bonmun("extract", "--abstain-below", "1", page("a.html"))
    assert (done.code, done.out.strip()) == (0, "")
    assert "is below 1.00" in done.err


def test_prefer_with_a_method_that_does_not_support_it_is_an_error(bonmun, page):
    done = bonmun("extract", "--method", "xpath", "--prefer", "recall", page("a.html"))
    assert done.code == 1
    assert "method 'xpath' does not support prefer='recall'" in done.err


def test_with_metadata_begins_with_front_matter_or_the_title(bonmun):
    html = b"<title>Leaves</title><p>Tea is made of leaves, and of water that has just boiled.</p>"
    text = bonmun("extract", "-", "--with-metadata", stdin=html).out
    markdown = bonmun("extract", "-", "--with-metadata", "--format", "markdown", stdin=html).out
    assert text == "Leaves\n\nTea is made of leaves, and of water that has just boiled.\n"
    assert markdown == f"---\ntitle: Leaves\n---\n\n# {text}"
    html = bonmun("extract", "-", "--with-metadata", "--format", "html", stdin=html).out
    assert html.startswith("<article>\n<h1>Leaves</h1>\n<p>Tea")
    assert bonmun("extract", "-", "--with-metadata", "--format", "xml").code == 2


def test_switches_leave_out_parts_or_add_comments(bonmun):
    row = "<tr><td>{}</td><td>2,100</td></tr>"
    story = "<p>The harbour opened again on Saturday, and <a href=/noon>most people</a> stayed until noon.</p>" * 3
    table = f"<table><tr><th>Year</th><th>Ferries</th></tr>{row.format(2019)}{row.format(2020)}</table>"
    talk = "".join(f"<li class=comment><b class=author>{name}</b><p>I was there.</p></li>" for name in ("Ann", "Bo"))
    html = f"<article>{story}{table}{story}</article><ol id=comments>{talk}</ol>".encode()
    plain = bonmun("extract", "-", "--format", "md", "--url", "https://example.org/", stdin=html).out
    assert "[most people](https://example.org/noon)" in plain
    assert "| 2019 | 2,100 |" in plain
    assert "Ann" not in plain
    switches = ("--no-links", "--no-tables", "--with-comments")
    other = bonmun("extract", "-", "--format", "md", *switches, stdin=html).out
    assert "and most people stayed" in other
    assert "2,100" not in other
    assert other.endswith("---\n\n> **Ann**\n>\n> I was there.\n\n> **Bo**\n>\n> I was there.\n")


def test_json_has_the_reasons_of_blocks_on_request(bonmun):
    html = b"<p>The harbour opened again on Saturday, and most people stayed until noon.</p>"
    (plain,) = json.loads(bonmun("extract", "-", "--format", "json", stdin=html).out)["blocks"]
    (block,) = json.loads(bonmun("extract", "-", "--format", "json", "--reasons", stdin=html).out)["blocks"]
    assert block.pop("reasons")[0]["name"] == "snippet"
    assert block == plain
