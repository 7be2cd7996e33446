"""The base of the models of requests."""

from typing import Any, Final

from pydantic import BaseModel, ConfigDict, model_validator

_MOST_MEMBERS: Final = 100
"""Members of an object; no model has as many."""


def few_members(data: Any) -> Any:
    """Return data, unless it is an object of too many members: then raise `ValueError`."""
    if isinstance(data, dict) and len(data) > _MOST_MEMBERS:
        raise ValueError(f"an object of {len(data):,} members; at most {_MOST_MEMBERS} are read")
    return data


class RequestModel(BaseModel):
    """An object of a request. Unknown members are refused.

    Pydantic names every one of them, which would hold the event loop for seconds if there were many.

    >>> RequestModel.model_validate(dict.fromkeys("ab"))
    Traceback (most recent call last):
    pydantic_core._pydantic_core.ValidationError: 2 validation errors for RequestModel...
    >>> RequestModel.model_validate(dict.fromkeys(map(str, range(200_000))))
    Traceback (most recent call last):
    pydantic_core._pydantic_core.ValidationError: 1 validation error for RequestModel...
    """

    model_config = ConfigDict(extra="forbid")

    _few_members = model_validator(mode="before")(few_members)
