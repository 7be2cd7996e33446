"""Web archives: which records are pages, and what is left of an archive that is damaged."""

import bz2
import gzip
import io
import lzma
import random
import re
import zipfile
from functools import cache

import pytest

from bonmun.errors import LimitExceeded, SourceError
from bonmun.inputs.kinds import ZSTD_DICTIONARY, InputKind
from bonmun.inputs.member import Damage, Member, Reading, Skipped
from bonmun.inputs.members import members
from bonmun.inputs.opening import members_of, opened
from tests.warcs import DATE, HTTP, PACKS, record, response

pytest.importorskip("zstandard", reason="zstandard is not installed")
BODY = b"<p>Tea is made of leaves.</p>"
MOST = 200_000


def found(archive, most=MOST, kind=InputKind.WARC):
    return list(members(kind, archive if hasattr(archive, "read") else io.BytesIO(archive), Reading(most)))


def paths(things):
    """The paths of the pages, with a mark for each damage."""
    return [thing.url.rpartition("/")[2] if isinstance(thing, Member) else "damage" for thing in things]


class Pipe(io.RawIOBase):
    """A stream that cannot seek."""

    def __init__(self, content):
        self._content = io.BytesIO(content)

    def readable(self):
        return True

    def readinto(self, buffer):
        return self._content.readinto(buffer)


@cache
def big(number):
    """A page that no buffer holds whole, and that does not compress to nothing."""
    rng = random.Random(number)
    return b"<p>" + bytes(rng.choices(b"abcdefgh <>", k=90_000))


def compress_brotli(content):
    return pytest.importorskip("brotli", reason="brotli is not installed").compress(content)


def page(number, body=BODY, **options):
    return response(f"https://example.org/{number}", body, **options)


# ── records ───────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("pack", PACKS)
def test_a_page_has_the_url_charset_digest_and_date_of_its_record(pack):
    given = page(1, http=HTTP.replace("utf-8", '"EUC-KR"'), WARC_Payload_Digest="sha1:TEA")
    [one] = found(PACKS[pack](given))
    assert one == Member(
        ": https://example.org/1", BODY, "https://example.org/1", "EUC-KR", True, None, "sha1:TEA", DATE
    )


def test_records_that_are_no_pages_are_skipped_by_reason():
    html = HTTP.removeprefix("HTTP/1.1 200 OK\r\n")
    archive = [
        record(b"software: x", "warcinfo"),
        record(b"GET / HTTP/1.1\r\n\r\n", "request"),
        record(b"fetchTimeMs: 1", "metadata"),
        response("https://example.org/a", b"", WARC_Refers_To="<x>").replace(b": response\r", b": revisit\r"),
        response("https://example.org/b", BODY, f"HTTP/1.1 404 Not Found\r\n{html}"),
        response("https://example.org/c", BODY, "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n"),
        response("https://example.org/d", b"%PDF-1.7", "HTTP/1.1 200 OK\r\n"),
        response("https://example.org/e", b""),
        record(b"20261116 127.0.0.1", WARC_Target_URI="dns:example.org", Content_Type="text/dns"),
        record(b"log", "resource", WARC_Target_URI="metadata://gnu.org/wget/log", Content_Type="text/plain"),
        record(b"rest", "continuation"),
        page("last"),
    ]
    *skipped, last = found(b"".join(archive))
    assert [one.reason for one in skipped] == [
        *("revisit", "not 2xx", "not HTML", "not HTML", "no body", "not HTTP", "resource", "continuation")
    ]
    assert last.content == BODY


def test_a_response_without_content_type_is_a_page_if_it_looks_like_one():
    [one] = found(response("https://example.org/", BODY, "HTTP/1.1 200 OK\r\n"))
    assert one.content == BODY


@pytest.mark.parametrize("length", [0, 5, 10**9])
def test_the_length_in_the_http_head_does_not_count(length):
    one, two = found(page(1, http=f"{HTTP}Content-Length: {length}\r\n") + page(2))
    assert one.content == two.content == BODY


def test_an_html_resource_of_the_web_is_a_page():
    [one] = found(record(BODY, "resource", WARC_Target_URI="https://e.org/", Content_Type="text/html; charset=big5"))
    assert (one.content, one.url, one.charset) == (BODY, "https://e.org/", "big5")


def test_a_record_that_the_crawler_cut_is_read_as_far_as_it_goes():
    cut = gzip.compress(big(1))[:-5000]
    [one] = found(page(1, cut, http=f"{HTTP}Content-Encoding: gzip\r\n", WARC_Truncated="length"))
    assert one.truncated
    assert one.content
    assert big(1).startswith(one.content)


