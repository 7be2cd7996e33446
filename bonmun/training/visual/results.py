"""Results of a run: for each plan `ID.npz` with the weights, the importances and the probabilities of test rows."""

import io
import json
import tarfile
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bonmun.training.visual.plans import Plan

_WEIGHTS, _PROBABILITIES = "state.", "probabilities."
_LARGEST = 12 << 20
"""Bytes after which another archive is begun."""


@dataclass(frozen=True, eq=False)
class Result:
    """What is kept of a network that was fitted."""

    plan: Plan
    facts: Mapping[str, Any]
    """Validation scores, steps, test scores."""
    state: Mapping[str, NDArray[np.float32]]
    """Arrays by the names of the network's `state_dict`, each once."""
    importances: NDArray[np.float64]
    probabilities: Mapping[str, NDArray[np.float16]]
    """By corpus: of the test decile's rows for the plan's corpus, of all rows for others."""

    def packed(self) -> bytes:
        """Return the bytes of its file."""
        parts: dict[str, Any] = {"plan": np.array(json.dumps(asdict(self.plan)))}
        parts["facts"] = np.array(json.dumps(dict(self.facts)))
        parts["importances"] = self.importances
        parts |= {f"{_WEIGHTS}{name}": value for name, value in self.state.items()}
        parts |= {f"{_PROBABILITIES}{name}": value for name, value in self.probabilities.items()}
        file = io.BytesIO()
        np.savez_compressed(file, **parts)
        return file.getvalue()

    @classmethod
    def unpacked(cls, content: bytes) -> "Result":
        """Read the bytes of a file."""
        with np.load(io.BytesIO(content), allow_pickle=False) as parts:
            return cls(
                Plan(**json.loads(str(parts["plan"]))),
                json.loads(str(parts["facts"])),
                _with_prefix(parts, _WEIGHTS),
                parts["importances"],
                _with_prefix(parts, _PROBABILITIES),
            )


class ResultWriter:
    """Writes results into archives `results-N.tar` of a folder, each closed and complete after every result."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._number = 0

    def add(self, result: Result) -> None:
        """Append a result."""
        content = result.packed()
        path = self._folder / f"results-{self._number}.tar"
        if path.exists() and path.stat().st_size + len(content) > _LARGEST:
            self._number += 1
            path = self._folder / f"results-{self._number}.tar"
        entry = tarfile.TarInfo(f"{result.plan.id}.npz")
        entry.size = len(content)
        with tarfile.open(path, "a") as archive:
            archive.addfile(entry, io.BytesIO(content))


def read_results(folder: Path) -> Iterator[Result]:
    """Yield the results of a folder's archives."""
    for path in sorted(folder.glob("results-*.tar")):
        with tarfile.open(path) as archive:
            for entry in archive:
                file = archive.extractfile(entry)
                if file is not None:
                    yield Result.unpacked(file.read())


def _with_prefix(parts: Any, prefix: str) -> dict[str, Any]:
    return {name.removeprefix(prefix): parts[name] for name in parts.files if name.startswith(prefix)}
