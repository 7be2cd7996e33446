"""Extractive summaries."""

import pytest

import bonmun
from bonmun.analyze.cues import standalone_score
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
    result = summary(of_text(TEXT), 3)
    starts = [sentence.span.start for sentence in result]
    assert len(result) == 3
    assert starts == sorted(starts)
    assert all(TEXT[sentence.span.start : sentence.span.stop] == sentence.text for sentence in result)


def test_central_sentences_are_chosen_and_digressions_left_out() -> None:
    text = summary(of_text(TEXT), 3).text
    assert "lighthouse" in text
    assert "Cats" not in text


def test_summaries_print_short() -> None:
    result = summary(of_text(TEXT), 1)
    start = "The lighthouse of the village burns again after twenty years"
    assert repr(result) == f"<Summary en ['{start}']>"
    assert repr(result[0]) == f"<SummarySentence 1.00 '{start}'>"
    assert str(result[0]) == result[0].text == str(result)


def test_the_same_text_gives_the_same_summary() -> None:
    assert summary(of_text(TEXT)).text == summary(of_text(TEXT)).text


def test_a_summary_has_at_most_the_sentences_of_the_text() -> None:
    assert len(summary(of_text("The only sentence is this one here."), 3)) == 1
    assert len(summary(of_text(TEXT), 0)) == 0


def test_duplicate_sentences_are_chosen_once() -> None:
    twice = "The lighthouse of the village burns again after years.\n" * 2 + "The mayor opened the door to all."
    assert summary(of_text(twice), 3).text.count("burns") == 1


def test_headings_captions_and_list_items_are_not_candidates() -> None:
    html = (
        "<div><h2>The lighthouse of the village, again.</h2><p>The lighthouse of the village burns since June.</p>"
        "<ul><li>The lighthouse is in a list of the village.</li></ul><figure><figcaption>The lighthouse of the village"
        " at night.</figcaption></figure><p>The mayor of the village lit the lighthouse himself.</p></div>"
    )
    doc = bonmun.extract(f"<body>{html}</body>")
    assert [sentence.text[:12] for sentence in doc.summary(5)] == ["The lighthou", "The mayor of"]
    assert doc.blocks[doc.summary(5)[1].span.block].text.startswith("The mayor")


def test_a_page_with_only_a_list_is_summarized_by_its_items() -> None:
    doc = bonmun.extract("<ul><li>Tea from China</li><li>Tea from India</li><li>Milk</li></ul>")
    assert len(doc.summary(2)) == 2


def test_the_title_is_not_repeated() -> None:
    source = of_text(
        "등대에 불이 켜졌다.\n마을의 등대는 스무 해 동안 꺼져 있었다고 한다.", title="등대에 불이 켜졌다. - 한빛일보"
    )
    assert [sentence.text for sentence in summary(source, 2)] == ["마을의 등대는 스무 해 동안 꺼져 있었다고 한다."]


def test_datelines_are_stripped_from_the_first_sentence() -> None:
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
        "마을에서는 등대를 올해 여름에 스무 해 동안의 어둠을 지나 다시 밝혔다고 한다.",  # only a locative
        "이런 마을의 등대는 스무 해 동안 꺼져 있다가 올해 여름에 다시 불을 밝혔다.",
        "그 결과 마을의 등대는 스무 해 동안 꺼져 있다가 올해 여름에 다시 불을 밝혔다.",
        "마을의 등대는 스무 해 동안 꺼져 있다가 올해 여름에 다시 불을 밝혔기 때문이다.",
        "위 사진의 마을 등대는 스무 해 동안 꺼져 있다가 올해 여름에 다시 불을 밝혔다.",
        "마을의 등대가 스무 해 동안 꺼져 있다가 올해 여름에 다시 불을 밝힌 까닭은 무엇일까?",
        "마을의 등대는 스무 해 동안 꺼져 있다가 “올해 여름에 다시 불을 밝혔다.",  # half a quotation
        "마을의 등대는 스무 해 동안 꺼져 있다가 올해 여름에 다시 불을 밝혔으니 눌러 주세요.",
    ],
)
def test_a_sentence_that_stands_alone_is_preferred(worse: str) -> None:
    assert summary(of_text(f"{LIGHTHOUSE}\n{worse}"), 1).text == LIGHTHOUSE
    assert summary(of_text(f"{worse}\n{LIGHTHOUSE}"), 1).text == LIGHTHOUSE


def test_a_conjunction_is_not_matched_inside_a_longer_word() -> None:
    text = "이어폰 회사는 올해 여름에 스무 해 만에 새로운 이어폰 공장을 마을에 지었다."
    assert standalone_score(text, [], "ko") == 1 > standalone_score("이어 " + text, [], "ko")


@pytest.mark.parametrize("opening", ["面对这种情况，", "对于灯塔的费用，他说", "这时，"])
def test_chinese_demonstratives_and_pronouns_lower_the_standalone_score(opening: str) -> None:
    text = "村里的灯塔二十年没有亮过，今年夏天村民花了很多钱，终于让村里的灯塔又亮了起来，大家都很高兴。"
    assert standalone_score(text, [], "zh") == 1 > standalone_score(opening + text, [], "zh")


def test_compounds_in_the_title_match_their_parts_in_the_text() -> None:
    source = of_text(
        "村の漁船は昨年の冬に北の海で大きな魚の群れを見つけ、港に戻った。\n"
        "村の議会は昨年の夏に古い灯台の改修を決め、工事の費用を認めた。",
        title="灯台改修工事費用",
    )
    assert "灯台の改修" in summary(source, 1).text


def test_collocations_of_a_chinese_text_are_joined_in_its_title() -> None:
    source = of_text("充电宝涨价了。充电宝企业说，充电宝成本高。用户不用充电宝。", title="共享充电宝为什么贵")
    assert "充电宝" in [token.text for token in source.title_tokens]


def test_the_footer_of_a_feed_post_is_left_out() -> None:
    post = "The post The lighthouse of the village burns again appeared first on Village News."
    assert post not in summary(of_text(f"{TEXT}\n{post}"), 9).text


def test_a_hostile_line_of_quotation_marks_takes_linear_time() -> None:
    assert len(summary(of_text("“" * 100_000 + "tea."), 1)) <= 1


def test_sentences_about_the_article_itself_are_left_out() -> None:
    result = summary(of_text("이 기사는 한빛일보가 처음 실은 등대 기사다.\n등대는 스무 해 만에 다시 불을 밝혔다."), 2)
    assert len(result) == 1


def test_chinese_and_japanese_sentences_are_joined_without_spaces() -> None:
    source = of_text("村里的灯塔又亮了，大家都很高兴地去看灯塔。\n灯塔二十年没有亮过，村民为此花了很多钱。")
    assert len(summary(source, 2)) == 2
    assert " " not in summary(source, 2).text


def test_a_text_with_too_many_sentences_is_cut_with_a_warning() -> None:
    result = summary(of_text("".join(f"The lamp number {n} of the village burns.\n" for n in range(400))), 1)
    assert [warning.name for warning in result.warnings] == ["cut"]


def test_summaries_of_real_pages_are_sentences_of_the_text() -> None:
    for page in [page for page in pages("cjk_dev") if page["lang"] in ("zh", "ja")][::12]:
        doc = bonmun.extract(page["html"])
        for sentence in doc.summary(3):
            block = doc.blocks[sentence.span.block].text
            assert block[sentence.span.start : sentence.span.stop] == sentence.text