def test_a_body_that_cannot_be_decoded_fails_alone():
    broken = gzip.compress(BODY)[:12] + b"\xff" * 30
    archive = page(1) + page(2, broken, http=f"{HTTP}Content-Encoding: gzip\r\n") + page(3)
    one, two, three = found(archive)
    assert (one.content, three.content) == (BODY, BODY)
    assert isinstance(two.error, SourceError)
    assert two.url == "https://example.org/2"


@pytest.mark.parametrize("pack", PACKS)
def test_the_record_after_a_chunked_and_compressed_body_is_read(pack):
    packed = gzip.compress(BODY)
    sent = b"%x\r\n%s\r\n0\r\n\r\n" % (len(packed), packed)
    encoded = page(1, sent, http=f"{HTTP}Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n")
    assert [one.content for one in found(PACKS[pack](encoded) + PACKS[pack](page(2)))] == [BODY, BODY]


@pytest.mark.parametrize("pack", PACKS)
def test_a_page_beyond_the_limit_fails_with_its_size(pack):
    pack = PACKS[pack]
    large, last = found(pack(page(1, b"<p>" * MOST)) + pack(page(2)))
    assert isinstance(large.error, LimitExceeded)
    assert (large.error.found, large.content, last.content) == (3 * MOST, b"", BODY)


def test_a_wet_archive_is_refused():
    with pytest.raises(SourceError, match="a WET archive"):
        found(record(b"software: x", "warcinfo") + record(b"Tea", "conversion", Content_Type="text/plain"))


def test_a_conversion_beside_pages_is_skipped():
    converted = record(b"Tea", "conversion", Content_Type="text/plain")
    one, two, three = found(page(1) + converted + page(2))
    assert (one.content, two, three.content) == (BODY, Skipped("conversion"), BODY)


# ── damage ────────────────────────────────────────────────────────────────────────────────────────────────────────

SIZES = {"small": lambda number: BODY + b"%d" % number, "big": big}


@pytest.fixture(params=[(pack, size) for pack in PACKS for size in SIZES], ids="-".join)
def archive(request):
    """Five records as bytes, each packed."""
    pack, size = request.param
    return [PACKS[pack](page(number, SIZES[size](number))) for number in range(5)]


def test_an_archive_that_ends_between_records_is_whole(archive):
    assert paths(found(b"".join(archive))) == ["0", "1", "2", "3", "4"]
    assert paths(found(b"".join(archive[:3]))) == ["0", "1", "2"]


@pytest.mark.parametrize("share", [0.01, 0.3, 0.6, 0.95])
def test_the_pages_before_a_cut_are_read_and_the_cut_is_one_damage(archive, share):
    last = archive[4][: max(int(len(archive[4]) * share), 4)]
    *pages, damage = found(b"".join(archive[:4]) + last)
    assert paths(pages) == ["0", "1", "2", "3"]
    assert isinstance(damage, Damage)
    assert "the rest is lost" in damage.what


@pytest.mark.parametrize("share", [0.0, 0.05, 0.5, 0.9])
def test_reading_goes_on_after_a_damaged_record(archive, share):
    damaged = bytearray(archive[2])
    place = int(len(damaged) * share)
    size = min(30, len(damaged) - place)
    damaged[place : place + size] = random.Random(3).randbytes(size)
    things = found(b"".join([*archive[:2], bytes(damaged), *archive[3:]]))
    if damaged.startswith(b"WARC/"):  # nothing but framing can be checked without compression
        assert [path for path in paths(things) if path != "2"] in (["0", "1", "3", "4"], ["0", "1", "damage", "3", "4"])
    else:
        assert paths(things) == ["0", "1", "damage", "3", "4"]
        assert f"reading goes on at byte {len(b''.join(archive[:3])):,}" in things[2].what


def test_several_damaged_records_in_a_row_are_one_damage(archive):
    junk = random.Random(5).randbytes(2 * len(archive[1]))
    assert paths(found(b"".join([archive[0], junk, *archive[3:]]))) == ["0", "damage", "3", "4"]


def test_junk_before_and_after_the_records_costs_no_page(archive):
    assert paths(found(b"".join(archive) + b"junk" * 100)) == ["0", "1", "2", "3", "4", "damage"]
    assert paths(found(b"".join(archive) + bytes(1000))) == ["0", "1", "2", "3", "4"]


@pytest.mark.parametrize("pack", PACKS)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("lie", [-100, 100])
def test_a_record_that_lies_about_its_length_is_not_trusted(pack, size, lie):
    body = SIZES[size](2) * 5
    honest = page(2, body)
    length = int(re.search(rb"Content-Length: (\d+)", honest)[1])
    records = [page(0), page(1), page(2, body, length=length + lie), page(3), page(4)]
    assert paths(found(b"".join(map(PACKS[pack], records)), 10**6)) == ["0", "1", "damage", "3", "4"]


