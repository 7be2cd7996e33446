"""Units of work for the worker pool: picklable values that carry their input and know what to do with it."""

from typing import Any, Protocol, TypeVar

Result = TypeVar("Result", covariant=True)


class Work(Protocol[Result]):
    """A dataclass that a worker process runs. It is pickled, and so is its result."""

    @property
    def seconds(self) -> float:
        """The time after which its worker is killed."""

    def run(self) -> Result:
        """Do it, in the worker process. Errors of ours come out of `Service.perform` as they are."""


def perform(work: Work[Any]) -> Any:
    """Run a unit of work: the task of the pool."""
    return work.run()


def seconds_of(work: Work[Any]) -> float:
    """Return the time limit of a unit of work."""
    return work.seconds
