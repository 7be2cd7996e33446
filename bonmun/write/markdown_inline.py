"""The runs of a block as inline Markdown: escaped text, emphasis, links, images, code.

A CommonMark reader shows the block's exact text; for superscripts see `markdown_scripts`. A mark that asterisks cannot
express becomes an HTML tag: ``**한국어(Korean)**을`` would not close, since an asterisk after punctuation closes only
before white space or punctuation (CommonMark 0.31, 6.2).

Why the delimiters pair as intended: every ``*`` of the text that could pair is escaped; two runs of one character never
touch; a mark is never inside itself, so unrelated runs of asterisks have lengths 1 and 2, and rule 9 of 6.2 does not
pair those where either could both open and close.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from unicodedata import category

from bonmun.deadline import check
from bonmun.model.inline import JoinedRuns, Run
from bonmun.write.markdown_math import inline_formula, reads_as_formula
from bonmun.write.markdown_scripts import with_scripts
from bonmun.write.marks import LINK, Span, spans

_NESTED = frozenset({"strong", "em", "strike", "sup", "sub"})
_WRITTEN = _NESTED | {"code"}
_PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
_REFERENCE = r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{0,31});"
_SPECIAL = re.compile(r"[\\`*~<\[\]!$]|_+|" + _REFERENCE)
_MARKUP_START = re.compile(r"[A-Za-z/!?]|$")
_ADDRESS = re.compile(r"https?://\S*")
_NEEDS_ANGLES = re.compile(r"[\x00-\x20()<\x7f]|^$")
_SPECIAL_IN_DESTINATION = re.compile(rf"\\(?=[{re.escape(_PUNCTUATION)}]|$)|[<>]|{_REFERENCE}")
_TICKS = re.compile(r"`+")

_DELIMITERS = {"strong": ("**",), "em": ("*", "_"), "strong em": ("***",), "strike": ("~~",), "sup": (), "sub": ()}
_TAGS = {
    "strong": ("<strong>", "</strong>"),
    "em": ("<em>", "</em>"),
    "strong em": ("<strong><em>", "</em></strong>"),
    "strike": ("<del>", "</del>"),
    "sup": ("<sup>", "</sup>"),
    "sub": ("<sub>", "</sub>"),
}


@dataclass(slots=True, eq=False)
class _Text:
    """Text still to be escaped."""

    raw: str
    linked: bool


@dataclass(slots=True, eq=False)
class _Mark:
    name: str
    opening: int = -1
    """The index of its first edge among the pieces."""
    closing: int = -1


@dataclass(slots=True, eq=False)
class _Edge:
    """The opening or closing of a mark; `written` is empty until its delimiter is chosen."""

    mark: _Mark
    written: str = ""


_Piece = _Text | _Edge | str
"""A string is finished markup."""


def inline(
    runs: Iterable[Run], extra: str | None = None, in_cell: bool = False, tildes: int = 0, dollars: bool = False
) -> str:
    r"""Return the runs of a block on one line.

    `extra` is a mark around the whole text, `tildes` the number of tildes in the block's paragraph; `dollars` escapes
    all dollar signs, for documents with formulas and paragraphs that would seem to have some.

    >>> print(inline([Run("2 * 3, *stars* and "), Run("bold ", ("strong",)), Run("text", (), "https://example.org/(a)")]))
    2 * 3, \*stars\* and **bold** [text](<https://example.org/(a)>)
    """
    runs = tuple(runs)
    if len(runs) == 1 and extra is None and runs[0].is_plain:  # most blocks are
        text = runs[0].text
        line = _escaped(
            text, False, max(tildes, text.count("~")) > 1, False, dollars or reads_as_formula(text, in_cell)
        )
        return line.replace("|", "\\|") if in_cell else line
    plain = _simplified(runs, extra)
    # One tilde means nothing, but GitHub strikes out the text between any two.
    text = "\0".join([run.text for run in plain])
    tildes = max(tildes, text.count("~") + 2 * any("strike" in run.marks for run in plain))
    dollars = dollars or reads_as_formula(text, in_cell)
    pieces = _pieces(spans(plain, _NESTED), in_cell, linked=False, dollars=dollars)
    _decide_edges(pieces)
    line = "".join(_written(pieces, tildes > 1, dollars))
    return line.replace("|", "\\|") if in_cell else line


def _written(pieces: list[_Piece], tildes: bool, dollars: bool) -> Iterator[str]:
    """Yield the pieces as Markdown."""
    before: _Piece = ""
    for index, piece in enumerate(pieces):
        if isinstance(piece, _Text):
            before_link = piece.raw.endswith("!") and pieces[index + 1 : index + 2] == ["["]
            text = _escaped(piece.raw, piece.linked, tildes, before_link, dollars)
            after_mark = isinstance(before, str) and before.startswith("[^")  # of a note
            if after_mark and text.startswith("(" if index > 1 else ("(", ":")):
                yield "\\"  # it would turn the mark into a link; at the start of a block, into a definition
            yield text
        else:
            yield piece.written if isinstance(piece, _Edge) else piece
        before = piece


def _simplified(runs: Iterable[Run], extra: str | None) -> list[Run]:
    """Reduce runs to the marks that Markdown has, and join neighbours that are now alike."""
    out = JoinedRuns(any_order=True)
    for run in with_scripts(runs):
        if run.src is None and run.note is None:
            marks = run.marks
            if extra or (marks and not _WRITTEN.issuperset(marks)):
                marks = tuple([mark for mark in marks if mark in _WRITTEN and mark != extra])
                marks = (extra, *marks) if extra else marks
            if marks is not run.marks or run.media is not None:
                run = Run(run.text, marks, run.href, formula=run.formula)
        out.add(run)
    return out.runs()


def _pieces(children: Sequence[Span | Run], in_cell: bool, linked: bool, dollars: bool) -> list[_Piece]:
    out: list[_Piece] = []
    for child in children:
        if isinstance(child, Span):
            check()
            inside = _pieces(child.children, in_cell, linked or child.mark == LINK, dollars)
            before, after = _trim(inside)
            _add_text(out, before, linked)
            out += _spanned(child, inside) if inside else []
            _add_text(out, after, linked)
        elif child.src is not None:
            alt = _escaped(child.text, linked=True, tildes=True, dollars=dollars)
            out.append(f"![{alt}]({destination(child.src)})")
        elif child.note is not None:
            out.append(f"[^{child.note.label}]")
        elif child.formula is not None:
            if out and isinstance(out[-1], str) and out[-1].endswith("$"):
                _add_text(out, " ", linked)  # two dollar signs would display it
            out.append(inline_formula(child.text, in_cell))
        elif "code" in child.marks and (code := child.text.strip()):
            before, _, after = child.text.partition(code)
            _add_text(out, before, linked)
            out += _code(code, in_cell, linked)
            _add_text(out, after, linked)
        else:
            _add_text(out, child.text, linked)
    return out


def _add_text(pieces: list[_Piece], text: str, linked: bool) -> None:
    last = pieces[-1] if pieces else None
    if isinstance(last, _Text):
        last.raw += text
    elif text:
        pieces.append(_Text(text, linked))


def _trim(pieces: list[_Piece]) -> tuple[str, str]:
    """Remove and return the white space at either end: no mark may start or end with it."""
    before = after = ""
    if pieces and isinstance(first := pieces[0], _Text):
        before = first.raw[: len(first.raw) - len(first.raw.lstrip())]
        first.raw = first.raw.lstrip()
        del pieces[: not first.raw]
    if pieces and isinstance(last := pieces[-1], _Text):
        after = last.raw[len(last.raw.rstrip()) :]
        last.raw = last.raw.rstrip()
        del pieces[len(pieces) - (not last.raw) :]
    return before, after


def _spanned(span: Span, inside: list[_Piece]) -> list[_Piece]:
    if span.mark == LINK:
        return ["[", *inside, f"]({destination(span.href or '')})"]
    first, last = inside[0], inside[-1]
    whole = isinstance(first, _Edge) and isinstance(last, _Edge) and first.mark is last.mark
    if isinstance(first, _Edge) and whole and {first.mark.name, span.mark} == {"strong", "em"}:
        first.mark.name = "strong em"
        return inside
    mark = _Mark(span.mark)
    return [_Edge(mark), *inside, _Edge(mark)]


def _code(text: str, in_cell: bool, linked: bool) -> list[_Piece]:
    if in_cell and "\\|" in text:  # readers disagree on the end of such a cell
        return ["<code>", _Text(text, linked), "</code>"]
    ticks = "`" * (1 + max((len(run) for run in _TICKS.findall(text)), default=0))
    # Any fence length that is not in the text would do; longer than all is simplest.
    padding = " " if text.startswith("`") or text.endswith("`") else ""
    return [f"{ticks}{padding}{text}{padding}{ticks}"]


def destination(address: str) -> str:
    """An address between the parentheses of a link."""
    escaped = _SPECIAL_IN_DESTINATION.sub(lambda match: "\\" + match[0], address)
    return f"<{escaped}>" if _NEEDS_ANGLES.search(address) else escaped


def _decide_edges(pieces: Sequence[_Piece]) -> None:
    """Choose asterisks for every mark where a reader will pair them, else a tag; outer marks first."""
    marks: list[_Mark] = []
    for index, piece in enumerate(pieces):
        if isinstance(piece, _Edge):
            if piece.mark.opening < 0:
                piece.mark.opening = index
                marks.append(piece.mark)
            else:
                piece.mark.closing = index
    for mark in marks:
        delimiter = _delimiter(pieces, mark)
        for index, tag in zip((mark.opening, mark.closing), _TAGS[mark.name], strict=True):
            edge = pieces[index]
            if isinstance(edge, _Edge):
                edge.written = delimiter or tag


def _delimiter(pieces: Sequence[_Piece], mark: _Mark) -> str | None:
    """The first delimiter of a mark that pairs; `None` if none does."""
    opening, closing = mark.opening, mark.closing
    before = pieces[opening - 1] if opening else " "
    after = pieces[closing + 1] if closing + 1 < len(pieces) else " "
    first, last = pieces[opening + 1], pieces[closing - 1]
    taken = {piece.written[:1] for piece in (before, first, last, after) if isinstance(piece, _Edge)}
    for delimiter in _DELIMITERS[mark.name]:
        if delimiter[0] not in taken:
            edges_only = delimiter == "_"
            if _flanks(_char(before, -1), _char(first, 0), edges_only) and _flanks(
                _char(after, 0), _char(last, -1), edges_only
            ):
                return delimiter
    return None


def _char(piece: _Piece, index: int) -> str:
    """The first or last character of a piece; markup counts as punctuation, the ends of a line are white space."""
    return piece.raw[index] if isinstance(piece, _Text) else piece if piece == " " else "*"


def _flanks(outside: str, inside: str, word_edges_only: bool) -> bool:
    """Whether a delimiter between these characters opens or closes a mark, in all editions of CommonMark.

    Editions differ on symbols outside of ASCII: punctuation since 0.31, letters before.
    """
    at_edge = outside == " " or outside in _PUNCTUATION or category(outside)[0] == "P"
    return inside != " " and (at_edge or (not word_edges_only and category(inside)[0] not in "PS"))


def _escaped(text: str, linked: bool, tildes: bool, before_link: bool = False, dollars: bool = False) -> str:
    """Escape the characters that would be read as markup, and no others."""
    if _SPECIAL.search(text) is None:
        return text

    def escape(match: re.Match[str]) -> str:
        start, stop, special = match.start(), match.end(), match[0]
        before, after = text[max(start - 1, 0) : start], text[stop : stop + 1]
        if before == after == " " and special[0] in "*_~":
            return special
        if special[0] == "_":
            return special if before.isalnum() and after.isalnum() else "\\_" * len(special)
        return special if is_harmless(special, after, stop) else "\\" + special

    def is_harmless(special: str, after: str, stop: int) -> bool:
        match special:
            case "~":
                return not tildes
            case "$":
                return not dollars
            case "\\":
                return after != "" and after not in _PUNCTUATION
            case "<":
                return not _MARKUP_START.match(text, stop)
            case "[":
                return not linked and after != "^"
            case "]":
                return not linked and after != "("
            case "!":
                return after != "" or not before_link
        return False

    escaped = _SPECIAL.sub(escape, text)
    return _ADDRESS.sub(_unlinked, escaped) if "\\" in escaped and "://" in escaped else escaped


def _unlinked(address: re.Match[str]) -> str:
    """Break the autolink of an address with escapes: GitHub would show the backslashes."""
    return address[0].replace("://", "\\://", 1) if "\\" in address[0] else address[0]
