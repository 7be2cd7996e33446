"""The feature table as one array of floats, by the compiled twin or, without it, the Python one."""

from array import array
from itertools import chain
from operator import attrgetter
from typing import Final

from bonmun.core import BLOCK_COLUMNS, NODE_COLUMNS, Core, core
from bonmun.features.concepts import CONCEPTS_OF_HASH, LANDMARK_OF_TAG, NAMING
from bonmun.features.table import WordWeights, features
from bonmun.features.whole import INPUTS
from bonmun.model.page import Page
from bonmun.model.tags import FLOW, HEADINGS, TAGS

LANDMARK_ROLE, FLOW_ROLE, HEADING_ROLE, INPUT_ROLE = 15, 16, 32, 64
"""Bits of a tag's role in the compiled twin; those of `LANDMARK_ROLE` hold its index in `LANDMARKS` plus 1, or 0."""
_ROLES: Final = bytes(
    LANDMARK_OF_TAG.get(tag, -1) + 1
    | (FLOW_ROLE if tag in FLOW else 0)
    | (HEADING_ROLE if tag in HEADINGS else 0)
    | (INPUT_ROLE if tag in INPUTS else 0)
    for tag in range(len(TAGS))
)
_SLOTS: Final = 1024
_node_columns = attrgetter(*NODE_COLUMNS, "depth")
_block_columns = attrgetter(*BLOCK_COLUMNS)


def feature_matrix(page: Page, weights: WordWeights) -> bytes:
    """The features of each block, `columns.COLUMNS` wide, in 32-bit floats."""
    compiled = core()
    if compiled:
        return _by_core(compiled, page, weights)
    rows = zip(*features(page, weights).values(), strict=True)
    return array("f", chain.from_iterable(rows)).tobytes()


def _by_core(compiled: Core, page: Page, weights: WordWeights) -> bytes:
    nodes, blocks = page.nodes, page.blocks
    return compiled.features(
        _node_columns(nodes),
        _block_columns(blocks),
        nodes.buffer,
        nodes.spill,
        blocks.text_buffer,
        _ROLES,
        array("i", (nodes.attr_id.get(name, -1) for name in NAMING)).tobytes(),
        _CONCEPTS,
        weights.terms,
        weights.names,
    )


def _concept_slots() -> bytes:
    """A hash table from word hashes to concept bits: open addressing; a slot without concepts is free."""
    slots = [(0, 0)] * _SLOTS
    for word, concepts in CONCEPTS_OF_HASH.items():
        slot = word % _SLOTS
        while slots[slot][1]:
            slot = (slot + 1) % _SLOTS
        slots[slot] = word, concepts
    return array("I", chain.from_iterable(slots)).tobytes()


_CONCEPTS: Final = _concept_slots()
