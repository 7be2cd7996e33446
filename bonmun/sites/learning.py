"""From pages to templates: cluster by shape, let `auto` judge a sample of each class, learn a rule from every class."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from bonmun import registry
from bonmun.model.page import Page
from bonmun.sites.clustering import Grouping
from bonmun.sites.evidence import JudgedPage, gather, survey
from bonmun.sites.page_template import Template, learn_template
from bonmun.sites.parameters import Parameters
from bonmun.sites.shape import Shape, shape_of

ANY = "any"
"""The template for pages that look like no other's."""
_MOST_KEPT = 4000
"""Pages held in memory while a site is learned; beyond it new classes are only counted."""
_SPREAD = 0x9E3779B1


@dataclass(slots=True)
class _Reservoir:
    """Some pages of a class, evenly spread over all of them, whatever their number."""

    most: int
    count: int = 0
    pages: list[Page] = field(default_factory=list)

    def add(self, page: Page) -> None:
        """Take a page in, or not: a reservoir whose dice are the page's number."""
        self.count += 1
        if len(self.pages) < self.most:
            self.pages.append(page)
            return
        place = self.count * _SPREAD % 2**32 % self.count
        if place < self.most:
            self.pages[place] = page


def learn_templates(
    pages: Iterable[Page], parameters: Parameters, today: date, first_number: int = 1
) -> list[Template]:
    """The templates of a site's pages, the one with most pages first, the one for any page last."""
    grouping = Grouping(parameters.similarity, approximate=parameters.approximate)
    samples: list[_Reservoir] = []
    kept = 0
    for page in pages:
        number = grouping.place(shape_of(page.nodes))
        if number == len(samples):
            samples.append(_Reservoir(parameters.most_judged if kept < _MOST_KEPT else 0))
        before = len(samples[number].pages)
        samples[number].add(page)
        kept += len(samples[number].pages) - before
    return _from_samples(samples, grouping.shapes, parameters, today, first_number)


def _from_samples(
    samples: Sequence[_Reservoir], shapes: Sequence[Shape], parameters: Parameters, today: date, first_number: int
) -> list[Template]:
    large = [at for at, sample in enumerate(samples) if sample.count >= parameters.least_pages and sample.pages]
    large.sort(key=lambda at: (-samples[at].count, at))
    every = _spread([page for sample in samples for page in sample.pages], parameters.most_judged)
    auto = registry.method("auto")
    wanted = {id(page): page for pages in (*(samples[at].pages for at in large), every) for page in pages}
    tree, placed = survey([JudgedPage(page, auto.judge(page)) for page in wanted.values()])
    places = dict(zip(wanted, placed, strict=True))

    def learned(name: str, pages: Sequence[Page], shape: Shape | None, support: int) -> Template | None:
        evidence = gather(tree, [places[id(page)] for page in pages], parameters)
        return learn_template(name, evidence, shape, support, today, parameters)

    templates: list[Template] = []
    for at in large:
        name = f"t{first_number + len(templates)}"
        found = learned(name, samples[at].pages, shapes[at], samples[at].count)
        templates += [found] if found else []
    if len(every) >= parameters.least_pages:
        if len(templates) == 1 and set(map(id, every)) == set(map(id, samples[large[0]].pages)):
            return [*templates, replace(templates[0], name=ANY, shape=None)]
        found = learned(ANY, every, None, sum(sample.count for sample in samples))
        templates += [found] if found else []
    return templates


def _spread(pages: Sequence[Page], most: int) -> list[Page]:
    """At most so many of the pages, evenly spread."""
    if len(pages) <= most:
        return list(pages)
    return [pages[at * len(pages) // most] for at in range(most)]
