"""Texts in comments that are not the comment: labels of buttons, dates, words around names."""

import re
from enum import Enum, auto
from typing import Final


class Order(Enum):
    """The first number of a page's dates."""

    UNKNOWN = auto()
    DAY = auto()
    MONTH = auto()
    YEAR = auto()


_LABELS: Final = "|".join(
    (
        r"repl(?:y|ies)(?:\s+to\b.{0,60})?|in reply to\b.{0,60}|respond|report(?:\s+(?:abuse|comment|this))?",
        r"likes?|liked|dislike|love|share|quote|edit|edited|delete|permalink|(?:copy )?link|flag|vote|up ?votes?",
        r"down ?votes?|helpful|translat(?:e|ion)|(?:show|read|view|load|see) (?:more|all|(?:\d+ )?replies).{0,20}",
        r"hide repl(?:y|ies)|more|log ?in to .{0,20}|sign in to .{0,20}|leave a (?:reply|comment)|add (?:a )?comment",
        r"cancel reply|author|admin|moderator|op|says|pinned|comments?|loading\b.{0,10}|rate",
        r"antworten?|melden|gefällt mir|zitieren|kommentieren|kommentare?|teilen|sagt|schreibt",
        r"répondre|signaler|j.aime|partager|citer|dit|commentaires?|responder|reportar|denunciar|me gusta|compartir",
        r"citar|comentarios?|rispondi|segnala|mi piace|curtir|gostei|beantwoorden|reageer|odpowiedz",
        r"zgłoś(?: .{0,15})?|cytuj|lubię to|komentarze|svara?|anmäl|gilla|ответить|пожаловаться|цитировать",
        r"нравится|поделиться|ссылка|комментари[ий]|відповісти|απάντηση|yanıtla|cevapla|beğen|şikayet et",
        r"(?:댓글|답글|답변)(?:\s?(?:쓰기|달기|작성|등록|보기|펼치기|접기))?|신고(?:하기)?|좋아요|싫어요|공감|비공감|추천|비추천",
        r"반대|수정|삭제|더\s?보기|공유|접기|펼치기|작성자|글쓴이|베스트|블라인드|주소\s?복사|인용",
        r"(?:回复|我要|发表|全部|查看)?评论|回复|回覆|举报|舉報|檢舉|赞|讚|点赞|踩|收起|展开|查看(?:更多|回复).{0,8}",
        r"分享|删除|刪除|楼主|引用|支持|反对|反對|收藏|热门|\d+楼|沙发",
        r"返信(?:する)?|通報(?:する)?|いいね!?|編集|削除|共有|もっと見る|違反報告|参考になった|コメントする",
    )
)
_LABEL: Final = re.compile(rf"[\W_]*(?:(?:{_LABELS})(?:[\W\d_]+|$))*[\W\d_]*", re.IGNORECASE)
_MAX_LABEL: Final = 60

_UNITS: Final = (
    r"(?:s(?:ec(?:ond)?s?)?|m(?:in(?:ute)?s?)?|h(?:(?:ou)?rs?)?|d(?:ays?)?|w(?:eeks?)?|mo(?:nths?)?|y(?:(?:ea)?rs?)?"
    r"|초|분|시간|일|주|개월|달|년|秒钟?|分钟|分鐘|分|小时|小時|時間|天|日|周|週間?|个月|個月|ヶ月|か月|年)"
)
_DATE: Final = re.compile(
    rf"""(?<!\d)(?:
      (?:19|20)\d\d \s?[-./年년]\s? \d{{1,2}}
    | \d{{1,2}} [./-] \d{{1,2}} [./-] (?:\d{{4}}|\d{{2}}) (?!\d)
    | \d{{1,2}} [-./] \d{{1,2}} \.?,?\s+ \d{{1,2}}:\d\d
    | \d{{1,2}} (?:st|nd|rd|th|\.)? \s (?:de\s)? [^\W\d_]{{3,}} \.?,?\s (?:de\s)? (?:19|20)\d\d
    | \d+ \s? {_UNITS} \s? (?:ago|전|前)
    )
    | \b[^\W\d_]{{3,}} \.?\s \d{{1,2}} (?:st|nd|rd|th)? ,?\s (?:at\s)? (?:(?:19|20)\d\d|\d{{1,2}}:\d\d)
    | \b(?:an?|one)\s(?:second|minute|hour|day|week|month|year)\sago\b
    | \b(?:vor|il\ y\ a|hace|há|fa|för)\s\d+\s\w+
    | ^\W*\d{{1,2}}:\d\d(?::\d\d)?(?:\s?[ap]m)?\W*$
    | ^(?:yesterday|today|just\ now|오늘|어제|방금|昨天|今天|刚刚|昨日|今日)
    """,
    re.IGNORECASE | re.VERBOSE,
)
_SLASHED: Final = re.compile(r"(?<!\d)(\d{1,2})([./-])(\d{1,2})\2((?:19|20)\d\d)(?!\d)")

