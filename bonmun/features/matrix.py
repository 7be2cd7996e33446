"""The feature table as one run of floats, block by block, by whichever twin is there."""

from array import array
from itertools import chain
from typing import Final

from bonmun.core import Core, core
from bonmun.features.concepts import CONCEPTS_OF_HASH, LANDMARK_OF_TAG, NAMING
from bonmun.features.table import WordWeights, features
from bonmun.features.whole import INPUTS
from bonmun.model.page import Page
from bonmun.model.tags import FLOW, HEADINGS, TAGS

_FLOW, _HEADING, _INPUT = 16, 32, 64  # as in _core/feature_table.h; the low bits are the number of the landmark and one
_ROLES: Final = bytes(
    LANDMARK_OF_TAG.get(tag, -1) + 1
    | (_FLOW if tag in FLOW else 0)
    | (_HEADING if tag in HEADINGS else 0)
    | (_INPUT if tag in INPUTS else 0)
    for tag in range(len(TAGS))
)
_SLOTS: Final = 1024


def feature_matrix(page: Page, weights: WordWeights) -> bytes:
    """The features of each block, `columns.COLUMNS` wide, in 32-bit floats."""
    compiled = core()
    if compiled:
        return _by_core(compiled, page, weights)
    rows = zip(*features(page, weights).values(), strict=True)
    return array("f", chain.from_iterable(rows)).tobytes()


def _by_core(compiled: Core, page: Page, weights: WordWeights) -> bytes:
    n, b = page.nodes, page.blocks
    rows = (n.parent, n.tag, n.end, n.start, n.stop, n.chars, n.flags, n.depth)
    return compiled.features(
        (*rows, n.attr_first, n.attr_name, n.attr_start, n.attr_stop),
        (b.kind_code, b.level, b.element, b.first, b.stop, b.link_chars, b.flags, b.chars, b.text_start, b.text_stop),
        n.buffer,
        n.spill,
        b.text_buffer,
        _ROLES,
        array("i", (n.attr_id.get(name, -1) for name in NAMING)).tobytes(),
        _CONCEPTS,
        weights.terms,
        weights.names,
    )


def _concept_slots() -> bytes:
    """A hash table of hashes and the concepts they stand for: open addressing, no concepts where a slot is free."""
    slots = [(0, 0)] * _SLOTS
    for word, concepts in CONCEPTS_OF_HASH.items():
        at = word % _SLOTS
        while slots[at][1]:
            at = (at + 1) % _SLOTS
        slots[at] = word, concepts
    return array("I", (number for slot in slots for number in slot)).tobytes()


_CONCEPTS: Final = _concept_slots()
