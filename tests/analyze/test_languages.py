import pytest

from bonmun.analyze.languages import language_of
from bonmun.analyze.stopwords import LANGUAGES, stop_words

SAMPLES = {
    "ko": "본문만 남기고 나머지는 모두 버린다. React와 TypeScript를 쓴다.",
    "ja": "本文だけを残して、残りはすべて捨てる。",
    "zh": "只留下正文，其余的全部丢掉。",
    "en": "What is left is the text, and the rest of it is gone.",
    "de": "Übrig bleibt der Text, und der Rest ist nicht mehr da.",
    "fr": "Il reste le texte, et tout le reste a disparu pour de bon.",
    "es": "Queda el texto y todo lo demás se ha ido para siempre.",
    "ru": "Остаётся только текст, а всё остальное исчезло, и его больше нет.",
    "el": "Μένει μόνο το κείμενο και όλα τα άλλα δεν υπάρχουν πια.",
    "pl": "Zostaje tylko tekst, a wszystko inne nie jest już na stronie.",
}


@pytest.mark.parametrize("language", SAMPLES)
def test_script_and_function_words_identify_the_language(language: str) -> None:
    assert language_of(SAMPLES[language]) == language


def test_the_script_overrides_the_declaration() -> None:
    assert language_of(SAMPLES["ko"], "en") == "ko"
    assert language_of(SAMPLES["en"], "ko") == "en"


def test_the_declaration_decides_between_languages_of_one_script() -> None:
    assert language_of("Tea Tea Tea", "sv-SE") == "sv"


def test_a_foreign_name_does_not_change_the_language() -> None:
    assert (
        language_of("The newspaper is called 한빛일보, which is the name of a light in the dark of the night.") == "en"
    )


def test_a_text_without_words_is_undetermined() -> None:
    assert language_of("") == "und"
    assert language_of("12 34") == "und"


def test_every_listed_language_has_stop_words_in_lower_case() -> None:
    for language in (*LANGUAGES, "ko", "ja", "zh"):
        words = stop_words(language)
        assert len(words) > 80
        assert all(word == word.lower() for word in words)
