import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun.store.query import parse
from bonmun.store.snippets import snippet
from bonmun.store.stem import stem
from bonmun.store.tokens import composed, fold, tokens


@given(st.text())
def test_folding_keeps_every_character_in_its_place(text: str) -> None:
    assert len(fold(composed(text))) == len(composed(text))


@given(st.text())
def test_tokens_are_letters_and_digits_without_spaces_or_quotes(text: str) -> None:
    for token in tokens(text):
        assert token.split() == [token]
        assert not set(token) & set("\"'\\:*()&|!<>-")


@given(st.text(), st.text())
def test_a_text_is_found_by_a_query_of_its_first_word(before: str, word: str) -> None:
    """The tokens of a query are a part of those of the text."""
    held = tokens(f"{before} {word}")
    for term in parse(f'"{word}"').wanted if '"' not in word else ():
        *first, last = term.tokens
        assert set(first) <= set(held)
        assert any(token.startswith(last) if term.is_prefix else token == last for token in held)


@pytest.mark.parametrize(
    "words",
    [
        "report reports reported reporting",
        "policy policies",
        "study studies studied studying",
        "stop stops stopped stopping",
        "make makes making",
        "change changed changes changing",
        "call called calling calls",
        "box boxes boxed",
        "agree agrees agreed agreeing",
        "exceed exceeds exceeded exceeding",
    ],
)
def test_inflections_share_a_stem(words: str) -> None:
    assert len({stem(word) for word in words.split()}) == 1


def test_words_that_only_look_inflected_are_kept_apart() -> None:
    pairs = [
        pair.split("/") for pair in "king/kin bed/be sing/sin thing/thin news/new need/nee exceed/exc wing/win".split()
    ]
    assert [pair for pair in pairs if stem(pair[0]) == stem(pair[1])] == []


def test_thai_is_found_by_its_parts() -> None:
    assert set(parse("กรุงเทพ").wanted[0].tokens) <= set(tokens("ในกรุงเทพมหานคร"))


def test_composed_and_decomposed_hangul_and_widths_are_one() -> None:
    import unicodedata

    assert tokens(unicodedata.normalize("NFD", "한국은행")) == tokens("한국은행")
    assert tokens("ＡＢＣ１２ ｶﾀｶﾅ") == tokens("abc12 カタカナ")


def test_a_long_query_is_cut() -> None:
    query = parse(" ".join(f"w{number}" for number in range(5_000)) + ' "' + "가" * 5_000)
    assert len(query.wanted) == 32
    [term] = parse("가" * 5_000).wanted
    assert (len(term.tokens), term.is_prefix) == (64, False)
    assert snippet("나 " + "가" * 300, [term]).places


@given(st.text(max_size=400), st.text(max_size=12))
def test_a_snippet_is_short_and_its_places_are_in_order(text: str, query: str) -> None:
    made = snippet(text, parse(query).wanted)
    assert len(made.text) <= 420
    ends = [0, *(number for place in made.places for number in place)]
    assert ends == sorted(ends)
    assert ends[-1] <= len(made.text)
    assert made.marked("", "") == made.text
