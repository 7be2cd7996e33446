"""The compiled parts of decoding agree with their Python twins."""

from itertools import islice

from hypothesis import given, settings
from hypothesis import strategies as st

from bonmun import _core
from bonmun.model.valid_text import has_forbidden_by_reference
from bonmun.read.encodings import _metas, metas_by_reference
from bonmun.read.valid_nodes import forbidden_ranges, forbidden_ranges_by_reference
from tests.core.readers import compiled
from tests.corpora import pages

MARKUP = st.sampled_from(
    "< <! <!-- --> > / </ <? <meta <META/ </meta <met <metas <div charset http-equiv content = \" ' utf-8 EUC-KR \t \n"
    " \f content-type text/html;charset= é <br/>".split(" ")
)
TEXT = st.sampled_from(
    ("tea ", "\n", "\0", "\x0b", "\x1b", "\x7f", "본문", "\ufffe", "\uffff", "\ufffd", "！", "x" * 70)
)
DECLARING = ("charset", "http-equiv", "content")


def declaring(head: bytes) -> list[dict[bytes, bytes]]:
    names = [name.encode() for name in DECLARING]
    return [{name: found[name] for name in names if name in found} for found in metas_by_reference(head)]


@settings(max_examples=1000, deadline=None)
@given(st.lists(st.one_of(MARKUP, st.just(" ")), max_size=40).map("".join))
def test_the_prescan_finds_the_metas_of_its_twin(html: str) -> None:
    head = html.encode() + b"<p charset>"
    assert list(_metas(head)) == declaring(head)


def test_the_prescan_agrees_on_real_pages() -> None:
    for page in islice(pages("wcxb_dev"), 0, 300, 5):
        head = page["html"].encode()[:16_384]
        assert not declaring(head) or list(_metas(head)) == declaring(head)


@given(st.lists(TEXT, max_size=40).map("".join), st.integers(0, 3))
def test_a_look_at_bytes_sees_what_xml_forbids(text: str, cut: int) -> None:
    utf8 = text.encode()
    content = _core.look(utf8)
    assert content & 3 == (1 if utf8.isascii() else 2)
    assert bool(content & 4) == has_forbidden_by_reference(utf8)
    assert _core.look(utf8 + b"\xe2\x82\x85"[:cut] + b"\xff") == 0


@given(
    st.lists(st.one_of(TEXT, st.sampled_from(("<p>", "<b title='", "'>", "&#1;", "&amp;"))), max_size=30).map("".join)
)
def test_ranges_with_forbidden_characters(html: str) -> None:
    nodes = compiled(html)
    for starts, stops in ((nodes.start, nodes.stop), (nodes.attr_start, nodes.attr_stop)):
        assert list(forbidden_ranges(nodes, starts, stops)) == forbidden_ranges_by_reference(nodes, starts, stops)


def kind_of(data: bytes) -> int:
    """What `look` tells, by Python's own decoder."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return 0
    return (1 if data.isascii() else 2) + 4 * has_forbidden_by_reference(data) + 8 * ("\r" in text)


EDGES = (0x00, 0x0A, 0x0D, 0x1F, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBD, 0xBE, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF)
LEADS = (0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF)


def test_a_look_tells_utf8_from_other_bytes_at_every_edge() -> None:
    for before in (0, 29, 61, 63, 95):  # characters across the blocks of the compiled loops, and at the end
        for first in EDGES + LEADS:
            for second in EDGES + LEADS[:3]:
                for rest in (b"", b"A", b"\x80", b"\xbf", b"\xbe\x80", b"\x80\xbf", b"\xbf\xbf\xbf", b"\xf0\x9f"):
                    data = b"x" * before + bytes((first, second)) + rest
                    assert _core.look(data) == kind_of(data), data
                    assert _core.look(data + b"y" * 64) == kind_of(data + b"y" * 64), data


@given(st.lists(st.one_of(TEXT, st.characters(codec="utf-8"), st.just("\r")), max_size=120).map("".join), st.data())
def test_a_look_at_mutated_bytes(text: str, data: st.DataObject) -> None:
    mutated = bytearray(text.encode())
    assert _core.look(bytes(mutated)) == kind_of(bytes(mutated))
    if mutated:
        mutated[data.draw(st.integers(0, len(mutated) - 1))] = data.draw(st.integers(0, 255))
        assert _core.look(bytes(mutated)) == kind_of(bytes(mutated))
