"""Parse the dates that pages show.

Only complete and unambiguous dates are parsed: a four-digit year between 1990 and next year, a month and a day.
"Yesterday" and "March 2024" are not, nor is 03/04/2024 unless the caller knows the order.
"""

import re
import unicodedata
from datetime import UTC, date, datetime

_EARLIEST_YEAR = 1990
_MAX_CHARS = 200  # characters searched; date lines are far shorter

# January to December, months separated by slashes, forms of one month by spaces. Accents and case are ignored.
_MONTHS = (
    "january jan/february feb/march mar/april apr/may/june jun/july jul/august aug/september sept sep/october oct"
    "/november nov/december dec",
    "januar janner/februar/marz maerz mrz/april/mai/juni/juli/august/september/oktober okt/november/dezember dez",
    "janvier janv/fevrier fevr fev/mars/avril avr/mai/juin/juillet juil/aout/septembre/octobre/novembre/decembre",
    "enero ene/febrero/marzo/abril abr/mayo/junio/julio/agosto ago/septiembre setiembre/octubre/noviembre"
    "/diciembre dic",
    "gennaio gen/febbraio/marzo/aprile/maggio mag/giugno giu/luglio lug/agosto/settembre set/ottobre ott/novembre"
    "/dicembre",
    "janeiro/fevereiro/marco/abril/maio/junho/julho/agosto/setembro/outubro out/novembro/dezembro",
    "januari/februari/maart mrt/april/mei/juni/juli/augustus/september/oktober/november/december",
    "stycznia styczen sty/lutego luty lut/marca marzec/kwietnia kwiecien kwi/maja maj/czerwca czerwiec cze"
    "/lipca lipiec lip/sierpnia sierpien sie/wrzesnia wrzesien wrz/pazdziernika pazdziernik paz"
    "/listopada listopad lis/grudnia grudzien gru",
    "января январь янв/февраля февраль фев/марта март мар/апреля апрель апр/мая май/июня июнь июн/июля июль июл"
    "/августа август авг/сентября сентябрь сент сен/октября октябрь окт/ноября ноябрь нояб ноя/декабря декабрь дек",
    "ιανουαριου ιανουαριος ιαν/φεβρουαριου φεβρουαριος φεβ/μαρτιου μαρτιος μαρ/απριλιου απριλιος απρ/μαιου μαιος μαι"
    "/ιουνιου ιουνιος ιουν/ιουλιου ιουλιος ιουλ/αυγουστου αυγουστος αυγ/σεπτεμβριου σεπτεμβριος σεπ"
    "/οκτωβριου οκτωβριος οκτ/νοεμβριου νοεμβριος νοε/δεκεμβριου δεκεμβριος δεκ",
    "januari/februari/marts/april/maj/juni/juli/augusti/september/oktober/november/desember",
    "ledna leden/unora unor/brezna brezen/dubna duben/kvetna kveten/cervna cerven/cervence cervenec/srpna srpen/zari"
    "/rijna rijen/listopadu/prosince prosinec",
    "tammikuuta/helmikuuta/maaliskuuta/huhtikuuta/toukokuuta/kesakuuta/heinakuuta/elokuuta/syyskuuta/lokakuuta"
    "/marraskuuta/joulukuuta",
    "ocak/subat/mart/nisan/mayıs/haziran/temmuz/agustos/eylul/ekim/kasım/aralık",
    "ianuarie/februarie/martie/aprilie/mai/iunie/iulie/august/septembrie/octombrie/noiembrie/decembrie",
    "січня/лютого/березня/квітня/травня/червня/липня/серпня/вересня/жовтня/листопада/грудня",
    "januari/februari/maret/april/mei/juni/juli/agustus/september/oktober/november/desember",
    "يناير/فبراير/مارس/أبريل/مايو/يونيو/يوليو/أغسطس/سبتمبر/أكتوبر/نوفمبر/ديسمبر",
)


def _plain(word: str) -> str:
    """Return a word without case and accents; `ł` has no decomposition and stays."""
    if not word.isascii():
        word = "".join(char for char in unicodedata.normalize("NFKD", word) if not unicodedata.combining(char))
    return word.casefold()


