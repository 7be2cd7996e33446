"""Recognise files that are no page: binary ones by their magic numbers, JSON by parsing it."""

import json
import re
from typing import Final

_Magic = tuple[int, bytes]

# The first match wins. A magic number that a text may begin with ("BM", "MZ", "ID3") needs a second one.
_KINDS: Final[tuple[tuple[str, tuple[_Magic, ...]], ...]] = (
    ("PNG image", ((0, b"\x89PNG\r\n\x1a\n"),)),
    ("JPEG image", ((0, b"\xff\xd8\xff"),)),
    ("GIF image", ((0, b"GIF87a"),)),
    ("GIF image", ((0, b"GIF89a"),)),
    ("WebP image", ((0, b"RIFF"), (8, b"WEBP"))),
    ("WAV audio", ((0, b"RIFF"), (8, b"WAVE"))),
    ("AVI video", ((0, b"RIFF"), (8, b"AVI "))),
    ("BMP image", ((0, b"BM"), (6, b"\0\0\0\0"), (15, b"\0\0\0"))),
    ("ICO image", ((0, b"\0\0\1\0"), (5, b"\0"), (9, b"\0"))),
    ("TIFF image", ((0, b"II*\0"),)),
    ("TIFF image", ((0, b"MM\0*"),)),
    ("AVIF image", ((0, b"\0\0"), (4, b"ftypavif"))),
    ("HEIC image", ((0, b"\0\0"), (4, b"ftyphei"))),
    ("JPEG XL image", ((0, b"\0\0\0\x0cJXL "),)),
    ("JPEG 2000 image", ((0, b"\0\0\0\x0cjP  "),)),
    ("Photoshop image", ((0, b"8BPS\0\1"),)),
    ("DjVu document", ((0, b"AT&TFORM"),)),
    ("PDF document", ((0, b"%PDF-"),)),
    ("PostScript document", ((0, b"%!PS-"),)),
    ("RTF document", ((0, b"{\\rtf"),)),
    ("Microsoft Office document (OLE)", ((0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),)),
    ("EPUB book", ((0, b"PK\3\4"), (30, b"mimetypeapplication/epub+zip"))),
    ("OpenDocument file", ((0, b"PK\3\4"), (30, b"mimetypeapplication/vnd.oasis"))),
    ("Microsoft Office document", ((0, b"PK\3\4"), (30, b"[Content_Types].xml"))),
    ("ZIP archive", ((0, b"PK\3\4"),)),
    ("ZIP archive", ((0, b"PK\5\6"),)),
    ("gzip archive", ((0, b"\x1f\x8b\x08"),)),
    ("zstd archive", ((0, b"\x28\xb5\x2f\xfd"),)),
    ("bzip2 archive", ((0, b"BZh"), (4, b"1AY&SY"))),
    ("xz archive", ((0, b"\xfd7zXZ\0"),)),
    ("LZ4 archive", ((0, b"\x04\x22\x4d\x18"),)),
    ("RAR archive", ((0, b"Rar!\x1a\7"),)),
    ("7z archive", ((0, b"7z\xbc\xaf\x27\x1c"),)),
    ("tar archive", ((257, b"ustar\0"),)),
    ("tar archive", ((257, b"ustar  \0"),)),
    ("Unix archive", ((0, b"!<arch>\n"),)),
    ("Cabinet archive", ((0, b"MSCF\0\0\0\0"),)),
    ("MP3 audio", ((0, b"ID3\2"),)),
    ("MP3 audio", ((0, b"ID3\3"),)),
    ("MP3 audio", ((0, b"ID3\4"),)),
    ("MP3 audio", ((0, b"\xff\xfb\x90"),)),
    ("FLAC audio", ((0, b"fLaC\0\0\0\x22"),)),
    ("MIDI audio", ((0, b"MThd\0\0\0\6"),)),
    ("MP4 audio", ((0, b"\0\0"), (4, b"ftypM4A"))),
    ("MP4 video", ((0, b"\0\0"), (4, b"ftyp"))),
    ("Ogg media", ((0, b"OggS\0"),)),
    ("Matroska or WebM video", ((0, b"\x1a\x45\xdf\xa3"),)),
    ("Flash video", ((0, b"FLV\1"),)),
    ("MPEG video", ((0, b"\0\0\1\xba"),)),
    ("WOFF font", ((0, b"wOFF\0\1\0\0"),)),
    ("WOFF font", ((0, b"wOFFOTTO"),)),
    ("WOFF2 font", ((0, b"wOF2\0\1\0\0"),)),
    ("WOFF2 font", ((0, b"wOF2OTTO"),)),
    ("OpenType font", ((0, b"OTTO\0"),)),
    ("TrueType font", ((0, b"\0\1\0\0\0"),)),
    ("TrueType font collection", ((0, b"ttcf\0"),)),
    ("ELF program", ((0, b"\x7fELF"),)),
    ("Windows program", ((0, b"MZ"), (62, b"\0\0"))),
    ("Mach-O program", ((0, b"\xcf\xfa\xed\xfe"),)),
    ("Mach-O program", ((0, b"\xce\xfa\xed\xfe"),)),
    ("Java class", ((0, b"\xca\xfe\xba\xbe"),)),
    ("WebAssembly module", ((0, b"\0asm\1\0\0\0"),)),
    ("SQLite database", ((0, b"SQLite format 3\0"),)),
    ("Parquet table", ((0, b"PAR1\x15"),)),
)
MARKUP_START: Final = 64
"""Bytes at the start, of which those behind white space tell nearly every page from a file."""
_JSON_START: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:\{\s*\"|\[\s*[\[{\"])")
_JSON_TYPE: Final = re.compile(r"\s*(?:application|text)/(?:[\w.-]+\+)?json\b", re.IGNORECASE)


def binary_kind(data: bytes) -> str | None:
    """Return the kind of a binary file, `None` for anything that may be text.

    >>> binary_kind(b"%PDF-1.7 ..."), binary_kind(b"<html>"), binary_kind("<html>".encode("utf-16"))
    ('PDF document', None, None)
    """
    if data[:MARKUP_START].lstrip().startswith(b"<"):  # as nearly every page does, and no kind below
        return None
    for kind, magics in _KINDS:
        if all(data.startswith(magic, offset) for offset, magic in magics):
            return kind
    return None


def is_json(utf8: bytes, content_type: str | None = None) -> bool:
    """Return whether a text is JSON or JSON lines, rather than a page or a text that starts with a bracket.

    A page that was served as JSON by mistake is still a page.

    >>> is_json(b'{"html": "<p>Tea"}'), is_json(b"[1] Tea is made of leaves."), is_json(b'["Tea"] is what I asked for.')
    (True, False, False)
    """
    if content_type and _JSON_TYPE.match(content_type) and not utf8.lstrip().startswith(b"<"):
        return True
    if not _JSON_START.match(utf8):
        return False
    try:
        text = utf8.decode("utf-8-sig").lstrip()
        rest = text[json.JSONDecoder(strict=False).raw_decode(text)[1] :].lstrip(" \t\r")
    except ValueError:
        return False
    except RecursionError:
        return True
    return not rest.strip() or (rest.startswith("\n") and _JSON_START.match(rest.encode()) is not None)
