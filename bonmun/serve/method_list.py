"""The methods with a line on each."""

import sys
from dataclasses import dataclass

from pydantic import BaseModel, TypeAdapter

from bonmun import registry
from bonmun.errors import BonmunError

DEFAULT = "auto"


class MethodAnswer(BaseModel):
    """A method."""

    name: str
    description: str
    adjustable: bool
    """Whether it can favour precision or recall."""
    default: bool


@dataclass(frozen=True, slots=True)
class MethodsWork:
    """List the methods; in a worker, as plug-ins and models are loaded for it."""

    @property
    def seconds(self) -> float:
        """Enough for loading every method."""
        return 60.0

    def run(self) -> bytes:
        """Return the methods as JSON, without those that cannot be loaded."""
        found = (_described(name) for name in registry.names("methods"))
        return TypeAdapter(list[MethodAnswer]).dump_json([method for method in found if method is not None])


def _described(name: str) -> MethodAnswer | None:
    try:
        method = registry.method(name)
    except BonmunError:  # a plug-in that cannot be loaded, or lacks its extra
        return None
    adjustable = hasattr(method, "preferring")
    return MethodAnswer(name=name, description=_summary(method), adjustable=adjustable, default=name == DEFAULT)


def _summary(method: registry.Method) -> str:
    """The first paragraph of the docstring: of our own methods, that of the module, which names the paper."""
    kind = type(method)
    documented = sys.modules[kind.__module__] if kind.__module__.startswith("bonmun.") else kind
    return " ".join((documented.__doc__ or "").strip().partition("\n\n")[0].split())
