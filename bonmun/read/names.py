"""Names of authors, cleaned of labels, roles and dates."""

import re
from collections.abc import Iterable

_MAIL = re.compile(r"[(<\[]?[\w.+-]+@[\w-]+(?:\.[\w-]+)+[)>\]]?")
_URL = re.compile(r"://|^www\.|^[@/#]|\.(?:com|org|net)/|^[\w.-]+\.(?:com|org|net|info|[a-z]{2})$", re.IGNORECASE)
_AGENCY = re.compile(r"^\s*[\[(（【][^\])）】]*[\])）】]\s*")
LEAD = re.compile(
    r"""^\W*(?:
      (?:(?:article|blog|content|guest|post|recipe|review|story|text|words?)\s+)?
        (?:authored|created|edited|posted|published|reported|started|submitted|written)?\s*\bby\b
    | (?:authors?|autor(?:in|a|e|es|em)?|auteurs?|text|tekst|texte|testo|texto|автор|текст|författare|forfatter
        |skribent|yazar|penulis|kirjoittaja|συντάκτης)\s*[:：-]
    | (?:글쓴이|작성자|글|기자|저자|作者|記者|记者|撰文|作成者|執筆者?|著者|文)\s*[:：/=|]
    | (?:記者|记者)\s*(?=[^\x00-\x7f])
    )\s*[:：]?\s*""",
    re.IGNORECASE | re.VERBOSE,
)
LEAD_WORDS = "von par por di door av af od przez автор текст bởi oleh"
_CREDIT = re.compile(
    r"\W*(?:photo|foto|image|picture|bild|illustration|credit|courtesy|video|grafik|摄影|图|사진)\w*"
    r"\s*(?:by|von|par|[:：/©-])",
    re.IGNORECASE,
)
_AGENCIES_OF_PICTURES = ("getty images", "shutterstock", "istock", "unsplash", "scanpix")
_STOCK = re.compile(rf".*\b(?:{'|'.join(_AGENCIES_OF_PICTURES)})\b", re.IGNORECASE)
_END = re.compile(
    r"""\s+[|•·–—/-]\s+ | \s*[|｜•＝=]\s* | \s\([^)]*\)?$ | ,?\s+(?:posted|updated|reviewed|edited|medically|fact)\b
    | \s+(?:on|at|in)\s+(?=\W*\d|[A-Z]) | [,\s]\s*\d{1,4}[-./\s,:年년]
    | [,\s]\W*(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+\d""",
    re.IGNORECASE | re.VERBOSE,
)
_ROLE = re.compile(r"\s*(?:[가-힣]*기자|특파원|논설위원|記者|记者|編輯|编辑|さん|氏)\s*$")
_AND = re.compile(r"\s*,?\s+(?:and|&|und|og|och|oraz|и|та|ve|dan)\s+|\s*[;；、]\s*")
_AND_OR_NAME = re.compile(r"(\S+\s+\S+)\s+(?:et|y|e|en|i|és)\s+(?=\S+\s+\S)")  # between full names: Ortega y Gasset
_NOBODY = frozenset(
    "admin administrator anonymous author authors by contributor contributors editor editors guest n/a na name none"
    " null root staff undefined unknown user webmaster writer redaktion redacción redação redazione rédaction redactie"
    f" {LEAD_WORDS} 관리자 운영자 편집부 小编 管理员 编辑 編集部".split()
)


_DEGREE = re.compile(r"(?:[JS]r|I{2,3}|Esq|M\.?D|D\.?O|Ph\.?\s?D|Psy\.?D|Ed\.?D|M\.?Sc|B\.?Sc|[A-Z]{2,6})\W*")
_AGENCIES = frozenset("AFP AP DPA SID APA EFE ANSA TASS UPI PTI ANI IANS CNN BBC NPR NTB TT".split())
_ROLES = re.compile(
    r"(?:our |the )?(?:staff|web|guest|senior|editorial)(?: (?:staff|writers?|reporters?|editors?|team))+"
    r"|(?:written|posted|published) by|(?:topic|thread|post) (?:author|starter)",
    re.IGNORECASE,
)
_MAX_SIMPLE = 120
_SIMPLE_NAME = re.compile(r"(?:[A-Za-z]+\.? )*[A-Za-z]+")
"""A name without anything to clean, unless it has one of the next words or starts with one of those after them."""
_TELLING = frozenset(
    "by posted updated reviewed edited medically fact on at in and und og och oraz ve dan et y e en i our the staff web"
    " guest senior editorial written published topic thread post getty shutterstock istock unsplash scanpix".split()
)
_PICTURES = ("photo", "foto", "image", "picture", "bild", "illustration", "credit", "courtesy", "video", "grafik")


def clean_name(text: str) -> str | None:
    """Return the names in a byline, separated by commas, without labels, roles and dates; `None` if no name is left.

    >>> clean_name("By Jane Doe and John Roe | Staff"), clean_name("홍길동 기자 hong@example.kr")
    ('Jane Doe, John Roe', '홍길동')
    >>> clean_name("https://example.org/jane"), clean_name("admin"), clean_name("记者 王小明")
    (None, None, '王小明')
    """
    if len(text) <= _MAX_SIMPLE and _SIMPLE_NAME.fullmatch(text):  # as most are
        lower = text.lower()
        if _TELLING.isdisjoint(lower.replace(".", "").split()) and not lower.startswith(_PICTURES):
            return None if lower in _NOBODY else text
    return _cleaned(text)


def _cleaned(text: str) -> str | None:
    """The same for any text."""
    text = text[:300]
    text = " ".join((_MAIL.sub(" ", text) if "@" in text else text).split())
    may_be_url = "." in text or "/" in text or text.startswith(("@", "#"))
    if (may_be_url and _URL.search(text)) or is_credit(text):
        return None
    text = LEAD.sub("", _AGENCY.sub("", text), count=1)
    text = _END.split(text, maxsplit=1)[0]
    if not text.isascii():
        text = _ROLE.sub("", text)
    if text.endswith(("..", "…")):
        return None  # truncated by the page
    text = _AND_OR_NAME.sub(r"\1, ", _AND.sub(", ", text)).strip(" ,.:;|/·-–—[]'\"“”*=")
    if not any(map(str.isalpha, text)) or len(text) > 120 or text.lower() in _NOBODY or _ROLES.fullmatch(text):
        return None
    return text


def is_credit(text: str) -> bool:
    """Whether a text names the source of a picture."""
    if _CREDIT.match(text):
        return True
    lower = text.lower()
    if text.isascii() and not any(name in lower for name in _AGENCIES_OF_PICTURES):
        return False  # the pattern tries every place
    return _STOCK.match(text) is not None


def split_names(names: Iterable[str]) -> list[str]:
    """Return single names, without the degrees and suffixes behind them.

    >>> split_names(["Jane Doe, PhD, John Roe", "Li Wei, AFP"])
    ['Jane Doe', 'John Roe', 'Li Wei', 'AFP']
    """
    parts = (part.strip() for text in names for part in re.split(r"[,，]", text))
    kept = (part for part in parts if part and (part in _AGENCIES or not _DEGREE.fullmatch(part)))
    return list(dict.fromkeys(kept))
