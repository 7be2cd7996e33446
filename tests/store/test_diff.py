from collections.abc import Callable

import pytest

from bonmun.store.store import Store
from tests.store.documents import document

URL = "https://example.org/tea"


@pytest.fixture
def differing(sqlite_store: Store) -> Callable[[str, str], str]:
    def compare(old: str, new: str) -> str:
        sqlite_store.save(document(old, "Tea"), url=URL)
        sqlite_store.save(document(new, "Tea"), url=URL)
        return str(sqlite_store.diff(URL))

    return compare


def test_changed_words_are_marked_within_their_paragraph(differing: Callable[[str, str], str]) -> None:
    shown = differing(
        "Black tea needs boiling water.\nMilk is optional.", "Green tea needs warm water.\nMilk is optional."
    )
    assert shown.splitlines() == [
        f"{URL}: version 1 → 2",
        "  Tea",
        "~ [-Black-]{+Green+} tea needs [-boiling-]{+warm+} water.",
        "  Milk is optional.",
    ]


def test_added_and_removed_paragraphs_have_signs_and_far_ones_are_counted(differing: Callable[[str, str], str]) -> None:
    same = "\n".join(f"Paragraph number {number} stays as it is." for number in range(8))
    shown = differing(f"A farewell to coffee.\n{same}", f"{same}\nNobody drinks it here any more.")
    assert shown.splitlines()[1:] == [
        "  Tea",
        "- A farewell to coffee.",
        "  Paragraph number 0 stays as it is.",
        "… 6 unchanged paragraphs",
        "  Paragraph number 7 stays as it is.",
        "+ Nobody drinks it here any more.",
    ]


def test_korean_differs_by_words_and_chinese_by_characters(differing: Callable[[str, str], str]) -> None:
    old = "한국은행이 기준금리를 크게 올렸다.\n市场反应积极，价格上涨。"
    new = "한국은행이 기준금리를 크게 내렸다.\n市场反应积极，价格下跌。"
    assert differing(old, new).splitlines()[2:] == [
        "~ 한국은행이 기준금리를 크게 [-올렸다-]{+내렸다+}.",
        "~ 市场反应积极，价格[-上涨-]{+下跌+}。",
    ]


def test_any_two_versions_can_be_compared(sqlite_store: Store) -> None:
    for text in ("One.", "Two.", "One."):
        sqlite_store.save(document(text), url=URL)
    assert (sqlite_store.diff(URL).old, sqlite_store.diff(URL).new) == (2, 3)
    assert (sqlite_store.diff(URL, new=2).old, sqlite_store.diff(URL, new=2).new) == (1, 2)
    assert sqlite_store.diff(URL, 1, 3).is_empty
    assert not sqlite_store.diff(URL, 3, 2).is_empty


def test_a_single_version_differs_in_nothing(sqlite_store: Store) -> None:
    sqlite_store.save(document("One."), url=URL)
    assert sqlite_store.diff(URL).is_empty


def test_long_paragraphs_are_compared_in_bounded_time(differing: Callable[[str, str], str]) -> None:
    shown = differing("가 " * 40_000, "나 " * 40_000)
    assert shown.splitlines()[2].startswith("- 가")
    assert shown.splitlines()[3].startswith("+ 나")
