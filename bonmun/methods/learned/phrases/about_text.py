"""Phrases about a block's own text: its length, its sentences, its words, its links."""

from typing import Final

from bonmun.features.element_names import FAR
from bonmun.features.measured_page import LONG
from bonmun.methods.learned.phrases.block_row import BlockRow, number_of
from bonmun.methods.learned.phrases.decisions import (
    OWN,
    Clause,
    Condition,
    Decision,
    above,
    at_least,
    at_most,
    below,
    counted,
    either,
    equal,
    fewer,
    when,
)
from bonmun.model.block import KINDS, Kind
from bonmun.model.tags import CONTROL, HIDDEN, TAG_ID

_SIZE, _COPY_RUN, _COPIED_RUN, _TIMES_BUT_DIGITS = map(
    number_of, ("size", "copy_run", "copied_run", "times_but_digits")
)
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


_HAS_TEXT: Final = above("size", 0)
_NO_TEXT: Final = when(NO_TEXT, at_most("size", 0))


def _short(short: str, *size: Condition) -> tuple[Clause, ...]:
    """What a short text is called, by the links around it."""
    return (
        when(short, *size, below("window3_link", 0.6), below("region1_link", 0.6)),
        when(f"{short} in a list of links", *size, below("in_ul", FAR)),
        when(f"{short} in a list of links", *size, below("in_ol", FAR)),
        when(f"{short} among links", *size),
    )


_length: Final = Decision(
    kept=(when("a long text", counted("size", _LONG_TEXT)), when("as long as a sentence", counted("size", LONG))),
    dropped=(
        when(NO_TEXT, fewer("size", 1)),
        when("", counted("size", LONG)),
        *_short("only a few words", fewer("size", _FEW_WORDS)),
        *_short("a short text"),
    ),
)
_sentences: Final = Decision(
    kept=(when("written in full sentences", counted("sentences", 2)), when("a full sentence", counted("sentences", 1))),
    dropped=(
        _NO_TEXT,
        when("very long words, like codes or addresses", above(OWN, _LONG_WORDS), asked="word_length"),
        when("no full sentence", fewer("sentences", 1)),
    ),
)
_capitals: Final = Decision(
    kept=(
        when(
            "ordinary use of capital letters",
            at_least("upper_share", 0),  # below: no letter that could be a capital
            below("upper_share", 0.15),
            below("capitalised_share", 0.5),
        ),
    ),
    dropped=(
        when("", below("upper_share", 0)),
        when("written in capital letters", above("upper_share", 0.6)),
        when("nearly every word starts with a capital letter", above("capitalised_share", 0.7)),
    ),
)
_digits: Final = either(
    when("mostly digits", at_least("digit_share", 0.5)), when("many digits in it", at_least("digit_share", 0.15))
)


def _contains(what: str) -> Decision:
    return either(when(f"{what} in it", above(OWN, 0)))


def _repeated(row: BlockRow, column: int) -> str:
    """How often the text of a block is on the page, for one that is there more than once."""
    times, but_for_digits = int(row["times"]), int(row.cells[_TIMES_BUT_DIGITS])
    if times < 2:
        return f"its text is on the page {_times(but_for_digits)}, with other numbers"
    passage = max(row.count(_COPY_RUN), row.count(_COPIED_RUN))
    if passage > _PASSAGE * row.count(_SIZE):
        return "part of a longer passage that is repeated on the page"
    return f"its text is on the page {_times(times)}"


def _times(count: int) -> str:
    return "twice" if count == 2 else f"{count} times"


_repetition: Final = Decision(
    kept=(when("its text is not repeated on the page", at_least("times_but_digits", 1), below("times_but_digits", 2)),),
    dropped=(_NO_TEXT, when("", below("times", 2), below("times_but_digits", 2)), when(_repeated)),
)
_repeats_title: Final = when("repeats the page's title", at_least("title_share", 0.5), at_least("of_title", 0.5))
_title: Final = Decision(
    kept=(
        when("", at_most("size", 0)),
        _repeats_title,
        when("shares words with the page's title", above("title_share", 0)),
    ),
    dropped=(_NO_TEXT, _repeats_title, when("shares no word with the page's title", equal("title_share", 0))),
)


_vocabulary: Final = Decision(
    kept=(
        when(
            "its words recur in the page's running text",
            _HAS_TEXT,
            above("page_long_size", 0),
            at_least("known_share", 0.6),
        ),
    ),
    dropped=(
        when(
            "its words hardly occur in the page's running text",
            _HAS_TEXT,
            above("page_long_size", 0),
            at_most("known_share", 0.3),
        ),
    ),
)
_COMMON: Final = "wording common in main texts"
_UNCOMMON: Final = "wording common in menus, notices and adverts"
_wording: Final = Decision(
    kept=(when(_COMMON, above(OWN, 0), asked="term_score"), when(f"next to {_COMMON}", above(OWN, 0))),
    dropped=(when(_UNCOMMON, below(OWN, 0), asked="term_score"), when(f"next to {_UNCOMMON}", below(OWN, 0))),
)
_links: Final = Decision(
    kept=(
        when("no links in it", equal("link_share", 0)),
        when("hardly any links in it", at_most("link_share", 0.1)),
    ),
    dropped=(
        when("nothing but a link", equal("link_share", 1)),
        when("hardly anything but links", above("link_share", 0.9)),
        when("mostly links", above("link_share", 0.5)),
        when("many links in it", above("link_share", 0.2)),
    ),
)
_KINDS: Final = tuple(when(name, equal("kind", KINDS.index(kind))) for kind, name in _NAMES.items())
_PARAGRAPH: Final = when("a paragraph", equal("kind", KINDS.index(Kind.PARAGRAPH)), equal("tag", TAG_ID["p"]))
_kind: Final = Decision(kept=(_PARAGRAPH, *_KINDS), dropped=_KINDS)


def _unshown(row: BlockRow, column: int) -> str:
    flags = int(row["flags"])
    return "hidden until a script shows it" if flags & HIDDEN else "a button or form field" if flags & CONTROL else ""


_shown: Final = Decision(
    kept=(when("shown without scripts", equal("flags", 0)),), dropped=(when(_unshown, above("flags", 0), sure=False),)
)
_markup: Final = either(
    when("plain text without markup inside", fewer("rows", 2), _HAS_TEXT), when("markup inside its text")
)


PHRASES: Final[dict[str, Decision]] = {
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
