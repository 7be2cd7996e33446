"""Features of what the elements around a block are called."""

from dataclasses import dataclass

from bonmun.features.concepts import CONCEPTS, CONCEPTS_OF_HASH, LANDMARK_OF_TAG, LANDMARKS, NAMING
from bonmun.features.hashing import BUCKETS, fnv, name_words
from bonmun.features.measured_page import MeasuredPage
from bonmun.model.nodes import Nodes
from bonmun.model.tags import TEXT

FAR = 20
"""The distance of what is not there."""
LEVELS = 9
"""Elements above a block whose names have a say in its score."""
RANGES = 3
"""The same word counts apart when near, further up and far."""
_NEAR, _NOT_FAR = 2, 5  # levels


@dataclass(frozen=True, slots=True)
class Names:
    """What one element is called."""

    concepts: int
    words: tuple[int, ...]
    """Buckets of its words."""


def names(nodes: Nodes) -> list[Names]:
    """What each row is called; text nodes have no name."""
    wanted = {nodes.attr_id[name] for name in NAMING if name in nodes.attr_id}
    nameless = Names(0, ())
    known: dict[bytes, tuple[int, tuple[int, ...]]] = {}
    found = []
    for row, tag in enumerate(nodes.tag):
        places = () if tag == TEXT else range(nodes.attr_first[row], nodes.attr_first[row + 1])
        values = [nodes.attr_bytes(at) for at in places if nodes.attr_name[at] in wanted]
        for value in values:
            if value not in known:
                words = [fnv(word) for word in name_words(value)]
                concepts = 0
                for word in words:
                    concepts |= CONCEPTS_OF_HASH.get(word, 0)
                known[value] = concepts, tuple(word % BUCKETS for word in words)
        if not values:
            found.append(nameless)
            continue
        concepts = 0
        for value in values:
            concepts |= known[value][0]
        found.append(Names(concepts, tuple(word for value in values for word in known[value][1])))
    return found


def name_buckets(nodes: Nodes, named: list[Names], first: int) -> list[int]:
    """Buckets of the words that the elements around a row are called, three ranges by how near they are."""
    found: list[int] = []
    row = nodes.parent[first]
    for level in range(LEVELS):
        if row <= 0:
            break
        shift = BUCKETS * (0 if level < _NEAR else 1 if level < _NOT_FAR else 2)
        found += [shift + word for word in named[row].words]
        row = nodes.parent[row]
    return found


def naming(m: MeasuredPage, named: list[Names]) -> dict[str, list[float]]:
    """How far above each block the nearest element stands that is called so, or has that tag."""
    nodes = m.nodes
    tables: dict[int, list[int]] = {-1: [FAR] * (len(CONCEPTS) + len(LANDMARKS))}

    def distances(row: int) -> list[int]:
        way = []
        while row not in tables:
            way.append(row)
            row = nodes.parent[row]
        for below in reversed(way):
            table = [min(distance + 1, FAR) for distance in tables[nodes.parent[below]]]
            for concept in range(len(CONCEPTS)):
                if named[below].concepts >> concept & 1:
                    table[concept] = 0
            landmark = LANDMARK_OF_TAG.get(nodes.tag[below], -1)
            if landmark >= 0:
                table[len(CONCEPTS) + landmark] = 0
            tables[below] = table
        return tables[way[0]] if way else tables[row]

    far = [distances(nodes.parent[first]) for first in m.blocks.first]
    columns = [f"named_{name}" for name in CONCEPTS] + [f"in_{name}" for name in LANDMARKS]
    return {name: [float(table[at]) for table in far] for at, name in enumerate(columns)}
