"""Configurations: what is read, and how mistakes are named."""

from pathlib import Path

import pytest

from bonmun.errors import ConfigError, SourceError
from bonmun.run.config import RunConfig, read_config
from bonmun.run.reading import read_text

WHOLE = """\
store = "postgresql://localhost/news"
sources = ["feed:https://example.org/rss", { source = "watch:inbox", name = "inbox", every = "1m", revisit = true }]
wrappers = ["mine:Printer", { wrapper = "saver", options = { folder = "out", deep = { a = 1 } } }]

[schedule]
every = "15m"
jitter = "90s"

[extract]
method = "xpath"
prefer = "recall"
abstain_below = 0.2
workers = 3

[limits]
seconds = 5
bytes = 1_000_000

[output]
links = false

[sites]
learn_after = 20

[metrics]
address = "[::1]:9000"

[log]
file = "run.log"
format = "json"
level = "debug"
"""


def read(text: str) -> RunConfig:
    return read_text(text, "config.toml", RunConfig).value


def test_every_section_is_read() -> None:
    config = read(WHOLE)
    assert config.store == "postgresql://localhost/news"
    feed, inbox = config.sources
    assert (feed.label, feed.every, inbox.label, inbox.every, inbox.revisit) == (
        "feed:https://example.org/rss", None, "inbox", 60.0, True,
    )  # fmt: skip
    assert [wrapper.wrapper for wrapper in config.wrappers] == ["mine:Printer", "saver"]
    assert config.wrappers[1].options == {"folder": "out", "deep": {"a": 1}}
    assert (config.schedule.every, config.schedule.jitter) == (900.0, 90.0)
    assert (config.extract.method, config.extract.prefer, config.extract.workers) == ("xpath", "recall", 3)
    assert (config.limits.seconds, config.limits.bytes, config.output.links) == (5.0, 1_000_000, False)
    assert config.sites.learn_after == 20
    assert config.metrics is not None
    assert (config.metrics.host, config.metrics.port) == ("::1", 9000)
    assert (config.log.file, config.log.format, config.log.level) == (Path("run.log"), "json", "debug")


def test_one_source_is_enough() -> None:
    config = read('[[sources]]\nsource = "pages"')
    assert (config.store, config.schedule.every, config.metrics) == ("news.db", None, None)


MISTAKES = {
    'sources = ["a"]\n[schedule]\nevery = "often"': "3: 'every' must be a duration such as \"15m\", not \"often\"",
    'sources = ["a"]\n\n[schedule]\nevery = 15': "4: 'every' must be a duration such as \"15m\", not 15",
    'sources = ["a"]\n[schedule]\nevery = "0s"': "3: 'every' must be longer than 0 seconds",
    '[[sources]]\nsource = "a"\n[[sources]]\nsource = "b"\nevry = "1m"': "5: unknown key 'evry'; did you mean 'every'?",
    'sources = ["a"]\nspeed = 1': "2: unknown key 'speed'; known are: extract, ",
    'sources = ["a"]\n[log]\nzzz = 1': "3: unknown key 'zzz'; known are: file, format, level",
    '[[sources]]\nname = "x"\n[log]': "1: a source needs either 'source' or 'use'",
    'sources = [\n  "a",\n  7,\n]': "3: item 2 of 'sources' must be a table, not 7",
    'sources = "a"': "1: 'sources' must be an array, not \"a\"",
    "sources = []": "1: 'sources' is empty",
    'store = "a.db"': "1: the configuration has no 'sources'",
    'sources = ["a",\n"a"]': "1: 'sources' has 'a' twice; give one of them another 'name'",
    'sources = [" "]': "1: a source needs either 'source' or 'use'",
    'sources = ["a"]\nwrappers = [{}]': "2: item 1 of 'wrappers' has no 'wrapper'",
    'sources = ["a"]\n[limits]\nseconds = -1': "3: Limits.seconds must be 0 or more, not -1.0",
    'sources = ["a"]\n[limits]\nbytes = 1.5': "3: 'bytes' must be an integer, not 1.5",
    'sources = ["a"]\n[output]\nlinks = "no"': "3: 'links' must be true or false, not \"no\"",
    'sources = ["a"]\n[extract]\nprefer = "all"':
        '3: \'prefer\' must be "precision" or "balance" or "recall", not "all"',
    'sources = ["a"]\n[metrics]\naddress = "9464"':
        "3: 'address' must be host:port such as \"127.0.0.1:9464\", not \"9464\"",
    'sources = ["a"]\n[sites]\nlearn_after = 2':
        "3: 'learn_after' must be 0 or at least 3: a template needs three pages",
    'sources = ["a"]\nstore = 2026-01-02': "2: 'store' must be a string, not 2026-01-02",
    'sources = ["a"\nstore = "b"': "2: not valid TOML: unclosed array",
    'sources = ["a"]\n[log]\nfile = "a\n': "3: not valid TOML: illegal character '\\n'",
    'sources = ["a"]\nsources = ["b"]': "2: not valid TOML: cannot overwrite a value",
    'sources = ["a"]\n\nstore = """\nno end\n': "4: not valid TOML: ",
}  # fmt: skip


@pytest.mark.parametrize("text", MISTAKES)
def test_a_mistake_is_named_with_its_line(text: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read(text)
    assert str(caught.value).startswith(f"config.toml, line {MISTAKES[text]}")


def test_a_file_that_is_missing_or_not_text(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="No such file"):
        read_config(tmp_path / "none.toml")
    latin = tmp_path / "latin.toml"
    latin.write_bytes(b"# one\n# caf\xe9\n")
    with pytest.raises(ConfigError, match="line 2: not UTF-8"):
        read_config(latin)
    large = tmp_path / "large.toml"
    large.write_bytes(b"#" * 1_100_000)
    with pytest.raises(SourceError, match="larger than"):
        read_config(large)


def test_a_byte_order_mark_and_windows_lines_are_read(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_bytes(b'\xef\xbb\xbfsources = ["a"]\r\n[log]\r\nlevel = "loud"\r\n')
    with pytest.raises(ConfigError, match=r"config.toml, line 3: 'level' must be"):
        read_config(path)
