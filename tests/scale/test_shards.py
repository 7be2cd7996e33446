"""Sources to shards: which files, in which order, and which are refused."""

import gzip
import os
from pathlib import Path

import pytest

from bonmun.errors import SourceError
from bonmun.scale.shards import Shard, ShardKind, gather
from tests.warcs import response

PAGE = b"<p>Tea is made of leaves."


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def make(*names, content=PAGE):
    for name in names:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_bytes(content)


def names(*sources, **options):
    return [shard.name for shard in gather(sources, **options)]


def pages(shard):
    return [path.as_posix() for path in shard.pages]


def test_containers_of_a_folder_are_shards_and_its_pages_are_grouped(folder):
    containers = ["d/b/x.warc.gz", "d/a.jsonl.zst", "d/a.parquet", "d/c.wacz", "d/d.tar", "d/e.zip", "d/f.tgz"]
    make(*containers, "d/2.html", "d/1.htm", "d/b/3.mhtml", "d/0.html.gz", "d/photo.png", "d/.hidden.html")
    *files, group = gather(["d"])
    assert {shard.name for shard in files} == set(containers)
    assert pages(group) == ["d/0.html.gz", "d/1.htm", "d/2.html", "d/b/3.mhtml"]
    assert (group.name, group.kind) == ("d/0.html.gz and 3 more", ShardKind.PAGES)
    assert gather(["d"]) == [*files, group]


def test_pages_are_grouped_by_a_fixed_number_whatever_the_source(folder):
    make(*(f"d/{number}.html" for number in range(5)), "e/x.php", "f.html")
    shards = gather(["d", "e/*.php", "f.html"], in_shard=3)
    assert [pages(shard) for shard in shards] == [
        ["d/0.html", "d/1.html", "d/2.html"],
        ["d/3.html", "d/4.html", "e/x.php"],
        ["f.html"],
    ]
    assert shards[2].name == "f.html"


def test_a_shard_has_the_size_and_the_latest_change_of_its_files(folder):
    make("a.html", "b.html", "c.warc")
    os.utime("a.html", ns=(5, 10**18))
    os.utime("b.html", ns=(5, 10**17))
    container, group = gather(["a.html", "b.html", "c.warc"])
    assert (group.size, group.modified) == (2 * len(PAGE), 10**18)
    assert container == Shard("c.warc", Path("c.warc"), len(PAGE), Path("c.warc").stat().st_mtime_ns)


def test_a_file_that_is_named_twice_is_read_once(folder):
    make("d/a.warc", "d/b.html")
    Path("link.warc").symlink_to("d/a.warc")
    Path("d/again").symlink_to(".")
    assert names("d", "./d/a.warc", "d/*.warc", "link.warc", "d/../d/b.html", "d") == ["d/a.warc", "d/b.html"]


def test_the_output_folder_is_left_out(folder):
    make("d/a.jsonl", "d/out/part-00000.jsonl", "out/part-00000.parquet")
    assert names("d", "d/out/*", excluded=Path("d/out")) == ["d/a.jsonl"]


def test_a_file_without_a_known_suffix_is_told_by_its_content(folder):
    make("crawl", content=gzip.compress(response("https://example.org/", PAGE)))
    make("page", "note")
    Path("note").write_bytes(b"%PDF-1.7")
    container, group = gather(["crawl", "page", "note"])
    assert container.name == "crawl"
    assert pages(group) == ["page", "note"]  # the second is a page that fails


def test_lists_name_sources_relative_to_here_or_to_themselves(folder):
    make("crawl/segments/1.warc.gz", "crawl/segments/2.warc.gz", "d/x.html", "here.warc")
    Path("crawl/warc.paths").write_text("segments/1.warc.gz\nsegments/2.warc.gz\n")
    Path("crawl/warc.paths.gz").write_bytes(gzip.compress(Path("crawl/warc.paths").read_bytes()))
    Path("all.txt").write_text("# sources\n\nd\nhere.warc\ncrawl/segments/*.gz\n")
    found = ["crawl/segments/1.warc.gz", "crawl/segments/2.warc.gz"]
    assert names("crawl/warc.paths") == names("crawl/warc.paths.gz") == names("@crawl/warc.paths.gz") == found
    assert names("all.txt") == names("@all.txt") == ["here.warc", *found, "d/x.html"]


def test_a_missing_entry_of_a_list_is_a_shard_that_will_fail(folder):
    make("a.warc")
    Path("list.txt").write_text("a.warc\nmissing.warc\n")
    good, bad = gather(["list.txt"])
    assert (good.name, bad) == ("a.warc", Shard("missing.warc", Path("missing.warc"), 0, 0))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("x/1.warc.gz\nx/2.warc.gz\n", "none of the 2 entries of this list is a file here; the first is x/1.warc.gz"),
        ("", "none of the 0 entries"),
        ("a.warc\nhttps://example.org/\n", r"list, line 2: https://example.org/: a batch reads files"),
        ("a.warc\nmissing/*.warc\n", r"list, line 2: no file matches missing/\*.warc"),
        ("a.warc\na.warc.wet.gz\n", "list, line 2: .* a WET file has text and no HTML"),
    ],
    ids=["elsewhere", "empty", "url", "pattern", "wet"],
)
def test_a_list_that_cannot_be_meant_is_refused(folder, content, message):
    make("a.warc", "a.warc.wet.gz")
    Path("list").write_text(content)
    with pytest.raises(SourceError, match=message):
        gather(["@list"])


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("missing.warc", "no such file: missing.warc"),
        ("", "no such file"),
        ("@missing", "no such file: missing"),
        ("empty", "no page and no container in the folder empty"),
        ("*.warc", r"no file matches \*.warc"),
        ("-", "a batch reads files"),
        ("s3://commoncrawl/warc.paths", "a batch reads files"),
        ("pipe", "pipe: not a regular file"),
        ("CC-1.warc.wet.gz", "a WET file has text and no HTML; give the WARC file"),
        ("CC-1.warc.wat.gz", "a WAT file has metadata and no HTML"),
        ("x" * 5000, "cannot read x+: File name too long"),
        ("a\0b", "no such file"),
    ],
    ids=["missing", "nothing", "list", "folder", "pattern", "stdin", "url", "pipe", "wet", "wat", "long", "null"],
)
def test_a_source_without_files_is_an_error_that_names_it(folder, source, message):
    Path("empty").mkdir()
    os.mkfifo("pipe")
    make("CC-1.warc.wet.gz", "CC-1.warc.wat.gz")
    with pytest.raises(SourceError, match=message):
        gather([source])


def test_wet_files_of_a_folder_are_passed_over(folder):
    make("d/1.warc.gz", "d/1.warc.wet.gz", "d/1.warc.wat.gz")
    assert names("d") == ["d/1.warc.gz"]


def test_broken_and_looping_links_are_shards_that_will_fail(folder):
    make("d/a.warc")
    Path("d/loop.warc").symlink_to("loop.warc")
    Path("d/broken.html").symlink_to("nowhere")
    assert names("d") == ["d/a.warc", "d/loop.warc", "d/broken.html"]
