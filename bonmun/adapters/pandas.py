"""pandas: the accessor `bonmun` of a column of HTML. Importing this module registers it.

>>> import pandas
>>> import bonmun.adapters.pandas
>>> pages = pandas.Series(["<title>Tea</title><p>Tea is made of leaves, and of hot water.</p>", None], index=[7, 8])
>>> pages.bonmun.text().dropna().to_dict()
{7: 'Tea is made of leaves, and of hot water.'}
>>> pages.bonmun.extract()[["status", "title"]].loc[7].to_list()
['ok', 'Tea']
"""

from collections.abc import Sequence
from typing import Any, Final

from bonmun.adapters.columns import DEFAULT_COLUMNS, Html, column_names, rows_of, texts_of
from bonmun.adapters.extras import needed
from bonmun.errors import SourceError
from bonmun.scale.settings import BatchSettings

with needed("pandas", "the adapters for pandas", "pandas"):
    import pandas as pd

__all__ = ["BatchSettings", "BonmunAccessor"]

_DTYPES: Final = {"date": "datetime64[s]", "confidence": "float64"} | dict.fromkeys(
    ("authors", "warnings", "error", "timings", "blocks"), "object"
)
"""The types of columns that are not text."""


@pd.api.extensions.register_series_accessor("bonmun")
class BonmunAccessor:
    """The main content of the pages in a column, as text or bytes. Each call keeps the index.

    `url`, a column with the same index or a list, resolves links. `jobs` is the number of worker processes, 0 for one
    on each core (extra `scale`). `settings` has the method and the rest.

    >>> pages = pd.Series(["<p>Tea is made of <b>leaves</b>, and of hot water.</p>"])
    >>> pages.bonmun.markdown()[0]
    'Tea is made of **leaves**, and of hot water.'
    """

    def __init__(self, column: pd.Series) -> None:
        if pd.api.types.is_numeric_dtype(column.dtype) or pd.api.types.is_datetime64_any_dtype(column.dtype):
            raise AttributeError(f"a column of HTML has text or bytes, not {column.dtype}")
        self._column = column

    def text(
        self,
        url: "pd.Series | Sequence[str] | None" = None,
        *,
        settings: BatchSettings = DEFAULT_COLUMNS,
        jobs: int = 1,
    ) -> pd.Series:
        """Return the main texts. Null stays null; pages that fail are null too, and counted in a logged warning."""
        return self._texts("text", url, settings, jobs)

    def markdown(
        self,
        url: "pd.Series | Sequence[str] | None" = None,
        *,
        settings: BatchSettings = DEFAULT_COLUMNS,
        jobs: int = 1,
    ) -> pd.Series:
        """Return the main content as Markdown, like `text`."""
        return self._texts("markdown", url, settings, jobs)

    def extract(
        self,
        url: "pd.Series | Sequence[str] | None" = None,
        charset: "pd.Series | Sequence[str] | None" = None,
        *,
        settings: BatchSettings = DEFAULT_COLUMNS,
        jobs: int = 1,
    ) -> pd.DataFrame:
        """Return a frame of status, title, authors, date, language, text, confidence, page_type, warnings and error.

        A page that fails is a row with the status `failed` and its error. `settings` can add Markdown, HTML, blocks
        and timings.
        """
        rows = rows_of(self._pages(), self._beside(url), self._beside(charset), settings, jobs=jobs)
        columns = {name: self._series([row.get(name) for row in rows], name) for name in column_names(settings)}
        return pd.DataFrame(columns, index=self._column.index)

    def _texts(self, name: str, url: Any, settings: BatchSettings, jobs: int) -> pd.Series:
        texts = texts_of(self._pages(), name, self._beside(url), settings, jobs=jobs)
        return self._series(texts, name).rename(self._column.name)

    def _series(self, values: list[Any], name: str) -> pd.Series:
        return pd.Series(values, index=self._column.index, dtype=_DTYPES.get(name, "string"))

    def _pages(self) -> list[Html]:
        pages = _values(self._column)
        for place, page in zip(self._column.index, pages, strict=True):
            if not isinstance(page, str | bytes | None):
                raise SourceError(f"row {place!r}: a page is text or bytes, not {type(page).__name__}")
        return pages

    def _beside(self, column: Any) -> list[Any] | None:
        """The values of another column of the same rows."""
        if column is None:
            return None
        if isinstance(column, pd.Series) and not column.index.equals(self._column.index):
            raise SourceError(f"the column {column.name!r} has another index than the pages")
        values = _values(column if isinstance(column, pd.Series) else pd.Series(list(column), dtype="object"))
        if len(values) != len(self._column):
            raise SourceError(f"{len(values)} values for {len(self._column)} pages")
        return values


def _values(column: pd.Series) -> list[Any]:
    missing = column.isna()
    return [None if null else value for value, null in zip(column.tolist(), missing, strict=True)]
