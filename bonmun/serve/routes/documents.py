"""``/v1/documents``: store pages, search them, their versions."""

from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Depends, Query
from pydantic import BaseModel, ConfigDict, Field

from bonmun.serve.access.scopes import needs
from bonmun.serve.dependencies import Owner, TheService
from bonmun.serve.document_answers import (
    DiffAnswer,
    DocumentList,
    SavedAnswer,
    StoredAnswer,
    VersionAnswer,
    document_list,
    stored_answer,
    version_answer,
)
from bonmun.serve.known_site import known_site
from bonmun.serve.page_input import JudgedInput, given_page
from bonmun.serve.problems import PAGE_PROBLEMS, problem_responses
from bonmun.serve.stored import LARGEST, RowId, in_store
from bonmun.serve.storing import DiffWork, StoreWork
from bonmun.sites.site import Site

if TYPE_CHECKING:
    from bonmun.store.results import Saved
    from bonmun.store.saving import PreparedPage
    from bonmun.store.store import Store

router = APIRouter(prefix="/v1/documents", tags=["documents"])
_READ, _WRITE = [Depends(needs("read"))], [Depends(needs("write"))]
_MISSING = problem_responses(404)
_DAY = r"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$"

VersionNumber = Annotated[int | None, Query(ge=1, le=LARGEST)]


class DocumentQuery(BaseModel):
    """What to list: the results of a query, or the latest."""

    model_config = ConfigDict(extra="forbid")

    q: str = Field("", max_length=1000, description='Words that all have to occur, "phrases", -excluded words.')
    prefix: bool = Field(False, description="The last word of `q` is unfinished: for search as you type.")
    limit: int = Field(20, ge=1, le=100)
    offset: int = Field(0, ge=0, le=1_000_000)
    host: str | None = Field(None, max_length=300, description="With its subdomains.")
    language: str | None = Field(None, max_length=40)
    source: str | None = Field(None, max_length=300)
    since: str | None = Field(None, pattern=_DAY, description="The earliest day of publication, else of first sight.")
    until: str | None = Field(None, pattern=_DAY, description="The latest day.")
    min_confidence: float | None = Field(None, ge=0, le=1)


@router.post("", dependencies=_WRITE, responses=PAGE_PROBLEMS | problem_responses(507))
async def store_document(asked: JudgedInput, service: TheService, owner: Owner) -> SavedAnswer:
    """Extract a page and store it; a page without `url` is stored by its content.

    With the method `auto`, the rules of a learned site decide on its pages, and their health is recorded.
    """
    page = await given_page(service, owner, asked)
    site = await known_site(service, page, asked.method, asked.sites)
    work = StoreWork(page, asked.method, asked.prefer, service.settings.limits, site)
    prepared, used = await service.perform(work)
    saved = await in_store(service, lambda store: _save(store, prepared, site, used))
    return SavedAnswer(
        outcome=saved.outcome,
        id=saved.document_id,
        version=saved.version,
        duplicate_of=saved.duplicate_of,
        site=site.host if site else None,
    )


def _save(store: "Store", page: "PreparedPage", site: Site | None, used: Site | None) -> "Saved":
    if site is not None and used is not None:
        store.update_site(site, used)  # what another request recorded meanwhile is not overwritten
    return store.save_prepared(page)


@router.get("", dependencies=_READ)
async def list_documents(asked: Annotated[DocumentQuery, Query()], service: TheService) -> DocumentList:
    """Search documents, ranked by BM25; without `q`, all of them, those seen last first."""
    return await in_store(service, lambda store: _found(store, asked))


def _found(store: "Store", asked: DocumentQuery) -> DocumentList:
    from bonmun.store.index import Filters

    filters = Filters(asked.language, asked.source, asked.host, asked.since, asked.until, asked.min_confidence)
    hits = store.find(asked.q, asked.limit, asked.offset, filters=filters, prefix=asked.prefix)
    return document_list(hits, store.facets(asked.q, filters=filters, prefix=asked.prefix))


@router.get("/{id:int}", dependencies=_READ, responses=_MISSING)
async def show_document(id: RowId, service: TheService, version: VersionNumber = None) -> StoredAnswer:
    """Return a document in its current or another version."""
    return await in_store(service, lambda store: stored_answer(store.show(id, version), store.near_duplicates(id)))


@router.get("/{id:int}/versions", dependencies=_READ, responses=_MISSING)
async def list_versions(id: RowId, service: TheService) -> list[VersionAnswer]:
    """Return the history of a document, oldest first."""
    return await in_store(service, lambda store: list(map(version_answer, store.versions(id))))


@router.get("/{id:int}/diff", dependencies=_READ, responses=_MISSING)
async def diff_versions(
    id: RowId, service: TheService, old: VersionNumber = None, new: VersionNumber = None
) -> DiffAnswer:
    """Compare two versions of a document; by default the last two."""
    from bonmun.store.diff import paragraphs

    before, after = await in_store(service, lambda store: store.version_pair(id, old, new))
    changes = await service.perform(DiffWork(paragraphs(before), paragraphs(after)))
    return DiffAnswer(url=after.url, old=before.version, new=after.version, changes=changes)


@router.delete("/{id:int}", status_code=204, dependencies=_WRITE, responses=_MISSING)
async def delete_document(id: RowId, service: TheService) -> None:
    """Remove a document with all its versions."""
    await in_store(service, lambda store: store.delete(id))
