import json
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bonmun.read.decode import Decoded, decode
from bonmun.read.encodings import encoding_of, to_text
from tests.read.legacy_pages import LEGACY, LIES, SENTENCES, page

DATA = Path(__file__).parents[2].parent / "shared" / "data"


def names(cases: list[tuple[str, str, str]]) -> list[str]:
    return [f"{language}-{codec}" for language, codec, _ in cases]


@pytest.fixture(params=LEGACY, ids=names(LEGACY))
def legacy(request: pytest.FixtureRequest) -> tuple[str, str, str]:
    case: tuple[str, str, str] = request.param
    return case


@pytest.mark.parametrize("copies", [1, 6])
def test_undeclared_legacy_pages_are_recognised(legacy: tuple[str, str, str], copies: int) -> None:
    language, codec, encoding = legacy
    html = page(language, copies=copies)
    read = decode(html.encode(codec))
    assert (read.text, read.encoding, read.source) == (html, encoding, "detected")
    assert read.confidence > 0.6  # a single letter distinguishes the two Greek encodings
    assert read.warnings == ()


def test_a_title_and_a_paragraph_are_enough(legacy: tuple[str, str, str]) -> None:
    language, codec, encoding = legacy
    text = "\n".join(SENTENCES[language])
    read = decode(text.encode(codec))
    assert (read.text, read.encoding) == (text, encoding)


def test_a_correct_declaration_is_used(legacy: tuple[str, str, str]) -> None:
    language, codec, encoding = legacy
    html = page(language, encoding)
    assert decode(html.encode(codec)) == Decoded(html.encode(), encoding, "meta", decode(html.encode(codec)).confidence)
    read = decode(page(language).encode(codec), f"text/html; charset={encoding}")
    assert (read.text, read.encoding, read.source, read.warnings) == (page(language), encoding, "transport", ())


@pytest.mark.parametrize(
    ("language", "codec", "encoding", "lie"),
    [(*case, lie) for case in LEGACY for lie in LIES if encoding_of(lie) != case[2]],
)
def test_a_wrong_declaration_is_overruled_with_a_warning(language: str, codec: str, encoding: str, lie: str) -> None:
    html = page(language, lie, copies=3)
    read = decode(html.encode(codec))
    assert (read.text, read.encoding, read.source) == (html, encoding, "detected")
    assert read.warnings == (f"meta says {encoding_of(lie)}, but the bytes are {encoding}",)


@pytest.mark.parametrize("language", SENTENCES)
@pytest.mark.parametrize("lie", ["iso-8859-1", "euc-kr", "gb2312", "shift_jis"])
def test_utf8_is_utf8_whatever_is_declared(language: str, lie: str) -> None:
    html = page(language, lie)
    read = decode(html.encode(), lie)
    assert (read.text, read.encoding, read.source) == (html, "utf-8", "utf-8")
    assert len(read.warnings) == 2


def test_a_correct_meta_tag_overrules_a_wrong_transport() -> None:
    html = page("ko", "euc-kr")
    read = decode(html.encode("cp949"), "iso-8859-1")
    assert (read.text, read.encoding, read.source) == (html, "euc-kr", "meta")
    assert read.warnings == ("transport says windows-1252, but the bytes are euc-kr",)


@pytest.mark.parametrize("language", SENTENCES)
@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_unicode_is_read_with_and_without_bom(language: str, codec: str) -> None:
    for text in (page(language), "\n".join(SENTENCES[language])):
        read = decode(text.encode(codec))
        assert read.text == text
        assert read.source == {"utf-8": "utf-8", "utf-8-sig": "bom", "utf-16": "bom"}.get(codec, "detected")
        assert read.warnings == ()


def test_utf16_is_detected_despite_a_wrong_label() -> None:
    html = page("ko", "utf-8")
    for codec in ("utf-16-le", "utf-16-be"):
        read = decode(html.encode(codec), "utf-8")
        assert read.text == html
        assert read.warnings == (f"transport says utf-8, but the bytes are {codec.replace('16-', '16')}",)


def test_a_utf16_label_on_ascii_is_ignored() -> None:
    read = decode(b"<p>plain", "utf-16")
    assert (read.text, read.encoding) == ("<p>plain", "utf-8")


@pytest.mark.parametrize("language", ["ko", "fr", "ru", "zh"])
def test_nuls_do_not_turn_a_text_into_utf16(language: str) -> None:
    codec = {"ko": "cp949", "fr": "cp1252", "ru": "cp1251", "zh": "gb18030"}[language]
    html = page(language).replace(">", ">\0")
    assert decode(html.encode(codec)).text == html
    assert decode(html.encode()).text == html


def test_nuls_after_a_utf8_bom_do_not_turn_a_text_into_utf16() -> None:
    text = "\x000000000\x001"
    assert decode(b"\xef\xbb\xbf" + text.encode()).text == text


