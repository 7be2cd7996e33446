from collections.abc import Callable, Iterator
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bonmun.store import open_store
from bonmun.store.store import Store
from bonmun.store.tokens import MOST_TOKENS
from tests.store.documents import document

TEXTS = {
    "ko": "한국은행에서는 기준금리를 올렸다고 밝혔다. 서울 시장은 물가를 걱정했다.",
    "zh": "中国人民银行宣布降低利率，市场反应积极。经济学家认为这是好消息。",
    "ja": "東京都庁舎前の広場で国際会議が開かれた。コンピューターの税について話し合った。",
    "en": "She reported that the bank's policies were changed. The café in New York closed.",
    "mixed": "AI반도체 수출이 2026년 크게 늘었다. ＮＡＶＥＲ와 C++ 개발자",
}


def names(store: Store, query: str, **filters: str) -> list[str]:
    return sorted(hit.url.rpartition("/")[2] for hit in store.search(query, **filters))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("은행", ["ko"]),  # inside an eojeol with particles
        ("기준금리", ["ko"]),
        ("시장", ["ko"]),
        ("市场", ["zh"]),
        ("利率", ["zh"]),  # two characters
        ("人民银行", ["zh"]),
        ("庁舎", ["ja"]),  # part of a compound
        ("コンピュータ", ["ja"]),
        ("report", ["en"]),
        ("reporting", ["en"]),
        ("policy", ["en"]),
        ("cafe CHANGE", ["en"]),
        ('"new york"', ["en"]),
        ('"york new"', []),
        ("bank -policy", []),
        ("bank -은행", ["en"]),
        ("은행 银行", []),
        ("세", []),  # single characters
        ("물", ["ko"]),
        ("税", ["ja"]),
        ("다", ["ko", "mixed"]),  # the end of a run
        ("반도체", ["mixed"]),
        ("AI반도체", ["mixed"]),
        ("2026년", ["mixed"]),
        ("naver", ["mixed"]),
        ("행은", []),  # the order counts
        ("금리기준", []),
        ("bankpolicy", []),
        ("-bank", []),
        ("", []),
    ],
)
def test_words_are_found_in_four_languages(filled: Callable[..., Store], query: str, found: list[str]) -> None:
    assert names(filled(**TEXTS), query) == found


def test_the_title_is_searched_and_counts_more(store: Store) -> None:
    store.save(document("Coffee, cocoa and tea are drinks.", "Drinks"), url="https://example.org/text")
    store.save(document("Coffee, cocoa and milk are drinks.", "Tea"), url="https://example.org/title")
    store.save(document("Bread and butter are no drinks.", "Food"), url="https://example.org/none")
    hits = store.search("tea")
    assert [hit.url for hit in hits] == ["https://example.org/title", "https://example.org/text"]
    assert hits[0].score > hits[1].score > 0
    assert store.search('"tea coffee"').total == 0  # no phrase goes from the title into the text


def test_more_and_rarer_words_rank_higher(filled: Callable[..., Store]) -> None:
    filler = " ".join(f"filler{number}" for number in range(30))
    store = filled(
        often=f"harbour harbour harbour {filler}",
        once=f"harbour {filler} and the other words",
        other=f"ship {filler}",
        third=f"boat {filler}",
        fourth=f"raft {filler}",
    )
    assert [hit.url.rpartition("/")[2] for hit in store.search("harbour")] == ["often", "once"]


def test_both_databases_rank_words_alike(postgresql: str) -> None:
    from bench.postgresql_server import emptied

    texts = ["tea " * count + "water " * (7 - count) + f"filler{count} " * 9 for count in range(1, 7)]
    scores = []
    for address in (":memory:", emptied(postgresql)):
        with open_store(address) as store:
            for number, text in enumerate([*texts, *(f"other {n}" for n in range(9))]):
                store.save(document(text), url=f"https://example.org/{number}")
            scores.append([(hit.url, round(hit.score, 9)) for hit in store.search("tea water")])
    assert scores[0] == scores[1]
    assert len(scores[0]) == 6


def test_the_old_text_of_a_changed_page_is_not_found(store: Store) -> None:
    store.save(document("Coffee beans.", "Coffee"), url="https://example.org/a")
    store.save(document("Tea leaves.", "Tea"), url="https://example.org/a")
    assert store.search("coffee").total == store.search("bean").total == 0
    assert store.search("tea").total == store.search("leaves").total == 1


def test_hits_have_a_total_and_pages(store: Store) -> None:
    for number in range(25):
        store.save(document(f"Tea number {number} with a word."), url=f"https://example.org/{number}")
    pages = [store.search("tea", limit=10, offset=offset) for offset in (0, 10, 20)]
    assert [page.total for page in pages] == [25] * 3
    assert [len(page) for page in pages] == [10, 10, 5]
    assert len({hit.url for page in pages for hit in page}) == 25
    assert store.search("tea", limit=0).total == 25
    assert len(store.search("tea", limit=10**30)) == 25
    assert len(store.search("tea", offset=10**30)) == len(store.search("tea", limit=-1)) == 0


