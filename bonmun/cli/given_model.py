"""The model for ``--model``: a file that ``bonmun train`` has written."""

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bonmun.methods.learned import Learned


@lru_cache(1)
def given_model(path: str) -> "Learned":
    """Load the method `auto` with the model at a path; cached, because every page is judged by it."""
    from bonmun.methods.learned import Learned

    return Learned.load(path)
