"""Inline quotations have the marks that browsers draw, and no others."""

from time import process_time

import pytest

import bonmun


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>a <q>b</q>.", "a “b”."),
        ("<p>a <q> <b>b</b> c </q> d", "a “b c” d"),
        ("<p>a <q>b <q>c</q></q>.", "a “b ‘c’”."),
        ("<p>a <q><q>b</q> c</q>.", "a “‘b’ c”."),
        ("<p>a <q>«b»</q>.", "a «b»."),
        ("<p>a “<q>b</q>”.", "a “b”."),
        ("<p lang=fr>d'<q>une</q>.", "d'«une»."),
        ("<p lang=de-AT>a <q>b</q>.", "a „b“."),
        ("<p lang=ja>a<q>b</q>", "a「b」"),
        ("<p>a <q></q>b <q> </q>c", "a b c"),
        ("<p>a &amp; <q>b &lt; c</q>", "a & “b < c”"),
    ],
)
def test_quotations_have_marks(html: str, text: str) -> None:
    page = bonmun.read_page(html)
    assert page.blocks.text == (text,)
    [block] = bonmun.extract(page).all_blocks
    assert "".join(run.text for run in block.runs) == text


def test_a_page_without_quotations_is_left_alone() -> None:
    assert bonmun.read_page("<p>a <b>b</b>").nodes.spill == b""


@pytest.mark.cpu_timed
def test_hostile_quotations_take_linear_time() -> None:
    started = process_time()
    bonmun.read_page("<p>" + "<q>" * 400 + "<i></i>" * 50_000 + "a" + "<p><q>b</q>" * 20_000)
    assert process_time() - started < 5