def test_filters_narrow_the_results(store: Store) -> None:
    store.save(document("Tea leaves.", language="en"), url="https://news.example.org/1", source="feed")
    dated = document("Tea leaves.", **{"article:published_time": "2020-05-01"})
    store.save(dated, url="https://example.net/2")
    assert len(store.search("tea")) == 2
    assert [hit.url for hit in store.search("tea", source="feed")] == ["https://news.example.org/1"]
    assert [hit.url for hit in store.search("tea", host="example.org")] == ["https://news.example.org/1"]
    assert [hit.url for hit in store.search("tea", since=date(2021, 1, 1))] == ["https://news.example.org/1"]
    assert len(store.search("tea", since=date(2020, 5, 1))) == 2
    assert store.search("tea", source="\0\udc00", host="%", language="_").total == 0
    assert store.search("tea", source="other").total == store.search("tea", language="xx").total == 0
    assert len(list(store.documents(source="feed"))) == 1
    assert len(list(store.documents())) == 2


@pytest.mark.parametrize(
    ("query", "marked"),
    [
        ("은행 물가", "한국[은행]에서는 기준금리를 올렸다고 밝혔다. 서울 시장은 [물가]를 걱정했다."),
        ("policy", "She reported that the bank's [policies] were changed. The café in New York closed."),
        ('cafe "new york"', "She reported that the bank's policies were changed. The [café] in [New York] closed."),
    ],
)
def test_a_snippet_marks_the_words(filled: Callable[..., Store], query: str, marked: str) -> None:
    [hit] = filled(**TEXTS).search(query)
    assert hit.snippet.marked("[", "]") == marked


def test_a_snippet_of_a_long_text_shows_the_words_together(filled: Callable[..., Store]) -> None:
    filler = "Nothing happened here on that day. " * 40
    [hit] = filled(a=f"Tea. {filler} The tea ship arrived. {filler} A ship.").search("tea ship")
    assert "The [tea] [ship] arrived." in hit.snippet.marked("[", "]")
    assert len(hit.snippet.text) < 200
    assert hit.snippet.text.startswith("…")
    assert hit.snippet.text.endswith("…")


def test_a_text_beyond_the_limits_of_the_index_is_stored_and_found(store: Store) -> None:
    words = " ".join(f"w{number}x" for number in range(MOST_TOKENS + 1_000))
    often = "한국은행 " * 400
    long_word = "x" * 5_000
    store.save(document(f"{often} {long_word} {words}"), url="https://example.org/long")
    assert store.search("w0x w40000x").total == 1
    assert store.search('"w40000x w40001x"').total == 1  # beyond the last position of a tsvector
    assert store.search(f"한국은행 {long_word}").total == 1
    assert store.search(f"w{MOST_TOKENS + 900}x").total == 0
    store.save(document("short"), url="https://example.org/long")
    assert store.search("w0x").total == 0


@pytest.fixture(scope="module")
def four_languages() -> Iterator[Store]:
    with open_store(":memory:") as store:
        for name, text in TEXTS.items():
            store.save(document(text), url=f"https://example.org/{name}")
        yield store


@settings(max_examples=150, deadline=None)
@given(
    st.text(st.sampled_from(list("aé\"'*()-+:^{}~&|!<>\\%_;은행中 \0\n\udc00AND NOT NEAR")), max_size=30) | st.text()
)
def test_any_text_is_a_safe_query(four_languages: Store, query: str) -> None:
    hits = four_languages.search(query)
    assert hits.total >= len(hits)
    for hit in hits:
        assert hit.snippet.text


def test_any_text_is_a_safe_query_on_postgresql(postgresql: str) -> None:
    from bench.postgresql_server import emptied

    with open_store(emptied(postgresql)) as store:
        store.save(document(TEXTS["en"]), url="https://example.org/en")

        @settings(max_examples=100, deadline=None)
        @given(st.text(st.sampled_from(list("a\"'*()-+:&|!<>\\%;은행 \0bank\udc00")), max_size=30) | st.text())
        def check(query: str) -> None:
            store.search(query)

        check()


_RUN = st.text(st.sampled_from("가나다中国かなーabcé1 "), min_size=1, max_size=12)


@settings(max_examples=150, deadline=None)
@given(_RUN, st.integers(0, 11), st.integers(1, 12))
def test_every_part_of_a_cjk_run_is_found(text: str, start: int, length: int) -> None:
    """Each part of the text between two CJK characters is a query that finds the text."""
    part = text[start : start + length]
    if not part or not set(part) <= set("가나다中国かなー"):
        return
    with open_store(":memory:") as store:
        store.save(document(text), url="a")
        assert store.search(part).total == 1, (text, part)


def test_no_part_is_found_in_a_text_without_it() -> None:
    with open_store(":memory:") as store:
        store.save(document("가나 다라 마바사"), url="a")
        found = [
            part
            for part in ("나다", "가나다", "라마", "사마", "바마", "가마", "나 가", "마사")
            if store.search(f'"{part}"').total
        ]
    assert found == []
