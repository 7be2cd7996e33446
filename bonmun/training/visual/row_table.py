"""The rows of a corpus with their labels, in one file: `NAME.npz`, an array for each column and each label.

No text of a page is kept: a row is the tag and the seventeen numbers of an element.
"""

import io
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class TablePage:
    """A page of a table."""

    id: str
    domain: str
    lang: str
    coverage: float
    """The share of the gold's words that was found on the page; 0 for a page without gold."""


@dataclass(frozen=True, eq=False)
class RowTable:
    """Rows of pages, one page after the other."""

    pages: tuple[TablePage, ...]
    first: NDArray[np.int64]
    """The first row of each page, and the end."""
    columns: tuple[str, ...]
    """Those of `methods.visual.rows.COLUMNS`."""
    matrix: NDArray[np.float32]
    labels: Mapping[str, NDArray[np.uint8]]

    @property
    def page(self) -> NDArray[np.int64]:
        """The page number of each row."""
        return np.repeat(np.arange(len(self.pages)), np.diff(self.first))

    def save(self, path: Path) -> None:
        """Write the table; columns of whole numbers as such, which packs them to a third."""
        parts: dict[str, Any] = {"first": self.first, "columns": np.array(self.columns)}
        parts["pages"] = np.array(json.dumps([asdict(page) for page in self.pages], ensure_ascii=False))
        for name, column in zip(self.columns, self.matrix.T, strict=True):
            whole = np.rint(column).astype(np.int32)
            parts[f"column.{name}"] = whole if np.array_equal(whole, column) else np.ascontiguousarray(column)
        parts |= {f"label.{name}": label for name, label in self.labels.items()}
        packed = io.BytesIO()
        np.savez_compressed(packed, **parts)
        path.write_bytes(packed.getvalue())

    @classmethod
    def load(cls, path: Path) -> "RowTable":
        """Read a table."""
        with np.load(path, allow_pickle=False) as parts:
            columns = tuple(map(str, parts["columns"]))
            matrix = np.stack([parts[f"column.{name}"].astype(np.float32) for name in columns], axis=1)
            labels = {name[6:]: parts[name] for name in parts.files if name.startswith("label.")}
            pages = tuple(TablePage(**page) for page in json.loads(str(parts["pages"])))
            return cls(pages, parts["first"], columns, matrix, labels)
