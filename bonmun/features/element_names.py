"""Features of the names and tags of the elements around a block."""

from dataclasses import dataclass

from bonmun.features.concepts import CONCEPTS, CONCEPTS_OF_HASH, LANDMARK_OF_TAG, LANDMARKS
from bonmun.features.hashing import BUCKETS, fnv, name_words
from bonmun.features.measured_page import MeasuredPage
from bonmun.model.attributes import NAMING
from bonmun.model.nodes import Nodes
from bonmun.model.tags import TEXT

FAR = 20
"""Sentinel distance: no such element around the block; also the maximum."""
LEVELS = 9
"""Number of ancestors whose names count for a block's name score."""
RANGES = 3
"""Words are hashed separately by ancestor distance: near, middle, far."""
_NEAR, _NOT_FAR = 2, 5  # levels


@dataclass(frozen=True, slots=True)
class Names:
    """The names of one element."""

    concepts: int
    words: tuple[int, ...]
    """Hash buckets of its words."""


def names(nodes: Nodes) -> list[Names]:
    """The names of each row; text nodes have none."""
    wanted = {nodes.attr_id[name] for name in NAMING if name in nodes.attr_id}
    nameless = Names(0, ())
    known: dict[bytes, tuple[int, tuple[int, ...]]] = {}
    named = []
    for row, tag in enumerate(nodes.tag):
        places = () if tag == TEXT else range(nodes.attr_first[row], nodes.attr_first[row + 1])
        values = [nodes.attr_bytes(attribute) for attribute in places if nodes.attr_name[attribute] in wanted]
        for value in values:
            if value not in known:
                words = [fnv(word) for word in name_words(value)]
                concepts = 0
                for word in words:
                    concepts |= CONCEPTS_OF_HASH.get(word, 0)
                known[value] = concepts, tuple(word % BUCKETS for word in words)
        if not values:
            named.append(nameless)
            continue
        concepts = 0
        for value in values:
            concepts |= known[value][0]
        named.append(Names(concepts, tuple(word for value in values for word in known[value][1])))
    return named


def name_buckets(nodes: Nodes, named: list[Names], first: int) -> list[int]:
    """Hash buckets of the words in the names of the elements around a row, by ancestor distance."""
    buckets: list[int] = []
    row = nodes.parent[first]
    for level in range(LEVELS):
        if row <= 0:
            break
        shift = BUCKETS * (0 if level < _NEAR else 1 if level < _NOT_FAR else 2)
        buckets += [shift + word for word in named[row].words]
        row = nodes.parent[row]
    return buckets


def naming(m: MeasuredPage, named: list[Names]) -> dict[str, list[float]]:
    """The distance from each block up to the nearest element with a name of a concept, or with a tag."""
    nodes = m.nodes
    tables: dict[int, list[int]] = {-1: [FAR] * (len(CONCEPTS) + len(LANDMARKS))}

    def distances(row: int) -> list[int]:
        path = []
        while row not in tables:
            path.append(row)
            row = nodes.parent[row]
        for below in reversed(path):
            table = [min(distance + 1, FAR) for distance in tables[nodes.parent[below]]]
            for concept in range(len(CONCEPTS)):
                if named[below].concepts >> concept & 1:
                    table[concept] = 0
            landmark = LANDMARK_OF_TAG.get(nodes.tag[below], -1)
            if landmark >= 0:
                table[len(CONCEPTS) + landmark] = 0
            tables[below] = table
        return tables[path[0]] if path else tables[row]

    of_block = [distances(nodes.parent[first]) for first in m.blocks.first]
    columns = [f"named_{name}" for name in CONCEPTS] + [f"in_{name}" for name in LANDMARKS]
    return {name: [float(table[number]) for table in of_block] for number, name in enumerate(columns)}
