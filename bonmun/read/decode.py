"""Decode bytes to UTF-8, with or without a declared encoding.

The order is that of browsers: BOM, transport, `<meta>` or XML declaration, then detection. Unlike browsers we check
every declaration against the bytes, because wrong declarations are common and mostly easy to detect: legacy text is
almost never valid UTF-8, and a wrong legacy encoding yields rare characters instead of common ones. The measure is the
number of bits that a sample of the page costs under the character frequencies of a language; a declaration counts as
bits too, so that only clear evidence overrules it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from bonmun.core import core
from bonmun.model.valid_text import has_forbidden
from bonmun.read.detect import EncodingChoice, by_frequency
from bonmun.read.encodings import MULTIBYTE, Declaration, declaration, encoding_of, to_text, transport_label


@dataclass(frozen=True, slots=True)
class Decoded:
    """A page in UTF-8, with its original encoding, the source of that encoding and its confidence.

    `source` is bom, transport, meta, xml, utf-8 (undeclared but valid), detected or default.
    """

    utf8: bytes
    encoding: str
    source: str
    confidence: float
    warnings: tuple[str, ...] = ()
    has_forbidden: bool = False
    """Whether the UTF-8 has characters that XML forbids."""

    @property
    def text(self) -> str:
        """The page's characters."""
        return self.utf8.decode()


def decode(data: bytes, transport: str | None = None) -> Decoded:
    """Decode a page; `transport` is the charset or Content-Type of the HTTP response. Never raises.

    >>> decode("본문".encode("cp949"), "text/html; charset=euc-kr").text
    '본문'
    >>> page = decode("<meta charset=latin1><p>naïve".encode())
    >>> page.encoding, page.warnings
    ('utf-8', ('meta says windows-1252, but the bytes are utf-8',))
    """
    label = transport_label(transport) if transport else None
    claims = list(_claims(data, label))
    content = _plain_content(data, claims)
    if content and (not label or claims):
        source = claims[0].source if claims else "utf-8"
        return Decoded(data, "utf-8", source, 0.99, has_forbidden=content & _HAS_FORBIDDEN > 0)
    chosen = _by_form(data, claims) or by_frequency(data, claims)
    warnings = []
    if label and not encoding_of(label):
        warnings.append(f"transport says {label[:40]!r}, an unknown encoding")
    if not (data.isascii() and len(chosen.text) == len(data)):
        warnings += [
            f"{source} says {encoding}, but the bytes are {chosen.encoding}"
            for encoding, source in claims
            if encoding != chosen.encoding
        ]
    lost = chosen.text.count("\ufffd")
    if lost and chosen.encoding == "utf-8":
        lost -= data.count("\ufffd".encode())
    if lost:
        warnings.append(f"not all bytes are {chosen.encoding}: {lost} unreadable, shown as U+FFFD")
    utf8 = chosen.text.removeprefix("\ufeff").encode("utf-8", "replace")
    return Decoded(utf8, *chosen[1:], tuple(warnings), has_forbidden(utf8))


_BOMS: Final = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16le"), (b"\xfe\xff", "utf-16be"))
_NOT_UTF8, _ONLY_ASCII, _HAS_FORBIDDEN = 0, 1, 4
HAS_RETURN: Final = 8
"""The bit of what `look` tells for a page with carriage returns."""
_NUL_BYTES: Final = 4096  # bytes at the start within which a UTF-16 page in any script has a NUL
_ASCII: Final = bytes(range(128))
_TEXT_BYTES: Final = bytes(byte for byte in range(256) if byte >= 0x20 or byte in b"\t\n\f\r\x1b")
_ISO_2022_JP: Final = re.compile(rb"\x1b(?:\$[@B]|\([IJ])")


def _plain_content(data: bytes, claims: Sequence[Declaration]) -> int:
    """What `look` tells of a page that is certainly UTF-8, as most are: not declared otherwise, without BOM or NUL.

    `_NOT_UTF8` for one that may be something else.
    """
    compiled = core()
    if compiled is None or any(claim.encoding != "utf-8" or claim.source == "bom" for claim in claims):
        return _NOT_UTF8
    content = compiled.look(data)
    if content & _HAS_FORBIDDEN:
        if content & _ONLY_ASCII and b"\x1b" in data:  # the escapes of ISO-2022-JP
            return _NOT_UTF8
        if b"\0" in data[:_NUL_BYTES]:
            return _NOT_UTF8
    return content