def test_an_empty_gzip_member_is_no_end():
    empty = gzip.compress(b"")
    records = [gzip.compress(page(number)) for number in range(3)]
    assert paths(found(records[0] + empty + records[1] + empty + empty + records[2] + empty)) == ["0", "1", "2"]


@pytest.mark.parametrize("pack", PACKS)
def test_records_without_the_line_breaks_after_them_are_read(pack):
    assert paths(found(b"".join(PACKS[pack](page(number)[:-4]) for number in range(3)))) == ["0", "1", "2"]


@pytest.mark.parametrize("pack", PACKS)
def test_an_archive_that_is_compressed_as_a_whole_is_read_up_to_the_damage(pack):
    whole = b"".join(page(number, big(number)) for number in range(3))
    packed = PACKS[pack](whole)
    assert paths(found(packed)) == ["0", "1", "2"]
    if pack != "plain":
        things = members(InputKind.WARC, io.BytesIO(packed[: len(packed) // 2]), Reading(MOST))
        assert next(things).url == "https://example.org/0"
        with pytest.raises(EOFError, match=r"truncated|ended"):
            list(things)


@pytest.mark.parametrize("suffix", [".xz", ".bz2", ".br"])
def test_an_archive_that_is_compressed_by_anything_else_is_read(suffix):
    packers = {".xz": lzma.compress, ".bz2": bz2.compress, ".br": compress_brotli}
    packed = packers[suffix](page(0) + page(1))
    assert paths(members_of(opened(io.BytesIO(packed), f"crawl.warc{suffix}"), Reading())) == ["0", "1"]


@pytest.mark.parametrize("packed", [True, False])
def test_an_archive_with_a_zstd_dictionary_is_read_up_to_the_damage(packed):
    import zstandard

    records = [page(number, BODY + b"%d" % number * 30) for number in range(300)]
    dictionary = zstandard.train_dictionary(4000, records)
    given = zstandard.compress(dictionary.as_bytes()) if packed else dictionary.as_bytes()
    compressor = zstandard.ZstdCompressor(dict_data=dictionary)
    frames = [compressor.compress(one) for one in records]
    archive = ZSTD_DICTIONARY + len(given).to_bytes(4, "little") + given + b"".join(frames)
    input = opened(io.BytesIO(archive), "crawl.warc.zst")
    assert paths(members_of(input, Reading())) == [str(number) for number in range(300)]
    things = members(InputKind.WARC, io.BytesIO(archive[:-20]), Reading())
    assert len([next(things) for _ in range(299)]) == 299
    with pytest.raises(OSError, match="incomplete frame"):
        next(things)


def test_an_archive_from_a_pipe_is_read_up_to_the_damage():
    packed = b"".join(gzip.compress(page(number, big(number))) for number in range(3))
    assert paths(found(io.BufferedReader(Pipe(packed)))) == ["0", "1", "2"]
    things = members(InputKind.WARC, io.BufferedReader(Pipe(packed[:-100])), Reading(MOST))
    assert paths([next(things), next(things)]) == ["0", "1"]
    with pytest.raises(EOFError):
        next(things)


def test_a_damaged_archive_of_a_wacz_does_not_stop_the_others():
    good = b"".join(gzip.compress(page(number)) for number in range(2))
    wacz = io.BytesIO()
    with zipfile.ZipFile(wacz, "w") as archive:
        archive.writestr("datapackage.json", "{}")
        archive.writestr("archive/a.warc.gz", gzip.compress(page(7))[:-30])
        archive.writestr("archive/b.warc.gz", good)
    assert paths(found(wacz, kind=InputKind.ZIP)) == ["damage", "0", "1"]


@pytest.mark.parametrize("seed", range(8))
def test_any_damage_ends_and_gives_only_pages_that_are_whole(archive, seed):
    rng = random.Random(seed)
    content = bytearray(b"".join(archive))
    for _ in range(rng.randrange(1, 4)):
        place, size = rng.randrange(len(content)), rng.randrange(1, 400)
        content[place : place + size] = rng.randbytes(rng.choice([0, size]))
    things = found(bytes(content))
    assert all(isinstance(thing, Member | Skipped | Damage) for thing in things)
    if not archive[0].startswith(b"WARC/"):
        bodies = {size(number) for size in SIZES.values() for number in range(5)}
        assert all(thing.content in bodies for thing in things if isinstance(thing, Member))
        assert sum(isinstance(thing, Member) for thing in things) < 5
