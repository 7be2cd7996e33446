"""One host: pages in, site file out. The function that a local pool and Spark's groupBy-apply share."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

import pyarrow as pa

from bonmun.errors import BonmunError, InputError
from bonmun.model.page import Page
from bonmun.pipeline import extract
from bonmun.read.page import read_page
from bonmun.scale.sites.sample import SAMPLE_SCHEMA, chosen, sampled
from bonmun.scale.sites.settings import DEFAULT_SITES, SiteSettings
from bonmun.sites.page_template import Template
from bonmun.sites.site import Site

_MANY = 8
_AGREEMENT = 0.95
"""A template decides if it is of so many pages of one shape, or agrees with `auto` that well on them. On hosts with
five pages or more of the development sets (`bench/learn_sites.py`), word F1 against `auto`: daniel_dev +0.026, cjk_dev
−0.001, cleanportaleval +0.003, wcxb_dev −0.001; with all templates: +0.028, −0.001, +0.001 and −0.080. Both numbers
were chosen on these pages, among some forty combinations."""
_SHOPS = ("product", "collection")
"""Page types whose templates lose 0.20 on wcxb_dev: the specifications of a shop are alike on all of its pages."""


def learn_host(host: str, pages: pa.Table | pa.RecordBatch, settings: SiteSettings = DEFAULT_SITES) -> bytes | None:
    """Return the site file of a host, learned from its pages; None if they are too few or no template is safe.

    `pages` has the columns `url` and `html`, and if known `charset` and `fetched`, whose last date is that of the
    templates. The same pages in any order give the same bytes. Pages that cannot be read are left out.

    >>> page = "<title>{0}</title><div id=menu><a href=/>Home</a> News</div><div id=text><p>{0} is made by hand.</div>"
    >>> names = "Tea Bread Glass Ink Soap Paper Rope Salt".split()
    >>> urls = [f"https://example.org/{name}" for name in names]
    >>> pages = {"url": urls, "html": [page.format(name) for name in names]}
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
    used = [template for template in site.templates if not settings.safe or _is_safe(template, rows, settings)]
    templates = [replace(template, valid_from=newest) for template in used]
    return Site(host, templates, site.parameters).to_json().encode("utf-8", "replace") if used else None


def _is_safe(template: Template, rows: Sequence[dict[str, Any]], settings: SiteSettings) -> bool:
    """Return whether a template may decide without a person who looks at it."""
    many = template.shape is not None and template.pages >= _MANY
    if not many and template.agreement < _AGREEMENT:
        return False
    examples = [row for row in rows if row["url"] in template.examples]
    return not any(extract(page).page_type in _SHOPS for page in _read(examples, settings))


def _sample(pages: pa.Table | pa.RecordBatch, settings: SiteSettings) -> list[dict[str, Any]]:
    """Return the rows to learn from, in the order of their keys."""
    batches = pages.to_batches() if isinstance(pages, pa.Table) else [pages]
    if pages.schema != SAMPLE_SCHEMA:
        batches = [sampled(batch, settings) for batch in batches]
    rows = {row["key"]: row for batch in batches for row in batch.to_pylist()}
    return [rows[key] for key in chosen(rows, settings.most_pages)]


def _read(rows: Sequence[dict[str, Any]], settings: SiteSettings) -> Iterator[Page]:
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
