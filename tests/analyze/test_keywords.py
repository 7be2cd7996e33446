"""Keywords: whole words without particles, with the spans of their occurrences."""

import time

import pytest

import bonmun
from bonmun.analyze.keywords import keywords
from bonmun.analyze.ranking import Index
from bonmun.analyze.source import of_text
from bonmun.analyze.summary import summary
from tests.corpora import pages

KOREAN = (
    "환경부는 4대강 보를 해체한다고 밝혔다. 4대강 보 해체는 오래된 약속이다.\n"
    "국민의힘은 4대강 사업을 지켰고, 환경부 장관은 보 해체를 미뤘다.\n"
    "중요한 것은 물이라고 시민들은 말했다."
)


def words(text: str, most: int = 10, title: str = "") -> list[str]:
    return [keyword.text for keyword in keywords(of_text(text, title=title), most)]


def test_korean_keywords_have_no_particles_and_no_endings() -> None:
    texts = words(KOREAN)
    assert {"4대강", "환경부", "보 해체"} <= set(texts[:5])
    assert not {"환경부는", "것", "중요", "해체한다", "보를"} & set(texts)


def test_a_word_that_mostly_occurs_in_a_phrase_is_replaced_by_it() -> None:
    texts = words("Green tea is good. Green tea is old. We like green tea and milk. Milk is white.")
    assert texts[0].lower() == "green tea"
    assert "tea" not in texts


def test_a_word_that_also_occurs_alone_is_kept() -> None:
    texts = words("Tea is old. Tea is good. Tea is hot. Green tea came late. Green tea sells. Tea again, tea always.")
    assert texts[0] == "Tea"


def test_chinese_words_missing_from_the_dictionary_are_whole() -> None:
    text = "共享充电宝涨价了。充电宝企业说，充电宝成本高。用户不用充电宝，就去买充电宝。"
    assert words(text)[0] == "充电宝"
    assert "宝" not in words(text)


def test_foreign_names_in_japanese_are_whole() -> None:
    assert "イモータン・ジョー" in words("イモータン・ジョーは強い。イモータン・ジョーは去った。女性たちは残った。")


def test_a_word_of_the_title_scores_higher() -> None:
    text = "Tea and milk. Tea with milk. Milk after tea."
    assert words(text, 1, "On milk") == ["milk"]
    assert words(text, 1, "On tea") == ["Tea"]


def test_a_substring_of_a_title_word_gets_no_bonus() -> None:
    text = "Art and milk. Milk with art. Art after milk."
    assert words(text, 1, "The milk party") == ["milk"]
    assert words(text.replace("Art", "Tea").replace("art", "tea"), 1, "Steam and milk") == ["milk"]


def test_a_plural_in_the_title_matches_the_singular() -> None:
    assert words("Tea and cup. Cup with tea. Tea after cup.", 1, "All cups") == ["cup"]


def test_part_of_a_title_compound_that_occurs_once_gets_no_bonus() -> None:
    text = "灯台に明かりがともった。北方（北の海）航路の船は灯台を見た。村の人々は喜んだ。"
    assert words(text, 2, "灯台と北方航路") == ["灯台", "明かり"]


def test_the_short_form_of_a_name_counts_as_the_name() -> None:
    text = "イオン銀行は社長を替えた。イオン銀は急ぐ。東京女子医大も調べた。イオン銀は答えた。女子医大は黙った。"
    by_text = {keyword.text: keyword for keyword in keywords(of_text(text))}
    assert by_text["イオン銀行"].count == 3
    assert by_text["東京女子医大"].count == 2
    assert not {"イオン銀", "女子医大"} & by_text.keys()
    assert [text[span.start : span.stop] for span in by_text["イオン銀行"].spans] == [
        "イオン銀行",
        "イオン銀",
        "イオン銀",
    ]


def test_a_place_is_not_the_short_form_of_an_institution_named_after_it() -> None:
    texts = words("東京は広い。東京は人が多い。東京女子医大は古い。東京女子医大は新宿にある。")
    assert {"東京", "東京女子医大"} <= set(texts)


def test_place_and_reporter_of_a_dateline_are_not_keywords() -> None:
    line = "(강릉=한빛통신) 김하나 기자 = 등대에 불이 켜졌다."
    assert not {"강릉", "한빛통신", "김하나"} & set(words("\n".join([line] * 3)))
    assert "변국영" not in words("[한빛일보 변국영 기자] 등대에 불이 켜졌다. 등대는 밝다.")


