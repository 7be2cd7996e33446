"""Everything that can be measured, by name: our methods and the peers."""

import hashlib
import importlib.metadata
import os
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bonmun import __version__, registry
from bonmun.errors import BonmunError, MissingExtra, SourceError, UnknownName
from bonmun.evaluate import runtimes, siblings
from bonmun.evaluate.corpora import Corpus
from bonmun.evaluate.folds import learned, read_folds
from bonmun.evaluate.peers import PEERS, Peer

_HERE = Path(__file__).parent
_PACKAGE = _HERE.parent
OUT_OF_FOLD = "out-of-fold"
_UNMEASURED = ("evaluate", "cli", "middleware", "workers", "serve", "store", "scale", "training", "__pycache__")
"""Parts of the package that no extraction runs through."""
_UNREAD = (".c", ".h", ".md", ".pyi", ".typed")
"""Files that no extraction reads; what is compiled of C is another one."""

PLANNED = {
    "logical": "logical structure with keyword weights",
    "density": "block densities",
    "template": "page clustering and template rules",
    "visual": "visual features and TabNet",
    "learned": "a learned block classifier",
}
"""Methods that the papers or our plans describe; one that the registry knows is built."""


class NotBuilt(BonmunError):
    """A method that is planned and not there yet."""


@dataclass(frozen=True, slots=True)
class System:
    """An extractor that can be started as a worker process."""

    name: str
    version: str
    command: tuple[str, ...]
    form: str = "text"
    """What it returns: `text` or `html`."""
    ours: bool = False

    def environment(self) -> dict[str, str]:
        """Return the environment for its process: this package can be imported, warnings are not shown."""
        paths = [str(_PACKAGE.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
        return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONWARNINGS": "ignore", "PYTHONUTF8": "1"}


def find(name: str, folds: Path | None = None) -> System:
    """Return the system of that name; `folds` is where the models are that `out-of-fold` chooses from.

    `UnknownName`, `NotBuilt` or `MissingExtra` says why there is none.

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
        return _ours(name, _version(name), f"method:{name}")
    if name in PLANNED:
        raise NotBuilt(f"{name} ({PLANNED[name]}) is not built yet")
    raise UnknownName("system", name, {*methods, *PEERS})


def sited(rules: str, corpus: Corpus) -> System:
    """Return the system that learns the sites of a corpus, by one of `siblings.RULES`, to read its pages."""
    version = f"{_version(rules)}+{siblings.stamp(corpus)}"
    return _ours(rules, version, f"sites:{rules}:{corpus.path.resolve()}")


def names() -> list[str]:
    """Return every name that `find` knows, ours first."""
    return [*registry.names("methods"), *PEERS]


@cache
def code_stamp() -> str:
    """Return a hash of the code that extracts: a changed method is another version."""
    total = hashlib.blake2b(digest_size=4)
    for path in sorted(_PACKAGE.rglob("*")):
        inside = path.relative_to(_PACKAGE)
        if path.is_file() and path.suffix not in _UNREAD and not set(inside.parts) & set(_UNMEASURED):
            total.update(inside.as_posix().encode())
            total.update(path.read_bytes())
    return total.hexdigest()


def _version(method: str) -> str:
    """Return the version of a method: that of its package where it is somebody else's, and of our code."""
    others = importlib.metadata.entry_points(group="bonmun.methods", name=method)
    package = next((entry.dist for entry in others if method not in registry.METHODS), None)
    return f"{package.version if package else __version__}+{code_stamp()}"


def _out_of_fold(folder: Path | None) -> System:
    if folder is None:
        raise SourceError(f"{OUT_OF_FOLD} needs the folder with its models: --folds DIR")
    found = read_folds(folder)
    learned()
    return _ours(OUT_OF_FOLD, f"{_version(OUT_OF_FOLD)}+{found.stamp}", f"folds:{folder.resolve()}")


def _ours(name: str, version: str, target: str) -> System:
    return System(name, version, (sys.executable, "-m", "bonmun.evaluate.worker_main", target), ours=True)


def _peer(name: str, peer: Peer) -> System:
    adapter = str(_HERE / "peers" / (peer.adapter or f"{name.replace('-', '_')}.py"))
    if peer.runtime == "node":
        version = runtimes.readability_version()
        return System(name, version, ("node", adapter, str(runtimes.node_folder())), peer.form)
    main = str(_HERE / "worker_main.py")
    if peer.runtime == "python3.12":
        version = runtimes.rs_trafilatura_version()
        return System(name, version, (str(runtimes.python312()), "-I", main, adapter), peer.form)
    try:
        version = importlib.metadata.version(peer.distribution)
    except importlib.metadata.PackageNotFoundError:
        raise MissingExtra(f"the bench's peers, {name} among them,", "bench") from None
    return System(name, version, (sys.executable, "-I", main, adapter), peer.form)