@pytest.mark.parametrize("data", [b"\0", b"hi\0", b"ab\0cde\0", b"\0\0\0\0", b"a\0b<p>\0</p>plain text, stray bytes\0"])
def test_ascii_with_nuls_stays_ascii(data: bytes) -> None:
    assert decode(data).text == data.decode()


def test_a_truncated_end_costs_at_most_one_character(legacy: tuple[str, str, str]) -> None:
    language, codec, _ = legacy
    for name, declared in ((codec, ""), (codec, legacy[2]), ("utf-8", ""), ("utf-8", "utf-8"), ("utf-16-le", "")):
        head = page(language, declared)[: page(language, declared).index("</p>")]
        data = head.encode(name)
        for cut in range(1, 4):
            read = decode(data[:-cut]).text
            assert len(read) >= len(head) - cut
            assert head.startswith(read.removesuffix("\ufffd"))


def test_a_few_bad_bytes_leave_utf8_as_it_is() -> None:
    data = page("ko", "utf-8", copies=5).encode()
    broken = data.replace(b"<h1>", b"<h1>\xff\xfe").replace(b"</body>", b"\xc0</body>")
    for transport in ("utf-8", None):
        read = decode(broken, transport)
        assert read.encoding == "utf-8"
        assert read.text.replace("\ufffd", "").encode() == data
        assert read.warnings == ("not all bytes are utf-8: 3 unreadable, shown as U+FFFD",)


def test_a_genuine_replacement_character_is_no_error() -> None:
    assert decode("<p>이것은 \ufffd 입니다".encode()).warnings == ()


def test_latin1_declared_as_utf8_is_read_as_latin1() -> None:
    read = decode(b"<meta charset=utf-8><p>Un caf\xe9 cr\xe8me, s'il vous pla\xeet, et l'addition apr\xe8s.")
    assert read.text.endswith("<p>Un café crème, s'il vous plaît, et l'addition après.")
    assert (read.encoding, read.source) == ("windows-1252", "detected")


def test_two_syllables_that_happen_to_be_utf8_follow_the_declaration() -> None:
    data = "<title>천</title>".encode("cp949")
    assert data.decode("utf-8")
    assert decode(data, "euc-kr").text == "<title>천</title>"
    assert decode(data).encoding == "utf-8"


def test_the_declared_language_decides_between_equal_encodings() -> None:
    data = "<p>Zieliński</p>".encode("cp1250")
    assert decode(b"<html lang=pl>" + data).text.endswith("<p>Zieliński</p>")
    assert decode(b'<html class=x lang="es-MX">' + data).text.endswith("<p>Zieliñski</p>")


@pytest.mark.parametrize(
    ("label", "data", "text"),
    [
        ("iso-8859-1", b"\x80 \x93x\x94 \x81", "€ “x” \x81"),
        ("us-ascii", b"caf\xe9", "café"),
        ("iso-8859-9", b"\xfd\xfe\xf0 \x80", "ışğ €"),
        ("tis-620", b"\xa1\xd2 \x85", "กา …"),
        ("ks_c_5601-1987", "똠방각하".encode("cp949"), "똠방각하"),
        ("gb2312", "镕基 \u4dae".encode("gb18030"), "镕基 \u4dae"),
        ("shift_jis", "①髙島㈱～".encode("cp932"), "①髙島㈱～"),
        ("euc-jp", b"\xad\xa1\xb9\xe2\xfc\xe2\xc5\xe7\xad\xea\xa1\xc1", "①高髙島㈱～"),
        ("iso-2022-jp", b"\x1b$B-!Fb\x1b(B ok \x1b(I12\x1b(B", "①内 ok ｱｲ"),
        ("big5", "碁～恒裏，「」".encode("cp950"), "碁～恒裏，「」"),
        ("koi8-u", b"\xa4\xa6\xa7\xad \xae\xbe", "єіїґ ўЎ"),
        ("macintosh", b"caf\x8e \xd2x\xd3", "café “x”"),
        ("x-mac-cyrillic", b"\x8c\xe8\xf0", "Мир"),
        ("iso-8859-15", b"\xa4 \xbd", "€ œ"),
        ("iso-8859-8-i", b"\xf9\xec\xe5\xed", "שלום"),
        ("iso-2022-kr", "한글".encode("iso2022_kr"), "한글"),
        ("hz-gb-2312", "中文".encode("hz"), "中文"),
    ],
)
def test_every_label_gets_the_decoder_of_browsers(label: str, data: bytes, text: str) -> None:
    name = encoding_of(label)
    assert name
    assert to_text(data, name) == text


