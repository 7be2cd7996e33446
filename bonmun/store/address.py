"""The address of a store: a file of SQLite, or the URL of a PostgreSQL server."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from bonmun.errors import StoreError

MEMORY = ":memory:"
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):(?=//)")
_PASSWORD = re.compile(r"(://[^/?#\s:@]*):[^/?#\s]*@")
_PARAMETER = re.compile(r"(?i)\b((?:ssl)?password|passfile|sslkey)=[^&\s]*")


@dataclass(frozen=True, slots=True)
class Address:
    """A parsed address.

    >>> parse("news.db").dialect, parse("postgresql://me:secret@db.example.org/news").name
    ('sqlite', 'postgresql://me:…@db.example.org/news')
    """

    dialect: Literal["sqlite", "postgresql"]
    url: str
    """The URL for SQLAlchemy."""
    name: str
    """The address for messages, without password."""
    path: Path | None = None
    """The file; `None` for a server or a database in memory."""


def parse(address: str | Path) -> Address:
    """Parse an address: ``news.db``, ``sqlite:///news.db``, ``postgresql://user@host/database``, ``:memory:``."""
    text = str(address)
    scheme = match[1].lower() if (match := _SCHEME.match(text)) else ""
    if scheme in ("postgresql", "postgres", "postgresql+psycopg"):
        return Address("postgresql", "postgresql+psycopg:" + text[len(scheme) + 1 :], without_password(text))
    if scheme == "sqlite":
        text = text[len("sqlite://") :].removeprefix("/") or MEMORY
    elif scheme:
        raise StoreError(f"{without_password(text)}: no store at {scheme} URLs; use a file or postgresql://…")
    if text == MEMORY:
        return Address("sqlite", "sqlite://", MEMORY)
    if not text:
        raise StoreError("the name of the store is empty; use a file or postgresql://…")
    return Address("sqlite", "sqlite:///", text, Path(text))


def without_password(text: str) -> str:
    """Return a message or URL with passwords left out.

    >>> without_password("postgresql:///news?user=me&password=secret")
    'postgresql:///news?user=me&password=…'
    """
    return _PARAMETER.sub(r"\1=…", _PASSWORD.sub(r"\1:…@", text))
