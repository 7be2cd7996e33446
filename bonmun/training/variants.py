"""Pages learned twice: as they are, and with random class and id names, as bundlers of style sheets write them."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from bonmun.evaluate.corpora import Case, Corpus
from bonmun.evaluate.renaming import anonymous, renamed


@dataclass(frozen=True)
class TrainingPage:
    """A page of a corpus, or a variant of it."""

    corpus: str
    case: Case
    variant: bool = False


def training_pages(corpora: Sequence[Corpus], variants: bool) -> Iterator[TrainingPage]:
    """Yield every page; with `variants` each is followed by a renamed copy."""
    for corpus in corpora:
        for case in corpus.cases():
            yield TrainingPage(corpus.name, case)
            if variants:
                yield TrainingPage(corpus.name, variant_of(case), variant=True)


def variant_of(case: Case) -> Case:
    """Return the page with other names, every second one also without semantic tags.

    >>> page = Case("1", "<main class=tea><p id=a>Tea</main>")
    >>> "tea" in variant_of(page).html, "Tea" in variant_of(page).html
    (False, True)
    """
    odd = hashlib.md5(case.id.encode(errors="replace"), usedforsecurity=False).digest()[0] % 2
    mutation = anonymous if odd else renamed
    return replace(case, html=mutation(case.html, f"variant {case.id}"))
