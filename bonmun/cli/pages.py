"""From sources to pages: the page of a file or a URL, and the stream of pages of a container."""

import os
import select
import stat
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from bonmun.cli.sources import STDIN, PageSource, SourceKind, unreadable
from bonmun.errors import BonmunError, LimitExceeded, NotAPage, SourceError
from bonmun.inputs.kinds import InputKind, kind_of
from bonmun.inputs.members import Member, Reading, members
from bonmun.inputs.saved_page import Raw, from_mhtml, saved_from
from bonmun.inputs.streams import decompressed, peeked

_PIPE_SECONDS = 30
_SEEKING = (InputKind.ZIP, InputKind.PARQUET)
_MHTML_FACTOR = 5
"""Largest MHTML file as a multiple of the largest page: it holds the pictures too."""


@dataclass(frozen=True, slots=True)
class _Input:
    """An opened source: its kind and its decompressed content."""

    kind: InputKind
    stream: BinaryIO
    seekable: bool = False
    size: int | None = None
    """The size of an uncompressed file."""


def pages_of(source: PageSource, reading: Reading) -> Iterator[PageSource]:
    """Yield the pages of a source: itself, or those of a container with their content.

    A page that cannot be read has its `error`. A container that is damaged ends with one.
    """
    if source.kind is SourceKind.URL or source.error:
        yield source
        return
    number = 0
    try:
        with _opened(source) as input:
            if not input.kind.is_container:
                yield _single(source, input, reading.most)
                return
            for number, member in enumerate(members(input.kind, _seekable(input, reading), reading), 1):
                yield _page(source, member, number)
            if not number:
                raise SourceError(f"no web page in this {input.kind.value} file")
    except BonmunError as error:
        yield replace(source, error=error, number=number + 1 if number else None)
    except Exception as error:  # Damage shows as an error of the decompressor, the archive reader or the disk.
        yield replace(source, error=_damage(source, error), number=number + 1 if number else None)


def read(source: PageSource, most: int, *, allow_private: bool = False) -> Raw:
    """Read a page, at most one byte beyond `most`: enough to detect that it is too large."""
    if source.error is not None:
        raise source.error
    if source.kind is SourceKind.URL and source.content is None:
        from bonmun.middleware.network import FetchPolicy, fetch

        fetched = fetch(source.name, FetchPolicy(max_bytes=most, allow_private=allow_private))
        return Raw(fetched.content, fetched.url, fetched.content_type)
    if source.is_html:
        return Raw(source.content or b"", source.url, source.charset)
    try:
        with _opened(source) as input:
            return _raw(input, most)
    except BonmunError:
        raise
    except Exception as error:
        raise _damage(source, error) from error


def _raw(input: _Input, most: int) -> Raw:
    if input.kind is InputKind.MHTML:
        content = input.stream.read(_MHTML_FACTOR * most + 1)
        if len(content) > _MHTML_FACTOR * most:
            raise LimitExceeded("bytes", len(content), _MHTML_FACTOR * most)
        return from_mhtml(content)
    if input.kind.is_container:
        raise NotAPage(f"not a web page: a {input.kind.value} file inside another file")
    if input.size is not None and input.size > most:
        raise LimitExceeded("bytes", input.size, most)
    content = input.stream.read(most + 1)
    return Raw(content, saved_from(content))


def _single(source: PageSource, input: _Input, most: int) -> PageSource:
    """Return the source of a single page; a stream with its content, because a worker process could not read it."""
    if source.kind is not SourceKind.STREAM:
        return source
    factor = _MHTML_FACTOR if input.kind is InputKind.MHTML else 1
    return replace(source, content=input.stream.read(factor * most + 1))


def _page(source: PageSource, member: Member, number: int) -> PageSource:
    return PageSource(
        source.name + member.label,
        source.kind,
        source.relative,
        content=member.content,
        url=member.url,
        charset=member.charset,
        is_html=member.is_html,
        number=number,
        error=member.error,
    )


def _seekable(input: _Input, reading: Reading) -> BinaryIO:
    """Return the stream of a container; one that has to seek but cannot is read into memory if it is small."""
    if input.seekable or input.kind not in _SEEKING:
        return input.stream
    content = input.stream.read(reading.most + 1)
    if len(content) > reading.most:
        raise SourceError(f"a {input.kind.value} file of this size has to be an uncompressed file, not a stream")
    return BytesIO(content)


@contextmanager
def _opened(source: PageSource) -> Iterator[_Input]:
    with _bytes_of(source) as raw:
        head, stream = peeked(raw)
        unpacked = decompressed(head, stream, source.name)
        if unpacked is not stream:
            head, stream = peeked(unpacked)
            yield _Input(kind_of(head, source.name), stream)
            return
        kind = kind_of(head, source.name)
        seekable = kind in _SEEKING and raw.seekable()
        if seekable:
            raw.seek(0)
        yield _Input(kind, raw if seekable else stream, seekable, _size(raw))


def _bytes_of(source: PageSource) -> AbstractContextManager[BinaryIO]:
    if source.content is not None:
        return BytesIO(source.content)
    if source.name == STDIN and source.kind is SourceKind.STREAM:
        return nullcontext(sys.stdin.buffer) if sys.stdin else BytesIO()
    try:
        path = Path(source.name)
        return _from_pipe(path) if path.is_fifo() else path.open("rb")
    except (OSError, ValueError) as error:
        raise unreadable(source.name, error) from error


def _from_pipe(path: Path) -> BinaryIO:
    """Open a named pipe; to open one without a writer in the usual way would block all other sources."""
    pipe = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    waiting = select.poll()
    waiting.register(pipe, select.POLLIN)
    if not waiting.poll(_PIPE_SECONDS * 1000):
        os.close(pipe)
        raise SourceError(f"cannot read {path}: no program wrote into this pipe within {_PIPE_SECONDS} s")
    os.set_blocking(pipe, True)
    return os.fdopen(pipe, "rb")


def _damage(source: PageSource, error: Exception) -> SourceError:
    reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return SourceError(f"cannot read {source.name}: {reason}")


def _size(file: BinaryIO) -> int | None:
    try:
        status = os.fstat(file.fileno())
    except OSError:  # Bytes in memory.
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None
