"""From sources to pages: the page of a file or a URL, and the stream of pages of a container."""

import os
import select
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from bonmun.cli.sources import STDIN, PageSource, SourceKind
from bonmun.errors import BonmunError, SourceError
from bonmun.inputs.kinds import InputKind
from bonmun.inputs.member import Damage, Member, Reading, Skipped, reason_of
from bonmun.inputs.opening import MHTML_FACTOR, Input, members_of, opened, page_in
from bonmun.inputs.paths import unreadable
from bonmun.inputs.saved_page import Raw

_PIPE_SECONDS = 30


def pages_of(source: PageSource, reading: Reading) -> Iterator[PageSource]:
    """Yield the pages of a source: itself, or those of a container with their content.

    A page that cannot be read has its `error`. A container that is damaged ends with one.
    """
    if source.kind is SourceKind.URL or source.error:
        yield source
        return
    number = 0
    try:
        with _bytes_of(source) as raw:
            input = opened(raw, source.name)
            if not input.kind.is_container:
                yield _single(source, input, reading.most)
                return
            found = (one for one in members_of(input, reading) if not isinstance(one, Skipped))
            for number, one in enumerate(found, 1):
                yield _damaged(source, one, number) if isinstance(one, Damage) else _page(source, one, number)
            if not number:
                raise SourceError(f"no web page in this {input.kind.value} file")
    except BonmunError as error:
        yield replace(source, error=error, number=number + 1 if number else None)
    except Exception as error:  # Damage shows as an error of the decompressor, the archive reader or the disk.
        yield replace(source, error=_unreadable(source.name, error), number=number + 1 if number else None)


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
        with _bytes_of(source) as raw:
            return page_in(opened(raw, source.name), most)
    except BonmunError:
        raise
    except Exception as error:
        raise _unreadable(source.name, error) from error


def _single(source: PageSource, input: Input, most: int) -> PageSource:
    """Return the source of a single page; a stream with its content, because a worker process could not read it."""
    if source.kind is not SourceKind.STREAM:
        return source
    factor = MHTML_FACTOR if input.kind is InputKind.MHTML else 1
    return replace(source, content=input.stream.read(factor * most + 1))


def _damaged(source: PageSource, damage: Damage, number: int) -> PageSource:
    name = source.name + damage.where
    return replace(source, name=name, error=SourceError(f"cannot read {name}: {damage.what}"), number=number)


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


def _unreadable(name: str, error: Exception) -> SourceError:
    return SourceError(f"cannot read {name}: {reason_of(error)}")
