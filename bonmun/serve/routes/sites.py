"""``/v1/sites``: rules of sites, learned from pages, edited and tried."""

import asyncio
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Depends, Path

from bonmun.errors import BadRule, BonmunError, InputError, NotStored, WorkerNotStarted
from bonmun.serve.access.scopes import needs
from bonmun.serve.dependencies import Owner, TheService
from bonmun.serve.given_page import GivenPage
from bonmun.serve.page_input import PageInput, given_page
from bonmun.serve.problems import PAGE_PROBLEMS, Problem, ProblemDocument, problem_of, problem_responses
from bonmun.serve.service import Service
from bonmun.serve.site_answers import (
    HOST,
    KeptPage,
    LearnInput,
    PageProblem,
    SiteAnswer,
    SiteEdit,
    SiteSummary,
    TriedPage,
    TryInput,
    site_answer,
    site_summary,
)
from bonmun.serve.site_work import EditWork, LearnWork, TryWork, given_of, site_page, untried
from bonmun.serve.stored import in_store
from bonmun.sites.editing import edited
from bonmun.sites.site import Site, host_of

if TYPE_CHECKING:
    from bonmun.store.site_calls import StoredSite
    from bonmun.store.store import Store

router = APIRouter(prefix="/v1/sites", tags=["sites"])
_READ, _WRITE = [Depends(needs("read"))], [Depends(needs("write"))]
_MISSING = problem_responses(404)
_FULL = problem_responses(507)
_AT_ONCE = 4
"""Pages of a request that are fetched at the same time."""

Host = Annotated[str, Path(pattern=HOST)]


@router.post("/learn", dependencies=_WRITE, responses=PAGE_PROBLEMS | _FULL)
async def learn_site(asked: LearnInput, service: TheService, owner: Owner) -> SiteAnswer:
    """Learn the rules of a site from its pages. Pages that cannot be fetched or read are listed in `problems`."""
    found = await _given(service, owner, asked.pages)
    pages = [(number, page) for number, page in enumerate(found) if isinstance(page, GivenPage)]
    problems = [page for page in found if isinstance(page, PageProblem)]
    host = asked.host or _host([page for _, page in pages])
    try:
        work = LearnWork(tuple(page for _, page in pages), host, service.settings.limits)
        async with service.learning:
            learned = await service.perform(work)
    except InputError as error:
        raise _nothing_learned(error, problems) from error
    unread = {pages[place][0]: error for place, error in learned.problems}
    problems += [_problem(number, asked.pages[number], error) for number, error in unread.items()]
    problems.sort(key=lambda problem: problem.index)
    site = await asyncio.to_thread(Site.from_json, learned.site)
    used = [page for number, page in pages if number not in unread]
    if not asked.save:
        return site_answer(site, None, _kept(used), problems)
    await in_store(service, lambda store: store.save_site(site, [site_page(page) for page in used]))
    return await _answer(service, owner, host, problems)


@router.get("", dependencies=_READ)
async def list_sites(service: TheService) -> list[SiteSummary]:
    """Return all sites with their health, in the order of their hosts."""
    return await in_store(service, lambda store: list(map(site_summary, store.sites())))


@router.get("/{host}", dependencies=_READ, responses=_MISSING)
async def show_site(host: Host, service: TheService, owner: Owner) -> SiteAnswer:
    """Return a site with its rules; its pages can be asked for by their id afterwards."""
    return await _answer(service, owner, host, [])


@router.put("/{host}", dependencies=_WRITE, responses=_MISSING | _FULL)
async def edit_site(host: Host, asked: SiteEdit, service: TheService, owner: Owner) -> SiteAnswer:
    """Edit the rules of a site: they are checked, and measured on its kept pages."""
    stored = await in_store(service, lambda store: _stored(store, host))
    pages = await _kept_pages(service, owner, host)
    edits = tuple(template.edit() for template in asked.templates)
    try:
        work = EditWork(stored.site.to_json(), edits, tuple(pages), service.settings.limits)
        site = await service.perform(work)
    except BadRule as error:
        raise _bad_rule(error) from error
    await in_store(service, lambda store: store.save_site(Site.from_json(site)))
    return await _answer(service, owner, host, [])


