"""The options of an extraction, as JSON or as plain fields of a form or a query."""

from dataclasses import fields
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bonmun.limits import Limits
from bonmun.model.output import DEFAULT_OUTPUT, Output
from bonmun.serve.extraction import MEDIA_TYPES, Options
from bonmun.serve.negotiation import preferred
from bonmun.serve.page_input import JudgedInput, Method
from bonmun.serve.problems import Problem, invalid_request
from bonmun.serve.request_model import RequestModel

Format = Literal["text", "markdown", "html", "json", "xml", "tei", "explain"]
Size = Annotated[int | None, Field(ge=0, le=2**53)]
Seconds = Annotated[float | None, Field(ge=0, le=86_400, allow_inf_nan=False)]


class OutputInput(RequestModel):
    """The parts of the document that its formats have: the switches of `bonmun.Output`."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    links: bool = True
    images: bool = True
    captions: bool = True
    tables: bool = True
    references: bool = True
    comments: bool = False
    title: bool = False
    front_matter: bool = False
    reasons: bool = False

    def switches(self) -> Output:
        """Return the switches for the writers."""
        return Output(**self.model_dump()) if self.model_fields_set else DEFAULT_OUTPUT


class LimitsInput(RequestModel):
    """Limits on the page, as `bonmun.Limits` has them; the service's own ones hold as well."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    bytes: Size = None
    nodes: Size = None
    blocks: Size = None
    depth: Size = None
    attributes: Size = None
    output: Size = None
    seconds: Seconds = None

    def under(self, most: Limits) -> Limits:
        """Return these limits, none above that of the service.

        >>> LimitsInput(seconds=60, bytes=1000).under(Limits(seconds=10))
        Limits(bytes=1000, nodes=500000, blocks=50000, depth=512, attributes=256, output=200000000, seconds=10)
        """
        if not self.model_fields_set:
            return most
        asked = self.model_dump()
        return Limits(
            **{
                field.name: min(asked[field.name], getattr(most, field.name))
                if asked[field.name] is not None
                else getattr(most, field.name)
                for field in fields(Limits)
            }
        )


class ExtractInput(JudgedInput):
    """A page, how to extract it, and the format of the answer."""

    format: Format | None = Field(None, description="The format of the answer; without it, the Accept header decides.")
    output: OutputInput = OutputInput()
    limits: LimitsInput = LimitsInput()

    def options(self, most: Limits, accept: str | None) -> Options:
        """Return the options, with the format that the client accepts; raise a `Problem` if there is none."""
        output, limits = self.output.switches(), self.limits.under(most)
        return Options(self.method, self.prefer, self.format or negotiated(accept), output, limits, self.sites)


def negotiated(accept: str | None, formats: tuple[str, ...] = tuple(MEDIA_TYPES)) -> str:
    """Return the format that an Accept header prefers; raise 406 if none is accepted.

    >>> negotiated("text/markdown, text/plain;q=0.5")
    'markdown'
    """
    offered = [MEDIA_TYPES[one] for one in formats]
    media_type = preferred(accept, offered)
    if media_type is None:
        detail = f"Accept: {accept} names none of {', '.join(dict.fromkeys(offered))}"
        raise Problem(406, "not acceptable", detail, "urn:bonmun:problem:not-acceptable")
    return formats[offered.index(media_type)]


class PlainOptions(BaseModel):
    """The same options as the plain fields of a query or a form: `links=false`, `max_seconds=2`."""

    model_config = ConfigDict(extra="forbid")

    url: str | None = Field(None, max_length=8000, description="The address of the page; it is not fetched.")
    method: Method = "auto"
    prefer: Literal["precision", "balance", "recall"] | Annotated[float, Field(ge=0.1, le=10)] = "balance"
    format: Format | None = None
    links: bool = True
    images: bool = True
    captions: bool = True
    tables: bool = True
    references: bool = True
    comments: bool = False
    title: bool = False
    front_matter: bool = False
    reasons: bool = False
    max_bytes: Size = None
    max_nodes: Size = None
    max_blocks: Size = None
    max_depth: Size = None
    max_attributes: Size = None
    max_output: Size = None
    max_seconds: Seconds = None

    def options(self, most: Limits, accept: str | None) -> Options:
        """Return the options, with the format that the client accepts; raise a `Problem` if there is none."""
        given = self.model_dump()
        output = Output(**{name: given[name] for name in OutputInput.model_fields})
        limits = LimitsInput(**{name: given[f"max_{name}"] for name in LimitsInput.model_fields}).under(most)
        return Options(self.method, self.prefer, self.format or negotiated(accept), output, limits)


class ExtractForm(PlainOptions):
    """A page as an upload, with its options."""

    file: str = Field(json_schema_extra={"format": "binary"}, description="The page, as it was saved or served.")


def plain_parameters() -> list[dict[str, Any]]:
    """Return `PlainOptions` as parameters of a query, for OpenAPI.

    FastAPI would read them for every request, which takes as long as all the rest that it does.
    """
    described = PlainOptions.model_json_schema()["properties"]
    return [
        {"name": name, "in": "query", "required": False, "schema": schema, "description": schema.get("description", "")}
        for name, schema in described.items()
    ]


def validated(model: type[BaseModel], data: Any, at: str) -> Any:
    """Return a model made of data (JSON as bytes, or a mapping); raise the problem of an invalid request."""
    try:
        return model.model_validate_json(data) if isinstance(data, bytes) else model.model_validate(data)
    except ValidationError as error:
        found: list[Any] = error.errors(include_url=False, include_input=False, include_context=False)
        raise invalid_request([{**one, "loc": (at, *one["loc"])} for one in found]) from None