_SHORT_YEAR: Final = re.compile(r"(?<![\d.:/-])(\d\d)[./-](\d\d)[./-](\d\d)(?![\d.:/-])")

_BEFORE_NAME: Final = re.compile(
    r"[\s|·•:,–—-]*(?:(?:posted|commented|written|submitted|comment|review)?\s*\bby\b|posted|comment|автор|작성자|글쓴이|닉네임"
    r"|이름|投稿者|名前|作者|昵称|(?-i:from|von|par|por|di|av|door))?\s*[:：]?\s+|\s*#?\d{1,4}[.:)]\s+|\s*#\d{1,4}\s+",
    re.IGNORECASE,
)
_AFTER_NAME: Final = re.compile(
    r"(?:[\s|·•:：,،(–—-]|\b(?:says|said|writes|wrote|commented|replied|schreibt|sagt|schrieb|meint|a écrit|a dit|dit"
    r"|dice|dijo|escribió|ha scritto|disse|pisze|skriver|(?-i:on|at|am|le|el|il|den|op|в))\b|님의\s?(?:댓글|답글|글).*"
    r"|님|さん(?:のコメント)?|说|說|\s[在于於])+$",
    re.IGNORECASE,
)
_BY: Final = re.compile(r"\W*(?:[^\W\d]+\s+)?(?:by|von|par|por|door|av)\b", re.IGNORECASE)
_TAG: Final = re.compile(r"</?[a-z][^<>]{0,30}>")
_MAX_NAME: Final = 60


def is_label(text: str) -> bool:
    """Whether a text is nothing but labels of buttons, numbers and signs.

    >>> is_label("Reply · Like (3)"), is_label("답글쓰기"), is_label("I reply")
    (True, True, False)
    """
    return len(text) <= _MAX_LABEL and _LABEL.fullmatch(text.strip()) is not None


def date_in(text: str) -> re.Match[str] | None:
    """The first date in a short text, relative or without a year as well."""
    return _DATE.search(text)


def day_comes_first(text: str) -> bool | None:
    """Whether a date such as 30/12/2021 or 3.12.2021 has the day first; `None` if it can be either, or there is none.

    >>> [day_comes_first(text) for text in ("30/12/2021", "12/30/2021", "3.12.2021", "3/12/2021")]
    [True, False, True, None]
    """
    match = _SLASHED.search(text)
    if match is None or (match[2] != "." and int(match[1]) <= 12 and int(match[3]) <= 12):
        return None
    return int(match[3]) <= 12


def with_year_first(text: str, order: Order) -> str:
    """Rewrite 3/12/2021 if the month comes first, and 21.03.12 if the year does.

    >>> with_year_first("3/12/2021", Order.MONTH), with_year_first("21.03.12 13:30", Order.YEAR)
    ('2021-3-12', '2021-03-12 13:30')
    """
    if order is Order.MONTH:
        return _SLASHED.sub(r"\4-\1-\3", text)
    return _SHORT_YEAR.sub(r"20\1-\2-\3", text) if order is Order.YEAR else text


def clean_name(text: str) -> str | None:
    """The name in a byline; `None` if it has none.

    >>> clean_name("Hans says:"), clean_name("Posted by: John at"), clean_name("바람님의 댓글")
    ('Hans', 'John', '바람')
    """
    name = " ".join(_TAG.sub(" ", text[: 4 * _MAX_NAME]).split())
    if match := _BEFORE_NAME.match(name + " "):
        name = name[match.end() :]
    name = _AFTER_NAME.sub("", name).strip()
    is_word = any(map(str.isalpha, name)) and is_label(name)
    return name if name and len(name) <= _MAX_NAME and not is_word else None


def name_before_date(text: str) -> str | None:
    """The name in a text such as "Posted by John at December 18"; `None` if no word announces one."""
    match = date_in(text)
    return clean_name(text[: match.start()]) if match and _BY.match(text) else None
