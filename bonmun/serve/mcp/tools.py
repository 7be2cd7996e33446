"""The tools. Each answers with text for the assistant and with facts for programs; a long answer comes in parts."""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from typing import TYPE_CHECKING, Annotated, Any, Literal

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult, TextContent
from pydantic import Field, ValidationError

from bonmun import registry
from bonmun.errors import BonmunError
from bonmun.serve.known_site import known_site
from bonmun.serve.mcp.windows import DEFAULT, LEAST, MOST, Window
from bonmun.serve.mcp.works import BlocksWork, Judged, ReadWork
from bonmun.serve.page_input import PageInput, Preference, given_page
from bonmun.serve.problems import Problem
from bonmun.serve.routes.sites import learn_site
from bonmun.serve.site_answers import LearnInput, TemplateAnswer

if TYPE_CHECKING:
    from bonmun.serve.service import Service
    from bonmun.store.results import Hit, StoredDocument

Url = Annotated[str | None, Field(description="The address of a page to fetch.", max_length=8000)]
Html = Annotated[str | None, Field(description="The page itself; `url` is its address then, and is not fetched.")]
PageId = Annotated[str | None, Field(description="The `page` of an earlier answer: the same page, not fetched again.")]
MethodName = Annotated[str, Field(description="`auto`, or another name of the tool `methods`.", max_length=100)]
Prefer = Annotated[Preference, Field(description="Favour precision or recall; a number is the weight of recall.")]
Offset = Annotated[int, Field(description="Where to go on: the `offset` that the last answer named.", ge=0, le=10**9)]
Size = Annotated[int, Field(description="Maximum characters of the answer.", ge=LEAST, le=MOST)]
Shown = Annotated[Literal["all", "kept", "dropped", "doubtful"], Field(description="Which blocks to list.")]
Rows = Annotated[int, Field(description="Maximum entries of the answer.", ge=1, le=100)]
Call = Context[Any, Any]


class Tools:
    """The tools over a service. Every failure that we foresee is a `ToolError` with a message to act on."""

    def __init__(self, service_of: Callable[[], "Service"]) -> None:
        self._service_of = service_of

    async def extract(
        self,
        context: Call,
        url: Url = None,
        html: Html = None,
        page: PageId = None,
        method: MethodName = "auto",
        prefer: Prefer = "balance",
        format: Literal["markdown", "text", "json"] = "markdown",
        offset: Offset = 0,
        max_characters: Size = DEFAULT,
    ) -> CallToolResult:
        """Return the main text of a web page, without menus, adverts and comments.

        Give `url`, `html` or `page`. A longer text comes in parts: the last line says where the next one starts.
        """
        with foreseen():
            judged = await self._judged(context, _asked(url, html, page), method, prefer)
            facts, window = await self._service_of().perform(ReadWork(judged, format, offset, max_characters))
        return _in_parts({"page": judged.page.id, **facts}, window)

    async def explain(
        self,
        context: Call,
        url: Url = None,
        html: Html = None,
        page: PageId = None,
        method: MethodName = "auto",
        prefer: Prefer = "balance",
        show: Shown = "all",
        offset: Offset = 0,
        limit: Rows = 50,
    ) -> CallToolResult:
        """Say for every block of a web page whether it is main text, how sure that is, why, and where it stands.

        Give `url`, `html` or `page`. Blocks come in parts of `limit`: the last line says where the next one starts.
        """
        with foreseen():
            judged = await self._judged(context, _asked(url, html, page), method, prefer)
            facts, lines, total = await self._service_of().perform(BlocksWork(judged, show, offset, limit))
        return _list({"page": judged.page.id, **facts}, lines, offset, total, "blocks")

    async def search(
        self,
        context: Call,
        query: Annotated[str, Field(description='Words that all occur, "phrases", -excluded words.', max_length=1000)],
        host: str | None = None,
        language: str | None = None,
        since: Annotated[date | None, Field(description="Published on that day or later.")] = None,
        offset: Offset = 0,
        limit: Rows = 10,
    ) -> CallToolResult:
        """Search the archive of stored pages; the best come first, each with its id for `read_document`."""
        with foreseen():
            _check_scope(context, "read")
            store = self._service_of().store
            hits = await asyncio.to_thread(
                store.search, query, limit, offset, host=host, language=language, since=since
            )
        return _list({"query": query}, map(_hit, hits), offset, hits.total, "documents")

    async def read_document(
        self,
        context: Call,
        document: Annotated[int | str, Field(description="The id or the URL of a stored page.")],
        version: Annotated[int | None, Field(ge=1, le=10**9)] = None,
        offset: Offset = 0,
        max_characters: Size = DEFAULT,
    ) -> CallToolResult:
        """Return a page of the archive as Markdown, with its keywords and summary.

        A longer text comes in parts: the last line says where the next one starts.
        """
        with foreseen():
            _check_scope(context, "read")
            stored = await asyncio.to_thread(self._service_of().store.show, document, version)
        return _in_parts(_stored_facts(stored), Window.of(stored.markdown, offset, max_characters))

    async def learn_site(
        self,
        context: Call,
        urls: Annotated[list[str], Field(description="Pages of one site, such as several articles.", max_length=100)],
        save: Annotated[
            bool, Field(description="Keep the rules: from now on they decide on the pages of the site.")
        ] = True,
    ) -> CallToolResult:
        """Learn which parts of a site's pages are main text, from three or more of its pages; return the selectors."""
        with foreseen():
            _check_scope(context, "write")
            _check_scope(context, "fetch")
            asked = LearnInput(host=None, pages=[_asked(url, None, None) for url in urls], save=save)
            site = await learn_site(asked, self._service_of(), _owner(context))
        rules = [line for template in site.templates for line in _rules(template)]
        problems = [f"left out: {one.url}: {one.problem.detail}" for one in site.problems]
        return _list({"host": site.host}, [*rules, *problems], 0, len(rules) + len(problems), "rules")

    async def methods(self) -> CallToolResult:
        """List the extraction methods that `extract` and `explain` take."""
        names = registry.names("methods")
        return _list({}, names, 0, len(names), "methods")

    async def _judged(self, context: Call, asked: PageInput, method: str, prefer: str | float) -> Judged:
        service = self._service_of()
        _check_scope(context, "extract")
        if asked.html is None and asked.page is None:
            _check_scope(context, "fetch")
        page = await given_page(service, _owner(context), asked)
        return Judged(page, method, prefer, service.settings.limits, await known_site(service, page, method))


