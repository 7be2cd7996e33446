"""Runtimes of peers that this interpreter cannot run: a CPython 3.12 environment and Node packages in a cache folder.

Only `bonmun bench --install` installs them.
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
    """A missing peer that needs another runtime; the message names the install command."""

    def __str__(self) -> str:
        return f"{self.what} is not installed: bonmun bench --install {self.extra}"


def cache_folder() -> Path:
    """Return the cache folder for runtimes: `BONMUN_CACHE`, or `bonmun` in the user's cache."""
    given = os.environ.get("BONMUN_CACHE")
    user = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(given) if given else Path(user) / "bonmun"


def python312() -> Path:
    """Return the path of the interpreter for rs-trafilatura."""
    if sys.version_info[:2] == (3, 12):
        return Path(sys.executable)
    return cache_folder() / "python3.12" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def node_folder() -> Path:
    """Return the folder whose `node_modules` holds Readability.js and jsdom."""
    return cache_folder() / "node"


def rs_trafilatura_version() -> str:
    """Return the version of rs-trafilatura; raises `MissingRuntime` if it is not installed."""
    try:
        done = subprocess.run(
            [python312(), "-I", "-c", _VERSION_OF, RS_TRAFILATURA], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        raise MissingRuntime("rs-trafilatura (CPython 3.12 only)", RS_TRAFILATURA) from None
    return done.stdout.strip()


def readability_version() -> str:
    """Return the versions of Readability.js and jsdom; raises `MissingRuntime` if they are not installed."""
    versions = []
    for package in ("@mozilla/readability", "jsdom"):
        try:
            text = (node_folder() / "node_modules" / package / "package.json").read_text(encoding="utf-8")
        except OSError:
            raise MissingRuntime("Readability.js (Node)", "readability.js") from None
        versions.append(str(json.loads(text)["version"]))
    if shutil.which("node") is None:
        raise SourceError("Readability.js needs Node: no command node on the PATH")
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
            raise SourceError("Readability.js needs Node: no command npm on the PATH")
        _run([npm, "install", "--prefix", str(node_folder()), "--no-audit", "--no-fund", "--silent", *_NODE_PACKAGES])
    else:
        raise MissingExtra(f"the peer {peer}'s packages", "bench")


def _find_python312() -> str:
    """Return a CPython 3.12 interpreter, from the PATH or pyenv."""
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    for name in ("python3.12", *map(str, sorted(pyenv.glob("3.12.*/bin/python"), reverse=True))):
        try:
            if subprocess.run([name, "-c", "import sys; assert sys.version_info[:2] == (3, 12)"],
                              capture_output=True).returncode == 0:  # fmt: skip
                return name
        except OSError:
            continue
    raise SourceError("rs-trafilatura needs CPython 3.12: no working python3.12 on the PATH or in pyenv")


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        last = (done.stderr.strip() or done.stdout.strip() or f"status {done.returncode}").splitlines()[-1]
        raise SourceError(f"command failed: {' '.join(command[:4])} …: {last}")
