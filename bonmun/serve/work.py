"""Units of work for the worker pool: picklable values that carry their input and know what to do with it."""

from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from bonmun import registry

Result = TypeVar("Result", covariant=True)


class Work(Protocol[Result]):
    """A dataclass that a worker process runs. It is pickled, and so is its result."""

    @property
    def seconds(self) -> float:
        """The time after which its worker is killed."""

    def run(self) -> Result:
        """Do it, in the worker process. Errors of ours come out of `Service.perform` as they are."""


class _Model(Protocol):
    """A model of pydantic."""

    def model_dump_json(self) -> str:
        """Return itself as JSON."""


@dataclass(frozen=True, slots=True)
class AsJson:
    """Work whose result is a model: the worker writes its JSON, so that the event loop need not.

    The route returns ``Response(await service.perform(AsJson(work)), media_type="application/json")``, and declares
    its `response_model`.
    """

    work: Work[_Model]

    @property
    def seconds(self) -> float:
        """The time limit of the work itself."""
        return self.work.seconds

    def run(self) -> bytes:
        """Return the result as JSON."""
        return self.work.run().model_dump_json().encode()


@dataclass(frozen=True, slots=True)
class WarmUp:
    """Import and load what the first page needs, so that no request waits for it."""

    @property
    def seconds(self) -> float:
        """Enough for a cold disk."""
        return 120.0

    def run(self) -> None:
        """Extract a small page."""
        import bonmun.serve.explanation  # noqa: F401
        from bonmun.pipeline import extract

        extract(b"<title>Tea</title><p>Tea is made of leaves, and of water that has just boiled.").to_json()


def drawing_seconds(*methods: str) -> float:
    """Return the seconds that a browser may take for methods that need the layout of a page.

    >>> drawing_seconds("auto", "xpath")
    0.0
    """
    drawn = sum(map(registry.needs_layout, methods))
    return drawn * registry.rendering_seconds() if drawn else 0.0


def perform(work: Work[Any]) -> Any:
    """Run a unit of work: the task of the pool."""
    return work.run()


def seconds_of(work: Work[Any]) -> float:
    """Return the time limit of a unit of work."""
    return work.seconds


def name_of(work: Work[Any]) -> str:
    """Return the name of a unit of work, for metrics.

    >>> name_of(AsJson(WarmUp())), name_of(WarmUp())
    ('WarmUp', 'WarmUp')
    """
    return type(work.work if isinstance(work, AsJson) else work).__name__
