"""What is trained: the models of the paper, the control, and variants that change one thing each."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from bonmun.evaluate.deciles import DECILES, decile

SEEDS: Final = 5
_VALIDATION_OFFSET: Final = 5

Part = Literal["train", "validation", "test"]
Variant = Literal["raw", "permuted", "log", "log-permuted", "centre"]
Sampling = Literal["rows", "pages", "classes"]


@dataclass(frozen=True)
class Plan:
    """One network to be trained.

    `variant`: the columns as they are; D0 and D1 permuted among the rows; pixels and counts as logarithms; or the
    centres by another definition (`pool.with_variant`). `sampling`: every row as often as any other, or every page, or
    both classes equally often.
    """

    name: str
    """`visual-1` (TabNet_1), `visual-2` (TabNet_2) or `control` (TabNet_2 with permuted D0 and D1), then a suffix."""
    corpus: str
    width: int
    """The number of columns: 16 or 18."""
    seed: int
    label: str = "share"
    variant: Variant = "raw"
    sampling: Sampling = "rows"

    @property
    def id(self) -> str:
        """The name with the seed: the name of the model file."""
        return f"{self.name}-seed{self.seed}"


def part(domain: str, seed: int) -> Part:
    """Return the part of a site's pages: 80 % of the sites train, 10 % validate, 10 % test; seeds test other sites.

    >>> part("example.org", 5), part("example.org", 0), part("example.org", 1)
    ('test', 'validation', 'train')
    """
    number = decile(domain)
    if number == seed % DECILES:
        return "test"
    return "validation" if number == (seed + _VALIDATION_OFFSET) % DECILES else "train"


def main_plans(corpus: str, suffix: str = "", seeds: Sequence[int] = range(SEEDS), *, log: bool = False) -> list[Plan]:
    """Return TabNet_1, TabNet_2 and the control, with five seeds each; with `log`, of logarithms."""
    variant: Variant = "log" if log else "raw"
    permuted: Variant = "log-permuted" if log else "permuted"
    return [
        plan
        for seed in seeds
        for plan in (
            Plan(f"visual-1{suffix}", corpus, 16, seed, variant=variant),
            Plan(f"visual-2{suffix}", corpus, 18, seed, variant=variant),
            Plan(f"control{suffix}", corpus, 18, seed, variant=permuted),
        )
    ]


def variant_plans(corpus: str, seeds: Sequence[int] = range(3)) -> list[Plan]:
    """Return both models with one thing changed: label, sampling, definition of the centres."""
    plans = []
    for seed in seeds:
        for model, width in (("visual-1", 16), ("visual-2", 18)):
            plans += [
                Plan(f"{model}-single", corpus, width, seed, label="single"),
                Plan(f"{model}-pages", corpus, width, seed, sampling="pages"),
                Plan(f"{model}-classes", corpus, width, seed, sampling="classes"),
            ]
        plans.append(Plan("visual-2-centre", corpus, 18, seed, variant="centre"))
    return plans
