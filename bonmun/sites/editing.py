"""Rules edited by a person: checked, and measured again on pages of the site."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bonmun import registry
from bonmun.errors import BadRule
from bonmun.model.page import Page
from bonmun.sites.body_rule import NO_SELECTOR, BodyRule
from bonmun.sites.page_template import Overlap, Template
from bonmun.sites.selectors import BadSelector, parse_selector
from bonmun.sites.site import Site

FIELDS = ("title", "date", "author")


@dataclass(frozen=True, slots=True)
class TemplateEdit:
    """The rule of a template as a person wants it."""

    name: str
    keep: tuple[str, ...]
    drop: tuple[str, ...] = ()
    fields: Mapping[str, str] | None = None
    """Selectors of title, date and author; `None` leaves them as they are."""


def edited(site: Site, edits: Sequence[TemplateEdit], pages: Sequence[Page] = ()) -> Site:
    """Return a site with edited rules; templates that are not named stay as they are. Raise `BadRule`.

    Shares and agreement of an edited rule are measured on the pages that it applies to. Its health starts anew.

    >>> page = "<div id=menu><a href=/>Home</a> News</div><div id=text><p>{0} is made of {1}.</div>"
    >>> words = [("Tea", "leaves and hot water"), ("Bread", "flour and yeast"), ("Glass", "sand and soda ash")]
    >>> site = Site.learn([page.format(*pair) for pair in words], host="example.org")
    >>> list(edited(site, [TemplateEdit("t1", ("div#text  p",))]).templates[0].body.keep)
    ['div#text p']
    >>> edited(site, [TemplateEdit("t1", ("p:hover",))])
    Traceback (most recent call last):
    bonmun.errors.BadRule: template 't1': invalid selector 'p:hover': unexpected ':hover'
    """
    known = {template.name: template for template in site.templates}
    for edit in edits:
        if edit.name not in known:
            raise BadRule(edit.name, "", f"no such template; there are: {', '.join(known)}")
    changes = {edit.name: edit for edit in edits}
    if len(changes) < len(edits):
        raise BadRule("", "", "a template is named twice")
    templates = [
        _edited(site, template, changes[template.name], pages) if template.name in changes else template
        for template in site.templates
    ]
    made = Site(site.host, templates, site.parameters)
    made.watch.restored({name: tuple(signals) for name, signals in site.watch.recent.items() if name not in changes})
    return made


def _edited(site: Site, template: Template, edit: TemplateEdit, pages: Sequence[Page]) -> Template:
    keep = dict.fromkeys(_valid(edit.name, selector) for selector in edit.keep)
    if not keep:
        raise BadRule(edit.name, "", "a rule needs at least one selector to keep")
    shares = {selector: template.body.keep.get(selector, 1.0) for selector in keep}
    body = replace(template.body, keep=shares, drop=tuple(_valid(edit.name, selector) for selector in edit.drop))
    fields = template.fields if edit.fields is None else _fields(edit)
    changed = replace(template, body=body, fields=fields, stale=None)
    return _measured(site, changed, [page for page in pages if _applies(site, template, page)])


def _fields(edit: TemplateEdit) -> dict[str, str]:
    fields = edit.fields or {}
    for name in fields:
        if name not in FIELDS:
            raise BadRule(edit.name, "", f"no field named {name!r}; there are: {', '.join(FIELDS)}")
    return {name: _valid(edit.name, selector) for name, selector in fields.items()}


def _valid(template: str, selector: str) -> str:
    try:
        return str(parse_selector(selector))
    except BadSelector as error:
        raise BadRule(template, selector, str(error)) from error


def _applies(site: Site, template: Template, page: Page) -> bool:
    return template.shape is None or template.name in [one.name for one in site.templates_of(page)[0]]


def _measured(site: Site, template: Template, pages: Sequence[Page]) -> Template:
    """Return a template with the shares and the agreement of its rule on some pages; itself without pages."""
    auto, body = registry.method("auto"), template.body
    overlaps: list[Overlap] = []
    held = [0] * len(body.keep)
    for page in pages:
        deciders = body.deciders(page, body.rows(page))
        kept = body.states(page, deciders)
        overlaps.append(Overlap.of(page, kept, auto.judge(page)))
        for number, chars, keep in zip(deciders, page.blocks.chars, kept, strict=True):
            if keep and number != NO_SELECTOR:
                held[number] += chars
    shares = [overlap.share for overlap in overlaps if overlap.rule]
    if not shares:
        return template
    agreement = round(sum(overlap.agreement for overlap in overlaps) / len(overlaps), 3)
    share = (round(min(shares), 3), round(max(shares), 3))
    return replace(template, body=_with_shares(body, held, site), agreement=agreement, share=share)


def _with_shares(body: BodyRule, held: Sequence[int], site: Site) -> BodyRule:
    """Return a rule with the shares of its selectors; the largest is a main selector, whatever its share."""
    total, most = sum(held), max(held)
    least = site.parameters.main_share
    shares = [max(chars / total, least if chars == most else 0.0) for chars in held]
    return replace(body, keep={name: round(share, 3) for name, share in zip(body.keep, shares, strict=True)})
