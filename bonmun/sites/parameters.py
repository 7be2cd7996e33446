"""Everything about learning a site that can be set, in one place."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Parameters:
    """How a site is learned and watched. Shares are of characters; the values were chosen on `bench/sites.py`."""

    similarity: float = 0.82
    """How like its template's seed a page has to be (the paper's value)."""
    least_pages: int = 3
    """A template needs that many."""
    most_judged: int = 8
    """Pages of a template that `auto` is asked about, evenly spread: more say little new."""
    approximate: bool = True
    """Cluster by MinHash; exact up to 16 templates and nearly so beyond."""

    repeated_share: float = 0.4
    """A text on that share of a template's pages, and on two at least, is boilerplate."""
    repeated_length: int = 25
    """Bytes; a longer text is boilerplate as soon as two different pages have it."""
    selector_price: float = 0.05
    """A selector has to save that share of all body text."""
    lift: float = 0.01
    """What a rule may lose, as a share of all body text, by naming the element around rather than the one inside."""
    main_share: float = 0.25
    """A selector with that share of the body text is a main one: a page without any has another template."""

    trust: float = 0.5
    """Where rule and `auto` agree that far, `auto` may drop single blocks of what the rule keeps …"""
    most_dropped: float = 0.25
    """… up to that share of it …"""
    most_added: float = 0.1
    """… and add blocks that the rule says nothing about, up to that share."""

    field_share: float = 0.6
    """A field's rule has to hold on that share of the pages that show the field."""

    window: int = 5
    """A template is judged by its last pages, that many."""
    failures: float = 3.0
    """That many failed pages among them make it stale; a doubtful page counts `doubt`."""
    doubt: float = 0.75
    agreement_floor: float = 0.3
    """Where rule and `auto` agree less and the rule's share of the text is unheard of, the page is doubtful; unless it
    has the template's shape, or the rule found its element by name: then it is a short article under long comments."""
    slack: float = 2.0
    """A share of text beyond the learned range by that factor is unheard of."""
    relearn_pages: int = 6
    """A template that has gone stale is learned anew from that many pages that did not fit."""
    most_pending: int = 32
    """Pages that did not fit are kept for learning anew, the last ones up to that many."""


DEFAULT = Parameters()
