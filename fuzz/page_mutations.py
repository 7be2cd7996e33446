"""Mutated pages for the whole path: byte and markup mutations of real pages and of our golden cases.

A page depends only on the sources, the seed and its number, so that a finding can be reproduced.
"""

import re
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from typing import Final

from bench import corpus
from fuzz.constructs import CONSTRUCTS, ENTITIES, TEXTS

ROOT: Final = Path(__file__).parents[1]
CORPORA: Final = ("cjk_dev", "wcxb_dev", "news_dev", "daniel_dev", "forums_dev", "recipes_dev", "visual_dev")
MOST_BYTES: Final = 300_000
"""The size of the largest mutated page."""
WINDOW: Final = 6_000
"""Most pages are mutations of a part of this size: the checks of a small page take milliseconds."""
_TAG: Final = re.compile(rb"<[a-zA-Z/!][^<>]{0,300}>")
_ATTRIBUTE: Final = re.compile(rb"""\s([a-zA-Z:-]{1,20})\s*=\s*("[^"<>]{0,300}"|'[^'<>]{0,300}'|[^\s"'<>]{1,200})""")
_NAMES: Final = (
    b"div span p b i a table tr td th ul ol li dl dt dd h1 h2 h6 pre code blockquote figure figcaption img br hr"
    b" section article aside nav sup sub math mi mrow svg foreignobject template noscript select option details"
    b" summary form button title textarea iframe script style video audio source picture ruby rt q meta link body head"
).split()
_ENCODINGS: Final = (
    "utf-16",
    "utf-16-le",
    "utf-16-be",
    "utf-8-sig",
    "euc-kr",
    "shift_jis",
    "gb18030",
    "big5",
    "cp1252",
)
_URLS: Final = (None, "https://example.org/a/page.html", "http://[::1", "javascript:alert(1)", "//x", "\ud83d", "a\0b")

Mutation = Callable[[bytes, Random, Sequence[bytes]], bytes]


def sources(per_corpus: int) -> list[bytes]:
    """The pages to mutate: our golden cases, the fuzzers' regressions and, where installed, the first real pages."""
    files = sorted([*ROOT.glob("tests/golden/*/*/*.html"), *ROOT.glob("fuzz/regressions/*")])
    pages = [file.read_bytes() for file in files if not file.name.startswith("expected")]
    for name in CORPORA if per_corpus else ():
        if (corpus.DATA / f"{name}.jsonl.zst").exists():
            pages += [page["html"].encode("utf-8", "replace") for page in islice(corpus.pages(name), per_corpus)]
    return pages


