"""Text inside drawings is read where a page shows next to nothing else."""

from bonmun.read.page import read_page

_LINE = "<text>The boats come in with <tspan>the tide</tspan>, one by one.</text>"


def test_a_page_of_drawn_text_is_read_line_by_line() -> None:
    page = read_page(f"<svg><g>{_LINE * 5}</g><svg>{_LINE}</svg></svg><svg>{_LINE}<style>b{{}}</style></svg>")
    assert page.blocks.text == ("The boats come in with the tide, one by one.",) * 7
    assert page.warnings[0].startswith("nearly all text stands in drawings")


def test_labels_and_drawings_in_a_text_are_not_read() -> None:
    labels = "<svg>" + "<text>Jan 10</text>" * 60 + "</svg>"
    assert not len(read_page(labels).blocks)
    text = "<p>The harbour opened again on Saturday, eleven years after the last ferry had left it.</p>" * 3
    assert len(read_page(f"{text}<svg>{_LINE * 5}</svg>").blocks) == 3
