"""Answers of the methods that see the page, kept in the bench's store: a page is read and drawn once for all."""

import time
from collections.abc import Callable, Sequence

from bonmun.errors import BonmunError
from bonmun.evaluate.corpora import Case, Corpus
from bonmun.evaluate.store import Store
from bonmun.evaluate.system_worker import Answer, Outcome
from bonmun.evaluate.visual.drawn import DrawnPages
from bonmun.evaluate.visual.entrants import Entrant
from bonmun.pipeline import extract
from bonmun.registry import Method


def judge(
    corpus: Corpus,
    pages: DrawnPages,
    entrants: Sequence[Entrant],
    store: Store,
    done: Callable[[int], None] = lambda _: None,
    *,
    every: int = 1,
) -> None:
    """Store the missing answers of every entrant to its test pages."""
    known = {entrant: store.answered(entrant.on(pages.digest), corpus.name) for entrant in entrants}
    methods: dict[Entrant, Method] = {}
    for case in corpus.cases(every):
        for entrant in entrants:
            if entrant.counts(corpus.name, case.domain) and known[entrant].get(case.id) != case.digest:
                method = methods.get(entrant) or methods.setdefault(entrant, entrant.make())
                store.put_answer(entrant.on(pages.digest), corpus.name, case, _answer(case, pages, method))
        done(1)


def _answer(case: Case, pages: DrawnPages, method: Method) -> Answer:
    start, begun = time.perf_counter(), time.process_time()
    try:
        if case.id not in pages:
            return Answer(Outcome.ERROR, note="RenderError: the page was not drawn")
        text = extract(pages.page(case), method=method).text
    except BonmunError as error:
        return Answer(Outcome.ERROR, note=f"{type(error).__name__}: {error}"[:500])
    spent, wall = time.process_time() - begun, time.perf_counter() - start
    return Answer(Outcome.OK if text.strip() else Outcome.EMPTY, text, spent, wall)