@contextmanager
def foreseen() -> Iterator[None]:
    """Turn errors of ours into messages for the assistant; anything else is a bug and hidden by the SDK."""
    try:
        yield
    except BonmunError as error:
        raise ToolError(f"{type(error).__name__}: {error}") from error
    except Problem as problem:
        raise ToolError(f"{problem.title}: {problem.detail}") from problem
    except ValidationError as error:
        raise ToolError("; ".join(str(one["msg"]) for one in error.errors())) from error


def _asked(url: str | None, html: str | None, page: str | None) -> PageInput:
    return PageInput(url=url, html=html, page=page)


def _state(context: Call) -> Any:
    """What the access middleware noted of an HTTP request; `None` on stdio."""
    return getattr(context.request_context.request, "state", None)


def _owner(context: Call) -> str:
    return str(getattr(_state(context), "owner", ""))


def _check_scope(context: Call, scope: str) -> None:
    state = _state(context)
    if state is not None and scope not in getattr(state, "scopes", ()):
        raise ToolError(f"the token lacks the scope {scope!r}")


def _in_parts(facts: Mapping[str, Any], window: Window) -> CallToolResult:
    text = "\n".join([*(f"{name}: {value}" for name, value in facts.items()), "", window.text])
    return _answer(text, window.note, {**facts, **window.facts})


def _list(facts: Mapping[str, Any], lines: Iterable[str], offset: int, total: int, what: str) -> CallToolResult:
    shown = list(lines)
    end = offset + len(shown)
    further = f" The rest: call again with offset={end}." if end < total else ""
    note = (
        f"[{what.capitalize()} {offset + 1:,} to {end:,} of {total:,}.{further}]"
        if shown
        else f"[No {what}; {total:,} in all.]"
    )
    text = "\n".join([*(f"{name}: {value}" for name, value in facts.items()), "", *shown])
    return _answer(text, note, {**facts, "total": total, "next_offset": end if shown and end < total else None})


def _answer(text: str, note: str, facts: dict[str, Any]) -> CallToolResult:
    whole = f"{text}\n\n{note}" if note else text
    return CallToolResult(content=[TextContent(type="text", text=whole)], structured_content=facts)


def _rules(template: TemplateAnswer) -> Iterator[str]:
    yield f"template {template.name} of {template.pages} pages, agreement with auto {template.agreement:.2f}"
    yield from (f"  keep {selector}" for selector in template.keep)
    yield from (f"  drop {selector}" for selector in template.drop)
    yield from (f"  {field}: {selector}" for field, selector in template.fields.items())


def _hit(hit: "Hit") -> str:
    facts = " · ".join(filter(None, (hit.published, hit.language, hit.url)))
    return f"{hit.document_id} {hit.title or '(no title)'} ({facts})\n  {hit.snippet.marked('**', '**')}"


def _stored_facts(stored: "StoredDocument") -> dict[str, Any]:
    found = {
        "id": stored.document_id,
        "title": stored.title,
        "author": stored.author,
        "published": stored.published,
        "language": stored.language,
        "url": stored.url,
        "version": f"{stored.version} of {stored.versions}",
        "keywords": ", ".join(stored.keywords),
        "summary": " ".join(stored.summary),
    }
    return {name: value for name, value in found.items() if value}
