"""The learned method: every block measured, a probability for each, and the choice that promises the best page."""

from array import array
from bisect import bisect_left
from collections.abc import Container, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Self

from bonmun.features.choice import SNIPPET, choose
from bonmun.features.columns import COLUMNS
from bonmun.features.matrix import feature_matrix
from bonmun.features.measured import words_of_size
from bonmun.features.naming import FAR
from bonmun.features.summary import SUMMARY, summary
from bonmun.methods.comments import comment_lists
from bonmun.methods.learned_model import LearnedModel, shipped
from bonmun.methods.learned_reasons import Reasons
from bonmun.methods.model_file import Model, naming, read_model
from bonmun.methods.trimming import closing_notices, titles_elsewhere, told_again
from bonmun.model.block import KINDS, Blocks, Kind
from bonmun.model.page import Page
from bonmun.model.verdict import Later, Reason, Verdicts, nothing

_IMAGE, _CAPTION = KINDS.index(Kind.IMAGE), KINDS.index(Kind.CAPTION)
_SIZE, _NAMED_COMMENTS = COLUMNS.index("size"), COLUMNS.index("named_comments")
_LIKELY = 0.4  # how likely a page has to be an article for comments to be no part of it, whatever the trees say
_LEAST = 0.1  # of what is kept that has to be left without them
_PART_OF_A_TEXT = frozenset(KINDS.index(kind) for kind in (Kind.HEADING, Kind.CODE, Kind.CELL))
_INSIDE = Reason("inside", "the text before and after it is kept")
_PIECE = Reason("snippet", "so short a page is a piece of one, and is taken as it is")
_NOTHING = Reason("nothing-promising", "no text that is likely to be what a reader came for")


class Learned:
    """The method ``"auto"``: a model trained on pages of many kinds in several languages decides."""

    name = "auto"

    def __init__(self, model: Model | None = None, beta: float = 1.0) -> None:
        self._model = shipped() if model is None else LearnedModel.of(model)
        self._beta = beta

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Self:
        """The method with a model of your own, as `bonmun train` writes it."""
        model = read_model(path)
        with naming(path):
            return cls(model)

    def preferring(self, beta: float) -> "Learned":
        """The same model, with recall worth `beta` times as much as precision."""
        other = object.__new__(type(self))
        other._model, other._beta = self._model, beta
        return other

    def judge(self, page: Page) -> Verdicts:
        """Keep the blocks that together promise the best F score."""
        model, blocks = self._model, page.blocks
        if not len(blocks):
            return nothing(0, Reason("no-text", "nothing on the page can be read"))
        matrix = feature_matrix(page, model.weights)
        raw = model.raw_scores(matrix)
        sizes = [words_of_size(size) for size in memoryview(matrix).cast("f")[_SIZE :: len(COLUMNS)]]
        keep, expected = choose(raw, sizes, self._beta, model.empty)
        snippet = sum(sizes) <= SNIPPET
        keep = _readable(blocks) if snippet else keep
        figures = array("f", summary(COLUMNS, matrix, raw, sizes, keep))
        about = figures.tobytes()
        kind, likely = model.page_type(about)
        overruled = dict.fromkeys((at for at, kept in enumerate(keep) if kept and snippet), _PIECE)
        for at, reason in _no_part_of_it(page, keep, matrix, kind == "article" and likely >= _LIKELY).items():
            keep[at], overruled[at] = 0, reason
        for at in _holes(blocks, keep, overruled):
            keep[at], overruled[at] = 1, _INSIDE
        _keep_pictures_inside(blocks, keep)
        return Verdicts(
            keep=keep,
            score=Later(len(blocks), lambda: model.calibrated(raw)),
            reasons=Reasons(model.trees, matrix, keep, overruled),
            confidence=model.confidence(about),
            notes=() if any(keep) else (_NOTHING,),
            analysis=PageFigures(kind, likely, expected, figures),
            page_type=kind,
            comments=Later(len(blocks), lambda: _comments(page, keep, kind)),
        )


