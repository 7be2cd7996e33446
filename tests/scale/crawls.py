"""Small web archives that the tests write, and what is in an output folder."""

import gzip
from pathlib import Path

from tests.warcs import response

SENTENCE = "The river rose in the night, and by morning the lower road number {0} was gone under brown water."
PAGE = "<html><head><title>Page {0}</title></head><body><h1>Page {0}</h1><p>" + SENTENCE + "</p>{1}</body></html>"


def page(number: int, more: str = "") -> bytes:
    """A page with a text of its own."""
    return PAGE.format(number, more).encode()


def record(url: str, body: bytes, date: str = "2026-01-02T03:04:05Z") -> bytes:
    """A packed response record."""
    return gzip.compress(response(url, body, WARC_Date=date), mtime=0)


def write_warc(path: Path, numbers: range) -> Path:
    """An archive of pages."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(record(f"https://example.org/{number}", page(number)) for number in numbers))
    return path


def contents(folder: Path) -> dict[str, bytes]:
    """All files of an output folder but the locks, by their names."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.startswith("lock")
    }
