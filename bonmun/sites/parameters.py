"""The parameters of site learning."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Parameters:
    """How a site is learned and monitored. Shares are of characters; values were tuned with `bench/sites.py`."""

    similarity: float = 0.82
    """Minimum similarity to the template's seed page (the paper's value)."""
    least_pages: int = 3
    """Minimum number of pages of a template."""
    most_judged: int = 8
    """Maximum number of pages of a template that `auto` judges, evenly spaced: more add little evidence."""
    most_blocks: int = 10_000
    """Maximum number of blocks of a page to learn from. Larger pages are left out: the largest of some 2,600 pages of
    the development sets has 3,300, and learning takes time and memory for each block of each page."""
    approximate: bool = True
    """Cluster by MinHash: exact up to 16 templates, nearly exact beyond."""

    repeated_share: float = 0.4
    """A text on at least this share of a template's pages, and on two, is boilerplate."""
    repeated_length: int = 25
    """Bytes; a text of at least this length is boilerplate if two different pages have it."""
    selector_price: float = 0.05
    """Cost of a selector, as a share of all body text."""
    lift: float = 0.01
    """Maximum cost, as a share of all body text, of selecting a container instead of the element inside it."""
    main_share: float = 0.25
    """Minimum share of the body text of a main selector. A page that no main selector matches has another template."""

    trust: float = 0.5
    """Minimum agreement of rule and `auto` for `auto` to drop and add single blocks."""
    most_dropped: float = 0.25
    """Maximum share of the kept text that `auto` may drop."""
    most_added: float = 0.1
    """Maximum text outside the rule's elements that `auto` may add, as a share of the kept text."""

    field_share: float = 0.6
    """Minimum share of the pages that show a field on which its rule holds."""

    window: int = 5
    """Number of a template's last pages that determine whether it is stale."""
    failures: float = 3.0
    """Number of failures among them that make it stale."""
    doubt: float = 0.75
    """Weight of a doubtful page, as a share of a failure."""
    agreement_floor: float = 0.3
    """Minimum agreement of rule and `auto` if the kept share is out of range; below it the page is doubtful. Not so if
    the page has the template's shape or a selector matches by name: then it is a short article under long comments."""
    slack: float = 2.0
    """A kept share is out of range beyond the learned range times this factor."""
    relearn_pages: int = 6
    """Number of unmatched pages from which a stale template is relearned."""
    most_pending: int = 32
    """Maximum number of unmatched pages that are kept for relearning, the last ones."""


DEFAULT = Parameters()
