"""A page as a browser saved it: MHTML, SingleFile, or with a comment that names its URL."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bonmun.errors import NotAPage
from bonmun.inputs.kinds import PAGE_TYPES

if TYPE_CHECKING:
    from email.message import Message

_HEAD = 4096
_SINGLE_FILE = re.compile(rb"<!--\s*Page saved with SingleFile\s+url:\s*(\S+)")
_SAVED_FROM = re.compile(rb"<!--\s*saved from url=\(\d+\)(\S+)\s*-->")
_HTTP = re.compile(r"(?i)https?://")


@dataclass(frozen=True, slots=True)
class Raw:
    """A page before decoding."""

    content: bytes
    url: str | None = None
    content_type: str | None = None


def saved_from(content: bytes) -> str | None:
    """Return the URL that SingleFile or a browser noted in a comment at the beginning of a saved page.

    >>> saved_from(b"<!DOCTYPE html> <html><!-- Page saved with SingleFile url: https://example.org/tea -->")
    'https://example.org/tea'
    """
    head = content[:_HEAD]
    match = _SINGLE_FILE.search(head) or _SAVED_FROM.search(head)
    return _web_address(match[1].decode("ascii", "replace")) if match else None


def from_mhtml(content: bytes) -> Raw:
    """Return the main HTML part of an MHTML file, with its charset and its Content-Location as URL."""
    from email.parser import BytesParser

    message = BytesParser().parsebytes(content)
    parts = [part for part in message.walk() if part.get_content_type() in PAGE_TYPES]
    if not parts:
        raise NotAPage("not a web page: an MHTML file or e-mail without an HTML part")
    part = _root(message, parts)
    payload = part.get_payload(decode=True)
    url = part["Content-Location"] or message["Snapshot-Content-Location"]
    charset = part.get_content_charset()
    return Raw(payload if isinstance(payload, bytes) else b"", _web_address(url), charset)


def _root(message: "Message", parts: "list[Message]") -> "Message":
    """Return the part that the header names as the root, else the part of the page's URL, else the first."""
    start, location = message.get_param("start"), message["Snapshot-Content-Location"]
    named = (part for part in parts if start and part["Content-ID"] == start)
    located = (part for part in parts if location and part["Content-Location"] == location)
    return next(named, None) or next(located, None) or parts[0]


def _web_address(url: str | None) -> str | None:
    url = str(url).strip() if url else ""
    return url if _HTTP.match(url) else None
