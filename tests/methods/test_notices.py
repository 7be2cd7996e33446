"""The quick test for closing notices passes everything that the patterns find."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun.methods import notices
from bonmun.methods.notices import LONGEST, closing_notice, may_be_notice

NOTICES = (
    "© 2020 Tea",
    "ⓒ한빛일보",
    "Ⓒ 2020",
    "(C) 1999",
    "COPYRIGHT by us",
    "All rights ReServed",
    "All rıghts reſerved",
    "저작권자 한빛",
    "저작권은 우리",
    "版权所有",
    "版权归我们",
    "版權所有",
    "著作権は当社",
    "무단 전재",
    "재배포 금지",
    "AI 학습 이용",
    "未经我们的书面授权不得转载",
    "不得允许他人复制",
    "转载请注明",
    "謝絕轉載",
    "無断での転載",
    "転載を禁じます",
    "It may not be Reproduced",
    "without prior written PERMISSION",
    "声明：本文",
    "仅代表作者观点",
    "只提供信息存储",
    "It only provides information storage",
    "Opinions are their own",
    "The views here do not necessarily reflect ours",
    "责任编辑：王",
    "編輯:李",
    "稿件来源：我们",
    "校对：张",
    "记者 li@example.cn",
)


@pytest.mark.parametrize("notice", NOTICES)
def test_every_notice_passes_the_quick_test(notice: str) -> None:
    assert closing_notice(notice)
    assert may_be_notice(f"Tea is made of leaves.\n{notice}")


WORDS = sorted({piece for notice in NOTICES for piece in (*notice.split(), *notice)})


@given(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join) | st.lists(st.sampled_from(WORDS)).map("".join))
def test_what_fails_the_quick_test_is_no_notice(text: str) -> None:
    if len(text) <= LONGEST and not may_be_notice(text):
        patterns = [notices._COPYRIGHT, notices._NO_REPRINT, notices._DISCLAIMER, notices._EDITOR, notices._MAIL]
        assert not any(pattern.search(text) for pattern in patterns)


def test_a_letter_in_brackets_inside_a_sentence_is_no_copyright() -> None:
    assert closing_notice("(C) Tea Weekly")
    assert closing_notice("Photos (c) 2024 Tea Weekly")
    assert not closing_notice("법원은 회사 A(B)와 대표 C(C)에게 벌금을 내라고 판결했고, 두 사람은 항소하지 않았다.")
