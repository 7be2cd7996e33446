"""Hyperparameters of fine-tuning, all in one place."""

from dataclasses import dataclass, field
from typing import Any, Final

from bonmun.training.recipe import COMMON, telling

FEWEST_PAGES: Final = 3
"""Minimum number of corrected pages: one to learn from, one to choose by and one to measure."""


@dataclass(frozen=True)
class Settings:
    """The settings of a fine-tuning.

    Chosen among nine variants on groups of `boards_dev` and `daniel_dev`, five corrected pages each. Eight leaves won
    as much as four on single sites, and lost less on wikis (-.004 instead of -.055). Added weights of names gained
    .011 on 12 groups, trees .047, both together no more than trees.
    """

    seed: int = 0
    jobs: int = 1
    """Processes that measure pages, and threads of LightGBM; the model does not depend on it."""
    counts: tuple[int, ...] = (0, 5, 10, 20, 40, 80)
    """Numbers of extra trees to choose from; 0 leaves the model as it is."""
    least_gain: float = 0.005
    """Minimum gain in F1 on held-out pages. Without it, five pages of mixed boards lost .007 on the others."""
    single_pages: int = 10
    """Up to as many pages are held out one by one, more of them in `groups`."""
    groups: int = 5
    boosting: dict[str, Any] = field(
        default_factory=lambda: {
            **COMMON,
            "learning_rate": 0.1,
            "num_leaves": 8,
            "min_data_in_leaf": 3,
            "max_bin": 63,
        }
    )

    def described(self) -> dict[str, Any]:
        """Return the settings for the report."""
        own = {"seed": self.seed, "counts": list(self.counts), "least_gain": self.least_gain}
        return own | telling(self.boosting)
