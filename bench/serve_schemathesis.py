"""The web service against requests made from its OpenAPI description: `python bench/serve_schemathesis.py`.

The service runs on a store with documents, a site, a label and jobs. For every operation schemathesis makes requests
that fit the description and requests that do not; half of them are given ids and pages that exist, as random ones
would all end at the first check. Every answer has to have a status, media type, headers and content that are described,
and no status of a server error but 501, 503 and 507, which have their reasons.

`--postgresql` runs it on a PostgreSQL server of its own, which refuses what SQLite takes, such as NUL characters.
"""

import argparse
import json
import random
import socket
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, sleep
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import httpx2
import schemathesis
import uvicorn
from hypothesis import HealthCheck, Phase, given, seed, settings

from bench.page_server import serving
from bench.postgresql_server import server as postgresql
from bonmun.limits import Limits
from bonmun.middleware.network_settings import NetworkSettings
from bonmun.serve.app import create_app
from bonmun.serve.jobs.settings import JobSettings
from bonmun.serve.settings import ServeSettings
from tests.sites.make import article

CHECKS = (
    "status_code_conformance", "content_type_conformance", "response_schema_conformance",
    "response_headers_conformance",
)  # fmt: skip
ENDLESS = "/v1/jobs/events"
REASONED = (501, 503, 507)
"""Server errors that are described: an extra is missing, the queue is full, the disk is full."""
_NDJSON = ("application/x-ndjson", "application/jsonl", "application/ndjson")
_RESTING = ("done", "cancelled", "failed", "interrupted")
_WORDS = ("river", "harbour", "bank", "winter stone", "seen", "bridge", "market", "of")
_ODD = ("\x00", "\ud800", "\u202e", "\ufeff", "💧", "a" * 3000, "<script>", "%00", "'--", "\r\n")


@schemathesis.serializer(*_NDJSON)  # type: ignore[untyped-decorator]
def _as_lines(context: Any, value: Any) -> bytes:
    return value.encode("utf-8", "replace") if isinstance(value, str) else json.dumps(value).encode()


@dataclass
class Found:
    """What came of the requests."""

    requests: int = 0
    operations: set[str] = field(default_factory=set)
    statuses: Counter[int] = field(default_factory=Counter)
    succeeded: set[str] = field(default_factory=set)
    """Operations that were asked something that they did."""
    failures: Counter[str] = field(default_factory=Counter)