def _claims(data: bytes, label: str | None) -> Iterator[Declaration]:
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            yield Declaration(encoding, "bom")
    if name := encoding_of(label) if label else None:
        yield Declaration(name, "transport")
    if declared := declaration(data):
        yield declared


def _by_form(data: bytes, claims: Sequence[Declaration]) -> EncodingChoice | None:
    """Recognise encodings by the byte patterns alone: UTF-16, ASCII, ISO-2022-JP, UTF-8; `None` for others."""
    sources = dict(reversed(claims))
    if wide := _utf16(data, claims):
        source = sources.get(wide, "detected")
        return EncodingChoice(to_text(data, wide), wide, source, 1.0 if source == "bom" else 0.98)
    if data.isascii():
        escaped = b"\x1b" in data and _ISO_2022_JP.search(data)
        fitting = [encoding for encoding in sources if not encoding.startswith("utf-16")]
        encoding = "iso-2022-jp" if escaped else fitting[-1] if fitting else "utf-8"
        source = sources.get(encoding) or ("detected" if escaped else "utf-8")
        return EncodingChoice(to_text(data, encoding), encoding, source, 0.99)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return _nearly_utf8(data, sources, truncated=error.end == len(data) and data[error.start] >= 0xC2)
    beyond_ascii = len(data) - len(text)
    if beyond_ascii <= 2 and (legacy := _by_chance_utf8(data, sources)):
        return legacy
    return EncodingChoice(text, "utf-8", sources.get("utf-8", "utf-8"), 1 - 0.25**beyond_ascii)


def _by_chance_utf8(data: bytes, sources: dict[str, str]) -> EncodingChoice | None:
    """Prefer a declared double-byte encoding for one or two syllables: one in eleven Korean ones is valid UTF-8."""
    if "utf-8" in sources or b"\xc2" in data:  # © and the no-break space: often all non-ASCII of a UTF-8 page
        return None
    for encoding in reversed(sources):
        if encoding in MULTIBYTE and "\ufffd" not in (text := to_text(data, encoding)):
            return EncodingChoice(text, encoding, sources[encoding], 0.6)
    return None


def _nearly_utf8(data: bytes, sources: dict[str, str], *, truncated: bool) -> EncodingChoice | None:
    """Accept UTF-8 with invalid bytes or a truncated end; on legacy pages 54 % of the high bytes or more fail."""
    text = data.decode("utf-8", "replace")
    bad, high = text.count("\ufffd"), len(data.translate(None, _ASCII))
    least_high = 1 if "utf-8" in sources else 4 if truncated else 12
    if high >= least_high and (truncated or bad * 4 <= high):
        return EncodingChoice(text, "utf-8", sources.get("utf-8", "utf-8"), 1 - bad / (high + 1))
    return None


def _utf16(data: bytes, claims: Sequence[Declaration]) -> str | None:
    """Detect UTF-16 by its BOM or by the two byte columns; a declaration alone also needs control bytes."""
    declared = claims[0] if claims and claims[0].encoding.startswith("utf-16") else None
    if claims and claims[0].source == "bom":
        return declared.encoding if declared else None
    head = data[:16_384]
    if len(head.translate(None, _TEXT_BYTES)) <= len(head) * 0.05:
        return None
    left, right = head[::2], head[1::2]
    # The high-byte column has fewer distinct bytes, and most NULs unless the script has no spaces.
    fewer, more = sorted((len(set(left)), len(set(right))))
    big_endian = len(set(left)) == fewer
    nuls = (left.count(0) - right.count(0)) * (1 if big_endian else -1)
    one_sided = fewer < more and nuls > 1 and nuls * 50 >= len(head) and nuls * 5 >= head.count(0) * 3
    if one_sided or (len(head) > 100 and more * 5 >= fewer * 8):
        return "utf-16be" if big_endian else "utf-16le"
    return declared.encoding if declared else None