def test_a_word_in_many_passages_scores_higher_than_one_in_a_single_passage() -> None:
    text = "Sugar, sugar, sugar.\nTea in the morning.\nTea at noon.\nTea at night."
    assert words(text, 1) == ["Tea"]


def test_terms_common_in_the_background_score_lower() -> None:
    background = Index(["Tea and cake.", "Tea and milk.", "Tea and sugar.", "Tea with lemon."])
    source = of_text("Tea and tea and ginger. Ginger in tea.")
    assert keywords(source, 1)[0].text == "tea"
    assert keywords(source, 1, background)[0].text.lower() == "ginger"


def test_spans_point_at_every_occurrence() -> None:
    source = of_text("One tea.\n\nAnother cup of Tea.")
    [first] = [keyword for keyword in keywords(source) if keyword.lemma == "tea"]
    text = "One tea.\n\nAnother cup of Tea."
    assert [text[span.start : span.stop] for span in first.spans] == ["tea", "Tea"]
    assert first.count == 2


def test_scores_descend_from_one_and_the_order_is_deterministic() -> None:
    scores = [keyword.score for keyword in keywords(of_text(KOREAN))]
    assert scores[0] == 1
    assert scores == sorted(scores, reverse=True)
    assert words(KOREAN) == words(KOREAN)


@pytest.mark.parametrize("text", ["", "1 2 3", "!!!", "것 수 등"])
def test_a_text_without_nouns_has_no_keywords(text: str) -> None:
    assert words(text) == []


def test_spans_of_a_document_point_into_its_blocks_and_code_is_left_out() -> None:
    doc = bonmun.extract(
        "<title>등대</title><div><p>등대에 불이 켜졌다. 등대는 오래됐다.</p><pre>등대 = lamp()</pre>"
        "<p>마을의 등대다.</p></div>"
    )
    first = doc.keywords(3)[0]
    assert first.text == "등대"
    assert first.count == 3
    assert all(doc.blocks[span.block].text[span.start : span.stop] == "등대" for span in first.spans)


def test_keywords_name_their_language_and_analyser() -> None:
    result = bonmun.extract("<p>등대에 불이 켜졌다. 등대는 오래됐다.</p>").keywords()
    assert (result.language, result.warnings) == ("ko", ())
    assert result.analyser.startswith("kiwipiepy")


def test_keywords_print_short() -> None:
    result = keywords(of_text("Tea.\n" * 100 + "Milk.", "en"))
    assert repr(result[0]) == "<Keyword 'Tea' 1.00 in 100 places>"
    assert repr(result[1]).endswith(" in 1 place>")
    assert str(result[1]) == "Milk"
    assert repr(result) == "<Keywords en ['Tea', 'Milk']>"


def test_a_long_text_is_sampled_from_the_beginning_to_the_end_with_a_warning() -> None:
    text = "\n".join(f"Line {number} has tea." for number in range(100_000))
    source = of_text(text)
    assert [warning.name for warning in source.warnings] == ["cut"]
    assert sum(len(passage.text) for passage in source.passages) < 60_000
    assert source.passages[0].text == "Line 0 has tea."
    last = source.passages[-1]
    assert last.offset > 0.9 * len(text)
    assert all(text[span.start : span.stop].lower() == "tea" for span in keywords(source)[1].spans)


@pytest.mark.cpu_timed
@pytest.mark.parametrize(
    "text", ["1가" * 40_000, "a" * 500_000, "a@" * 200_000, "東京" * 100_000, "“" * 100_000 + ")" * 100_000]
)
def test_keywords_and_summaries_of_hostile_texts_take_bounded_time(text: str) -> None:
    source = of_text(text)
    source.morphology.tokens("load")
    began = time.process_time()
    keywords(source)
    summary(source)
    assert time.process_time() - began < 5


def test_an_empty_document_has_neither_keywords_nor_summary() -> None:
    doc = bonmun.extract("<body></body>")
    assert (len(doc.keywords()), len(doc.summary()), str(doc.summary())) == (0, 0, "")


def test_keywords_of_real_pages_are_whole_words_of_the_text() -> None:
    particles = tuple("은 는 을 를 의 에 에서 으로 하는 했다 한다".split())
    for page in [page for page in pages("cjk_dev") if page["lang"] == "ko"][:40:10]:
        doc = bonmun.extract(page["html"])
        for keyword in doc.keywords(10):
            assert not keyword.text.endswith(particles), keyword.text
            assert keyword.text in doc.text
