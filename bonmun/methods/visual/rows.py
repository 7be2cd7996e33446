"""The rows of M4: one for each element of a rendered page, in pre-order, with the paper's eighteen columns.

| columns | content |
|---|---|
| `order` `tag` `children` | index among all elements, index in `TAGS`, number of child nodes (elements and texts) |
| `characters` `link_characters` | characters of its text with white space collapsed; those inside `a` |
| `visible` | 1 for an element with layout boxes, jQuery's `:visible` |
| `left` … `height` | its box in CSS pixels, from the document's top left |
| `viewport_*` `document_*` | sizes of the window and of the whole document |
| `d0` `d1` | distance of its centre to that of the viewport at the top of the page, and to that of the document |

TabNet_1 has the first sixteen, TabNet_2 all. The paper never considers some elements (`NEVER`): neither they nor their
descendants have a row, and their text counts nowhere.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bonmun.errors import MissingExtra, NotRendered
from bonmun.model.layout import Layout
from bonmun.model.nodes import Nodes
from bonmun.model.page import Page
from bonmun.model.tags import TEXT, UNRENDERED

try:
    import numpy as np
except ImportError as error:
    raise MissingExtra("methods that see the rendered page", "visual") from error

if TYPE_CHECKING:
    from numpy.typing import NDArray

COLUMNS: Final = (
    *"order tag children characters link_characters visible left top right bottom width height".split(),
    *"viewport_width viewport_height document_width document_height d0 d1".split(),
)
"""The columns of a row, in order."""
TABNET_1: Final = COLUMNS[:16]
"""The columns of the paper's first model: without the distances to the centres."""
TABNET_2: Final = COLUMNS
NEVER: Final = frozenset("head iframe script meta link style input button noscript".split())
"""Elements that the paper never considers."""
TAGS: Final = (
    *"html base head link meta style title body address article aside footer header h1 h2 h3 h4 h5 h6 hgroup".split(),
    *"main nav section blockquote dd div dl dt figcaption figure hr li menu ol p pre ul a abbr b bdi bdo br".split(),
    *"cite code data dfn em i kbd mark q rp rt ruby s samp small span strong sub sup time u var wbr area".split(),
    *"audio img map track video embed fencedframe iframe object picture portal source svg math canvas".split(),
    *"noscript script del ins caption col colgroup table tbody td tfoot th thead tr button datalist".split(),
    *"fieldset form input label legend meter optgroup option output progress select textarea details".split(),
    *"dialog summary slot template acronym big center content dir font frame frameset image marquee".split(),
    *"menuitem nobr noembed noframes param plaintext rb rtc shadow strike tt xmp".split(),
)
"""The 137 elements of MDN's list; the index of any other one is 137."""
CATEGORIES: Final = {"tag": len(TAGS) + 1, "visible": 2}
"""The categorical columns with their number of categories."""

_TAG_INDEX: Final = {name: index for index, name in enumerate(TAGS)}


@dataclass(frozen=True, eq=False)
class Rows:
    """The rows of a page: the row of `Nodes` of each, and its columns."""

    row: "NDArray[np.int32]"
    matrix: "NDArray[np.float32]"
    """One line for each row, with the columns of `COLUMNS`."""

    @classmethod
    def of(cls, page: Page) -> "Rows":
        """Return the rows of a rendered page; raise `NotRendered` if it has no layout.

        >>> import bonmun
        >>> Rows.of(bonmun.read_page("<p>Tea"))
        Traceback (most recent call last):
        bonmun.errors.NotRendered: the page was not rendered: give it to bonmun.render first
        """
        if page.layout is None:
            raise NotRendered
        nodes = page.nodes
        tags, parents, ends = (np.asarray(column, np.int32) for column in (nodes.tag, nodes.parent, nodes.end))
        is_element = tags != TEXT
        skipped = _inside(nodes, ends, NEVER)
        row = np.flatnonzero(is_element & ~skipped).astype(np.int32)
        order = np.cumsum(is_element) - 1
        index = np.array([_TAG_INDEX.get(name, len(TAGS)) for name in nodes.tag_names])
        children = np.bincount(parents[parents >= 0], minlength=len(nodes))
        characters = np.where(skipped | (np.asarray(nodes.flags) & UNRENDERED > 0), 0, np.asarray(nodes.chars))
        linked = np.where(_inside(nodes, ends, {"a"}), characters, 0)
        texts = (_of_subtrees(characters, row, ends), _of_subtrees(linked, row, ends))
        columns = (order[row], index[tags[row]], children[row], *texts, *_visual(page.layout, row))
        return cls(row, np.stack(columns, axis=1, dtype=np.float32, casting="unsafe"))

    def __len__(self) -> int:
        return len(self.row)


def medians(matrix: "NDArray[np.float32]") -> list[float]:
    """Return the median of each column; 0 for a page without rows."""
    return [float(value) for value in np.median(matrix, axis=0)] if len(matrix) else [0.0] * len(COLUMNS)


def _inside(nodes: Nodes, ends: "NDArray[np.int32]", names: frozenset[str] | set[str]) -> "NDArray[np.bool_]":
    """Which rows are one of these elements or inside one."""
    rows = nodes.rows_of(*names)
    steps = np.zeros(len(nodes) + 1, np.int32)
    np.add.at(steps, rows, 1)
    np.subtract.at(steps, ends[rows], 1)
    return np.cumsum(steps[:-1]) > 0


def _of_subtrees(
    counts: "NDArray[np.int32]", row: "NDArray[np.int32]", ends: "NDArray[np.int32]"
) -> "NDArray[np.int64]":
    """The sum of a column over the subtree of each row."""
    before = np.concatenate(([0], np.cumsum(counts, dtype=np.int64)))
    sums: NDArray[np.int64] = before[ends[row]] - before[row]
    return sums


def _visual(layout: Layout, row: "NDArray[np.int32]") -> "tuple[NDArray[np.float64], ...]":
    """The visual columns and the two distances."""
    names = ("visible", "left", "top", "right", "bottom")
    visible, left, top, right, bottom = (np.fromiter(getattr(layout, name), np.float64)[row] for name in names)
    across, down = (left + right) / 2, (top + bottom) / 2
    sizes = (*layout.viewport, *layout.document)
    centres = (layout.viewport, layout.document)
    distances = (np.hypot(across - width / 2, down - height / 2) for width, height in centres)
    boxes = (visible, left, top, right, bottom, right - left, bottom - top)
    return (*boxes, *(np.full(len(row), size, np.float64) for size in sizes), *distances)