class Populated:
    """A service whose store has something of everything, and what is in it."""

    def __init__(self, client: httpx2.Client, site: str) -> None:
        self._client, self._site, self._made = client, site, 0
        self.pages = [
            {"html": article(number), "url": f"https://news.example/articles/{number}"} for number in range(6)
        ]
        self.template = self._ask("POST", "/v1/sites/learn", json={"pages": self.pages})["templates"][0]["name"]
        explained = self._ask("POST", "/v1/explain", json=self.pages[0])
        self.page = explained["page"]
        self.keep = [block["keep"] for block in explained["blocks"]]
        self.known = {name: [self.fresh(name)] for name in ("documents", "labels", "sites", "jobs")}
        self.known["jobs"].append(self._batch())
        for job in self.known["jobs"]:
            self._wait(job)

    def _ask(self, method: str, path: str, **options: Any) -> Any:
        answer = self._client.request(method, path, **options)
        answer.raise_for_status()
        return answer.json()

    def fresh(self, resource: str) -> Any:
        """Make one more of something and return its id."""
        self._made += 1
        number = 100 + self._made
        page = {"html": article(number), "url": f"https://news.example/articles/{number}"}
        if resource == "documents":
            self._ask("POST", "/v1/documents", json=page)
            return self._ask("POST", "/v1/documents", json={**page, "html": article(number + 500)})["id"]
        if resource == "labels":
            blocks = self._ask("POST", "/v1/explain", json=page)["blocks"]
            return self._ask("POST", "/v1/labels", json={**page, "keep": [not one["keep"] for one in blocks]})["id"]
        if resource == "sites":
            host = f"site{number}.example" if self._made > 3 else "news.example"
            pages = [{"html": one["html"], "url": one["url"].replace("news.example", host)} for one in self.pages]
            self._ask("POST", "/v1/sites/learn", json={"pages": pages})
            return host
        return self._ask("POST", "/v1/jobs", json={"sources": [f"{self._site}/0", "https://127.0.0.1:9/"]})["id"]

    def _batch(self) -> str:
        lines = "\n".join([*map(json.dumps, self.pages), "{", '{"html": "", "id": "<b>"}'])
        return str(self._ask("POST", "/v1/jobs", content=lines, headers={"Content-Type": _NDJSON[0]})["id"])

    def _wait(self, job: str) -> None:
        end = monotonic() + 120
        while self._ask("GET", f"/v1/jobs/{job}")["state"] not in _RESTING:
            assert monotonic() < end, "a job does not end"
            sleep(0.05)

    def fill(self, case: Any, chance: random.Random) -> None:
        """Put ids and pages that exist in the place of half of the made ones."""
        resource = case.operation.path.split("/")[2] if case.operation.path.startswith("/v1/") else ""
        for name in {"id", "host"} & set(case.path_parameters or {}):
            if chance.random() < 0.6:
                case.path_parameters[name] = self._id(case, resource, chance)
        if "url" in (case.path_parameters or {}) and chance.random() < 0.5:
            case.path_parameters["url"] = f"{self._site}/{chance.randrange(8)}"
        if isinstance(case.query, dict) and "q" in case.query and chance.random() < 0.5:
            case.query["q"] = chance.choice([*_WORDS, 'river "was seen again"', "-river", *_ODD])
        case.body = self._filled(case.body, chance)
        if isinstance(case.body, dict) and chance.random() < 0.4:
            case.body = self._sensible(case.operation.path, case.body, chance)

    def _id(self, case: Any, resource: str, chance: random.Random) -> Any:
        """The id of something; of something new, if it may be gone or be stopped afterwards."""
        if case.method == "DELETE":
            return self._batch() if resource == "jobs" else self.fresh(resource)
        if case.operation.path.endswith(("/cancel", "/resume")):
            job = self._batch()
            if case.operation.path.endswith("/resume"):
                self._client.post(f"/v1/jobs/{job}/cancel")
            return job
        return chance.choice(self.known[resource])

    def _sensible(self, path: str, body: dict[str, Any], chance: random.Random) -> dict[str, Any]:
        """A body with what random values would hardly ever be."""
        if path == "/v1/labels":
            body.pop("page", None)
            return {**body, "html": self.pages[0]["html"], "keep": self.keep}
        if path == "/v1/sites/learn":
            given = body.get("pages")
            return {**body, "pages": [*self.pages[:3], *(given[:3] if isinstance(given, list) else ())]}
        if path.startswith("/v1/sites/{host}"):
            selector = chance.choice(["#story", "div.text > p", "p:nth-child(2)", "*", "html", ":not(p)", "x" * 900])
            return {**body, "templates": [{"name": self.template, "keep": [selector], "drop": ["p", selector]}]}
        if path == "/v1/fetch":
            return {**body, "url": f"{self._site}/{chance.randrange(8)}"}
        return body

    def _filled(self, body: Any, chance: random.Random) -> Any:
        if isinstance(body, list):
            return [self._filled(one, chance) for one in body]
        if not isinstance(body, dict):
            return body
        made = {key: self._filled(value, chance) for key, value in body.items()}
        for key, value in made.items():
            if isinstance(value, str) and chance.random() < 0.5:
                made[key] = self._value(key, value, chance)
        return made

    def _value(self, key: str, value: str, chance: random.Random) -> str:
        """Another value for a field: one that exists, or one that something may stumble over."""
        if key == "page":
            return str(self.page)
        if key == "html":
            return chance.choice([*(one["html"] for one in self.pages), f"<p>{chance.choice(_ODD)} {value}</p>"])
        if key == "url":
            return chance.choice([f"{self._site}/{chance.randrange(8)}", "https://news.example/articles/1", value])
        if key in ("note", "name", "title", "host"):
            return chance.choice(_ODD) + value
        return value


def attack(address: str, populated: Populated, examples: int, number: int = 1) -> Found:
    """Send `examples` requests of each kind, fitting and not, to every operation."""
    found = Found()
    description = schemathesis.openapi.from_url(f"{address}/openapi.json")
    operations = [result.ok() for result in description.get_all_operations()]
    for operation in operations:
        found.operations.add(operation.label)
        if operation.path == ENDLESS:
            _ask_for_events(address, found, operation.label)
            continue
        for mode in (schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE):
            try:
                strategy = operation.as_strategy(generation_mode=mode)
                _ask(operation, strategy, populated, found, examples, number)
            except Exception as error:
                if "Impossible to generate" not in str(error) and type(error).__name__ != "Unsatisfiable":
                    raise
    return found


