"""Sentence splitting. In the cases a bar marks the end of a sentence."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun.analyze.sentences import sentences

CASES = [
    # English
    ("en", "He left. | She stayed."),
    ("en", "Dr. Kim met Mr. Lee at 5 p.m. in Washington. | They talked."),
    ("en", "It rose by 3.5 percent to 1.25 million. | Nobody knew why."),
    ("en", "J. K. Rowling wrote it. | We read it."),
    ("en", "The U.S. economy grew. | He lives in the U.S. | The rest is history."),
    ("en", "“I left. I had to,” she said. | Nobody answered."),
    ("en", '"Why?" she asked. | "Because!" he said.'),
    ("en", "He said “It is over.” | Then he left."),
    ("en", "Use a tool, e.g. a hammer, i.e. something heavy. | Be careful!"),
    ("en", "Wait... what? | Yes!"),
    ("en", "See example.org for more. | Version 2.0.1 is out."),
    ("en", "It cost $5. | (He paid.) | She did not."),
    ("en", "Yahoo! is a company. | So is Google."),
    ("en", "1. First, wash it. | 2. Then dry it."),
    ("en", "Nobody came (the door was shut. Really). | We left."),
    ("en", "It was sold in 1999.[12] | Nobody knew.[3][4] | The price (see p.3) was low."),
    # Korean
    ("ko", "그는 갔다. | 그녀는 남았다."),
    ("ko", "그는 “간다. 꼭 간다”고 말했다. | 그리고 갔다."),
    ("ko", "그는 “간다.”라고 말했다. | 그리고 갔다."),
    ("ko", "“정말 가나요?” | 그가 물었다."),
    ("ko", "3.5% 올라 1.2조 원이 됐다. | 2022. 3. 1. 기준이다."),
    ("ko", "좋아요! | 정말요? | 네."),
    ("ko", "‘끝났다. 다 끝났다’는 말이 나왔다. | 아무도 믿지 않았다."),
    ("ko", "(서울=한빛통신) 김하나 기자 = 비가 왔다. | 눈도 왔다."),
    ("ko", "김 의원(3선. 서울)은 웃었다. | 그뿐이다."),
    ("ko", "AI 기업 OpenAI Inc. 대표가 왔다. | 그는 곧 갔다."),
    ("ko", "회원들이 광장에서 ‘왜 우리인가?’ 기자회견을 열었다. | 비가 왔다."),
    ("ko", "그가 물었다. | “정말 가나요?” | 그녀는 웃었다."),
    ("ko", "이것이 갈등의 뿌리다.3) | 권리를 잃는다는 불안이다.[4] | 값은 (1.5) 배다."),
    # Chinese
    ("zh", "他走了。 | 她留下了。"),
    ("zh", "他说：“我走。你留下。” | 她没有回答。"),
    ("zh", "“真的吗？”她问。 | “真的。”他说。"),
    ("zh", "价格上涨3.5%，达到1.2亿元。 | 为什么？ | 没人知道！"),
    ("zh", "《红楼梦》（曹雪芹著。第一版）很有名。 | 我读过。"),
    ("zh", "他说“好”。 | 然后走了……"),
    # Japanese
    ("ja", "彼は去った。 | 彼女は残った。"),
    ("ja", "彼は「行く。必ず行く」と言った。 | そして行った。"),
    ("ja", "「行きます。」と彼は言った。 | 誰も答えなかった。"),
    ("ja", "「本当？」 | 「うん。」 | 彼は笑った。"),
    ("ja", "３.５％上昇し、1.2億円になった。 | なぜだろうか？ | 誰も知らない！"),
    pytest.param(
        *("ja", "モーニング娘。は人気だ。 | そうだろう（たぶん。きっと）。"),
        marks=pytest.mark.xfail(reason="a name with a full stop in it"),
    ),
    # Others
    ("de", "Am 3. Oktober kam er, z.B. mit Brot. | Sie ging."),
    ("de", "„Ich gehe. Du bleibst“, sagte er. | Sie blieb."),
    ("fr", "M. Dupont est parti. | « Je reste. Toi aussi », dit-elle."),
    ("es", "¿Por qué? | ¡No lo sé! | El Sr. García se fue."),
    ("ru", "В 1999 г. он уехал. | Она осталась."),
    ("el", "Γιατί; | Δεν ξέρω."),
    ("hi", "वह गया। | वह रुकी।"),
    ("ar", "لماذا؟ | لا أعرف."),
]


@pytest.mark.parametrize(("language", "case"), CASES)
def test_sentences_end_at_the_bars(language: str, case: str) -> None:
    glue = "" if language in ("zh", "ja") else " "
    expected = case.split(" | ")
    assert [sentence.text for sentence in sentences(glue.join(expected), language)] == expected


def test_a_line_break_ends_a_sentence() -> None:
    assert [sentence.text for sentence in sentences("A headline\nA sentence. And\nanother", "en")] == [
        "A headline",
        "A sentence.",
        "And",
        "another",
    ]


def test_a_korean_full_stop_ends_a_sentence_without_a_space_after_it() -> None:
    assert [sentence.text for sentence in sentences("갔다.그리고 왔다. 끝.", "ko")] == ["갔다.", "그리고 왔다.", "끝."]


def test_an_unclosed_quotation_does_not_swallow_the_rest() -> None:
    assert len(sentences("He said “I go. She stayed. They met.", "en")) == 3


def test_a_quotation_around_the_whole_line_is_split() -> None:
    assert len(sentences("“I go. You stay. We meet.”", "en")) == 3


@given(
    st.text(alphabet="aB1.!?。…“”\"'「」() \n다고說", max_size=60),
    st.sampled_from(["ko", "zh", "ja", "en", "de", "el"]),
)
def test_sentences_cover_every_character_except_white_space(text: str, language: str) -> None:
    result = sentences(text, language)
    assert "".join("".join(sentence.text.split()) for sentence in result) == "".join(text.split())
    assert all(text[sentence.start : sentence.stop] == sentence.text for sentence in result)


@pytest.mark.cpu_timed
def test_hostile_texts_take_linear_time() -> None:
    began = time.process_time()
    for text in (
        *("(" * 50_000, "“" * 50_000 + ".", ". " * 50_000, '"' * 50_001, "a." * 50_000, "“" * 50_000 + ")" * 50_000),
        *("a" * 10_000 + " Mr. Smith" * 10_000, "Mr. Smith " * 20_000, "a.b" * 50_000),
    ):
        assert sentences(text, "en")
    assert time.process_time() - began < 10
