"""The part of a request that names its page and the method: shared by all requests on a page."""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, model_validator

from bonmun import registry
from bonmun.serve.current_request import current_request
from bonmun.serve.given_page import GivenPage, utf8
from bonmun.serve.problems import Problem
from bonmun.serve.request_model import RequestModel
from bonmun.serve.service import Service

_ONE_OF: dict[str, Any] = {
    "anyOf": [
        {"required": ["html"], "properties": {"html": {"type": "string"}, "page": {"type": "null"}}},
        {"required": ["url"], "properties": {"url": {"type": "string"}, "page": {"type": "null"}}},
        {
            "required": ["page"],
            "properties": {"page": {"type": "string"}, "html": {"type": "null"}, "url": {"type": "null"}},
        },
    ]
}
Preference = Literal["precision", "balance", "recall"] | Annotated[float, Field(ge=0.1, le=10, strict=True)]


def _name_methods(schema: dict[str, Any]) -> None:
    schema["enum"] = registry.names("methods")


Method = Annotated[str, Field(max_length=100, json_schema_extra=_name_methods)]
"""The name of a method; those of plug-ins are known when the schema is asked for."""


class PageInput(RequestModel):
    """A page: its HTML, its URL to fetch, or the id of a page of an earlier request."""

    model_config = ConfigDict(extra="forbid", json_schema_extra=_ONE_OF)

    html: str | None = Field(None, description="The page itself; `url` is its address then, and is not fetched.")
    url: str | None = Field(None, max_length=8000, description="The address of the page; fetched if alone.")
    page: str | None = Field(None, pattern="^[0-9a-f]{32}$", description="The `page` of an earlier answer.")

    @model_validator(mode="after")
    def _one_of(self) -> "PageInput":
        if self.page is not None and (self.html is not None or self.url is not None):
            raise ValueError("give either page, or html and url")
        if self.html is None and self.url is None and self.page is None:
            raise ValueError("give html, url or page")
        return self


class JudgedInput(PageInput):
    """A page and the method that judges it."""

    method: Method = "auto"
    prefer: Preference = Field("balance", description="A number is the weight of recall relative to precision.")
    sites: bool = Field(
        True, strict=True, description="Whether the rules of a learned site decide on its pages in place of `auto`."
    )


async def given_page(service: Service, owner: str, asked: PageInput) -> GivenPage:
    """Return the page that a request is about, and keep it for the next one."""
    if asked.page is not None:
        page = service.pages.get(owner, asked.page)
        if page is None:
            raise Problem(
                410, "page is gone", "the page is not kept any more; send it again", "urn:bonmun:problem:gone"
            )
        return page
    if asked.html is not None:
        page = GivenPage(utf8(asked.html), asked.url, "text/html; charset=utf-8")
    else:
        page = await fetched_page(service, asked.url or "")
    await service.keep(owner, page)
    return page


async def fetched_page(service: Service, url: str) -> GivenPage:
    """Fetch a page for the current request, whose token needs the scope `fetch`."""
    if (request := current_request()) is not None:
        request.require("fetch")
    return await service.fetch(url)
