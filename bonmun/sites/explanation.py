"""Explain rules and their results on pages, as text."""

from collections.abc import Sequence

from bonmun.model.page import Page
from bonmun.sites.application import Application
from bonmun.sites.page_template import Template

_MAX_CHARS = 70


def rules_explained(host: str, templates: Sequence[Template]) -> list[str]:
    """Describe each template: its selectors, its fields and its agreement with `auto`."""
    lines = [f"{host or 'a site'}: {len(templates)} templates"]
    for template in templates:
        shape = f"{template.shape.size} block paths" if template.shape else "any shape"
        lines.append(
            f"{template.name} · {template.pages} pages · {shape} · agrees with auto {template.agreement:.0%}"
            f" · keeps {template.share[0]:.0%} to {template.share[1]:.0%} of the text{_dates(template)}"
        )
        lines += [f"  keep  {selector}  ({share:.0%} of the body)" for selector, share in template.body.keep.items()]
        lines += [f"  drop  {selector}" for selector in template.body.drop]
        lines += [f"  drop  the text {_short(text)!r}" for text in template.body.texts]
        lines += [f"  {name}  {selector}" for name, selector in template.fields.items()]
    return lines


def explained(page: Page, applications: Sequence[Application], similarity: float) -> list[str]:
    """Describe the result of each rule that was tried on a page."""
    head = page.url or "a page"
    lines = [line for application in applications for line in _applied(head, application)]
    if not any(application.rules for application in applications):
        lines.append(f"{head}: no template holds (nearest: similarity {similarity:.0%}); auto decides")
    return lines


def _applied(head: str, application: Application) -> list[str]:
    overlap, body = application.overlap, application.template.body
    lines = [
        f"{head}: {application.template.name} (similarity {application.similarity:.0%})"
        f" · {overlap.rule:,} of {overlap.all:,} characters"
        f" · agrees with auto {overlap.agreement:.0%} · {application.health}"
    ]
    for number, name in enumerate((*body.keep, *body.drop)):
        held = application.held.get(name)
        action = "keep" if number < len(body.keep) else "drop"
        lines.append(f"  {action}  {name}: {'not on this page' if held is None else f'{held:,} characters'}")
    return lines


def _dates(template: Template) -> str:
    since = f" · since {template.valid_from}" if template.valid_from else ""
    until = f" until {template.valid_until}" if template.valid_until else ""
    return f"{since}{until}{f' · stale: {template.stale}' if template.stale else ''}"


def _short(text: str) -> str:
    return text if len(text) <= _MAX_CHARS else f"{text[:_MAX_CHARS]}…"
