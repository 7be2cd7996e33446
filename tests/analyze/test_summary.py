"""Summaries made of a text's own sentences."""

import pytest

import bonmun
from bonmun.analyze.cues import stands_alone
from bonmun.analyze.source import of_text
from bonmun.analyze.summary import summary
from tests.corpora import pages

TEXT = (
    "The lighthouse of the village burns again after twenty years in the dark.\n"
    "It rained.\n"
    "But this was known. The village paid for the lamp of the lighthouse with its own money this summer.\n"
    "Cats sleep in the sun near the wall of the old bakery most of the day.\n"
    "Visitors may climb the lighthouse from June, says the mayor of the village, and the lamp will be lit for them."
)


def test_sentences_come_in_the_order_of_the_text() -> None:
    found = summary(of_text(TEXT), 3)
    starts = [sentence.span.start for sentence in found]
    assert len(found) == 3
    assert starts == sorted(starts)
    assert all(TEXT[one.span.start : one.span.stop] == one.text for one in found)


def test_what_the_text_is_about_is_chosen_and_what_it_is_not_is_left_out() -> None:
    found = summary(of_text(TEXT), 3).text
    assert "lighthouse" in found
    assert "Cats" not in found


def test_the_same_text_gives_the_same_summary() -> None:
    assert summary(of_text(TEXT)).text == summary(of_text(TEXT)).text


def test_no_more_sentences_than_there_are() -> None:
    assert len(summary(of_text("The only sentence is this one here."), 3)) == 1
    assert len(summary(of_text(TEXT), 0)) == 0


def test_two_sentences_that_say_the_same_are_not_both_chosen() -> None:
    twice = "The lighthouse of the village burns again after years.\n" * 2 + "The mayor opened the door to all."
    assert summary(of_text(twice), 3).text.count("burns") == 1


def test_headings_captions_and_list_items_are_no_sentences_of_a_summary() -> None:
    html = (
        "<div><h2>The lighthouse of the village, again.</h2><p>The lighthouse of the village burns since June.</p>"
        "<ul><li>The lighthouse is in a list of the village.</li></ul><figure><figcaption>The lighthouse of the village"
        " at night.</figcaption></figure><p>The mayor of the village lit the lighthouse himself.</p></div>"
    )
    doc = bonmun.extract(f"<body>{html}</body>")
    assert [sentence.text[:12] for sentence in doc.summary(5)] == ["The lighthou", "The mayor of"]
    assert doc.blocks[doc.summary(5)[1].span.block].text.startswith("The mayor")


def test_where_there_is_only_a_list_its_items_are_taken() -> None:
    doc = bonmun.extract("<ul><li>Tea from China</li><li>Tea from India</li><li>Milk</li></ul>")
    assert len(doc.summary(2)) == 2


def test_the_title_is_not_repeated() -> None:
    source = of_text(
        "등대에 불이 켜졌다.\n마을의 등대는 스무 해 동안 꺼져 있었다고 한다.", title="등대에 불이 켜졌다. - 한빛일보"
    )
    assert [sentence.text for sentence in summary(source, 2)] == ["마을의 등대는 스무 해 동안 꺼져 있었다고 한다."]


def test_a_dateline_is_no_part_of_the_first_sentence() -> None:
    for dateline in ("(서울=한빛통신) 김하나 기자 = ", "[부산=한빛] 김하나 이두리 기자 = ", "[서울=한빛통신] "):
        [first] = summary(of_text(f"{dateline}마을의 등대에 스무 해 만에 다시 불이 켜졌다."), 1)
        assert first.text.startswith("마을의")
    [first] = summary(of_text("[한빛일보 김하나 기자] 마을의 등대에 스무 해 만에 다시 불이 켜졌다."), 1)
    assert first.text.startswith("마을의")
    [first] = summary(of_text("【ソウル＝山田太郎】村の灯台に二十年ぶりに明かりがともった。"), 1)
    assert first.text.startswith("村の")


LIGHTHOUSE = "마을의 등대는 스무 해 동안 꺼져 있다가 올해 여름에 다시 불을 밝혔다."


