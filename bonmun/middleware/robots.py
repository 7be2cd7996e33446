"""robots.txt (RFC 9309): one per origin, parsed by protego, kept for an hour.

A 4xx response means that everything may be fetched; 429, 5xx and an unreachable server mean that nothing may, which is
tried again after ten minutes. Of a long file the first 500 KiB count.
"""

import re
import threading
import time
from collections import OrderedDict

from ada_url import URL
from protego import Protego

from bonmun.errors import BadStatus, FetchError, RobotsDisallowed
from bonmun.middleware.hops import status_line

MAX_BYTES = 500 * 1024
REDIRECTS = 5
_FRESH = 3600.0
_FAILED = 600.0
# Protego needs up to 70 bytes for each byte of a hostile file.
_MAX_TOTAL = 4_000_000
_LEAST_SIZE = 500
_MAX_AGENTS = 20
_AGENT = re.compile(r"\s*user[\s-]*agent[\s:]*([^#]*)", re.IGNORECASE)


class RobotsFile:
    """The robots.txt of one origin; the holder of its lock fetches it."""

    def __init__(self, origin: str) -> None:
        self.lock = threading.Lock()
        self._origin = origin
        self._rules: Protego | None = None
        self._failure: FetchError | None = None
        self._expires = 0.0
        self.size = _LEAST_SIZE
        self._restart()

    def _restart(self) -> None:
        self.url = URL(f"{self._origin}/robots.txt")
        """Where it is fetched from next: another URL after a redirect."""
        self.redirects, self.attempts, self.not_before = 0, 1, 0.0

    @property
    def known(self) -> bool:
        """Whether it has been fetched and is still fresh."""
        return time.monotonic() < self._expires

    def redirected(self, url: URL) -> None:
        """Look there next."""
        self.url, self.redirects = url, self.redirects + 1

    def retry(self, seconds: float) -> None:
        """Try again after a wait."""
        self.attempts, self.not_before = self.attempts + 1, time.monotonic() + seconds

    def answered(self, status: int, content: bytes, agent: str) -> None:
        """Take a response that is neither a redirect nor tried again."""
        if status == 429 or status >= 500:
            self.failed(BadStatus(status_line(status)))
            return
        text = content.decode("utf-8-sig", "replace") if 200 <= status < 300 else ""
        self.size = _LEAST_SIZE + len(text)
        self._settle(Protego.parse(_reduced(text, agent)), None, _FRESH)

    def failed(self, error: FetchError) -> None:
        """Take the failure to fetch it: no page of the origin is fetched for a while."""
        self._settle(None, error, _FAILED)

    def _settle(self, rules: Protego | None, failure: FetchError | None, seconds: float) -> None:
        self._rules, self._failure, self._expires = rules, failure, time.monotonic() + seconds
        self._restart()

    def check(self, url: str, agent: str) -> None:
        """Raise `RobotsDisallowed` for a URL that may not be fetched, the failure if robots.txt is unreachable."""
        if self._failure is not None:
            raise type(self._failure)(f"robots.txt: {self._failure}")
        if self._rules is not None and not self._rules.can_fetch(url, agent):
            raise RobotsDisallowed("disallowed by robots.txt")

    def delay(self, agent: str) -> float:
        """The seconds between requests that it asks for."""
        if self._rules is None:
            return 0.0
        rate = self._rules.request_rate(agent)
        return max(self._rules.crawl_delay(agent) or 0.0, rate.seconds / rate.requests if rate else 0.0)


class RobotsFiles:
    """The robots.txt of the origins used last."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._files: OrderedDict[str, RobotsFile] = OrderedDict()

    def of(self, url: URL) -> RobotsFile:
        """The file that rules over a URL."""
        with self._lock:
            file = self._files.setdefault(url.origin, RobotsFile(url.origin))
            self._files.move_to_end(url.origin)
            return file

    def forget_old(self) -> None:
        """Keep the files used last, of limited size together; called after one was fetched."""
        with self._lock:
            total = sum(file.size for file in self._files.values())
            while total > _MAX_TOTAL and len(self._files) > 1:
                total -= self._files.popitem(last=False)[1].size


def _reduced(text: str, agent: str) -> str:
    """The file with all groups of other agents under one name.

    Protego copies each rule to every agent of its group: 10,000 agents with 10,000 rules would take minutes.

    >>> _reduced("User-agent: b\\nUser-Agent: Tea/2\\nDisallow: /x", "tea/1.0").split("\\n")
    ['user-agent: not tea/1.0', 'user-agent: not tea/1.0', 'Disallow: /x']
    """
    agent, kept, lines = agent.lower(), {"*"}, []
    for line in text.splitlines():
        if match := _AGENT.match(line):
            name = match[1].strip().lower()
            if len(kept) < _MAX_AGENTS and name.replace("*", "") in agent:
                kept.add(name)
            line = f"user-agent: {name if name in kept else f'not {agent}'}"
        lines.append(line)
    return "\n".join(lines)
