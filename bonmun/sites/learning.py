"""Learn templates from pages: cluster by shape, judge a sample of each class by `auto`, learn a rule per class."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from bonmun import registry
from bonmun.deadline import within
from bonmun.limits import DEFAULT_LIMITS
from bonmun.model.page import Page
from bonmun.sites.clustering import Grouping
from bonmun.sites.evidence import JudgedPage, gather, survey
from bonmun.sites.page_template import Template, learn_template
from bonmun.sites.parameters import Parameters
from bonmun.sites.shape import Shape, shape_of

ANY = "any"
"""The name of the fallback template, for pages similar to no other."""
_MAX_PAGES = 4000
"""Maximum number of pages in memory while learning; beyond it new classes are only counted."""
_MULTIPLIER = 0x9E3779B1  # of multiplicative hashing


@dataclass(slots=True)
class _Reservoir:
    """A uniform sample of a class's pages, of bounded size."""

    size: int
    count: int = 0
    pages: list[Page] = field(default_factory=list)

    def add(self, page: Page) -> None:
        """Add a page by deterministic reservoir sampling: the page's number is the source of randomness."""
        self.count += 1
        if len(self.pages) < self.size:
            self.pages.append(page)
            return
        place = self.count * _MULTIPLIER % 2**32 % self.count
        if place < self.size:
            self.pages[place] = page


def learn_templates(
    pages: Iterable[Page], parameters: Parameters, today: date, first_number: int = 1
) -> list[Template]:
    """Return the templates of a site's pages, the most common first, the fallback last.

    Pages of more than `parameters.most_blocks` blocks are left out.
    """
    grouping = Grouping(parameters.similarity, approximate=parameters.approximate)
    samples: list[_Reservoir] = []
    kept = 0
    for page in pages:
        if len(page.blocks) > parameters.most_blocks:
            continue
        number = grouping.place(shape_of(page.nodes))
        if number == len(samples):
            samples.append(_Reservoir(parameters.most_judged if kept < _MAX_PAGES else 0))
        before = len(samples[number].pages)
        samples[number].add(page)
        kept += len(samples[number].pages) - before
    return _from_samples(samples, grouping.shapes, parameters, today, first_number)


def _from_samples(
    samples: Sequence[_Reservoir], shapes: Sequence[Shape], parameters: Parameters, today: date, first_number: int
) -> list[Template]:
    large = [index for index, sample in enumerate(samples) if sample.count >= parameters.least_pages and sample.pages]
    large.sort(key=lambda index: (-samples[index].count, index))
    every = _spread([page for sample in samples for page in sample.pages], parameters.most_judged)
    auto = registry.method("auto")
    wanted = {id(page): page for pages in (*(samples[index].pages for index in large), every) for page in pages}
    tree, placed = survey([_judged(auto, page) for page in wanted.values()])
    places = dict(zip(wanted, placed, strict=True))

    def learned(name: str, pages: Sequence[Page], shape: Shape | None, support: int) -> Template | None:
        evidence = gather(tree, [places[id(page)] for page in pages], parameters)
        return learn_template(name, evidence, shape, support, today, parameters)

    templates: list[Template] = []
    for index in large:
        name = f"t{first_number + len(templates)}"
        template = learned(name, samples[index].pages, shapes[index], samples[index].count)
        templates += [template] if template else []
    if len(every) >= parameters.least_pages:
        if len(templates) == 1 and set(map(id, every)) == set(map(id, samples[large[0]].pages)):
            return [*templates, replace(templates[0], name=ANY, shape=None)]
        template = learned(ANY, every, None, sum(sample.count for sample in samples))
        templates += [template] if template else []
    return templates


def _judged(auto: registry.Method, page: Page) -> JudgedPage:
    with within(DEFAULT_LIMITS.seconds):
        return JudgedPage(page, auto.judge(page))


def _spread(pages: Sequence[Page], size: int) -> list[Page]:
    """Return at most `size` pages, evenly spaced."""
    if len(pages) <= size:
        return list(pages)
    return [pages[index * len(pages) // size] for index in range(size)]
