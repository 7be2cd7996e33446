"""One host: pages in, site file out. The function that a local pool and Spark's groupBy-apply share."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import Any

import pyarrow as pa

from bonmun.errors import BonmunError, InputError
from bonmun.model.page import Page
from bonmun.read.page import read_page
from bonmun.scale.sites.sample import SAMPLE_SCHEMA, chosen, sampled
from bonmun.scale.sites.settings import DEFAULT_SITES, SiteSettings
from bonmun.sites.site import Site


def learn_host(host: str, pages: pa.Table | pa.RecordBatch, settings: SiteSettings = DEFAULT_SITES) -> bytes | None:
    """Return the site file of a host, learned from its pages; None if they are too few or have nothing in common.

    `pages` has the columns `url` and `html`, and if known `charset` and `fetched`, whose last date is that of the
    templates. The same pages in any order give the same bytes. Pages that cannot be read are left out.

    >>> page = "<title>{0}</title><div id=menu><a href=/>Home</a> News</div><div id=text><p>{0} is made of {1}.</div>"
    >>> words = [("Tea", "leaves"), ("Bread", "flour"), ("Glass", "sand"), ("Ink", "soot"), ("Soap", "fat and lye")]
    >>> pages = {"url": [f"https://example.org/{name}" for name, _ in words], "html": [page.format(*w) for w in words]}
    >>> site = Site.from_json(learn_host("example.org", pa.table(pages)).decode())
    >>> list(site.templates[0].body.keep)
    ['#text']
    """
    rows = _sample(pages, settings)
    if len(rows) < settings.least_pages:
        return None
    try:
        site = Site.learn(_read(rows, settings), host=host, today=date.min)
    except InputError:
        return None
    newest = _newest(rows)
    templates = [replace(template, valid_from=newest) for template in site.templates]
    return Site(host, templates, site.parameters).to_json().encode("utf-8", "replace")


def _sample(pages: pa.Table | pa.RecordBatch, settings: SiteSettings) -> list[dict[str, Any]]:
    """Return the rows to learn from, in the order of their keys."""
    batches = pages.to_batches() if isinstance(pages, pa.Table) else [pages]
    if pages.schema != SAMPLE_SCHEMA:
        batches = [sampled(batch, settings) for batch in batches]
    rows = {row["key"]: row for batch in batches for row in batch.to_pylist()}
    return [rows[key] for key in chosen(rows, settings.most_pages)]


def _read(rows: list[dict[str, Any]], settings: SiteSettings) -> Iterator[Page]:
    for row in rows:
        try:
            yield read_page(row["html"], url=row["url"], charset=row["charset"], limits=settings.limits)
        except BonmunError:
            continue


def _newest(rows: list[dict[str, Any]]) -> date | None:
    """Return the last day on which one of the pages was fetched."""
    days = [str(row["fetched"])[:10] for row in rows if row["fetched"]]
    try:
        return date.fromisoformat(max(days)) if days else None
    except ValueError:
        return None
