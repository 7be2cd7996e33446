import gzip
import json
from pathlib import Path

import pytest

from tests.sites.make import article, articles, sentences


@pytest.fixture
def saved(folder):
    """Ten pages of a site in the directory `pages`."""
    Path("pages").mkdir()
    for number, html in enumerate(articles(10)):
        Path(f"pages/{number}.html").write_text(html, encoding="utf-8")
    return "pages"


def short(folder):
    Path("short.html").write_text(article(60, paragraphs=1, comments=40), encoding="utf-8")
    return "short.html"


def test_a_directory_is_learned_and_extraction_uses_it(bonmun, saved, folder):
    done = bonmun("learn", saved, "-o", "site.json", "--host", "daily.example")
    assert (done.code, done.err) == (0, "")
    assert "keep  #story" in done.out
    assert json.loads(Path("site.json").read_text(encoding="utf-8"))["host"] == "daily.example"
    done = bonmun("extract", short(folder), "--site", "site.json")
    assert done.out.strip() == sentences(60, 1)[0]
    assert "auto-disagrees" in done.err


def warc_record(url, html):
    body = html.encode()
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + body
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-11-15T00:00:00Z\r\n"
        f"WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000000>\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
    )
    return gzip.compress(head.encode() + http + b"\r\n\r\n")


def test_a_web_archive_is_learned(bonmun, folder):
    pages = [warc_record(f"https://www.daily.example/{at}", html) for at, html in enumerate(articles(6))]
    Path("crawl.warc.gz").write_bytes(b"".join(pages))
    done = bonmun("learn", "crawl.warc.gz", "-o", "site.json")
    assert (done.code, done.err) == (0, "")
    site = json.loads(Path("site.json").read_text(encoding="utf-8"))
    assert site["host"] == "daily.example"
    assert site["templates"][0]["examples"][0] == "https://www.daily.example/0"


def test_json_lines_of_several_hosts_give_one_site_file_each(bonmun, folder):
    with Path("pages.jsonl").open("w", encoding="utf-8") as file:
        for host in ("one.example", "two.example"):
            for number, html in enumerate(articles(5)):
                file.write(json.dumps({"html": html, "url": f"https://{host}/{number}"}) + "\n")
        file.write(json.dumps({"html": "<p>alone", "url": "https://three.example/"}) + "\n")
    done = bonmun("learn", "pages.jsonl", "-o", "sites/")
    assert done.code == 0
    assert sorted(path.name for path in Path("sites").iterdir()) == ["one.example.json", "two.example.json"]
    assert "three.example: nothing to learn: 1 pages; a template needs 3" in done.err
    done = bonmun("extract", short(folder), "--site", "sites", "--url", "https://one.example/x")
    assert done.out.strip() == sentences(60, 1)[0]
    assert bonmun("extract", short(folder), "--site", "sites", "--url", "https://four.example/x").out != done.out


def test_a_list_of_files_is_learned_and_failures_are_reported(bonmun, saved):
    names = [f"pages/{number}.html" for number in range(5)]
    Path("list.txt").write_text("\n".join([*names, "# a remark", "", "pages/none.html"]), encoding="utf-8")
    done = bonmun("learn", "list.txt", "-o", "site.json")
    assert done.code == 1
    assert "pages/none.html: SourceError: no such file" in done.err
    assert Path("site.json").exists()


def test_pages_are_learned_from_a_server(bonmun, site, folder):
    addresses = [f"{site.url}/news/{name}.html" for name in "abcd"]
    Path("list.txt").write_text("\n".join(addresses), encoding="utf-8")
    refused = bonmun("learn", "list.txt", "-o", "site.json")
    assert (refused.code, refused.err.count("AddressRefused")) == (1, 4)
    done = bonmun("learn", "list.txt", "-o", "site.json", "--allow-private")
    assert (done.code, done.err) == (0, "")
    site_file = json.loads(Path("site.json").read_text(encoding="utf-8"))
    assert (site_file["host"], site_file["templates"][0]["pages"]) == ("127.0.0.1", 4)


def test_update_adds_new_pages_to_a_site(bonmun, saved):
    bonmun("learn", saved, "-o", "site.json")
    Path("news").mkdir()
    for number, html in enumerate(articles(3, start=30)):
        Path(f"news/{number}.html").write_text(html, encoding="utf-8")
    assert bonmun("learn", "news", "-o", "site.json", "--update").code == 0
    assert json.loads(Path("site.json").read_text(encoding="utf-8"))["templates"][0]["pages"] == 13


def test_too_few_pages_are_an_error_in_one_line(bonmun, page):
    done = bonmun("learn", page("a.html"), "-o", "site.json")
    assert done.code == 1
    assert done.err == "bonmun: site.json: InputError: nothing to learn: 1 pages; a template needs 3\n"


def test_an_invalid_site_file_is_reported_before_any_page_is_read(bonmun, saved, page):
    bonmun("learn", saved, "-o", "site.json")
    text = Path("site.json").read_text(encoding="utf-8").replace('"#story"', '"#story > > p"', 1)
    Path("site.json").write_text(text, encoding="utf-8")
    line = next(number for number, words in enumerate(text.splitlines(), 1) if "#story > > p" in words)
    done = bonmun("extract", page("a.html"), "--site", "site.json")
    assert done.code == 2
    assert done.out == ""
    assert f"site.json, line {line}: " in done.err


def test_explain_shows_the_rule(bonmun, saved, folder):
    bonmun("learn", saved, "-o", "site.json")
    assert "template-rule: t1: #story" in bonmun("explain", short(folder), "--site", "site.json", COLUMNS="200").out


def test_an_output_that_cannot_be_written_is_refused_before_the_work(bonmun, saved, folder):
    Path("file").write_text("")
    done = bonmun("learn", saved, "-o", "file/site.json")
    assert (done.code, done.out) == (1, "")
    assert done.err.splitlines() == ["bonmun: file/site.json: SourceError: cannot write: file is not a directory"]


def test_a_missing_output_folder_is_made(bonmun, saved, folder):
    assert bonmun("learn", saved, "-o", "new/deep/site.json", "--host", "daily.example").code == 0
    assert Path("new/deep/site.json").exists()


def test_damaged_sources_of_learn_have_one_line_each(bonmun, saved, folder):
    Path("bad.jsonl.zst").write_bytes(b"\x28\xb5\x2f\xfd" + bytes(100))
    Path("odd.jsonl").write_text('{"html": "<p>x", "url": 5}\n' + "[" * 100_000 + "\n")
    done = bonmun("learn", saved, "bad.jsonl.zst", "odd.jsonl", "-o", "site.json", "--host", "daily.example")
    assert done.code == 1
    assert [line.split(": ")[1] for line in lines(done.err)] == ["bad.jsonl.zst", "odd.jsonl, line 2"]
    assert Path("site.json").exists()


def lines(text):
    return text.splitlines()
