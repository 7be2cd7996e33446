"""The fallback for languages whose analyser is not installed."""

from bonmun.analyze.by_script import splitter
from bonmun.analyze.token import Pos


def nouns(language: str, text: str) -> list[str]:
    return [token.text for token in splitter(language)(text) if token.pos in (Pos.NOUN, Pos.LATIN)]


def test_korean_words_lose_their_particles() -> None:
    assert nouns("ko", "정부는 등대에서 불빛을 React로 보았다") == ["정부", "등대", "불빛", "React", "보았다"]


def test_chinese_is_split_into_character_bigrams() -> None:
    assert nouns("zh", "集成电路，5G") == ["集成", "成电", "电路", "5G"]


def test_japanese_is_split_where_the_script_changes() -> None:
    assert nouns("ja", "東京タワーに登った人々のiPhone") == ["東京", "タワー", "人々", "iPhone"]


def test_a_single_character_is_not_a_noun() -> None:
    assert nouns("ko", "물") == []
    assert nouns("ja", "水") == []
