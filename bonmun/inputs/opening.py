"""An opened input: its kind and its content, and the page of one that is no container."""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import BinaryIO, Final

from bonmun.errors import LimitExceeded, NotAPage, SourceError
from bonmun.inputs.kinds import ZSTD_DICTIONARY, InputKind, kind_of
from bonmun.inputs.member import Found, Member, Reading
from bonmun.inputs.members import members
from bonmun.inputs.saved_page import Raw, from_mhtml, saved_from
from bonmun.inputs.streams import decompressed, peeked

_SEEKING = (InputKind.ZIP, InputKind.PARQUET)
_ARCHIVES = (b"WARC/", b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd", ZSTD_DICTIONARY)
"""How web archives begin that are decompressed record by record, and so can be read on after a damage."""
MHTML_FACTOR: Final = 5
"""Largest MHTML file as a multiple of the largest page: it holds the pictures too."""


@dataclass(frozen=True, slots=True)
class Input:
    """An opened source: its kind and its content."""

    kind: InputKind
    stream: BinaryIO
    """The content, decompressed; that of a web archive may still be compressed."""
    seekable: bool = False
    size: int | None = None
    """The size of an uncompressed file."""


def opened(raw: BinaryIO, name: str) -> Input:
    """Return what a stream holds; raise `NotAPage` if it is no input."""
    head, stream = peeked(raw)
    by_record = head.startswith(_ARCHIVES)
    unpacked = decompressed(head, stream, name)
    packed = unpacked is not stream
    if packed:
        head, stream = peeked(unpacked)
    kind = kind_of(head, name)
    if raw.seekable() and ((kind is InputKind.WARC and by_record) or (kind in _SEEKING and not packed)):
        raw.seek(0)
        return Input(kind, raw, True)
    return Input(kind, stream) if packed else Input(kind, stream, False, _size(raw))


def members_of(input: Input, reading: Reading) -> Iterator[Found]:
    """Yield what a container holds; one that has to seek but cannot is read into memory if it is small."""
    stream = input.stream
    if input.kind in _SEEKING and not input.seekable:
        content = stream.read(reading.most + 1)
        if len(content) > reading.most:
            raise SourceError(f"a {input.kind.value} file of this size has to be an uncompressed file, not a stream")
        stream = BytesIO(content)
    return members(input.kind, stream, reading)


def page_in(input: Input, most: int) -> Raw:
    """Return the page of an input, at most one byte beyond `most`: enough to detect that it is too large."""
    if input.kind is InputKind.MHTML:
        content = input.stream.read(MHTML_FACTOR * most + 1)
        if len(content) > MHTML_FACTOR * most:
            raise LimitExceeded("bytes", len(content), MHTML_FACTOR * most)
        return from_mhtml(content)
    if input.kind.is_container:
        raise NotAPage(f"not a web page: a {input.kind.value} file inside another file")
    if input.size is not None and input.size > most:
        raise LimitExceeded("bytes", input.size, most)
    content = input.stream.read(most + 1)
    return Raw(content, saved_from(content))


def page_of(member: Member, most: int) -> Raw:
    """Return the page of a member; raise its error, or `NotAPage` if it is none."""
    if member.error is not None:
        raise member.error
    if member.is_html:
        return Raw(member.content, member.url, member.charset)
    return page_in(opened(BytesIO(member.content), member.label), most)


def _size(file: BinaryIO) -> int | None:
    try:
        status = os.fstat(file.fileno())
    except OSError:  # Bytes in memory.
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None
