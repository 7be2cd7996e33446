"""What a site remembers of the pages it was asked about: enough to notice that a template is no longer true."""

from collections import deque
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field, replace

from bonmun.sites.application import Application, title_of
from bonmun.sites.evidence import JudgedPage
from bonmun.sites.health import Condition, Health, stale_because
from bonmun.sites.page_template import Template
from bonmun.sites.parameters import Parameters

_REMEMBERED = 64
"""Fingerprints of kept texts."""


@dataclass
class Watch:
    """The last signals of each template, and the pages that did not fit."""

    parameters: Parameters
    recent: dict[str, deque[Health]] = field(default_factory=dict)
    earlier: dict[bytes, str] = field(default_factory=dict)
    """The fingerprints of the last kept texts, with the titles of their pages."""
    pending: deque[JudgedPage] = field(default_factory=deque)
    """The last pages that did not fit."""
    _strangers: deque[bool] = field(default_factory=deque)
    _unseen: dict[str, int] = field(default_factory=dict)
    """How many pages ago each template was last met."""

    def signals(self, name: str) -> deque[Health]:
        """The last signals of a template."""
        return self.recent.setdefault(name, deque(maxlen=self.parameters.window))

    def note(
        self, applications: Sequence[Application], judged: JudgedPage, templates: Sequence[Template]
    ) -> list[Template]:
        """Take in what a page showed of the templates that were tried on it, and return them all as they stand now."""
        for application in applications:
            self.signals(application.template.name).append(application.health)
        held = next((one for one in applications if one.health.condition is Condition.OK), None)
        if held and held.fingerprint:
            self.earlier[held.fingerprint] = title_of(judged.page)
            for old in list(self.earlier)[:-_REMEMBERED]:
                del self.earlier[old]
        if held is None or (applications and held is not applications[0]):
            self.pending.append(judged)
            while len(self.pending) > self.parameters.most_pending:
                self.pending.popleft()
        names = {
            application.template.name for application in applications if application.health.reason != "rule-missing"
        }
        self._count(names, strange=held is None, templates=templates)
        return [self._marked(template) for template in templates]

    def _count(self, met: Container[str], *, strange: bool, templates: Sequence[Template]) -> None:
        self._strangers.append(strange)
        while len(self._strangers) > self.parameters.window:
            self._strangers.popleft()
        for template in templates:
            self._unseen[template.name] = 0 if template.name in met else self._unseen.get(template.name, 0) + 1

    def _marked(self, template: Template) -> Template:
        if template.valid_until is not None:
            return template
        signals = list(self.signals(template.name))
        why = self._failing(template, signals) or self._gone(template)
        if why is None and template.stale is not None:
            last = signals[-int(self.parameters.failures) :]
            healthy = [signal for signal in last if signal.condition is Condition.OK]
            why = None if len(healthy) >= self.parameters.failures else template.stale
        return template if why == template.stale else replace(template, stale=why)

    def _failing(self, template: Template, signals: Sequence[Health]) -> str | None:
        """Why the last signals make a template stale.

        One for pages of any look is asked about all that nothing else fits: it has to fail on all of the last pages.
        """
        if template.shape is None and (
            len(signals) < self.parameters.window or any(signal.condition is Condition.OK for signal in signals)
        ):
            return None
        return stale_because(signals, self.parameters)

    def _gone(self, template: Template) -> str | None:
        """Why a template whose pages come no more is stale: pages come, and most of them fit nothing."""
        window = self.parameters.window
        if template.shape is None or self._unseen.get(template.name, 0) < window:
            return None
        if sum(self._strangers) < self.parameters.failures:
            return None
        return f"none of the last {window} pages had its shape, and {sum(self._strangers)} fitted no template"

    def learned(self, ended: Sequence[str]) -> None:
        """Start anew after pages that did not fit were learned from: forget them, and templates that ended."""
        self.pending.clear()
        self._strangers.clear()
        self._unseen.clear()
        for name in ended:
            self.recent.pop(name, None)

    def restored(self, recent: Mapping[str, Sequence[Health]]) -> None:
        """Take over signals that were kept in a file."""
        for name, signals in recent.items():
            self.signals(name).extend(signals)
