"""The compiled core; `bonmun.core.Core` documents the functions."""

from array import array
from typing import Any

from bonmun.core import AddressBases, ReadColumns, Shown

_Columns = tuple[bytes, ...]

def read(
    source: bytes,
    flags_of_tag: bytes,
    nodes: int,
    depth: int,
    attributes: int,
    seconds: float,
    /,
) -> str | ReadColumns: ...
def look(data: bytes, /) -> int: ...
def next_meta(head: bytes, position: int, /) -> tuple[dict[bytes, bytes], int] | None: ...
def has_forbidden(data: bytes, /) -> bool: ...
def forbidden_ranges(start: memoryview, stop: memoryview, buffer: bytes, spill: bytes, /) -> bytes: ...
def segment(
    columns: tuple[memoryview, ...], buffer: bytes, spill: bytes, roles: bytes, names: bytes, most_blocks: int, /
) -> str | tuple[tuple[memoryview, ...], bytes, bytes]: ...
def formula_rows(
    columns: tuple[memoryview, ...], buffer: bytes, spill: bytes, tags: bytes, names: bytes, /
) -> bytes: ...
def attribute_rows(
    columns: tuple[memoryview, ...], buffer: bytes, spill: bytes, name: int, words: bytes, first: int, stop: int, /
) -> bytes: ...
def tag_rows(tag: memoryview, number: int, /) -> bytes: ...
def elements(
    columns: tuple[memoryview, ...],
    buffer: bytes,
    spill: bytes,
    tag: int,
    names: array[int],
    needed: int,
    most: int,
    /,
) -> list[tuple[Any, ...]]: ...
def dated_blocks(columns: tuple[memoryview, ...], text: bytes, first: int, most: int, /) -> bytes: ...
def letters(
    columns: tuple[memoryview, ...],
    text: bytes,
    skipped: int,
    least: int,
    most: int,
    enough: int,
    ranges: array[int],
    /,
) -> bytes: ...
def group(
    parent: memoryview, tag: memoryview, chars: memoryview, flags: memoryview, /
) -> tuple[bytes, bytes, bytes, bytes, bytes, int]: ...
def inline_page(columns: tuple[memoryview, ...], buffer: bytes, spill: bytes, href: int, /) -> object: ...
def inline_markdown(
    page: object,
    first: int,
    stop: int,
    element: int,
    skipped: int,
    heading: bool,
    extra: int,
    tildes: int,
    /,
) -> str | None: ...
def json_links(
    nodes: tuple[memoryview, ...],
    blocks: tuple[memoryview, ...],
    rest: tuple[bytes | memoryview | array[int], ...],
    href: int,
    page: object,
    bases: AddressBases,
    /,
) -> tuple[bytes, list[str | None]]: ...
def json_string(text: str, /) -> str: ...
def json_blocks(
    nodes: tuple[memoryview, ...],
    blocks: tuple[memoryview, ...],
    rest: tuple[bytes | memoryview | array[int] | array[float], ...],
    href: int,
    style: int,
    page: object,
    bases: AddressBases,
    addresses: tuple[str, ...],
    kinds: tuple[str, ...],
    before: tuple[str, ...],
    after: tuple[str, ...],
    /,
) -> list[str | int]: ...
def measure(
    nodes: tuple[memoryview, ...],
    blocks: tuple[memoryview, ...],
    buffer: bytes,
    spill: bytes,
    text: bytes,
    roles: bytes,
    naming: bytes,
    concepts: bytes,
    term_weights: memoryview[float],
    name_weights: memoryview[float],
    /,
) -> object: ...
def features(measured: object, first: int, stop: int, /) -> bytes: ...
def forest(
    feature: memoryview[int],
    threshold: memoryview[float],
    left: memoryview[int],
    right: memoryview[int],
    leaf: memoryview[float],
    start: memoryview[int],
    /,
) -> object: ...
def sums(forest: object, table: bytes, width: int, /) -> bytes: ...
def contributions(forest: object, table: bytes, width: int, /) -> bytes: ...
def judge(
    measured: object,
    table: bytes | None,
    blocks: tuple[object, object],
    about: tuple[object, ...],
    bounds: tuple[float, float, float, float],
    tables: array[int],
    stops: array[int],
    may_be_plain: bool,
    beta: float,
    seconds: float,
    /,
) -> str | tuple[bytes, bytearray, bytes, bytes, float, int, bool, int]: ...
def end_of_text(measured: object, scores: array[float], /) -> int: ...
def text_ends(measured: object, keep: bytearray, titles: bytes, notices: bytes, /) -> tuple[bytes, bool, bool]: ...
def gaps(measured: object, kinds: memoryview | array[int], keep: bytearray, /) -> bytes: ...
def callout_titles(measured: object, keep: bytearray, callouts: bytes, /) -> bytes: ...
def linked_headings(measured: object, keep: bytearray, /) -> bytes: ...
def pictures(measured: object, keep: bytearray, decided: array[int], captions: bytes, /) -> bytes: ...
def calibrate(xs: array[float], ys: array[float], raw: array[float], /) -> bytes: ...
def means(table: memoryview[float], width: int, /) -> bytes: ...
def places(
    parent: memoryview, depth: memoryview, tag: memoryview, end: memoryview, kinds: bytes, deepest: int, anchor: int, /
) -> bytes: ...
def ranks(
    contributions: memoryview[float],
    keep: bytes,
    wanted: bytes,
    mean: array[float],
    columns: array[int],
    stops: array[int],
    /,
) -> tuple[bytes, bytes]: ...
def writer_page(
    nodes: tuple[memoryview, ...],
    blocks: tuple[memoryview, ...],
    buffer: bytes,
    spill: bytes,
    text: bytes,
    tables: bytes,
    names: bytes,
    roles: bytes,
    /,
) -> object: ...
def write_text(
    page: object, shown: array[int], nesting: int, places: array[int], starts: array[int], texts: bytes, /
) -> str: ...
def write_markdown(*shown: *Shown) -> str | tuple[object, bytes] | None: ...
def write_html(*shown: *Shown) -> str | tuple[object, bytes] | None: ...
def json_groups(*shown: *Shown) -> tuple[bytes, bytes, tuple[str, ...]]: ...
def finish_plan(plan: object, places: array[int], starts: array[int], texts: bytes, /) -> str | None: ...
def known_pictures(page: object, blocks: array[int], bases: AddressBases, /) -> bytes: ...
def tokenize(
    source: bytes,
    model: str = "data",
    last_start_tag: str | None = None,
    in_foreign: bool = False,
    most_attributes: int = 256,
    /,
) -> list[tuple[object, ...]]: ...
