"""Out-of-fold answers: every page is read by a model that was trained without it.

A method that learns looks better on the pages it learned from than it is. A folder with the models of a
cross-validation and a `folds.json` says which model has not seen a page:

    {"models": ["fold0.model", "fold1.model"], "fold_of": {"0001": 0, "0002": 1}}
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from bonmun.errors import BonmunError, InputError
from bonmun.registry import Method

_FILE = "folds.json"


class FoldsError(InputError):
    """A folder that is no cross-validation, or a page that is in no fold of it."""


@dataclass(frozen=True)
class Folds:
    """The models of a cross-validation, and which of them reads a page."""

    folder: Path
    models: Sequence[Path]
    fold_of: Mapping[str, int]

    @property
    def stamp(self) -> str:
        """A hash of the models and of who reads what: other models are another version."""
        total = hashlib.blake2b(digest_size=4)
        for path in (self.folder / _FILE, *self.models):
            total.update(path.read_bytes())
        return total.hexdigest()

    def methods(self, load: Callable[[Path], Method] | None = None) -> "Callable[[str], Method]":
        """Load every model; return the function from a page's id to the method that reads it.

        `load` makes a method of a model's file; the learned method's own `load` where it is not given.
        """
        methods = [(load or learned())(model) for model in self.models]

        def of(page: str) -> Method:
            if page not in self.fold_of:
                raise FoldsError(f"page {page!r} is in no fold of {self.folder / _FILE}")
            return methods[self.fold_of[page]]

        return of


def read_folds(folder: Path) -> Folds:
    """Return the cross-validation in a folder; `FoldsError` says what is wrong with it."""
    path = folder / _FILE
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise FoldsError(f"cannot read {path}: {error}") from error
    names, fold_of = _checked(content, path)
    models = [folder / name for name in names]
    for model in models:
        if not model.is_file():
            raise FoldsError(f"{path}: no such model: {model}")
    return Folds(folder, models, fold_of)


def learned() -> Callable[[Path], Method]:
    """Return what makes a learned method of a model's file."""
    try:
        found: Callable[[Path], Method] = import_module("bonmun.methods.learned").Learned.load
    except (ImportError, AttributeError) as error:
        raise BonmunError(f"folds need the learned method, which is not there: {error}") from error
    return found


def _checked(content: Any, path: Path) -> tuple[list[str], dict[str, int]]:
    names, fold_of = (content.get("models"), content.get("fold_of")) if isinstance(content, dict) else (None, None)
    if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
        raise FoldsError(f"{path}: 'models' is no list of file names")
    if not isinstance(fold_of, dict):
        raise FoldsError(f"{path}: 'fold_of' is no object from pages to folds")
    for page, fold in fold_of.items():
        if type(fold) is not int or not 0 <= fold < len(names):
            raise FoldsError(f"{path}: page {page!r} is in fold {fold!r}; there are 0 to {len(names) - 1}")
    return names, fold_of