_MONTH_OF = {
    _plain(name): number
    for language in _MONTHS
    for number, names in enumerate(language.split("/"), 1)
    for name in names.split()
}
_WORD = r"[^\W\d_]{3,}+"
_DATE = re.compile(
    rf"""(?<![\d.,])(?:
      (?P<y1>(?:19|20)\d\d) \s?(?P<mark>[-./年년])\s?
        (?P<m1>\d\d?) \s?(?:(?P=mark)|月|월)\s? (?P<d1>\d\d?) (?!\d)
    | (?P<d2>\d\d?) (?:st|nd|rd|th|er|[ºª°.])? (?:\ (?:of|de)\b|[-/])? \s? (?P<m2>{_WORD}) \.?
        (?:\ (?:de|del|do))?,? [-/\s]? (?P<y2>(?:19|20)\d\d) (?!\d)
    | (?P<a>\d\d?) (?P<dot>[-./]) (?P<b>\d\d?) (?P=dot) (?P<y4>(?:19|20)\d\d) (?!\d)
    )
    | \b(?P<m3>{_WORD}) \.? [-/\s]? (?P<d3>\d\d?) (?:st|nd|rd|th)? (?:,\s?|\s|-|/)
        (?:\d\d?:\d\d(?::\d\d)? \s (?:[A-Z]{{3,4}}\s)?)? (?P<y3>(?:19|20)\d\d) (?!\d)
    """,
    re.VERBOSE,
)
_PUBLISHED = re.compile(
    r"(?:published|posted|created)\b|입력|등록|작성|기사등록|发布|發布|发表|公開|投稿|配信", re.IGNORECASE
)
_CHANGED = re.compile(
    r"\b(?:last )?(?:updated?|modified|revised|reviewed|edited|checked)\b|수정|최종|업데이트|更新|修改|修訂|編集",
    re.IGNORECASE,
)
_BEFORE_DATE = re.compile(
    r"\W*+(?:#?\d{1,3}\s+)?(?:(?:mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so|lun|mar|mer|jeu|ven|sam|dim|mié|jue|vie|sáb|dom)"
    r"[^\W\d]*\W+(?=\d|[^\W\d]+\W*\d))?",
    re.IGNORECASE,
)
_TIME = re.compile(
    r"""(?<![\d:]) (?P<half>오전|오후|上午|下午|午前|午後)? \s? (?P<hour>[01]?\d|2[0-3]) : (?P<minute>[0-5]\d)
    (?: :(?P<second>[0-5]\d) (?:[.,]\d+)? )? (?![\d:])
    \s?(?P<noon>[ap]\.?m\b)? \s?(?P<zone>Z\b|UTC|GMT|[+-]\d\d:?\d\d\b)?""",
    re.VERBOSE | re.IGNORECASE,
)
_AFTERNOON = frozenset("pm p.m 오후 下午 午後".split())
_ISO_DAY = re.compile(r"((?:19|20)[0-9]{2})-([0-9]{2})-([0-9]{2})(?![^\x00-/:-\x7f])")
_COMPACT = re.compile(r"((?:19|20)\d\d)([01]\d)([0-3]\d)(?:T?[0-2]\d[0-5]\d(?:[0-5]\d)?(?:Z|[+-]\d{4})?)?")
_SECONDS = re.compile(r"(\d{9,10})(?:\d{3})?(?:\.\d+)?")


def parse_date(text: str, *, day_first: bool = False) -> date | None:
    """Return the first complete date in a short text, `None` if there is none; time zones are ignored.

    `day_first`: read 03/04/2024 as the third of April, for languages that always put the day first.

    >>> parse_date("2024-03-05T23:59:00-05:00"), parse_date("입력 2024. 3. 5. 오전 9:00")
    (datetime.date(2024, 3, 5), datetime.date(2024, 3, 5))
    >>> parse_date("Tue, 05 Mar 2024 10:00:00 GMT"), parse_date("03/04/2024")
    (datetime.date(2024, 3, 5), None)
    """
    if text[4:5] == "-" and (iso := _ISO_DAY.match(text)) and (stamp := _day(iso[1], int(iso[2]), iso[3])):
        return stamp  # as most declared dates are
    text = " ".join(text[:_MAX_CHARS].split())
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)  # full-width digits
    if text[:1].isdigit() and (stamp := _from_digits(text)):
        return stamp
    for match in _DATE.finditer(text):
        day = _from_match(match, day_first)
        if day is not None:
            return day
    return None


