"""One line of a batch: a request in JSON, answered by a line of JSON. Both are read and written in a worker."""

import json
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, Field, StrictInt, StrictStr, model_validator

from bonmun.errors import BonmunError
from bonmun.limits import Limits
from bonmun.serve.extract_input import Format, LimitsInput, OutputInput, validated
from bonmun.serve.extraction import Options, extracted
from bonmun.serve.given_page import GivenPage, utf8
from bonmun.serve.page_input import Method, Preference
from bonmun.serve.problems import Problem, ProblemDocument, problem_of
from bonmun.serve.request_model import RequestModel

_SENT = "text/html; charset=utf-8"


class BatchInput(RequestModel):
    """A line of a batch: a page and how to extract it."""

    id: StrictStr | StrictInt | None = Field(None, description="Repeated in the answer.")
    html: str | None = Field(None, description="The page itself; `url` is its address then, and is not fetched.")
    url: str | None = Field(None, max_length=8000, description="The address of the page; fetched if alone.")
    method: Method = "auto"
    prefer: Preference = "balance"
    format: Format = Field("json", description="`json` is answered as `document`, any other as the text `content`.")
    output: OutputInput = OutputInput()
    limits: LimitsInput = LimitsInput()

    @model_validator(mode="after")
    def _has_page(self) -> "BatchInput":
        if self.html is None and self.url is None:
            raise ValueError("give html or url")
        return self


class BatchAnswer(BaseModel):
    """The answer to a line: `status`, `confidence` and `document` or `content`; or `problem`."""

    line: int = Field(ge=1, description="The number of the line, from 1.")
    id: str | int | None
    status: str | None = Field(None, description="`ok`, `empty` or `abstained`.")
    confidence: float | None = None
    document: dict[str, Any] | None = None
    content: str | None = None
    problem: ProblemDocument | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """An answered line, with its line feed."""

    content: bytes
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Wanted:
    """A line whose page has to be fetched first."""

    url: str
    id: str | int | None


@dataclass(frozen=True, slots=True)
class LineWork:
    """Read a line, extract its page, and write the answer."""

    number: int
    line: bytes
    limits: Limits
    page: GivenPage | None = None
    """The page of a line that has none, fetched."""

    @property
    def seconds(self) -> float:
        """Twice the limit: extraction and output."""
        return 2 * self.limits.seconds

    def run(self) -> Answer | Wanted:
        """Return the answer, which may be a problem, or the URL to fetch."""
        asked: BatchInput | None = None
        try:
            asked = validated(BatchInput, self.line, "line")
            page = self.page
            if page is None and asked.html is None:
                return Wanted(asked.url or "", asked.id)
            return self._answered(asked, page or GivenPage(utf8(asked.html or ""), asked.url, _SENT))
        except Problem as problem:
            return failed_line(self.number, asked.id if asked else id_of(self.line), problem)
        except BonmunError as error:
            return failed_line(self.number, asked.id if asked else None, problem_of(error))

    def _answered(self, asked: BatchInput, page: GivenPage) -> Answer:
        output, limits = asked.output.switches(), asked.limits.under(self.limits)
        document = extracted(page, Options(asked.method, asked.prefer, asked.format, output, limits))
        text = document.write(asked.format, output)
        head = {"line": self.number, "id": asked.id, "status": document.status.value}
        start = _json({**head, "confidence": round(document.confidence, 4)})[:-1]
        body = f', "document": {text}' if asked.format == "json" else f', "content": {_json(text)}'
        return Answer(f"{start}{body}}}\n".encode("utf-8", "replace"))


def failed_line(number: int, id: str | int | None, problem: Problem) -> Answer:
    """Return the answer to a line that failed."""
    content = _json({"line": number, "id": id, "problem": problem.document()})
    return Answer(f"{content}\n".encode("utf-8", "replace"), failed=True)


def id_of(line: bytes) -> str | int | None:
    """Return the id of a line that is JSON, though not a valid request.

    >>> id_of(b'{"id": 7, "html": 8}'), id_of(b'{"id": 7')
    (7, None)
    """
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        return None
    id = data.get("id") if isinstance(data, dict) else None
    return id if isinstance(id, str | int) and not isinstance(id, bool) else None


def _json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False)
