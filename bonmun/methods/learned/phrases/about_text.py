"""Phrases about a block's own text: its length, its sentences, its words, its links."""

from typing import Final

from bonmun.features.measured_page import LONG
from bonmun.methods.learned.phrases.block_row import BlockRow, Phrase, number_of
from bonmun.model.block import KINDS, Kind
from bonmun.model.tags import CONTROL, HIDDEN, TAG_ID

_SIZE, _SENTENCES, _WORD_LENGTH, _TERM_SCORE = map(number_of, ("size", "sentences", "word_length", "term_score"))
_ROWS, _COPY_RUN, _COPIED_RUN = map(number_of, ("rows", "copy_run", "copied_run"))
_KIND, _TAG, _TIMES_BUT_DIGITS = map(number_of, ("kind", "tag", "times_but_digits"))
_P: Final = TAG_ID["p"]
NO_TEXT: Final = "no text in it"
_FEW_WORDS: Final = 30  # letters
_LONG_TEXT: Final = 240  # letters
_LONG_WORDS: Final = 14  # letters each
_PASSAGE: Final = 3  # times the block's own size: then it is a part of a longer passage
_NAMES: Final = {
    Kind.HEADING: "a heading",
    Kind.ITEM: "a list item",
    Kind.TERM: "a term of a definition list",
    Kind.DEFINITION: "an entry of a definition list",
    Kind.CELL: "a table cell",
    Kind.CODE: "a block of code",
    Kind.QUOTE: "a quotation",
    Kind.CAPTION: "a caption",
    Kind.IMAGE: "a picture",
}


def _length(row: BlockRow, column: int, keep: bool) -> str:
    letters = row.count(_SIZE)
    if keep:
        return "a long text" if letters >= _LONG_TEXT else "as long as a sentence" if letters >= LONG else ""
    if not letters:
        return NO_TEXT
    if letters >= LONG:
        return ""
    short = "only a few words" if letters < _FEW_WORDS else "a short text"
    if max(row["window3_link"], row["region1_link"]) < 0.6:
        return short
    return f"{short} in a list of links" if row.near("in_ul") or row.near("in_ol") else f"{short} among links"


def _sentences(row: BlockRow, column: int, keep: bool) -> str:
    count = row.count(_SENTENCES)
    if keep:
        return "written in full sentences" if count > 1 else "a full sentence" if count else ""
    if not row.has_text:
        return NO_TEXT
    if column == _WORD_LENGTH and row.cells[column] > _LONG_WORDS:
        return "very long words, like codes or addresses"
    return "" if count else "no full sentence"


def _capitals(row: BlockRow, column: int, keep: bool) -> str:
    upper, capitalised = row["upper_share"], row["capitalised_share"]
    if upper < 0:
        return ""  # no letter that could be a capital
    if keep:
        return "ordinary use of capital letters" if upper < 0.15 and capitalised < 0.5 else ""
    if upper > 0.6:
        return "written in capital letters"
    return "nearly every word starts with a capital letter" if capitalised > 0.7 else ""


def _digits(row: BlockRow, column: int, keep: bool) -> str:
    share = row["digit_share"]
    return "mostly digits" if share >= 0.5 else "many digits in it" if share >= 0.15 else ""


def _contains(what: str) -> Phrase:
    def contains(row: BlockRow, column: int, keep: bool) -> str:
        return f"{what} in it" if row.cells[column] > 0 else ""

    return contains


def _repetition(row: BlockRow, column: int, keep: bool) -> str:
    but_for_digits = int(row.cells[_TIMES_BUT_DIGITS])
    if keep:
        return "its text is not repeated on the page" if but_for_digits == 1 else ""
    if not row.has_text:
        return NO_TEXT
    times = int(row["times"])
    if times < 2:
        return f"its text is on the page {_times(but_for_digits)}, with other numbers" if but_for_digits > 1 else ""
    passage = max(row.count(_COPY_RUN), row.count(_COPIED_RUN))
    if passage > _PASSAGE * row.count(_SIZE):
        return "part of a longer passage that is repeated on the page"
    return f"its text is on the page {_times(times)}"


def _times(count: int) -> str:
    return "twice" if count == 2 else f"{count} times"


def _title(row: BlockRow, column: int, keep: bool) -> str:
    if not row.has_text:
        return "" if keep else NO_TEXT
    if min(row["title_share"], row["of_title"]) >= 0.5:
        return "repeats the page's title"
    if row["title_share"]:
        return "shares words with the page's title" if keep else ""
    return "" if keep else "shares no word with the page's title"


def _vocabulary(row: BlockRow, column: int, keep: bool) -> str:
    share = row["known_share"]
    if not (row.has_text and row.has_running_text):
        return ""
    if keep:
        return "its words recur in the page's running text" if share >= 0.6 else ""
    return "" if share > 0.3 else "its words hardly occur in the page's running text"


def _wording(row: BlockRow, column: int, keep: bool) -> str:
    beside = "" if column == _TERM_SCORE else "next to "
    if keep:
        return f"{beside}wording common in main texts" if row.cells[column] > 0 else ""
    return f"{beside}wording common in menus, notices and adverts" if row.cells[column] < 0 else ""


def _links(row: BlockRow, column: int, keep: bool) -> str:
    share = row["link_share"]
    if keep:
        return "" if share > 0.1 else "hardly any links in it" if share else "no links in it"
    if share > 0.9:
        return "nothing but a link" if share == 1 else "hardly anything but links"
    return "mostly links" if share > 0.5 else "many links in it" if share > 0.2 else ""


def _kind(row: BlockRow, column: int, keep: bool) -> str:
    kind = KINDS[int(row.cells[_KIND])]
    if kind is Kind.PARAGRAPH:
        return "a paragraph" if keep and row.cells[_TAG] == _P else ""
    return _NAMES[kind]


def _shown(row: BlockRow, column: int, keep: bool) -> str:
    flags = int(row["flags"])
    if keep:
        return "" if flags else "shown without scripts"
    return "hidden until a script shows it" if flags & HIDDEN else "a button or form field" if flags & CONTROL else ""


def _markup(row: BlockRow, column: int, keep: bool) -> str:
    return "plain text without markup inside" if row.count(_ROWS) <= 1 and row.has_text else "markup inside its text"


PHRASES: Final[dict[str, Phrase]] = {
    "size": _length,
    **dict.fromkeys(("word_length", "sentences", "commas", "ends_sentence"), _sentences),
    **dict.fromkeys(("upper_share", "capitalised_share"), _capitals),
    "digit_share": _digits,
    "colons": _contains("a colon"),
    "currencies": _contains("a price"),
    "quotes": _contains("quotation marks"),
    "brackets": _contains("brackets"),
    "dates": _contains("a date or time"),
    **dict.fromkeys(("times", "times_but_digits", "copies_before", "copy_run", "copied_run"), _repetition),
    **dict.fromkeys(("title_share", "of_title"), _title),
    "known_share": _vocabulary,
    **dict.fromkeys(("term_score", "term_score-1", "term_score+1"), _wording),
    **dict.fromkeys(("link_share", "in_a"), _links),
    **dict.fromkeys(("kind", "level", "tag", "inner_tag"), _kind),
    "flags": _shown,
    "rows": _markup,
}
SHARED: Final = frozenset((_length, _sentences, _repetition, _title))
"""Functions that give `NO_TEXT`, of dropped blocks only."""
OF_BLOCKS: Final = frozenset((_capitals, _repetition, _title, _links, _kind))
"""Functions of several columns that look at the block, whatever the column."""
