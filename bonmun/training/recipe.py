"""Hyperparameters of training, all in one place."""

from dataclasses import dataclass, field
from typing import Any, Final

from bonmun.methods.learned.choice import EMPTY

TREES: Final = 550
COMMON: Final[dict[str, Any]] = {
    "objective": "cross_entropy",
    "feature_fraction": 0.3,
    "lambda_l2": 5.0,
    "min_data_in_bin": 1,
    "feature_pre_filter": False,
    "use_missing": False,
    "deterministic": True,
    "force_row_wise": True,
    "verbosity": -1,
}
"""LightGBM's settings for all trees over blocks, of whole models and of corrections."""


@dataclass(frozen=True)
class Recipe:
    """The settings of a training run. The defaults are those of the shipped model."""

    folds: int = 5
    seed: int = 0
    trees: int = TREES
    first_trees: float = 80 / 550
    """The share of the trees in the first tier of the cascade."""
    settled: tuple[float, float] = (-2.5, 3.0)
    """Early-exit thresholds: below or above these sums of the first trees a block is settled."""
    variant_weight: float = 0.4
    """The weight of a page's variant with other class and id names, relative to the page; 0 for no variants."""
    teacher: float = 0.4
    """The trees of the teacher, as a share of the trees; it labels what the corpora of lines do not say."""
    taught_weight: float = 0.7
    """The weight of the teacher's labels."""
    conventions: bool = True
    """Whether trees see the convention of each corpus, and blocks without an opinion are left out as unknown."""
    type_trees: int = 80
    confidence_trees: int = 120
    jobs: int = 1
    """Processes that measure pages, and threads of LightGBM; the model does not depend on it."""
    empty: float = EMPTY
    least_coverage: float = 0.5
    """Minimum share of the gold that is on the page; pages below it are excluded from training, not from results."""
    page_weight: float = 0.5
    """The weight of a page is its number of blocks to this power."""
    rare: float = 0.1
    """A language with a smaller share of the pages has weight 4."""
    fewest_terms: int = 12
    """Minimum number of pages with a term's bucket; rarer buckets have weight 0."""
    fewest_names: int = 8
    """The same for names."""
    fewest_of_type: int = 20
    """Minimum number of pages of a type for it to be predicted."""
    boosting: dict[str, Any] = field(
        default_factory=lambda: {
            **COMMON,
            "learning_rate": 0.05,
            "extra_trees": True,
            "num_leaves": 31,
            "min_data_in_leaf": 150,
            "bagging_fraction": 0.7,
            "bagging_freq": 1,
            "max_bin": 255,
        }
    )

    def described(self) -> dict[str, Any]:
        """Return the settings for the model card."""
        named = ("seed", "folds", "trees", "empty", "variant_weight", "teacher", "taught_weight")
        settings = {name: getattr(self, name) for name in named}
        return settings | telling(self.boosting)


def telling(boosting: dict[str, Any]) -> dict[str, Any]:
    """Return LightGBM's settings that matter for the trees."""
    return {name: value for name, value in boosting.items() if name != "verbosity"}


SAME_TYPE: Final = {"news": "article", "blog": "article", "post": "article", "thread": "forum", "docs": "documentation"}
"""Synonyms of page types in corpora."""
UNKNOWN: Final = "unknown"
NO_TYPE: Final = frozenset({UNKNOWN, "other", ""})
