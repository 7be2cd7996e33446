"""Features of the page as a whole: the same for every block of it."""

from collections import Counter

from bonmun.features.measured_page import MeasuredPage, log, share
from bonmun.model.block import KINDS, Kind
from bonmun.model.tags import TAG_ID, tag_set

INPUTS = tag_set("input button select textarea")
_COUNTED = "h1 h2 h3 article main section time table form blockquote img".split()


def whole(m: MeasuredPage) -> dict[str, list[float]]:
    """Sizes, shares and counts; nothing about scripts and styles, which a saved page may lack."""
    tags, kinds = Counter(m.nodes.tag), Counter(m.blocks.kind_code)
    count, everything = m.count, (0, m.count)

    def of_kind(kind: Kind) -> int:
        return kinds[KINDS.index(kind)]

    figures = {
        "page_blocks": log(count),
        "page_size": log(m.total),
        "page_link": share(m.sum_link(*everything), m.total),
        "page_long": share(m.total_long, m.total),
        "page_long_size": log(m.total_long),
        "page_longest": log(max(m.size, default=0)),
        "page_mean": log(share(m.total, count)),
        "page_currencies": log(sum(stats.currencies for stats in m.stats)),
        "page_dates": log(sum(stats.dates for stats in m.stats)),
        "page_years": log(sum(stats.years for stats in m.stats)),
        "page_marks": share(m.sum_marks(*everything), m.total),
        "page_paragraphs": share(m.sum_paragraph(*everything), count),
        "page_items": share(of_kind(Kind.ITEM), count),
        "page_cells": share(of_kind(Kind.CELL), count),
        "page_headings": share(of_kind(Kind.HEADING), count),
        "page_code": log(of_kind(Kind.CODE)),
        "page_inputs": log(sum(tags[tag] for tag in INPUTS)),
        **{f"page_{name}": log(tags[TAG_ID[name]]) for name in _COUNTED},
    }
    return {name: [figure] * count for name, figure in figures.items()}
