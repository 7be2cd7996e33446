"""Polars: the same in a lazy query."""

from pathlib import Path

import polars as pl

import bonmun.adapters.polars  # noqa: F401 (registers the namespace)

files = sorted((Path(__file__).parents[1] / "pages").glob("*.html"))
pages = pl.LazyFrame({"file": [file.name for file in files], "html": [file.read_bytes() for file in files]})

query = (
    pages.select("file", pl.col("html").bonmun.extract().alias("page"))
    .unnest("page")
    .filter(pl.col("status") == "ok", pl.col("language") != "en")
    .select("file", "language", "title", pl.col("text").str.len_chars().alias("characters"))
)
for row in query.collect().iter_rows():
    print(*row, sep=" | ")
