"""How a model is made: every number that was chosen, in one place."""

from dataclasses import dataclass, field
from typing import Any, Final

from bonmun.methods.learned.choice import EMPTY

TREES: Final = 550


@dataclass(frozen=True)
class Recipe:
    """What training does. The defaults are those of the shipped model."""

    folds: int = 5
    seed: int = 0
    trees: int = TREES
    first_trees: float = 80 / 550
    """The share of the trees that settles easy blocks."""
    settled: tuple[float, float] = (-2.5, 3.0)
    """Sums of the first trees beyond which a block is settled."""
    type_trees: int = 80
    confidence_trees: int = 120
    jobs: int = 1
    """Processes that measure pages, and threads that grow trees; the model does not depend on it."""
    empty: float = EMPTY
    found: float = 0.5
    """The share of a gold that has to be on the page; a page with less teaches nothing, but counts as a result."""
    page_weight: float = 0.5
    """A page counts as its number of blocks to this power."""
    rare: float = 0.1
    """A language with a smaller share of the pages counts four times."""
    fewest_terms: int = 12
    """Pages that a term's bucket has to be on, else its weight is 0."""
    fewest_names: int = 8
    fewest_of_type: int = 20
    """Pages of a type without which it is not predicted."""
    boosting: dict[str, Any] = field(
        default_factory=lambda: {
            "objective": "cross_entropy",
            "learning_rate": 0.05,
            "num_leaves": 31,
            "min_data_in_leaf": 150,
            "feature_fraction": 0.3,
            "bagging_fraction": 0.7,
            "bagging_freq": 1,
            "lambda_l2": 5.0,
            "max_bin": 255,
            "min_data_in_bin": 1,
            "feature_pre_filter": False,
            "use_missing": False,
            "deterministic": True,
            "force_row_wise": True,
            "verbosity": -1,
        }
    )

    def described(self) -> dict[str, Any]:
        """What the card says: all that the model depends on."""
        told = {"seed": self.seed, "folds": self.folds, "trees": self.trees, "empty": self.empty}
        return {**told, **{name: value for name, value in self.boosting.items() if name != "verbosity"}}


SAME_TYPE: Final = {"news": "article", "blog": "article", "post": "article", "thread": "forum", "docs": "documentation"}
"""What corpora call the same type otherwise."""
UNKNOWN: Final = "unknown"
NO_TYPE: Final = frozenset({UNKNOWN, "other", ""})
