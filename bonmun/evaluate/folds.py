"""Out-of-fold evaluation: every page is judged by a model that was trained without it.

A learned method scores too high on its own training pages. In a folder with the models of a cross-validation,
`folds.json` maps each page to the fold, and so to the model, that was trained without it:

    {"models": ["fold0.model", "fold1.model"], "fold_of": {"0001": 0, "0002": 1}}
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bonmun.errors import InputError
from bonmun.registry import Method

_FILE = "folds.json"


class FoldsError(InputError):
    """A malformed folder of folds, or a page without a fold."""


@dataclass(frozen=True)
class Folds:
    """The models of a cross-validation, and the fold of each page."""

    folder: Path
    models: Sequence[Path]
    fold_of: Mapping[str, int]

    @property
    def stamp(self) -> str:
        """A hash of the models and of the page assignment, part of the system's version."""
        total = hashlib.blake2b(digest_size=4)
        for path in (self.folder / _FILE, *self.models):
            total.update(path.read_bytes())
        return total.hexdigest()

    def methods(self, load: Callable[[Path], Method] | None = None) -> "Callable[[str], Method]":
        """Load every model and return the function from a page's id to its method.

        `load` makes a method from a model file; the default is the learned method's `load`.
        """
        methods = [(load or learned())(model) for model in self.models]

        def of(page: str) -> Method:
            if page not in self.fold_of:
                raise FoldsError(f"page {page!r} has no fold in {self.folder / _FILE}")
            return methods[self.fold_of[page]]

        return of


def read_folds(folder: Path) -> Folds:
    """Read the cross-validation in a folder; raises `FoldsError` if it is malformed."""
    path = folder / _FILE
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise FoldsError(f"cannot read {path}: {error}") from error
    names, fold_of = _checked(content, path)
    models = [folder / name for name in names]
    for model in models:
        if not model.is_file():
            raise FoldsError(f"{path}: model file not found: {model}")
    return Folds(folder, models, fold_of)


def learned() -> Callable[[Path], Method]:
    """Return the loader of the learned method: from a model file to a method."""
    from bonmun.methods.learned import Learned

    return Learned.load


def _checked(content: Any, path: Path) -> tuple[list[str], dict[str, int]]:
    names, fold_of = (content.get("models"), content.get("fold_of")) if isinstance(content, dict) else (None, None)
    if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
        raise FoldsError(f"{path}: 'models' must be a non-empty list of file names")
    if not isinstance(fold_of, dict):
        raise FoldsError(f"{path}: 'fold_of' must be an object from page ids to fold numbers")
    for page, fold in fold_of.items():
        if type(fold) is not int or not 0 <= fold < len(names):
            raise FoldsError(f"{path}: page {page!r} has fold {fold!r}, not one of 0 to {len(names) - 1}")
    return names, fold_of
