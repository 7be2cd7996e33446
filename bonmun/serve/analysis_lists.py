"""The lists of an analysis as plain data: a window of the long ones, each entry linked to its block."""

from bisect import bisect_right
from dataclasses import dataclass
from typing import Any, Final

from bonmun.deadline import check
from bonmun.methods.logical import LogicalAnalysis
from bonmun.methods.logical_regions import TOP
from bonmun.methods.xpath_groups import XPathAnalysis
from bonmun.model.document import Document

_MOST_CHARACTERS: Final = 16_000_000
"""Characters of the entries of one answer: a hostile page has paths of kilobytes before each of its texts."""
_MOST_KEYWORDS: Final = 1_000


@dataclass(frozen=True, slots=True)
class Window:
    """The entries of a long list that an answer has."""

    offset: int
    limit: int


def xpath_panes(document: Document, analysis: XPathAnalysis, window: Window) -> dict[str, Any]:
    """Return the fields of `XPathPanes`."""
    nodes = _text_nodes(document, analysis, window)
    stop, groups = window.offset + len(nodes), analysis.groups
    first = max(bisect_right(analysis.firsts, window.offset) - 1, 0)
    last = bisect_right(analysis.firsts, stop - 1) if nodes else first
    chosen = analysis.chosen
    texts = analysis.nodes_of(groups[chosen]) if chosen >= 0 else ()
    return {
        "offset": window.offset,
        "total": len(analysis.rows),
        "text_nodes": nodes,
        "total_groups": len(groups),
        "groups": [_group(analysis, index) for index in range(first, last)],
        "chosen": _group(analysis, chosen) if chosen >= 0 else None,
        "text": [node.text for node in texts],
        "distinct_paths": len({group.path for group in groups}),
        "total_length": sum(analysis.lengths),
    }


def _text_nodes(document: Document, analysis: XPathAnalysis, window: Window) -> list[dict[str, Any]]:
    page, left, listed = document.page, _MOST_CHARACTERS, list[dict[str, Any]]()
    for node in analysis.nodes[window.offset : window.offset + window.limit]:
        check()
        block, xpath = page.block_at(node.row), page.nodes.xpath(node.row)
        left -= len(node.path) + len(xpath) + node.length
        if left < 0 and listed:
            break
        listed.append(
            {
                "path": node.path, "length": node.length, "text": node.text,
                "block": block if block >= 0 else None, "xpath": xpath,
            }
        )  # fmt: skip
    return listed


def _group(analysis: XPathAnalysis, index: int) -> dict[str, Any]:
    group = analysis.groups[index]
    return {
        "index": index, "path": group.path, "first": group.first, "count": group.count, "length": group.length,
    }  # fmt: skip


def logical_lists(document: Document, analysis: LogicalAnalysis, window: Window) -> dict[str, Any]:
    """Return the fields of `LogicalLists`."""
    xpath, kept = document.page.nodes.xpath, [block for block in document.all_blocks if block.keep]
    return {
        "offset": window.offset,
        "total": len(analysis.blocks),
        "leaves": _leaves(document, analysis, window),
        "language": analysis.keywords.language,
        "analyser": analysis.keywords.analyser,
        "warnings": [str(warning) for warning in analysis.warnings],
        "notes": [str(note) for note in analysis.notes],
        "top": TOP,
        "total_keywords": len(analysis.keywords.frequency),
        "keywords": _keywords(analysis),
        "candidates": list(analysis.candidates),
        "clusters": [{"xpath": xpath(row), "leaves": list(ids)} for row, ids in analysis.clusters.items()],
        "regions": [
            {"xpath": xpath(row), "weight": weight, "chosen": row == analysis.row}
            for row, weight in analysis.regions.items()
        ],
        "region": analysis.region,
        "kept": [block.index for block in kept],
        "text": [block.text for block in kept],
    }


def _leaves(document: Document, analysis: LogicalAnalysis, window: Window) -> list[dict[str, Any]]:
    page, frequency, left = document.page, analysis.keywords.frequency, _MOST_CHARACTERS
    length_rank = {number: rank for rank, number in enumerate(analysis.by_length)}
    weight_rank = {number: rank for rank, number in enumerate(analysis.by_weight)}
    chosen, listed = {*analysis.candidates}, list[dict[str, Any]]()
    for leaf in analysis.blocks[window.offset : window.offset + window.limit]:
        check()
        xpath, nouns = page.nodes.xpath(leaf.row), analysis.keywords.nouns[leaf.id]
        left -= 2 * leaf.length + len(xpath)
        if left < 0 and listed:
            break
        listed.append(
            {
                "id": leaf.id,
                "xpath": xpath,
                "length": leaf.length,
                "weight": analysis.weights[leaf.id],
                "length_rank": length_rank[leaf.id],
                "weight_rank": weight_rank.get(leaf.id),
                "nouns": [(noun, count) for noun, count in nouns.items() if noun in frequency],
                "text": leaf.text,
                "blocks": sorted({*map(page.block_at, leaf.text_rows)} - {-1}),
                "candidate": leaf.id in chosen,
                "in_region": leaf.id in analysis.in_region,
            }
        )
    return listed


def _keywords(analysis: LogicalAnalysis) -> list[dict[str, Any]]:
    body = {noun for block in analysis.in_region for noun in analysis.keywords.nouns[block]}
    listed = analysis.keywords.frequency.most_common(_MOST_KEYWORDS)
    return [{"noun": noun, "frequency": count, "in_region": noun in body} for noun, count in listed]