def parse_moment(text: str, *, day_first: bool = False) -> datetime | None:
    """Return the first complete date in a short text with its time and zone; at midnight if it has no time.

    >>> parse_moment("2024-03-05T23:59:00-05:00").isoformat(), parse_moment("March 5, 2024 at 2:30 pm").isoformat()
    ('2024-03-05T23:59:00-05:00', '2024-03-05T14:30:00')
    """
    if text[4:5] == "-" and (moment := from_iso(text)):
        return moment if parse_date(text) else None
    if _SECONDS.fullmatch(text := text.strip()) and not _COMPACT.fullmatch(text):
        return datetime.fromtimestamp(int(text[:10]), UTC) if parse_date(text) else None
    day = parse_date(text, day_first=day_first)
    if day is None:
        return None
    if match := _COMPACT.fullmatch(text):
        return _from_compact(text, day)
    match = _TIME.search(unicodedata.normalize("NFKC", text[:_MAX_CHARS]))
    if match is None:
        return datetime(day.year, day.month, day.day)
    hour, noon = int(match["hour"]), (match["noon"] or match["half"] or "").lower()
    if noon:
        hour = hour % 12 + 12 * (noon in _AFTERNOON) if hour <= 12 else hour
    time = f"{day}T{hour:02}:{match['minute']}:{match['second'] or '00'}"
    zone = (match["zone"] or "").upper().replace("UTC", "Z").replace("GMT", "Z")
    return from_iso(time + zone) or from_iso(time)


def _from_compact(text: str, day: date) -> datetime | None:
    return from_iso(f"{text[:8]}T{text[8:].lstrip('T')}") or datetime(day.year, day.month, day.day)


def from_iso(text: str) -> datetime | None:
    """Return the moment of a text in ISO 8601, `None` if it is not."""
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def published_in(line: str, *, day_first: bool = False) -> date | None:
    """Return the publication date in a line near a headline, not the date of an update.

    >>> published_in("Updated May 2, 2024 | Published May 1, 2024"), published_in("Last updated: May 2, 2024")
    (datetime.date(2024, 5, 1), None)
    """
    if match := _PUBLISHED.search(line):
        line = line[match.end() :]
    if match := _CHANGED.search(line):
        line = line[: match.start()]
    return parse_date(line, day_first=day_first)


def leading_date(line: str, *, day_first: bool = False) -> date | None:
    """Return the date that a line starts with, alone or before its time and other words; a range of dates is none.

    >>> leading_date("#1 Sat Feb 24, 2024 12:41 pm"), leading_date("Joined: Feb 24, 2024")
    (datetime.date(2024, 2, 24), None)
    """
    line = unicodedata.normalize("NFKC", line)
    start = _BEFORE_DATE.match(line)
    match = _DATE.match(line, start.end() if start else 0)
    if match is None or _DATE.search(line, match.end()):
        return None
    return _from_match(match, day_first)


def changed_in(line: str, *, day_first: bool = False) -> date | None:
    """Return the date of an update in a line near a headline.

    >>> changed_in("Published May 1, 2024 | Updated May 2, 2024"), changed_in("May 2, 2024")
    (datetime.date(2024, 5, 2), None)
    """
    match = _CHANGED.search(line)
    return parse_date(line[match.end() :], day_first=day_first) if match else None


def _from_match(match: re.Match[str], day_first: bool) -> date | None:
    part = match.groupdict()
    if part["y1"]:
        return _day(part["y1"], int(part["m1"]), part["d1"])
    if part["y4"]:
        return _from_numbers(int(part["a"]), int(part["b"]), part["y4"], day_first)
    suffix = "2" if part["y2"] else "3"
    return _day(part["y" + suffix], _MONTH_OF.get(_plain(part["m" + suffix]), 0), part["d" + suffix])


def _from_numbers(first: int, second: int, year: str, day_first: bool) -> date | None:
    if first == second or second > 12:
        return _day(year, first, second)
    if first > 12 or day_first:
        return _day(year, second, first)
    return None


def _from_digits(text: str) -> date | None:
    """Parse 20240305, 20240305T101500Z, 20240305101500, or a Unix time in seconds or milliseconds."""
    if match := _COMPACT.fullmatch(text):
        return _day(match[1], int(match[2]), match[3])
    if match := _SECONDS.fullmatch(text):
        when = datetime.fromtimestamp(int(match[1]), UTC)
        return _day(when.year, when.month, when.day)
    return None


def _day(year: str | int, month: int, day: str | int) -> date | None:
    try:
        parsed = date(int(year), month, int(day))
    except ValueError:
        return None
    return parsed if _EARLIEST_YEAR <= parsed.year <= date.today().year + 1 else None
