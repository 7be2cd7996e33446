"""Closing notices: lines at the end of an article that are no part of it: copyright, legal, the reporter's address.

The XPath-group paper names them as the cause of its lower precision: they share the article's path.
"""

import re
from collections.abc import Iterable

LONGEST = 300  # characters; a notice is a line or two, an article about copyright is not
_LONGEST_BYLINE = 80
_LONGEST_WORD = 100  # characters of a notice that has the word "copyright" alone

_COPYRIGHT = re.compile(
    r"(?:©|ⓒ|\(c\))\s*\d{4}|(?:©|ⓒ|^\(c\))\s*[A-Z가-힣一-鿿ぁ-ヿ]"
    r"|all rights reserved|저작권자|版权所有|版權所有|版权归",
    re.IGNORECASE,
)
_COPYRIGHT_WORD = re.compile(r"copyright\b|저작권(?:은|법)|著作権(?:は|法)", re.IGNORECASE)
_NO_REPRINT = re.compile(
    r"무단\s*(?:전재|복제|배포|도용)|재배포\s*(?:및|를|금지)|AI\s*학습\s*(?:및\s*)?(?:이용|활용)"
    r"|(?:未经|未經|未获|不得).{0,12}(?:授权|授權|许可|許可|允许|书面).{0,16}(?:转载|轉載|使用|复制)"
    r"|转载请|轉載請|请勿转载|謝絕轉載|谢绝转载"
    r"|無断(?:での)?(?:転載|複製|使用|引用)|転載を?(?:固く)?(?:禁|お断り)"
    r"|may not be (?:published|reproduced|redistributed|rewritten|copied)|without (?:prior )?(?:written )?permission",
    re.IGNORECASE,
)
_DISCLAIMER = re.compile(
    r"^[\[(（【*※\s]*(?:特别|特別|免责|免責|郑重|鄭重|版权|版權)?(?:声明|聲明)\s*[：:】\]]"
    r"|(?:仅|僅|不|不必然)代表.{0,14}(?:观点|觀點|立场|立場)"
    r"|(?:仅|僅|只)提供信息(?:存储|存儲|发布)|only provides information storage"
    r"|\b(?:views|opinions)\b.{0,60}"
    r"\b(?:do not (?:necessarily )?(?:reflect|represent)|are (?:solely )?those of|are their own)",
    re.IGNORECASE,
)
_EDITOR = re.compile(
    r"^[\[(（【]?\s*(?:责任编辑|責任編輯|责编|責編|编辑|編輯|本文来源|文章来源|来源|稿件来源|校对)\s*[:：]"
)
_REPORTER = re.compile(r"기자|특파원|記者|记者|reporter|correspondent", re.IGNORECASE)
_MAIL = re.compile(r"[\w.+-]+@[\w-]+\.\w+")

_OF_COPYRIGHT = ("©", "ⓒ", "(c)", "copyright", "all rights reserved", "저작권", "版权", "版權", "著作権")
_OF_REPRINTS = (
    *("무단", "재배포", "학습", "未经", "未經", "未获", "不得", "转载", "轉載", "無断", "転載"),
    *("may not be published", "may not be reproduced", "may not be redistributed", "may not be rewritten"),
    *("may not be copied", "without permission", "prior permission", "written permission"),
)
_OF_DISCLAIMERS = (
    *("声明", "聲明", "仅代表", "僅代表", "不代表", "不必然代表", "提供信息", "information storage"),
    *("do not necessarily", "do not reflect", "do not represent", "are those of", "solely those of", "are their own"),
)
_OF_EDITORS = ("编辑", "編輯", "责编", "責編", "来源", "校对")
_SIGNS = (*_OF_COPYRIGHT, *_OF_REPRINTS, *_OF_DISCLAIMERS, *_OF_EDITORS, "@")
"""Every notice has one of these in lower case; finding that a text has none is far faster than the patterns."""
_ASCII_SIGNS = tuple(filter(str.isascii, _SIGNS))
_OTHER_CASES = re.compile("[\u0130\u0131\u017f\u212a]")  # match i, s and k without regard to case
NOTICE_SIGNS = tuple(sign.encode() for sign in (*_SIGNS, "\u24b8", "\u0130", "\u0131", "\u017f", "\u212a"))
"""The same for a search without regard to the case of ASCII letters only."""


def may_be_notice(text: str) -> bool:
    """Whether a text, or any of several in one, may be a closing notice.

    >>> may_be_notice("Tea is made of leaves."), may_be_notice("All Rights Reserved")
    (False, True)
    """
    lower = text.lower()
    if text.isascii():
        return _has(_ASCII_SIGNS, lower)
    return _has(_SIGNS, lower) or _OTHER_CASES.search(text) is not None


def _has(signs: Iterable[str], lower: str) -> bool:
    return any(sign in lower for sign in signs)


def closing_notice(text: str) -> str | None:
    """Return the kind of closing notice that a text is, or `None`.

    >>> closing_notice("저작권자 © 한빛일보 무단전재 및 재배포 금지")
    'copyright line'
    >>> closing_notice("김하나 기자 hana@example.kr")
    "reporter's e-mail address"
    >>> closing_notice("The views expressed here do not necessarily reflect those of the editors.")
    'disclaimer'
    >>> closing_notice("The court ruled on copyright yesterday." * 20) is None
    True
    >>> closing_notice("He left the copyright of all his songs to the village he was born in, and it has lived on them"
    ...     " to this day.") is None
    True
    """
    if len(text) > LONGEST or not may_be_notice(text):
        return None
    lower = text.lower()
    any_sign = not text.isascii() and _OTHER_CASES.search(text) is not None
    if (any_sign or _has(_OF_COPYRIGHT, lower)) and (
        _COPYRIGHT.search(text) or (len(text) <= _LONGEST_WORD and _COPYRIGHT_WORD.search(text))
    ):
        return "copyright line"
    if (any_sign or _has(_OF_REPRINTS, lower)) and _NO_REPRINT.search(text):
        return "legal notice"
    if (any_sign or _has(_OF_DISCLAIMERS, lower)) and _DISCLAIMER.search(text):
        return "disclaimer"
    if len(text) <= _LONGEST_BYLINE:
        if (any_sign or _has(_OF_EDITORS, lower)) and _EDITOR.search(text):
            return "editor's line"
        mail = _MAIL.search(text)
        if mail and (_REPORTER.search(text) or len(text) - len(mail[0]) <= 20):
            return "reporter's e-mail address"
    return None