@pytest.mark.parametrize(
    "worse",
    [
        "올해 여름 스무 해 만에 다시 불을 밝힌 마을의 등대와 그 앞에 모인 마을 사람들.",  # a caption
        "올해 여름 마을 사람들이 9일 오전 스무 해 만에 다시 불을 밝힌 마을의 등대를 바라보고 있다.",  # another
        "마을의 등대를 올해 여름에 스무 해 동안의 어둠을 지나 다시 밝혔다고 한다.",  # no subject
        "마을에서는 등대를 올해 여름에 스무 해 동안의 어둠을 지나 다시 밝혔다고 한다.",  # nor here
        "이런 마을의 등대는 스무 해 동안 꺼져 있다가 올해 여름에 다시 불을 밝혔다.",
        "그 결과 마을의 등대는 스무 해 동안 꺼져 있다가 올해 여름에 다시 불을 밝혔다.",
        "마을의 등대는 스무 해 동안 꺼져 있다가 올해 여름에 다시 불을 밝혔기 때문이다.",
        "위 사진의 마을 등대는 스무 해 동안 꺼져 있다가 올해 여름에 다시 불을 밝혔다.",
        "마을의 등대가 스무 해 동안 꺼져 있다가 올해 여름에 다시 불을 밝힌 까닭은 무엇일까?",
        "마을의 등대는 스무 해 동안 꺼져 있다가 “올해 여름에 다시 불을 밝혔다.",  # half a quotation
        "마을의 등대는 스무 해 동안 꺼져 있다가 올해 여름에 다시 불을 밝혔으니 눌러 주세요.",
    ],
)
def test_a_sentence_that_does_not_stand_alone_makes_way_for_one_that_does(worse: str) -> None:
    assert summary(of_text(f"{LIGHTHOUSE}\n{worse}"), 1).text == LIGHTHOUSE
    assert summary(of_text(f"{worse}\n{LIGHTHOUSE}"), 1).text == LIGHTHOUSE


def test_an_earphone_is_no_conjunction() -> None:
    text = "이어폰 회사는 올해 여름에 스무 해 만에 새로운 이어폰 공장을 마을에 지었다."
    assert stands_alone(text, [], "ko") == 1 > stands_alone("이어 " + text, [], "ko")


@pytest.mark.parametrize("leaning", ["面对这种情况，", "对于灯塔的费用，他说", "这时，"])
def test_a_chinese_clause_about_this_or_him_leans_on_what_was_said(leaning: str) -> None:
    text = "村里的灯塔二十年没有亮过，今年夏天村民花了很多钱，终于让村里的灯塔又亮了起来，大家都很高兴。"
    assert stands_alone(text, [], "zh") == 1 > stands_alone(leaning + text, [], "zh")


def test_a_title_of_compounds_speaks_of_the_same_as_a_text_that_parts_them() -> None:
    source = of_text(
        "村の漁船は昨年の冬に北の海で大きな魚の群れを見つけ、港に戻った。\n"
        "村の議会は昨年の夏に古い灯台の改修を決め、工事の費用を認めた。",
        title="灯台改修工事費用",
    )
    assert "灯台の改修" in summary(source, 1).text


def test_chinese_words_of_the_title_are_those_of_the_text() -> None:
    source = of_text("充电宝涨价了。充电宝企业说，充电宝成本高。用户不用充电宝。", title="共享充电宝为什么贵")
    assert "充电宝" in [token.text for token in source.title_tokens]


def test_the_note_of_a_feed_about_its_own_post_is_left_out() -> None:
    post = "The post The lighthouse of the village burns again appeared first on Village News."
    assert post not in summary(of_text(f"{TEXT}\n{post}"), 9).text


def test_a_hostile_line_of_quotation_marks_takes_linear_time() -> None:
    assert len(summary(of_text("“" * 100_000 + "tea."), 1)) <= 1


def test_sentences_about_the_article_itself_are_left_out() -> None:
    found = summary(of_text("이 기사는 한빛일보가 처음 실은 등대 기사다.\n등대는 스무 해 만에 다시 불을 밝혔다."), 2)
    assert len(found) == 1


def test_chinese_and_japanese_sentences_are_joined_without_spaces() -> None:
    assert (
        " "
        not in summary(
            of_text("村里的灯塔又亮了，大家都很高兴地去看灯塔。\n灯塔二十年没有亮过，村民为此花了很多钱。"), 2
        ).text
    )


def test_a_very_long_text_is_cut_with_a_warning() -> None:
    found = summary(of_text("".join(f"The lamp number {n} of the village burns.\n" for n in range(400))), 1)
    assert [warning.name for warning in found.warnings] == ["cut"]


def test_summaries_of_real_pages_are_sentences_of_the_text() -> None:
    for page in [page for page in pages("cjk_dev") if page["lang"] in ("zh", "ja")][::12]:
        doc = bonmun.extract(page["html"])
        for sentence in doc.summary(3):
            block = doc.blocks[sentence.span.block].text
            assert block[sentence.span.start : sentence.span.stop] == sentence.text
