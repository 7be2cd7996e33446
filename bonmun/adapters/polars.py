"""Polars: the namespace `bonmun` of columns and expressions of HTML. Importing this module registers it.

>>> import polars
>>> import bonmun.adapters.polars
>>> pages = polars.DataFrame({"html": ["<title>Tea</title><p>Tea is made of leaves, and of hot water.</p>", None]})
>>> pages["html"].bonmun.text().to_list()
['Tea is made of leaves, and of hot water.', None]
>>> rows = pages.lazy().select(polars.col("html").bonmun.extract().alias("page")).unnest("page")
>>> rows.select("status", "title").collect().rows()
[('ok', 'Tea'), ('failed', None)]
"""

from typing import Any, Final

from bonmun.adapters.columns import DEFAULT_COLUMNS, column_names, rows_of, texts_of
from bonmun.adapters.extras import needed
from bonmun.errors import SourceError
from bonmun.scale.settings import BatchSettings

with needed("polars", "the adapters for Polars", "polars"):
    import polars as pl

__all__ = ["BatchSettings", "BonmunExpr", "BonmunSeries"]

_URL, _CHARSET = "bonmun url", "bonmun charset"
_TYPES: Final[dict[str, pl.DataType]] = {
    "authors": pl.List(pl.String),
    "date": pl.Date(),
    "blocks": pl.List(
        pl.Struct({"kind": pl.String, "level": pl.Int32, "text": pl.String, "xpath": pl.String, "score": pl.Float32})
    ),
    "confidence": pl.Float32(),
    "warnings": pl.List(pl.String),
    "error": pl.Struct({"type": pl.String, "message": pl.String}),
    "timings": pl.Struct({"read": pl.Float32, "judge": pl.Float32, "write": pl.Float32}),
}
"""The types of columns that are not text."""


def struct_type(settings: BatchSettings = DEFAULT_COLUMNS) -> pl.Struct:
    """Return the type of what `extract` returns.

    >>> [field.name for field in struct_type().fields][:3]
    ['status', 'title', 'authors']
    """
    return pl.Struct({name: _TYPES.get(name, pl.String()) for name in column_names(settings)})


@pl.api.register_series_namespace("bonmun")
class BonmunSeries:
    """The main content of the pages in a column, as String or Binary.

    `url`, a column of the same length, resolves links. `jobs` is the number of worker processes, 0 for one on each
    core (extra `scale`). `settings` has the method and the rest.

    >>> pl.Series(["<p>Tea is made of <b>leaves</b>, and of hot water.</p>"]).bonmun.markdown()[0]
    'Tea is made of **leaves**, and of hot water.'
    """

    def __init__(self, column: pl.Series) -> None:
        self._column = column

    def text(
        self, url: pl.Series | None = None, *, settings: BatchSettings = DEFAULT_COLUMNS, jobs: int = 1
    ) -> pl.Series:
        """Return the main texts. Null stays null; pages that fail are null too, and counted in a logged warning."""
        return _texts(self._column, url, "text", settings, jobs)

    def markdown(
        self, url: pl.Series | None = None, *, settings: BatchSettings = DEFAULT_COLUMNS, jobs: int = 1
    ) -> pl.Series:
        """Return the main content as Markdown, like `text`."""
        return _texts(self._column, url, "markdown", settings, jobs)

    def extract(
        self,
        url: pl.Series | None = None,
        charset: pl.Series | None = None,
        *,
        settings: BatchSettings = DEFAULT_COLUMNS,
        jobs: int = 1,
    ) -> pl.Series:
        """Return structs of status, title, authors, date, language, text, confidence, page_type, warnings and error.

        A page that fails has the status `failed` and its error. `settings` can add Markdown, HTML, blocks and timings.
        `.struct.unnest()` makes a frame of it.
        """
        return _structs(self._column, url, charset, settings, jobs)


