"""Systems to measure, by name: our methods and the peers."""

import hashlib
import importlib.metadata
import os
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bonmun import __version__, registry
from bonmun.errors import MissingExtra, SourceError, UnknownName
from bonmun.evaluate import runtimes, siblings
from bonmun.evaluate.corpora import Corpus
from bonmun.evaluate.folds import read_folds
from bonmun.evaluate.peers import PEERS, Peer
from bonmun.rendering.chromium import check_browser

_HERE = Path(__file__).parent
_PACKAGE = _HERE.parent
OUT_OF_FOLD = "out-of-fold"
_UNMEASURED = ("evaluate", "cli", "middleware", "workers", "training", "__pycache__")
"""Parts of the package that no extraction runs through."""
_UNREAD = (".c", ".h", ".md", ".pyi", ".typed")
"""Files that no extraction reads; C sources count through the compiled module."""


@dataclass(frozen=True, slots=True)
class System:
    """An extractor that can be started as a worker process."""

    name: str
    version: str
    command: tuple[str, ...]
    form: str = "text"
    """The format of its output: `text` or `html`."""
    ours: bool = False

    def environment(self) -> dict[str, str]:
        """Return the environment of its process: this package is importable, warnings are off."""
        paths = [str(_PACKAGE.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
        return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONWARNINGS": "ignore", "PYTHONUTF8": "1"}


def find(name: str, folds: Path | None = None) -> System:
    """Return the system of that name; `folds` is the folder of models for `out-of-fold`.

    Raises `UnknownName` for any other name, `MissingExtra` or `MissingBrowser` for one that is not installed.

    >>> find("xpath").ours
    True
    >>> find("magic")
    Traceback (most recent call last):
    bonmun.errors.UnknownName: no system named 'magic'; there are: auto, ..., turbohtml, ..., xpath-robust
    """
    if name == OUT_OF_FOLD:
        return _out_of_fold(folds)
    if name in PEERS:
        return _peer(name, PEERS[name])
    methods = registry.names("methods")
    if name in methods:
        if registry.needs_layout(name):
            check_browser()
        return _ours(name, _version(name), f"method:{name}")
    raise UnknownName("system", name, {*methods, *PEERS})


def sited(rules: str, corpus: Corpus) -> System:
    """Return the system that learns the sites of a corpus by one of `siblings.RULES`."""
    version = f"{_version(rules)}+{siblings.stamp(corpus)}"
    return _ours(rules, version, f"sites:{rules}:{corpus.path.resolve()}")


def names() -> list[str]:
    """Return the names of all methods and peers, ours first."""
    return [*registry.names("methods"), *PEERS]


@cache
def code_stamp() -> str:
    """Return a hash of the extraction code, part of our systems' versions: changed code is measured anew."""
    total = hashlib.blake2b(digest_size=4)
    for path in sorted(_PACKAGE.rglob("*")):
        inside = path.relative_to(_PACKAGE)
        if path.is_file() and path.suffix not in _UNREAD and not set(inside.parts) & set(_UNMEASURED):
            total.update(inside.as_posix().encode())
            total.update(path.read_bytes())
    return total.hexdigest()


def _version(method: str) -> str:
    """Return the version of a method: its package's (Bonmun's or a third party's) and the hash of our code."""
    third_party = importlib.metadata.entry_points(group="bonmun.methods", name=method)
    package = next((entry.dist for entry in third_party if method not in registry.METHODS), None)
    return f"{package.version if package else __version__}+{code_stamp()}"


def _out_of_fold(folder: Path | None) -> System:
    if folder is None:
        raise SourceError(f"{OUT_OF_FOLD} needs the folder with its models: --folds DIR")
    folds = read_folds(folder)
    return _ours(OUT_OF_FOLD, f"{_version(OUT_OF_FOLD)}+{folds.stamp}", f"folds:{folder.resolve()}")


def _ours(name: str, version: str, target: str) -> System:
    return System(name, version, (sys.executable, "-m", "bonmun.evaluate.system_main", target), ours=True)


def _peer(name: str, peer: Peer) -> System:
    adapter = str(_HERE / "peers" / (peer.adapter or f"{name.replace('-', '_')}.py"))
    if peer.runtime == "node":
        version = runtimes.readability_version()
        return System(name, version, ("node", adapter, str(runtimes.node_folder())), peer.form)
    main = str(_HERE / "system_main.py")
    if peer.runtime == "python3.12":
        version = runtimes.rs_trafilatura_version()
        return System(name, version, (str(runtimes.python312()), "-I", main, adapter), peer.form)
    try:
        version = importlib.metadata.version(peer.distribution)
    except importlib.metadata.PackageNotFoundError:
        raise MissingExtra(f"the bench's peers, {name} among them,", "bench") from None
    return System(name, version, (sys.executable, "-I", main, adapter), peer.form)
