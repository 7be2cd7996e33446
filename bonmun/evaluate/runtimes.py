"""Where peers live that this interpreter cannot run: a CPython 3.12 environment and Node packages, in a cache folder.

Nothing is installed unless it is asked for (`bonmun bench --install`).
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from bonmun.errors import MissingExtra, SourceError

RS_TRAFILATURA = "rs-trafilatura"
_NODE_PACKAGES = ("@mozilla/readability@^0.6.0", "jsdom@^26.1.0")
_VERSION_OF = "import importlib.metadata as m, sys; print(m.version(sys.argv[1]))"


class MissingRuntime(MissingExtra):
    """A peer that pip alone cannot install beside us; the message says what does."""

    def __str__(self) -> str:
        return f"{self.what} is not installed: bonmun bench --install {self.extra}"


def cache_folder() -> Path:
    """Return the folder for what peers need: `BONMUN_CACHE`, or the user's cache."""
    given = os.environ.get("BONMUN_CACHE")
    user = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(given) if given else Path(user) / "bonmun"


def python312() -> Path:
    """Return the interpreter that rs-trafilatura is installed in."""
    if sys.version_info[:2] == (3, 12):
        return Path(sys.executable)
    return cache_folder() / "python3.12" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def node_folder() -> Path:
    """Return the folder whose `node_modules` holds Readability.js and jsdom."""
    return cache_folder() / "node"


def rs_trafilatura_version() -> str:
    """Return the version of rs-trafilatura; `MissingRuntime` where it is not there."""
    try:
        done = subprocess.run(
            [python312(), "-I", "-c", _VERSION_OF, RS_TRAFILATURA], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        raise MissingRuntime("rs-trafilatura (CPython 3.12 only)", RS_TRAFILATURA) from None
    return done.stdout.strip()


def readability_version() -> str:
    """Return the versions of Readability.js and jsdom; `MissingRuntime` where they, or Node, are not there."""
    versions = []
    for package in ("@mozilla/readability", "jsdom"):
        try:
            text = (node_folder() / "node_modules" / package / "package.json").read_text(encoding="utf-8")
        except OSError:
            raise MissingRuntime("Readability.js (Node)", "readability.js") from None
        versions.append(str(json.loads(text)["version"]))
    if shutil.which("node") is None:
        raise SourceError("Readability.js needs Node, and there is no command named node")
    return "{}+jsdom{}".format(*versions)


def install(peer: str) -> None:
    """Install a peer into the cache folder: `rs-trafilatura` or `readability.js`."""
    folder = cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    if peer == RS_TRAFILATURA:
        if sys.version_info[:2] != (3, 12):
            _run([_find_python312(), "-m", "venv", str(folder / "python3.12")])
        _run([str(python312()), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", RS_TRAFILATURA])
    elif peer == "readability.js":
        node_folder().mkdir(exist_ok=True)
        npm = shutil.which("npm")
        if npm is None:
            raise SourceError("Readability.js needs Node, and there is no command named npm")
        _run([npm, "install", "--prefix", str(node_folder()), "--no-audit", "--no-fund", "--silent", *_NODE_PACKAGES])
    else:
        raise MissingExtra(f"the peer {peer}'s packages", "bench")


def _find_python312() -> str:
    """Return a CPython 3.12: by name, or among pyenv's."""
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    for name in ("python3.12", *map(str, sorted(pyenv.glob("3.12.*/bin/python"), reverse=True))):
        try:
            if subprocess.run([name, "-c", "import sys; assert sys.version_info[:2] == (3, 12)"],
                              capture_output=True).returncode == 0:  # fmt: skip
                return name
        except OSError:
            continue
    raise SourceError("rs-trafilatura needs CPython 3.12, and there is no command named python3.12 that runs it")


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        last = (done.stderr.strip() or done.stdout.strip() or f"status {done.returncode}").splitlines()[-1]
        raise SourceError(f"{' '.join(command[:4])} … failed: {last}")
