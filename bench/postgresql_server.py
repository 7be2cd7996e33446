"""A PostgreSQL server of its own in a temporary folder: no service, no TCP, gone at the end."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

USER = "bonmun"


def binaries() -> Path | None:
    """The folder of initdb and pg_ctl, which Debian keeps off the path; `None` if there is none."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if found:
        return found[-1].parent
    on_path = shutil.which("initdb")
    return Path(on_path).resolve().parent if on_path else None


def _unprivileged() -> list[str]:
    """The start of a command that runs as another user: the server refuses to run as root."""
    return ["runuser", "-u", _owner(), "--"] if os.getuid() == 0 else []


def _owner() -> str:
    known = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in known else "nobody"


@contextmanager
def server() -> Iterator[str]:
    """Start a server and yield the URL of an empty database, reached by a Unix socket."""
    folder = Path(tempfile.mkdtemp(prefix="pg", dir="/tmp"))  # the path of a socket is short
    if os.getuid() == 0:
        shutil.chown(folder, _owner())
    data, place = folder / "data", binaries()
    assert place is not None, "no PostgreSQL here"
    options = f"-c listen_addresses='' -c unix_socket_directories={folder} -c fsync=off -c max_connections=50"
    try:
        _run(
            [str(place / "initdb"), "-D", str(data), "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]
        )
        _run([str(place / "pg_ctl"), "-D", str(data), "-w", "-l", str(folder / "log"), "-o", options, "start"])
        try:
            yield f"postgresql://{USER}@/postgres?host={folder}"
        finally:
            _run([str(place / "pg_ctl"), "-D", str(data), "-w", "-m", "immediate", "stop"])
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run(command: list[str]) -> None:
    # Not captured by pipes: the server would inherit them and keep them open.
    with tempfile.TemporaryFile() as output:
        done = subprocess.run([*_unprivileged(), *command], stdout=output, stderr=output, cwd="/", timeout=120)
        output.seek(0)
        assert done.returncode == 0, output.read().decode(errors="replace")


def emptied(url: str) -> str:
    """Drop all tables of ours, and return the URL."""
    import psycopg

    with psycopg.connect(url) as connection:
        connection.execute("DROP SCHEMA IF EXISTS bonmun CASCADE")
    return url