@pytest.mark.parametrize(
    ("transport", "encoding", "source"),
    [
        ("EUC-KR", "euc-kr", "transport"),
        (' text/html;charset="ks_c_5601-1987" ', "euc-kr", "transport"),
        ("text/html; charset=cp949; x=y", "euc-kr", "transport"),
        ("text/html", "euc-kr", "detected"),
        ("", "euc-kr", "detected"),
        (None, "euc-kr", "detected"),
    ],
)
def test_the_transport_is_a_label_or_a_header(transport: str | None, encoding: str, source: str) -> None:
    read = decode("\n".join(SENTENCES["ko"]).encode("cp949"), transport)
    assert (read.encoding, read.source, read.warnings) == (encoding, source, ())


def test_an_unknown_label_is_named_and_ignored() -> None:
    read = decode("본문".encode(), "klingon")
    assert (read.text, read.encoding) == ("본문", "utf-8")
    assert read.warnings == ("transport says 'klingon', an unknown encoding",)


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("cjk_dev", {"ko": ["cp949"], "zh": ["gb18030"], "ja": ["cp932", "eucjp"]}),
        ("daniel_dev", {"ru": ["cp1251", "koi8-r"], "pl": ["cp1250", "iso8859-2"], "el": ["cp1253"]}),
    ],
)
def test_real_pages_are_recognised_undeclared(name: str, written: dict[str, list[str]]) -> None:
    path = DATA / f"{name}.jsonl.zst"
    zstandard = pytest.importorskip("zstandard")
    if not path.exists():
        pytest.skip(f"{path.name} is not beside the project")
    with zstandard.open(path, "rt", encoding="utf-8") as lines:
        pages = [json.loads(line) for line in list(lines)[:: 5 if name == "cjk_dev" else 10]]
    cases = [
        (item["html"].replace("charset", "").encode(codec, "ignore"), encoding_of(codec) or "")
        for item in pages
        for codec in written.get(item["lang"], ())
    ]
    assert len(cases) > 20
    assert sum(similar(decode(data).text, to_text(data, encoding)) for data, encoding in cases) >= 0.98 * len(cases)


def similar(read: str, written: str) -> bool:
    """Whether two texts differ in four characters at most: some corpus pages were garbled before."""
    return len(read) == len(written) and sum(a != b for a, b in zip(read, written, strict=True)) <= 4


@pytest.mark.timed
def test_a_utf8_page_costs_little_more_than_decoding_it() -> None:
    data = page("ko", "utf-8", copies=1200).encode()
    assert len(data) > 300_000

    def seconds(work: object) -> float:
        assert callable(work)
        best = 1.0
        for _ in range(5):
            start = time.process_time()
            work()
            best = min(best, time.process_time() - start)
        return best

    assert seconds(lambda: decode(data)) < seconds(lambda: data.decode()) + 0.001


@pytest.mark.cpu_timed
@pytest.mark.parametrize(
    "pattern", [b"\xff", b"<", b"<meta ", b"<script", b"\x1b$B", b"\xa4\xff", b"a\xe9", b"\0", b"<!--", b"<script\xe9"]
)
def test_time_is_linear_on_hostile_bytes(pattern: bytes) -> None:
    data = pattern * (2_000_000 // len(pattern))
    for transport in (None, "euc-jp", "utf-8"):
        start = time.process_time()
        decode(data, transport)
        assert time.process_time() - start < 2


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=300), st.none() | st.text(max_size=30) | st.sampled_from(["utf-8", "utf-16", *LIES]))
def test_nothing_raises(data: bytes, transport: str | None) -> None:
    read = decode(data, transport)
    assert read.encoding == encoding_of(read.encoding)
    assert read.source in {"bom", "transport", "meta", "xml", "utf-8", "detected", "default"}
    assert 0 <= read.confidence <= 1
    read.text.encode()


@settings(max_examples=300, deadline=None)
@given(st.text(st.characters(codec="utf-8")), st.sampled_from([None, "utf-8", "euc-kr", "latin1"]))
def test_any_declared_utf8_text_survives(text: str, transport: str | None) -> None:
    assert decode(b"\xef\xbb\xbf" + text.encode(), transport).text == text


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=60), st.sampled_from(sorted({name for _, _, name in LEGACY} | {"hz-gb-2312", "iso-2022-kr"})))
def test_every_decoder_accepts_any_bytes(data: bytes, encoding: str) -> None:
    to_text(data, encoding).encode()


def test_random_bytes_get_the_default_encoding_with_low_confidence() -> None:
    import random

    read = decode(random.Random(7).randbytes(2_000_000))
    assert (read.encoding, read.source) == ("windows-1252", "default")
    assert read.confidence < 0.5


def test_empty_input_gives_empty_text() -> None:
    assert decode(b"") == Decoded(b"", "utf-8", "utf-8", 0.99)
