"""Write the C tables of `bonmun/_core` that are data, not code: named characters and tag numbers.

python tools/make_core_tables.py            write them
python tools/make_core_tables.py --check    exit with 1 if a file on disk is not what would be written
"""

import argparse
import runpy
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from html.entities import html5
from itertools import chain
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CORE = ROOT / "bonmun" / "_core"
MADE = "/* Made by tools/make_core_tables.py. Do not edit. */"
WIDTH = 120
ENTITY_SLOTS = 4096


def main() -> int:
    """Write or check every table; the number of stale files, at most 1."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a file is stale")
    check = parser.parse_args().check
    stale = [path for path, text in tables() if not path.exists() or path.read_text(encoding="ascii") != text]
    for path, text in tables():
        if path in stale and not check:
            path.write_text(text, encoding="ascii", newline="\n")
    for path in stale:
        print(f"{'stale' if check else 'written'}: {path.relative_to(ROOT).as_posix()}", file=sys.stderr)
    return int(check and bool(stale))


def tables() -> Iterator[tuple[Path, str]]:
    """Each generated file with its text."""
    yield CORE / "entities_table.h", entities_table()
    yield CORE / "tags_table.h", tags_table()


def entities_table() -> str:
    """The named characters, grouped by the length of the name, and a hash table of their places.

    A name is looked up with its length known, so that one group of names of equal width needs no offsets.
    """
    characters = {name.rstrip(";"): text for name, text in html5.items()}
    lengths: dict[int, list[str]] = defaultdict(list)
    for name in sorted(characters):
        lengths[len(name)].append(name)
    longest = max(lengths)
    names, groups, values, first = list[str](), list[str](), list[str](), 0
    for length in range(longest + 1):
        group = lengths.get(length, [])
        groups.append(f"{{{f'names_of_{length}' if group else 'NULL'}, {first}, {len(group)}}},")
        first += len(group)
        if group:
            row = (WIDTH - 7) // length * length
            letters = "".join(group)
            names.append(f"static const char names_of_{length}[] =")
            names += [f'    "{letters[start : start + row]}"' for start in range(0, len(letters), row)]
            names[-1] += ";"
        values += [value(characters[name], bare=name in html5) for name in group]
    return file(
        "BONMUN_ENTITIES_TABLE_H",
        '#include "entities.h"',
        "",
        f"enum {{ LONGEST_ENTITY = {longest}, ENTITY_SLOTS = {ENTITY_SLOTS} }};",
        "",
        *names,
        "",
        "/* By the length of the name. */",
        "static const entity_group entity_groups[] = {",
        *lines(groups),
        "};",
        "",
        "static const entity entity_values[] = {",
        *lines(values),
        "};",
        "",
        "/* By hash: place in entity_values + 1; 0 is free. */",
        "static const uint16_t entity_slots[ENTITY_SLOTS] = {",
        *lines(f"{place}," for place in slots([name for length in sorted(lengths) for name in lengths[length]])),
        "};",
    )


def slots(names: list[str]) -> list[int]:
    """Open addressing on the hash that `entities.c` computes."""
    table = [0] * ENTITY_SLOTS
    for place, name in enumerate(names):
        slot = 0
        for letter in name.encode("ascii"):
            slot = (slot * 33 + letter) % ENTITY_SLOTS
        while table[slot]:
            slot = (slot + 1) % ENTITY_SLOTS
        table[slot] = place + 1
    return table


def value(text: str, *, bare: bool) -> str:
    """One row of `entity_values`."""
    first, second = (*map(ord, text), 0)[:2]
    return f"{{0x{first:X}, 0x{second:X}, {int(bare)}}},"


def tags_table() -> str:
    """The tag names in the order of their numbers, and an enum of the numbers."""
    tags: tuple[str, ...] = runpy.run_path(str(ROOT / "bonmun" / "model" / "tags.py"))["TAGS"]
    constants = (f"TAG_{tag.removeprefix('#').upper().replace('-', '_')}," for tag in tags)
    return file(
        "BONMUN_TAGS_TABLE_H",
        "/* The numbers of bonmun/model/tags.py; TAG_COUNT is the first number of a name that HTML does not know. */",
        "enum {",
        *lines(chain(constants, ["TAG_COUNT"])),
        "};",
        "",
        "static const char *const tag_names[] = {",
        *lines(f'"{tag}",' for tag in tags),
        "};",
    )


def file(guard: str, *body: str) -> str:
    """A header with its include guard."""
    return "\n".join([MADE, f"#ifndef {guard}", f"#define {guard}", "", *body, "", "#endif", ""])


def lines(words: Iterable[str]) -> list[str]:
    """Words put into indented lines no longer than `WIDTH`."""
    filled = [""]
    for word in words:
        if filled[-1] and 4 + len(filled[-1]) + 1 + len(word) > WIDTH:
            filled.append("")
        filled[-1] += f" {word}" if filled[-1] else word
    return [f"    {line}" for line in filled]


if __name__ == "__main__":
    sys.exit(main())