@dataclass(frozen=True)
class PageFigures:
    """What the learned method thinks of the page as a whole."""

    page_type: str
    page_type_probability: float
    expected_f1: float
    """Of the choice, if the scores are right; `confidence` also knows how far such promises are kept."""
    figures: Sequence[float]

    def to_dict(self) -> dict[str, object]:
        """The figures by name."""
        return {
            "page_type": self.page_type,
            "page_type_probability": self.page_type_probability,
            "expected_f1": self.expected_f1,
            "figures": dict(zip(SUMMARY, self.figures, strict=True)),
        }


def _readable(blocks: Blocks) -> bytearray:
    """What can be read of a piece of a page: all that is shown and is more than links."""
    columns = zip(blocks.chars, blocks.link_chars, blocks.flags, strict=True)
    return bytearray(bool(chars and 2 * links < chars and not flags) for chars, links, flags in columns)


def _holes(blocks: Blocks, keep: Sequence[int], decided: Container[int]) -> list[int]:
    """Headings, code and cells of a table that were left out in the middle of the text."""
    columns = enumerate(zip(blocks.kind_code, blocks.chars, blocks.flags, strict=True))
    shown = [(at, kind) for at, (kind, chars, flags) in columns if chars and not flags]
    missing = [one for one in shown if one[1] in _PART_OF_A_TEXT and not keep[one[0]] and one[0] not in decided]
    others = {kind: [at for at, other in shown if other != kind] for kind in {kind for _, kind in missing}}
    return [at for at, kind in missing if _is_between(at, others[kind], keep)]


def _is_between(at: int, others: Sequence[int], keep: Sequence[int]) -> bool:
    """Whether what stands before and what stands behind a block is kept."""
    after = bisect_left(others, at)
    beside = others[max(after - 1, 0) : after + 1]
    return len(beside) == 2 and all(keep[near] for near in beside)


def _keep_pictures_inside(blocks: Blocks, keep: bytearray) -> None:
    """A picture has no words to be judged by: it is content where the text before and after it is, captions aside."""
    spoken = [at for at, kind in enumerate(blocks.kind_code) if kind not in (_IMAGE, _CAPTION)]
    for at, kind in enumerate(blocks.kind_code):
        if kind == _IMAGE:
            keep[at] = _is_between(at, spoken, keep)


def _no_part_of_it(page: Page, keep: Sequence[int], matrix: bytes, article: bool) -> dict[int, Reason]:
    """Kept blocks that no score can tell from the text: notices, copies, and on an article its readers' comments."""
    dropped = {at for at, kept in enumerate(keep) if not kept}
    found = titles_elsewhere(page, dropped) | closing_notices(page, dropped) | told_again(page, dropped)
    near_comments = memoryview(matrix).cast("f")[_NAMED_COMMENTS :: len(COLUMNS)]
    if article and any(kept and distance < FAR for kept, distance in zip(keep, near_comments, strict=True)):
        found |= _readers_comments(page, keep)
    return found


def _readers_comments(page: Page, keep: Sequence[int]) -> dict[int, Reason]:
    """Kept blocks that are readers' comments; none where hardly anything else is kept."""
    chars = page.blocks.chars
    found = {
        at: Reason("comments", why)
        for row, why in comment_lists(page).items()
        for at in page.blocks_in(row)
        if keep[at]
    }
    left = sum(size for at, size in enumerate(chars) if keep[at] and at not in found)
    return found if left >= _LEAST * (left + sum(chars[at] for at in found)) else {}


def _comments(page: Page, keep: Sequence[int], kind: str) -> bytearray:
    """The blocks that are readers' comments; on a forum there are none, since posts are its content."""
    found = bytearray(len(keep))
    if kind == "forum":
        return found
    for row in comment_lists(page):
        for at in page.blocks_in(row):
            found[at] = not (keep[at] or page.blocks.flags[at])
    return found
