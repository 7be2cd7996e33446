"""Tokens and nouns: the same interface for every language and analyser."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bonmun.analyze.morphology import load, morphology
from bonmun.analyze.token import Pos

TEXTS = {
    "ko": "4대강 보 해체와 반페미니즘 논란. 이대남들은 갤럭시S24를 COVID-19 이후 12일 본회의에서 30년간 샀다."
    " 중요한 뜻한 바.",
    "ja": "イオン銀行社長の解任、金融庁の処分。2024年12月3日に尹大統領が反国家行為を語った。"
    "ジョージ・ワシントンとiPhone15。",
    "zh": "小明硕士毕业于中国科学院，周琦说华为Mate20X发布了。60万账号外泄。",
    "en": "The U.S. economy grew in Q3; the sister-in-law of C++ developers wasn't happy with AT&T in 1999.",
    "hi": "हिन्दी में लिखा हुआ पाठ।",
    "fr": "L'économie de la France s'est améliorée.",
}


def nouns(language: str, text: str | None = None) -> list[str]:
    return [noun.text for noun in morphology(language).nouns(TEXTS[language] if text is None else text)]


def test_korean_nouns_exclude_particles_endings_numbers_and_adjectives() -> None:
    assert nouns("ko") == "4대강 보 해체 반페미니즘 논란 이대남 갤럭시S24 COVID-19 이후 본회의".split()


def test_japanese_compounds_are_one_noun_and_dates_are_not_nouns() -> None:
    expected = "イオン銀行社長 解任 金融庁 処分 尹大統領 反国家行為 ジョージ・ワシントン iPhone15".split()
    assert nouns("ja") == expected


def test_chinese_nouns_exclude_function_words_and_the_verb_after_a_name() -> None:
    texts = set(nouns("zh"))
    assert {"小明", "硕士", "中国科学院", "周琦", "Mate20X", "账号"} <= texts
    assert not {"于", "了", "60", "周琦说"} & texts


@pytest.mark.parametrize(
    ("language", "text", "subjects"),
    [
        ("ko", "정부와는 달리 업무보고에서는 학생들은 물이 맑다고 했다.", ["은", "이"]),
        ("ja", "日本では女性は働き、水が澄み、私も行くが、帰る。", ["は", "が", "も"]),
    ],
)
def test_only_particles_after_a_noun_mark_the_subject(language: str, text: str, subjects: list[str]) -> None:
    assert [token.text for token in morphology(language).tokens(text) if token.pos is Pos.TOPIC] == subjects


def test_other_languages_use_unicode_words_without_stop_words() -> None:
    assert nouns("en") == ["U.S", "economy", "grew", "Q3", "sister-in-law", "C++", "developers", "happy", "AT&T"]
    assert nouns("fr") == ["économie", "France", "améliorée"]


def test_vowel_signs_do_not_break_words() -> None:
    assert nouns("hi")[0] == "हिन्दी"


def test_a_name_written_with_a_particle_is_one_noun() -> None:
    assert nouns("ko", "국민의힘 후보와 국민의 힘") == ["국민의힘", "후보", "국민", "힘"]


def test_urls_and_email_addresses_have_no_nouns() -> None:
    for language in ("ko", "ja", "zh", "en"):
        assert nouns(language, "https://example.org/tea hana@example.kr www.example.com/cup") == []


def test_lemmas_are_dictionary_forms_of_verbs_and_lower_case_of_words() -> None:
    by_text = {token.text: token.lemma for token in morphology("ko").tokens("책을 읽었다. iPhone")}
    assert (by_text["읽"], by_text["iPhone"]) == ("읽다", "iphone")
    assert {token.lemma for token in morphology("ja").tokens("本を読んだ") if token.pos is Pos.VERB} == {"読む"}
    assert [token.lemma for token in morphology("en").tokens("Stories")] == ["story"]


def test_language_subtags_are_ignored() -> None:
    assert morphology("zh-TW") is morphology("zh")


@pytest.mark.parametrize("language", TEXTS)
def test_spans_point_into_the_text(language: str) -> None:
    text = f"😀 {TEXTS[language]} " * 120  # several chunks
    result = morphology(language).nouns(text)
    assert len(result) >= 120
    assert all(text[noun.start : noun.stop] == noun.text for noun in result)
    assert result[-1].start > len(text) - 200


@settings(deadline=None, max_examples=60)
@given(st.text(max_size=80), st.sampled_from(["ko", "ja", "zh", "en", "th", "xx"]))
def test_spans_of_any_text_are_ordered_and_in_range(text: str, language: str) -> None:
    last = 0
    for token in morphology(language).tokens(text):
        assert 0 <= token.start <= token.stop <= len(text)
        assert token.start >= last
        last = token.start


@pytest.mark.parametrize("language", ["ko", "ja", "zh"])
def test_one_analyser_serves_many_threads(language: str) -> None:
    text = TEXTS[language] * 20
    expected = morphology(language).nouns(text)
    with ThreadPoolExecutor(8) as pool:
        analysers = list(pool.map(lambda _: morphology(language), range(16)))
        answers = list(pool.map(lambda analyser: analyser.nouns(text), analysers))
    assert len(set(map(id, analysers))) == 1
    assert all(answer == expected for answer in answers)


@pytest.mark.parametrize(
    ("language", "package", "extra"),
    [("ko", "kiwipiepy", "ko"), ("ja", "sudachipy", "ja"), ("ja", "sudachidict_core", "ja"), ("zh", "rjieba", "zh")],
)
def test_a_missing_analyser_is_replaced_by_the_fallback_with_a_warning(
    language: str, package: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)  # makes the import fail
    fallback = load(language)
    assert fallback.analyser == "split by script"
    assert [warning.name for warning in fallback.warnings] == ["missing-analyser"]
    assert f"pip install 'bonmun[{extra}]'" in fallback.warnings[0].detail
    assert fallback.nouns(TEXTS[language])


def test_a_language_without_spaces_or_analyser_is_split_into_trigrams_with_a_warning() -> None:
    thai = morphology("th")
    assert [warning.name for warning in thai.warnings] == ["no-analyser"]
    assert [noun.text for noun in thai.nouns("ภาษาไทย")][:2] == ["ภาษ", "าษา"]


def test_installed_analysers_have_no_warnings() -> None:
    for language in ("ko", "ja", "zh", "en", "ru"):
        assert morphology(language).warnings == ()


def test_importing_bonmun_or_extracting_loads_no_analyser() -> None:
    script = """
import sys, bonmun
bonmun.extract("<p>본문만 남긴다.</p>").text
import bonmun.analyze.analysed_document, bonmun.methods.logical
assert not {"kiwipiepy", "sudachipy", "rjieba", "numpy"} & set(sys.modules), sorted(sys.modules)
bonmun.extract("<p>Only English here, and nothing else to read.</p>", method="logical").keywords()
assert not {"kiwipiepy", "sudachipy", "rjieba", "numpy"} & set(sys.modules), sorted(sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
