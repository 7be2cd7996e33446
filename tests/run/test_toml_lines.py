"""Line numbers of TOML keys, compared with what `tomllib` reads."""

import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun.run.toml_lines import KeyPath, line_numbers

DOCUMENT = '''\
# a comment with [brackets] and "quotes"
title = "a # no comment" # a comment
"quoted key" = 1
'dotted' . "a\\u0062" = 2
long = """
[not.a.table]
key = 1 ""quoted""
"""
literal = \'\'\'
[[nor.this]]\'\'\'
list = [
  "one", # first
  { every = "15m", tags = ["a",
    "b"] },

  1979-05-27T07:32:00Z,
]
inline = { a = 1, b.c = "x, ] }" }

[network]
delay = 1.5
headers."User-Agent" = "x"
  [network.deep."very deep"]
  n = 1

[[sources]]
url = "feed:a"

[[sources]]
url = "feed:b"
  [sources.schedule]
  every = "15m"
  [[sources.filters]]
  keep = 'a'
  [[sources.filters]]
  keep = """b"""

[[sources]]
'''


def paths(value: Any, path: KeyPath = ()) -> Iterator[KeyPath]:
    """All keys and indexes of a parsed document."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in pairs:
        yield (*path, key)
        yield from paths(inner, (*path, key))


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("title",), 2),
        (("quoted key",), 3),
        (("dotted", "ab"), 4),
        (("list", 0), 12),
        (("list", 1, "tags", 1), 14),
        (("list", 2), 16),
        (("inline", "b", "c"), 18),
        (("network",), 20),
        (("network", "headers", "User-Agent"), 22),
        (("network", "deep", "very deep", "n"), 24),
        (("sources", 0, "url"), 27),
        (("sources", 1, "schedule", "every"), 32),
        (("sources", 1, "filters", 1, "keep"), 36),
        (("sources", 2), 38),
    ],
)
def test_a_key_has_the_line_it_stands_on(path: KeyPath, line: int) -> None:
    assert line_numbers(DOCUMENT)[path] == line


def test_windows_line_endings_count_once() -> None:
    text = 'a = 1\r\n# note\r\n[b]\r\nc = """\r\n\r\n"""\r\nd = 2\r\n'
    assert line_numbers(text) == {("a",): 1, ("b",): 3, ("b", "c"): 4, ("b", "d"): 7}


KEYS = st.sampled_from(["a", "b-1", '"c d"', "'e.f'", '"\\u00e9\\n"'])
TEXTS = ['"x"', "'#'", '"""\n"\\"]\n"""', "'''\n'' }\n'''", '"a\\\\"', "'\\'"]
SCALARS = st.sampled_from([*TEXTS, "1", "true", "-1.5e3", "1979-05-27 07:32:00"])
INLINE = st.deferred(
    lambda: st.lists(st.tuples(KEYS, VALUES), max_size=3, unique_by=lambda pair: pair[0]).map(
        lambda pairs: "{" + ", ".join(f"{key} = {value}" for key, value in pairs) + "}"
    )
)
ARRAYS = st.deferred(lambda: st.lists(VALUES, max_size=3).map(lambda items: "[ # x ]\n" + ",\n ".join(items) + "\n]"))
VALUES: st.SearchStrategy[str] = st.one_of(SCALARS, INLINE, ARRAYS)
PAIRS = st.tuples(KEYS, VALUES).map(" = ".join)
HEADERS = st.tuples(KEYS, KEYS, st.booleans()).map(
    lambda parts: f"[[{parts[0]} . {parts[1]}]]" if parts[2] else f"[{parts[0]}.{parts[1]}] # x"
)


@given(st.lists(st.one_of(PAIRS, HEADERS, st.just(""), st.just("# [x] = '")), max_size=12))
def test_every_path_that_tomllib_reads_has_a_line(lines: list[str]) -> None:
    kept: list[str] = []
    for line in lines:  # leave out what makes the document invalid, such as a key given twice
        try:
            tomllib.loads("\n".join([*kept, line]))
            kept.append(line)
        except tomllib.TOMLDecodeError:
            continue
    text = "\n".join(kept)
    found = line_numbers(text)
    assert set(paths(tomllib.loads(text))) == set(found)
    assert all(1 <= line <= text.count("\n") + 1 for line in found.values())