def mutated(pages: Sequence[bytes], seed: int, number: int) -> tuple[bytes, str | None]:
    """The mutated page of that number, and its URL."""
    random = Random(f"{seed}:{number}")
    page = random.choice(pages)
    if number % 20 and len(page) > WINDOW:
        start = random.randrange(len(page) - WINDOW // 2)
        page = page[start : start + random.randint(WINDOW // 4, WINDOW)]
    for _ in range(random.choice((1, 1, 2, 3, 5, 8))):
        page = random.choice(MUTATIONS)(page, random, pages)[:MOST_BYTES]
    if random.random() < 0.05:
        page = _in_another_encoding(page, random)
    return page, random.choice(_URLS)


def _place(page: bytes, random: Random) -> int:
    """A place to insert at: half of the time between two tags."""
    place = random.randrange(len(page) + 1)
    return page.find(b"<", place) if random.random() < 0.5 and page.find(b"<", place) >= 0 else place


def _inserted(page: bytes, random: Random, piece: bytes) -> bytes:
    place = _place(page, random)
    return page[:place] + piece + page[place:]


def _span(page: bytes, random: Random, most: int) -> tuple[int, int]:
    start = random.randrange(len(page) + 1)
    return start, min(len(page), start + random.randint(0, most))


def _tag(page: bytes, random: Random) -> re.Match[bytes] | None:
    """A tag behind a random place."""
    return _TAG.search(page, random.randrange(len(page) + 1))


def flip_bytes(page: bytes, random: Random, _: Sequence[bytes]) -> bytes:
    """Overwrite some bytes: invalid UTF-8, NUL and control characters among them."""
    changed = bytearray(page)
    for _number in range(random.randint(1, 20) if changed else 0):
        changed[random.randrange(len(changed))] = random.choice(
            (0, 0x1B, 0x80, 0xC0, 0xED, 0xFF, random.randrange(256))
        )
    return bytes(changed)


def truncate(page: bytes, random: Random, _: Sequence[bytes]) -> bytes:
    """Cut the page at its start or end."""
    place = random.randrange(len(page) + 1)
    return page[:place] if random.random() < 0.7 else page[place:]


def delete(page: bytes, random: Random, _: Sequence[bytes]) -> bytes:
    """Delete a part, or one tag."""
    tag = _tag(page, random)
    start, stop = tag.span() if tag and random.random() < 0.6 else _span(page, random, 2_000)
    return page[:start] + page[stop:]


def duplicate(page: bytes, random: Random, _: Sequence[bytes]) -> bytes:
    """Repeat a part, sometimes many times."""
    start, stop = _span(page, random, random.choice((20, 200, 2_000)))
    times = random.choice((1, 1, 2, 10, 100))
    return page[:stop] + page[start:stop] * min(times, 1 + 50_000 // (stop - start + 1)) + page[stop:]


def splice(page: bytes, random: Random, pages: Sequence[bytes]) -> bytes:
    """Insert a part of another page."""
    other = random.choice(pages)
    start, stop = _span(other, random, random.choice((200, 4_000)))
    return _inserted(page, random, other[start:stop])


def cross(page: bytes, random: Random, pages: Sequence[bytes]) -> bytes:
    """The start of this page and the end of another."""
    other = random.choice(pages)
    end = other[-random.randint(1, WINDOW) :]
    return page[: random.randrange(len(page) + 1)] + end


def move_tag(page: bytes, random: Random, _: Sequence[bytes]) -> bytes:
    """Move a tag to another place."""
    tag = _tag(page, random)
    return _inserted(page[: tag.start()] + page[tag.end() :], random, tag[0]) if tag else page


def rename_tag(page: bytes, random: Random, _: Sequence[bytes]) -> bytes:
    """Give a tag another name."""
    tag = _tag(page, random)
    if not tag:
        return page
    name = random.choice(_NAMES)
    renamed = re.sub(rb"^(</?)[a-zA-Z0-9!-]+", lambda match: match[1] + name, tag[0])
    return page[: tag.start()] + renamed + page[tag.end() :]


def change_attribute(page: bytes, random: Random, _: Sequence[bytes]) -> bytes:
    """Replace, lengthen or drop an attribute's value."""
    match = _ATTRIBUTE.search(page, random.randrange(len(page) + 1))
    if not match:
        return page
    value = match[2].strip(b"\"'")
    start, stop = _span(value, random, len(value))
    text = random.choice(TEXTS).encode("utf-8", "surrogatepass")
    values = (b"", text, value[start:stop], value + text, value * random.choice((2, 50)), value[::-1])
    return page[: match.start(2)] + b'"' + random.choice(values).replace(b'"', b"&quot;") + b'"' + page[match.end(2) :]


def move_attribute(page: bytes, random: Random, _: Sequence[bytes]) -> bytes:
    """Copy an attribute to another tag."""
    match, tag = _ATTRIBUTE.search(page, random.randrange(len(page) + 1)), _tag(page, random)
    return page[: tag.end() - 1] + match[0] + page[tag.end() - 1 :] if match and tag else page


def nest(page: bytes, random: Random, _: Sequence[bytes]) -> bytes:
    """Insert deep nesting, closed or not."""
    names = random.choices(_NAMES, k=random.randint(1, 3))
    opened = b"".join(b"<%b>" % name for name in names) + random.choice((b"", b"x", b" word. "))
    times = random.choice((3, 30, 300, 1_500))
    closed = b"".join(b"</%b>" % name for name in reversed(names)) * times if random.random() < 0.5 else b""
    place = _place(page, random)
    return page[:place] + opened * times + page[place:] + closed


def insert_entities(page: bytes, random: Random, _: Sequence[bytes]) -> bytes:
    """Insert character references, half ones and those of control characters and surrogates."""
    return _inserted(page, random, "".join(random.choices(ENTITIES, k=random.randint(1, 30))).encode())


def insert_text(page: bytes, random: Random, _: Sequence[bytes]) -> bytes:
    """Insert text that is markup in one of our formats, control characters, scripts of the world, surrogates."""
    text = "".join(random.choices(TEXTS, k=random.randint(1, 10)))
    return _inserted(page, random, text.encode("utf-8", "surrogatepass"))


def insert_construct(page: bytes, random: Random, _: Sequence[bytes]) -> bytes:
    """Insert one or more of the constructs that we read: notes, callouts, tables, formulas, JSON-LD, attacks."""
    for _number in range(random.choice((1, 1, 2, 4))):
        piece = random.choice(CONSTRUCTS).encode("utf-8", "surrogatepass")
        if random.random() < 0.3:
            start, stop = _span(piece, random, len(piece))
            piece = piece[start:stop]
        page = _inserted(page, random, piece * random.choice((1, 1, 1, 3, 40)))
    return page


def _in_another_encoding(page: bytes, random: Random) -> bytes:
    name = random.choice(_ENCODINGS)
    declared = b"<meta charset=%b>" % name.encode() if random.random() < 0.5 else b""
    return (declared + page).decode("utf-8", "replace").encode(name, "replace")


MUTATIONS: Final[tuple[Mutation, ...]] = (
    flip_bytes,
    truncate,
    delete,
    duplicate,
    splice,
    cross,
    move_tag,
    rename_tag,
    change_attribute,
    move_attribute,
    nest,
    insert_entities,
    insert_text,
    insert_construct,
    insert_construct,
    insert_construct,
)
