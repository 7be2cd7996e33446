"""Scripts and style sheets from the package, at an address with their version: cached for a year, changed at once."""

import gzip
import hashlib
import mimetypes
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from bonmun.serve.problems import Problem

router = APIRouter(prefix="/static", include_in_schema=False)

_FOR_EVER: Final = "public, max-age=31536000, immutable"
_ASK_AGAIN: Final = "no-cache"
_TYPES: Final = MappingProxyType({".js": "text/javascript", ".svg": "image/svg+xml"})
"""Types that the tables of some systems have wrong."""


@dataclass(frozen=True, slots=True)
class StaticFile:
    """A file with its compressed form, if that is smaller."""

    content: bytes
    compressed: bytes | None
    media_type: str
    etag: str


@cache
def static_files() -> Mapping[str, StaticFile]:
    """Return the files by name."""
    return MappingProxyType(dict(_read(files("bonmun.serve.page").joinpath("static"), "")))


@cache
def version() -> str:
    """Return a digest of all files. Modules import each other by relative address, so they share one version."""
    digest = hashlib.sha256()
    for name, file in sorted(static_files().items()):
        digest.update(f"{name} {file.etag}\n".encode())
    return digest.hexdigest()[:12]


def static_url(name: str) -> str:
    """Return the versioned address of a file; raise `KeyError` for a name that is none.

    >>> static_url("base.css").startswith("/static/v-")
    True
    """
    static_files()[name]
    return f"/static/v-{version()}/{name}"


@router.get("/{path:path}")
@router.head("/{path:path}")
async def static_file(path: str, request: Request) -> Response:
    """Answer with a file; one asked for without a version, or with an old one, is asked for again each time."""
    first, _, rest = path.partition("/")
    file = static_files().get(rest if first.startswith("v-") else path)
    if file is None:
        raise Problem(404, "Not Found", f"there is no static file {path!r}"[:200])
    headers = {
        "Cache-Control": _FOR_EVER if first == f"v-{version()}" else _ASK_AGAIN,
        "ETag": file.etag,
        "Vary": "Accept-Encoding",
        "X-Content-Type-Options": "nosniff",
    }
    if file.etag in request.headers.get("if-none-match", ""):
        return Response(None, 304, headers)
    if file.compressed is not None and "gzip" in request.headers.get("accept-encoding", ""):
        return Response(file.compressed, 200, {**headers, "Content-Encoding": "gzip"}, file.media_type)
    return Response(file.content, 200, headers, file.media_type)


def _read(folder: Traversable, prefix: str) -> Iterator[tuple[str, StaticFile]]:
    for entry in sorted(folder.iterdir(), key=lambda one: one.name):
        if entry.is_dir():
            yield from _read(entry, f"{prefix}{entry.name}/")
        else:
            yield f"{prefix}{entry.name}", _static_file(entry.name, entry.read_bytes())


def _static_file(name: str, content: bytes) -> StaticFile:
    ending = name[name.rfind(".") :]
    media_type = _TYPES.get(ending) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    compressed = gzip.compress(content, 9, mtime=0)
    smaller = compressed if len(compressed) < len(content) else None
    etag = f'"{hashlib.sha256(content).hexdigest()[:20]}"'
    return StaticFile(content, smaller, media_type, etag)