def _ask(operation: Any, strategy: Any, populated: Populated, found: Found, examples: int, number: int) -> None:
    wanted = [getattr(schemathesis.checks, name) for name in CHECKS]
    chance = random.Random(number)

    @seed(number)
    @settings(
        max_examples=examples, deadline=None, database=None, phases=[Phase.generate],
        suppress_health_check=[*HealthCheck],
    )  # fmt: skip
    @given(case=strategy)
    def ask(case: Any) -> None:
        populated.fill(case, chance)
        try:
            answer = case.call(timeout=120)
        except (UnicodeEncodeError, ValueError):  # not a request that the client can send
            return
        found.requests += 1
        found.statuses[answer.status_code] += 1
        if answer.status_code < 300:
            found.succeeded.add(operation.label)
        if answer.status_code >= 500 and answer.status_code not in REASONED:
            found.failures[f"{operation.label}: {answer.status_code} {answer.text[:300]} | {_shown(case)}"] += 1
            return
        try:
            case.validate_response(answer, checks=wanted)
        except BaseException as error:  # groups of failures are no Exception
            found.failures[f"{operation.label}: {answer.status_code} {str(error)[:700]} | {_shown(case)}"] += 1

    ask()


def _shown(case: Any) -> str:
    return repr((case.path_parameters, case.query, case.headers, case.body))[:500]


def _ask_for_events(address: str, found: Found, label: str) -> None:
    """Ask for the events of all jobs, which have no end: until the first."""
    for last in (None, "", "5", "x" * 100, "x" * 101, "-1", "1:2", "99999999999999999999"):
        headers = {} if last is None else {"Last-Event-ID": last}
        with httpx2.stream("GET", f"{address}{ENDLESS}", headers=headers, timeout=60, trust_env=False) as answer:
            found.requests += 1
            found.statuses[answer.status_code] += 1
            kind = answer.headers["content-type"].partition(";")[0]
            if (answer.status_code, kind) == (200, "text/event-stream"):
                found.succeeded.add(label)
                next(answer.iter_raw())
            elif (answer.status_code, kind) != (422, "application/problem+json"):
                found.failures[f"{label}: {answer.status_code} {kind} | {last}"] += 1


@contextmanager
def populated_service(store: str) -> Iterator[tuple[str, Populated]]:
    """Run a service on an empty store, with a site to fetch from, and fill it."""
    network = NetworkSettings(delay=0, retries=0, seconds=2)
    jobs = JobSettings(network=network, nice=0, waiting=5000, running=1)
    chosen = ServeSettings(store=store, workers=1, allow_private=True, limits=Limits(seconds=20), jobs=jobs)
    app = create_app(chosen)
    with serving([article(one).encode() for one in range(6)]) as site, socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=5))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            while not server.started:
                assert thread.is_alive(), "the service does not start"
                sleep(0.02)
            address = f"http://127.0.0.1:{listening.getsockname()[1]}"
            with httpx2.Client(base_url=address, timeout=120, trust_env=False) as client:
                yield address, Populated(client, site.urls()[0].removesuffix("/0"))
        finally:
            server.should_exit = True
            thread.join()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--examples", type=int, default=80, help="requests of each kind for each operation")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--postgresql", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        own = postgresql() if options.postgresql else nullcontext(str(Path(folder) / "store.db"))
        start = monotonic()
        with own as store, populated_service(store) as (address, populated):
            found = attack(address, populated, options.examples, options.seed)
    print(f"{found.requests:,} requests to {len(found.operations)} operations in {monotonic() - start:.0f} s")
    print("answers:", ", ".join(f"{count:,} × {status}" for status, count in sorted(found.statuses.items())))
    print("operations that never succeeded:", sorted(found.operations - found.succeeded) or "none")
    print(f"failures: {sum(found.failures.values())}")
    for failure, count in found.failures.most_common(60):
        print(f"  {count} × {failure}")
    return 1 if found.failures else 0


if __name__ == "__main__":
    sys.exit(main())
