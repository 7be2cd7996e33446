"""Compare the core with its Python twins on the whole path: `python bench/twins.py [--count 100000] [--jobs 2]`.

Every page of the development sets, then mutated pages (fuzz/page_mutations.py), go through segmentation, features,
scores, choice, rules, text, Markdown, HTML, JSON with reasons, xpaths and metadata twice: with the core, and by the
twins alone. Both start from the rows of the compiled reader (bench/differential.py compares that with lexbor), for the
twins without the facts that it found on its way. Walking 550 trees in Python takes nine tenths of the time: most
pages are judged by a sixteenth of them (`--whole`). Prints the outputs that differ; exits with 1 if any do.

python bench/twins.py --every 10 --count 2000      a tenth of the sets and 2,000 mutated pages
python bench/twins.py --every 0 --first 4711 --count 1
"""

import argparse
import sys
from array import array
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import cache
from itertools import chain, islice, pairwise
from pathlib import Path
from time import monotonic
from typing import NamedTuple
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).parents[1]))

import bonmun
from bench.corpus import DATA, pages
from bonmun.core import Core, core
from bonmun.limits import Limits
from bonmun.methods.learned import Learned
from bonmun.methods.learned.cascade import Cascade
from bonmun.methods.learned.forest import Forest
from bonmun.methods.learned.model import shipped
from bonmun.model.nodes import Nodes
from bonmun.read import parse
from bonmun.read.compiled import read_compiled
from fuzz.page_mutations import mutated, sources
from tests.without_core import without_core

SEED = 1
LIMITS = bonmun.Limits(seconds=240)  # the twins are slow
BATCH, CHUNK = 500, 5
THINNED = 16
SIDES = ("left", "right")
NODES = ("feature", "threshold", *SIDES)
REASONS = bonmun.Output(reasons=True)
COMPILED = core()

Outputs = dict[str, object]


class Case(NamedTuple):
    """A page and its name in the report."""

    name: str
    source: bytes
    url: str | None
    few_trees: bool = False


def outputs(case: Case) -> Outputs:
    """Every output of a page, or the error in its place."""
    try:
        method = by_few_trees() if case.few_trees else "auto"
        document = bonmun.extract(case.source, url=case.url, limits=LIMITS, method=method)
    except bonmun.BonmunError as error:
        return {"page": repr(error)}
    verdicts = document.verdicts
    stages: dict[str, Callable[[], object]] = {
        "verdicts": lambda: (bytes(verdicts.keep), list(verdicts.score), verdicts.confidence, verdicts.page_type),
        "text": lambda: document.text,
        "markdown": lambda: document.to_markdown(title=True, front_matter=True),
        "html": lambda: document.html,
        "json": lambda: document.to_json(REASONS),
        "plain": lambda: document.with_output(bonmun.Output(links=False, images=False, tables=False)).markdown,
    }
    return {name: answer(stage) for name, stage in stages.items()}


def answer(stage: Callable[[], object]) -> object:
    try:
        return stage()
    except bonmun.BonmunError as error:
        return repr(error)


def rows(compiled: Core, html: bytes, limits: Limits) -> Nodes:
    """The rows of the compiled reader, without its facts."""
    return replace(read_compiled(compiled, html, limits))


@cache
def by_few_trees() -> Learned:
    """The shipped model with every 16th tree, whose leaves weigh 16 times as much."""
    model = shipped()
    trees, exit = thinned(model.trees), model.blocks.exit
    few = replace(
        model,
        trees=trees,
        blocks=Cascade.of(trees, replace(exit, trees=exit.trees // THINNED)),
        type_trees=tuple(map(thinned, model.type_trees)),
        trust=thinned(model.trust),
    )
    method = Learned()
    method._model = few
    return method


def thinned(forest: Forest) -> Forest:
    """Every n-th tree of a forest, with n times the leaves."""
    start = array("i", [0])
    columns = {name: array("f" if name == "threshold" else "i") for name in NODES}
    for first, stop in islice(pairwise(forest.start), 0, None, THINNED):
        moved = start[-1] - first
        for name, column in columns.items():
            nodes = getattr(forest, name)[first:stop].tolist()
            column.extend([node + moved if node >= 0 else node for node in nodes] if name in SIDES else nodes)
        start.append(stop + moved)
    leaves = array("f", [THINNED * value for value in forest.leaf])
    nodes = {name: memoryview(column) for name, column in columns.items()}
    return Forest(**nodes, leaf=memoryview(leaves), start=memoryview(start))


def by_twins(case: Case) -> Outputs:
    """Every output of a page by the twins, from the rows of the compiled reader."""
    with without_core(), patch.multiple(parse, core=lambda: COMPILED, read_compiled=rows):
        return outputs(case)


def differences(case: Case) -> tuple[str, list[str]]:
    """The name of a page, and its outputs that differ."""
    compiled, twins = outputs(case), by_twins(case)
    return case.name, [name for name in sorted(compiled.keys() | twins) if compiled.get(name) != twins.get(name)]


def corpus_cases(every: int, whole: int) -> Iterator[Case]:
    """Every n-th page of each development set; every `whole`-th of these by all trees."""
    for file in sorted(DATA.glob("*.jsonl.zst")) if every else ():
        name = file.name.removesuffix(".jsonl.zst")
        for number, record in enumerate(pages(name)):
            if number % every == 0:
                source = record["html"].encode("utf-8", "replace")
                yield Case(f"{name} {record['id']}", source, record["url"], few_trees=number // every % whole > 0)


def mutated_cases(first: int, count: int, per_corpus: int, whole: int) -> Iterator[Case]:
    """Mutations of the first pages of each set and of our golden cases; every `whole`-th by all trees."""
    real = sources(per_corpus) if count else []
    for number in range(first, first + count):
        yield Case(f"mutated {number}", *mutated(real, SEED, number), few_trees=number % whole > 0)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--every", type=int, default=1, help="every n-th page of the development sets; 0 for none")
    parser.add_argument("--count", type=int, default=100_000, help="number of mutated pages")
    parser.add_argument("--first", type=int, default=0, help="number of the first mutated page")
    parser.add_argument("--pages", type=int, default=30, help="real pages of each corpus to mutate")
    parser.add_argument("--whole", type=int, default=20, help="every n-th page is judged by all trees")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    return parser.parse_args()


def main() -> None:
    options, started = arguments(), monotonic()
    if COMPILED is None:
        sys.exit("the compiled core is missing: pip install -e . builds it")
    cases = chain(
        corpus_cases(options.every, options.whole),
        mutated_cases(options.first, options.count, options.pages, options.whole),
    )
    kinds, seen = Counter[str](), 0
    with ProcessPoolExecutor(options.jobs) as pool:
        while batch := list(islice(cases, BATCH)):
            for name, differing in pool.map(differences, batch, chunksize=CHUNK):
                seen += 1
                kinds.update(differing)
                if differing:
                    print(f"{name}: {', '.join(differing)} differ", flush=True)
            print(f"{seen:,} pages, {sum(kinds.values())} differences, {monotonic() - started:.0f} s", flush=True)
    sys.exit(1 if kinds else 0)


if __name__ == "__main__":
    main()
