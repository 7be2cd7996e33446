import bz2
import gzip
import io
import lzma
import sqlite3
import struct
import sys
import tarfile
import zipfile
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun.errors import NotAPage
from bonmun.read.page import read_page
from bonmun.read.sniff import binary_kind


def png() -> bytes:
    header = b"IHDR" + struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + header + struct.pack(">I", zlib.crc32(header))


def archive(first_name: str, content: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as made:
        made.writestr(first_name, content)
    return file.getvalue()


def tar() -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as made:
        made.addfile(tarfile.TarInfo("page.html"), io.BytesIO(b""))
    return file.getvalue()


def database(path: Path) -> bytes:
    with sqlite3.connect(path) as made:
        made.execute("create table page (html text)")
    made.close()
    return path.read_bytes()


def test_generated_files_are_recognised(tmp_path: Path) -> None:
    made = {
        "PNG image": png(),
        "gzip archive": gzip.compress(b"<html>"),
        "bzip2 archive": bz2.compress(b"<html>"),
        "xz archive": lzma.compress(b"<html>"),
        "tar archive": tar(),
        "ZIP archive": archive("page.html", "<html>"),
        "EPUB book": archive("mimetype", "application/epub+zip"),
        "OpenDocument file": archive("mimetype", "application/vnd.oasis.opendocument.text"),
        "Microsoft Office document": archive("[Content_Types].xml", "<Types/>"),
        "SQLite database": database(tmp_path / "pages.db"),
    }
    assert {kind: binary_kind(data) for kind, data in made.items()} == {kind: kind for kind in made}


@pytest.mark.skipif(sys.platform != "linux", reason="programs have another form there")
def test_an_elf_program_is_recognised() -> None:
    with Path(sys.executable).open("rb") as program:
        assert binary_kind(program.read(512)) == "ELF program"


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("JPEG image", b"\xff\xd8\xff\xe0\0\x10JFIF\0"),
        ("GIF image", b"GIF89a\1\0\1\0"),
        ("WebP image", b"RIFF\x24\0\0\0WEBPVP8 "),
        ("WAV audio", b"RIFF\x24\0\0\0WAVEfmt "),
        ("BMP image", b"BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0"),
        ("ICO image", b"\0\0\1\0\1\0\x10\x10\0\0\1\0"),
        ("AVIF image", b"\0\0\0\x1cftypavif\0\0\0\0"),
        ("MP4 video", b"\0\0\0\x18ftypmp42\0\0\0\0"),
        ("PDF document", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"),
        ("Microsoft Office document (OLE)", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0"),
        ("zstd archive", b"\x28\xb5\x2f\xfd\x04\0"),
        ("RAR archive", b"Rar!\x1a\7\1\0"),
        ("7z archive", b"7z\xbc\xaf\x27\x1c\0\4"),
        ("MP3 audio", b"ID3\4\0\0\0\0\0\0"),
        ("Ogg media", b"OggS\0\2\0\0"),
        ("Matroska or WebM video", b"\x1a\x45\xdf\xa3\x9f\x42"),
        ("WOFF2 font", b"wOF2\0\1\0\0\0\0"),
        ("TrueType font", b"\0\1\0\0\0\x0c\0\x80"),
        ("Windows program", b"MZ\x90\0" + b"\3" * 56 + b"\xf8\0\0\0"),
        ("Java class", b"\xca\xfe\xba\xbe\0\0\0\x41"),
        ("WebAssembly module", b"\0asm\1\0\0\0"),
    ],
)
def test_other_files_are_recognised_by_their_magic_number(kind: str, data: bytes) -> None:
    assert binary_kind(data) == kind


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
@pytest.mark.parametrize(
    "text",
    [
        "<!DOCTYPE html><html><p>본문</p></html>",
        "BMW stellt einen neuen Wagen vor, und alle kommen.",
        "MZ is how a Windows program begins, followed by much more text than sixty-four bytes of it.",
        "ID3 tags explained",
        "PK is short for a packed file",
        "RIFF raff, said the dog",
        "GIF is pronounced so or so",
        "BZh marks bzip2",
        "7z files",
        "Rar! It is raining.",
        "",
    ],
)
def test_text_is_not_binary(codec: str, text: str) -> None:
    assert binary_kind(text.encode(codec)) is None


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc"])), st.sampled_from(["utf-8", "utf-16", "cp949"]))
def test_no_page_is_recognised_as_binary(text: str, codec: str) -> None:
    assert binary_kind(("<p>" + text).encode(codec, "ignore")) is None


@pytest.mark.parametrize(
    "data",
    [
        b'{"title": "Tea", "html": "<p>Tea is made of leaves.</p>"}',
        b'\xef\xbb\xbf [{"title": "Tea"}]\n',
        b'{"id": 1}\n{"id": 2}\n',
        '{"title": "Tea"}'.encode("utf-16"),
        b'{"a":' * 5000,
    ],
)
def test_json_is_not_a_page(data: bytes) -> None:
    with pytest.raises(NotAPage, match="not a web page: JSON"):
        read_page(data)


def test_json_is_known_by_its_content_type() -> None:
    with pytest.raises(NotAPage, match="JSON"):
        read_page(b")]}',\n[1, 2", charset="application/json; charset=utf-8")
    assert read_page(b"<p>Tea</p>", charset="application/json").blocks.text == ("Tea",)


@pytest.mark.parametrize(
    "text", ["[1] Tea is made of leaves.", "[]", '["Tea"] is a title', "{Tea}", '{"Tea", they said}']
)
def test_a_text_that_starts_with_a_bracket_is_a_page(text: str) -> None:
    assert read_page(text).blocks.text == (text,)
