import pytest

from bonmun.features.measured_page import log, words_of_size


@pytest.mark.parametrize(("letters", "words"), [(0, 1), (6, 2), (60, 11)])
def test_six_letters_are_a_word_and_being_there_is_one(letters: int, words: int) -> None:
    assert words_of_size(log(letters)) == pytest.approx(words)
