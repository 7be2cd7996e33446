"""The pages of a container, one at a time."""

from collections.abc import Callable, Iterator
from typing import BinaryIO

from bonmun.inputs.archives import from_tar, from_zip
from bonmun.inputs.kinds import InputKind
from bonmun.inputs.member import Found, Reading
from bonmun.inputs.tables import from_json_lines, from_parquet
from bonmun.inputs.web_archive import from_warc


def members(kind: InputKind, stream: BinaryIO, reading: Reading) -> Iterator[Found]:
    """Yield the pages of a container, the records that are none, and the damages after which reading goes on.

    ZIP and Parquet need a stream that can seek. A web archive may still be compressed; only where its stream can seek
    does reading go on after a damage.
    """
    return _READERS[kind](stream, reading)


_READERS: dict[InputKind, Callable[[BinaryIO, Reading], Iterator[Found]]] = {
    InputKind.WARC: from_warc,
    InputKind.ZIP: from_zip,
    InputKind.TAR: from_tar,
    InputKind.JSON_LINES: from_json_lines,
    InputKind.PARQUET: from_parquet,
}