@pl.api.register_expr_namespace("bonmun")
class BonmunExpr:
    """The same for expressions, in eager and lazy frames; `url` and `charset` are columns by name, or expressions.

    With worker processes, a lazy frame waits for the whole column; else it goes through in parts.

    >>> frame = pl.LazyFrame({"html": ["<p>Tea is made of leaves, and of hot water.</p>"]})
    >>> frame.select(pl.col("html").bonmun.text()).collect().item()
    'Tea is made of leaves, and of hot water.'
    """

    def __init__(self, expression: pl.Expr) -> None:
        self._expression = expression

    def text(
        self, url: pl.Expr | str | None = None, *, settings: BatchSettings = DEFAULT_COLUMNS, jobs: int = 1
    ) -> pl.Expr:
        """Return the main texts, like `BonmunSeries.text`."""
        return self._texts("text", url, settings, jobs)

    def markdown(
        self, url: pl.Expr | str | None = None, *, settings: BatchSettings = DEFAULT_COLUMNS, jobs: int = 1
    ) -> pl.Expr:
        """Return the main content as Markdown."""
        return self._texts("markdown", url, settings, jobs)

    def extract(
        self,
        url: pl.Expr | str | None = None,
        charset: pl.Expr | str | None = None,
        *,
        settings: BatchSettings = DEFAULT_COLUMNS,
        jobs: int = 1,
    ) -> pl.Expr:
        """Return structs, like `BonmunSeries.extract`."""

        def structs(given: pl.Series) -> pl.Series:
            return _structs(*_unpacked(given), settings, jobs)

        packed = self._packed(url, charset)
        return packed.map_batches(structs, return_dtype=struct_type(settings), is_elementwise=jobs == 1)

    def _texts(self, name: str, url: pl.Expr | str | None, settings: BatchSettings, jobs: int) -> pl.Expr:
        def texts(given: pl.Series) -> pl.Series:
            pages, urls, _ = _unpacked(given)
            return _texts(pages, urls, name, settings, jobs)

        return self._packed(url, None).map_batches(texts, return_dtype=pl.String, is_elementwise=jobs == 1)

    def _packed(self, url: pl.Expr | str | None, charset: pl.Expr | str | None) -> pl.Expr:
        """The columns as one, which has the name of the first."""
        beside = [
            (pl.col(column) if isinstance(column, str) else column).alias(name)
            for name, column in ((_URL, url), (_CHARSET, charset))
            if column is not None
        ]
        return pl.struct(self._expression, *beside)


def _unpacked(given: pl.Series) -> tuple[pl.Series, pl.Series | None, pl.Series | None]:
    columns = given.struct.unnest()
    pages, *others = (column for column in columns if column.name not in (_URL, _CHARSET))
    if others:
        raise SourceError(f"one column of pages at a time: {pages.name!r}, not also {others[0].name!r}")
    url, charset = (columns[name] if name in columns.columns else None for name in (_URL, _CHARSET))
    return pages, url, charset


def _structs(
    pages: pl.Series, urls: pl.Series | None, charsets: pl.Series | None, settings: BatchSettings, jobs: int
) -> pl.Series:
    _check(pages, urls, charsets)
    rows = rows_of(pages.to_list(), _list(urls), _list(charsets), settings, jobs=jobs)
    names = column_names(settings)
    values = [{name: row.get(name) for name in names} for row in rows]
    return pl.Series(pages.name, values, dtype=struct_type(settings))


def _texts(pages: pl.Series, urls: pl.Series | None, name: str, settings: BatchSettings, jobs: int) -> pl.Series:
    _check(pages, urls)
    texts = texts_of(pages.to_list(), name, _list(urls), settings, jobs=jobs)
    return pl.Series(pages.name, texts, dtype=pl.String)


def _list(column: pl.Series | None) -> list[Any] | None:
    return None if column is None else column.to_list()


def _check(pages: pl.Series, *beside: pl.Series | None) -> None:
    if pages.dtype not in (pl.String, pl.Binary, pl.Null):
        raise SourceError(f"column {pages.name!r}: a page is String or Binary, not {pages.dtype}")
    for column in beside:
        if column is not None and len(column) != len(pages):
            raise SourceError(f"column {column.name!r}: {len(column)} values for {len(pages)} pages")