@router.delete("/{host}", status_code=204, dependencies=_WRITE, responses=_MISSING)
async def delete_site(host: Host, service: TheService) -> None:
    """Remove a site with its pages; its documents stay."""
    await in_store(service, lambda store: store.delete_site(host))


@router.post("/{host}/try", dependencies=_READ, responses=PAGE_PROBLEMS | _MISSING)
async def try_rules(host: Host, asked: TryInput, service: TheService, owner: Owner) -> list[TriedPage]:
    """Apply rules to pages, without saving anything: before and after, with the difference."""
    stored = await in_store(service, lambda store: _stored(store, host))
    found: list[GivenPage | PageProblem]
    found = [*await _kept_pages(service, owner, host)] if asked.pages is None else (
        await _given(service, owner, asked.pages)
    )  # fmt: skip
    edits = None if asked.templates is None else tuple(template.edit() for template in asked.templates)
    try:
        await asyncio.to_thread(edited, stored.site, edits or ())
    except BadRule as error:
        raise _bad_rule(error) from error
    site = stored.site.to_json()

    async def tried(page: GivenPage | PageProblem) -> TriedPage:
        if isinstance(page, PageProblem):
            return untried(None, page.url, page.problem)
        try:
            return await service.perform_in_turn(TryWork(site, edits, page, service.settings.limits))
        except WorkerNotStarted:
            raise
        except BonmunError as error:
            return untried(page, page.url, ProblemDocument(**problem_of(error).document()))

    return list(await asyncio.gather(*map(tried, found)))


async def _given(service: Service, owner: str, asked: list[PageInput]) -> list[GivenPage | PageProblem]:
    """Return the pages of a request; a problem for each that there is not."""
    turns = asyncio.Semaphore(_AT_ONCE)

    async def one(number: int, page: PageInput) -> GivenPage | PageProblem:
        async with turns:
            try:
                return await given_page(service, owner, page)
            except (BonmunError, Problem) as error:
                return _problem(number, page, error)

    return list(await asyncio.gather(*(one(number, page) for number, page in enumerate(asked))))


def _problem(number: int, page: PageInput, error: BonmunError | Problem) -> PageProblem:
    problem = error if isinstance(error, Problem) else problem_of(error)
    return PageProblem(index=number, url=page.url, problem=ProblemDocument(**problem.document()))


def _host(pages: list[GivenPage]) -> str:
    """Return the host of the first page that has a valid one."""
    import re

    from bonmun.store.urls import normalized

    for page in pages:
        host = host_of(normalized(page.url)) if page.url else ""
        if re.fullmatch(HOST, host):
            return host
    raise Problem(
        422,
        "no host",
        "no page has a URL with a host; give `host`, or `url` beside `html`",
        "urn:bonmun:problem:no-host",
    )


def _nothing_learned(error: InputError, problems: list[PageProblem]) -> Problem:
    problem = problem_of(error)
    problem.fields = {"problems": [one.model_dump() for one in problems]}
    return problem


def _bad_rule(error: BadRule) -> Problem:
    problem = problem_of(error)
    problem.fields = {"template": error.template, "selector": error.selector}
    return problem


def _stored(store: "Store", host: str) -> "StoredSite":
    found = store.sites(host)
    if not found:
        raise NotStored(f"no site {host} in this store")
    return found[0]


async def _kept_pages(service: Service, owner: str, host: str) -> list[GivenPage]:
    """Return the kept pages of a site; the owner may ask for them by their ids from now on."""
    pages = await in_store(service, lambda store: list(map(given_of, store.site_pages(host))))
    for page in pages:
        await service.keep(owner, page)
    return pages


def _kept(pages: list[GivenPage]) -> list[KeptPage]:
    return [KeptPage(url=page.url or "", id=page.id) for page in pages]


async def _answer(service: Service, owner: str, host: str, problems: list[PageProblem]) -> SiteAnswer:
    stored = await in_store(service, lambda store: _stored(store, host))
    return site_answer(stored.site, stored, _kept(await _kept_pages(service, owner, host)), problems)
