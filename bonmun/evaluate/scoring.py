"""Score stored outputs against the gold; scores by the same code and gold are not computed again."""

from collections.abc import Callable, Sequence
from functools import partial
from hashlib import blake2b
from typing import Any, Protocol

from bonmun.evaluate.corpora import Case
from bonmun.evaluate.metrics import Metric
from bonmun.evaluate.runner import BenchRun
from bonmun.evaluate.store import Store
from bonmun.evaluate.system_worker import Outcome
from bonmun.evaluate.systems import System
from bonmun.evaluate.tokens import without_line
from bonmun.evaluate.truth import Truth
from bonmun.model.page import Page

_FAILURE = "failure"
"""Stand-in output of a failed system on a page without gold, where an empty output would score 1."""


class RenderedPages(Protocol):
    """The pages of a corpus with their layouts."""

    def page(self, case: Case) -> Page:
        """Return a page, with its layout if there is one."""

    def stamp(self, case: Case) -> str:
        """Return a hash of the layout of a page."""


def score(
    run: BenchRun,
    metrics: Sequence[Metric],
    store: Store,
    done: Callable[[int], None] = lambda _: None,
    *,
    rendered: RenderedPages | None = None,
) -> None:
    """Score every stored output of a run by every metric; `done` gets the number of outputs scored.

    `rendered` gives the pages with their layouts to the metrics that ask what is visible.
    """
    corpus = run.corpus.name
    known = {(system.name, metric.name): store.scores(system, corpus, metric.name)
             for system in run.systems for metric in metrics}  # fmt: skip
    for case in run.corpus.cases(run.every):
        truth = Truth(case, partial(rendered.page, case) if rendered else None)
        stamps = _stamps(metrics, case, rendered.stamp(case) if rendered else "")
        for system in run.systems:
            outdated = [
                metric
                for metric in metrics
                if known[system.name, metric.name].get(case.id, ("",))[0] != stamps[metric.name]
            ]
            answer = store.answer(system, corpus, case.id) if outdated else None
            if answer is not None:
                failed = answer.status in (Outcome.ERROR, Outcome.TIMEOUT)
                text = _FAILURE if failed and not case.golds else as_text(answer.output, system)
                text = without_line(text, case.headline) if case.headline else text
                scored = [(metric.name, stamps[metric.name], metric.measure(truth, text)) for metric in outdated]
                store.put_scores(system, corpus, case.id, scored)
            done(1)


def _stamps(metrics: Sequence[Metric], case: Case, layout: str) -> dict[str, str]:
    """Return a stamp per metric: a hash of its code and of the gold. A score with another stamp is outdated."""
    truth = repr((case.golds, case.headline, case.present, case.absent, case.lang, case.digest)) + layout
    digest = blake2b(truth.encode(errors="replace"), digest_size=6).hexdigest()
    return {metric.name: f"{metric.stamp}-{digest}" for metric in metrics}


def as_text(output: str, system: System) -> str:
    """Return an output as plain text; HTML is converted by Resiliparse, one line per block.

    Peers that return HTML leave the conversion to their users; here it is the same for all of them.

    >>> as_text("<div><p>Tea is <b>hot</b>.</p><p>Milk is not.</p></div>", System("x", "1", (), form="html"))
    'Tea is hot.\\n\\nMilk is not.'
    """
    if system.form != "html" or not output.strip():
        return output
    from resiliparse.extract.html2text import extract_plain_text

    options: dict[str, Any] = {"main_content": False, "list_bullets": False, "alt_texts": False, "links": False}
    return str(extract_plain_text(output, **options))
