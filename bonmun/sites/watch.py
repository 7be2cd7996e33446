"""Detect stale templates from the last pages of a site."""

from collections import deque
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field, replace

from bonmun.sites.application import Application, title_of
from bonmun.sites.evidence import JudgedPage
from bonmun.sites.health import Condition, Health, stale_because
from bonmun.sites.page_template import Template
from bonmun.sites.parameters import Parameters

_MAX_FINGERPRINTS = 64
"""Maximum number of remembered fingerprints of kept texts."""


@dataclass
class Watch:
    """The last health signals of each template, and the last unmatched pages."""

    parameters: Parameters
    recent: dict[str, deque[Health]] = field(default_factory=dict)
    earlier: dict[bytes, str] = field(default_factory=dict)
    """The fingerprints of the last kept texts, with the titles of their pages."""
    pending: deque[JudgedPage] = field(default_factory=deque)
    """The last unmatched pages."""
    _unmatched: deque[bool] = field(default_factory=deque)
    """Whether each of the last pages matched no template."""
    _unseen: dict[str, int] = field(default_factory=dict)
    """The number of pages since each template last matched."""

    def signals(self, name: str) -> deque[Health]:
        """Return the last health signals of a template."""
        return self.recent.setdefault(name, deque(maxlen=self.parameters.window))

    def note(
        self, applications: Sequence[Application], judged: JudgedPage, templates: Sequence[Template]
    ) -> list[Template]:
        """Record the results of a page, and return all templates with their current state."""
        for application in applications:
            self.signals(application.template.name).append(application.health)
        healthy = next((tried for tried in applications if tried.health.condition is Condition.OK), None)
        if healthy and healthy.fingerprint:
            self.earlier[healthy.fingerprint] = title_of(judged.page)
            for old in list(self.earlier)[:-_MAX_FINGERPRINTS]:
                del self.earlier[old]
        if healthy is None or (applications and healthy is not applications[0]):
            self.pending.append(judged)
            while len(self.pending) > self.parameters.most_pending:
                self.pending.popleft()
        names = {
            application.template.name for application in applications if application.health.reason != "rule-missing"
        }
        self._count(names, unmatched=healthy is None, templates=templates)
        return [self._marked(template) for template in templates]

    def _count(self, matched: Container[str], *, unmatched: bool, templates: Sequence[Template]) -> None:
        self._unmatched.append(unmatched)
        while len(self._unmatched) > self.parameters.window:
            self._unmatched.popleft()
        for template in templates:
            self._unseen[template.name] = 0 if template.name in matched else self._unseen.get(template.name, 0) + 1

    def _marked(self, template: Template) -> Template:
        if template.valid_until is not None:
            return template
        signals = list(self.signals(template.name))
        reason = self._failing(template, signals) or self._gone(template)
        if reason is None and template.stale is not None:
            last = signals[-int(self.parameters.failures) :]
            healthy = [signal for signal in last if signal.condition is Condition.OK]
            reason = None if len(healthy) >= self.parameters.failures else template.stale
        return template if reason == template.stale else replace(template, stale=reason)

    def _failing(self, template: Template, signals: Sequence[Health]) -> str | None:
        """Return why the last signals make a template stale, `None` if they do not.

        The fallback template is tried on all otherwise unmatched pages, so it must fail on all of the last ones.
        """
        if template.shape is None and (
            len(signals) < self.parameters.window or any(signal.condition is Condition.OK for signal in signals)
        ):
            return None
        return stale_because(signals, self.parameters)

    def _gone(self, template: Template) -> str | None:
        """Return why a template is stale that no longer matches while most pages match nothing, else `None`."""
        window = self.parameters.window
        if template.shape is None or self._unseen.get(template.name, 0) < window:
            return None
        if sum(self._unmatched) < self.parameters.failures:
            return None
        return f"none of the last {window} pages had its shape, and {sum(self._unmatched)} matched no template"

    def learned(self, ended: Sequence[str]) -> None:
        """Reset after relearning: forget the unmatched pages and the ended templates."""
        self.pending.clear()
        self._unmatched.clear()
        self._unseen.clear()
        for name in ended:
            self.recent.pop(name, None)

    def restored(self, recent: Mapping[str, Sequence[Health]]) -> None:
        """Restore the health signals of a site file."""
        for name, signals in recent.items():
            self.signals(name).extend(signals)
