"""Rules and what they picked, in words."""

from collections.abc import Sequence

from bonmun.model.page import Page
from bonmun.sites.application import Application
from bonmun.sites.page_template import Template

_SHORTEN = 70


def rules_explained(host: str, templates: Sequence[Template]) -> list[str]:
    """What each template keeps and drops, where it looks for fields, and how far it can be trusted."""
    lines = [f"{host or 'a site'}: {len(templates)} templates"]
    for template in templates:
        look = f"{template.shape.size} block paths" if template.shape else "pages of any look"
        lines.append(
            f"{template.name} · {template.pages} pages · {look} · agrees with auto {template.agreement:.0%}"
            f" · keeps {template.share[0]:.0%} to {template.share[1]:.0%} of the text{_dates(template)}"
        )
        lines += [f"  keep  {selector}  ({share:.0%} of the body)" for selector, share in template.body.keep.items()]
        lines += [f"  drop  {selector}" for selector in template.body.drop]
        lines += [f"  drop  the text {_short(text)!r}" for text in template.body.texts]
        lines += [f"  {name}  {selector}" for name, selector in template.fields.items()]
    return lines


def explained(page: Page, applications: Sequence[Application], similarity: float) -> list[str]:
    """What the rules that were tried picked on a page, and why."""
    head = page.url or "a page"
    lines = [line for application in applications for line in _applied(head, application)]
    if not any(application.rules for application in applications):
        lines.append(f"{head}: no template holds (like the nearest: {similarity:.0%}); auto decides")
    return lines


def _applied(head: str, application: Application) -> list[str]:
    overlap, body = application.overlap, application.template.body
    lines = [
        f"{head}: {application.template.name} (like it: {application.similarity:.0%})"
        f" · {overlap.rule:,} of {overlap.all:,} characters"
        f" · in common with auto {overlap.agreement:.0%} · {application.health}"
    ]
    for number, name in enumerate((*body.keep, *body.drop)):
        held = application.held.get(name)
        what = "keep" if number < len(body.keep) else "drop"
        lines.append(f"  {what}  {name}: {'not on this page' if held is None else f'{held:,} characters'}")
    return lines


def _dates(template: Template) -> str:
    since = f" · since {template.valid_from}" if template.valid_from else ""
    until = f" until {template.valid_until}" if template.valid_until else ""
    return f"{since}{until}{f' · stale: {template.stale}' if template.stale else ''}"


def _short(text: str) -> str:
    return text if len(text) <= _SHORTEN else f"{text[:_SHORTEN]}…"
