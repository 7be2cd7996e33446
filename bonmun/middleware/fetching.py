"""One step of a fetch at a time: each turn of a host sends one request at most.

A fetch goes on with another turn after its robots.txt, a redirect or a failed attempt, at the host that is asked next.
"""

import random
import ssl
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import httpcore2
from ada_url import URL

from bonmun.errors import BadStatus, BonmunError, FetchError, FetchTimeout, TooManyRedirects
from bonmun.middleware.exchange import NetworkFacts, Request, SourcePage
from bonmun.middleware.hops import REDIRECTS, one_line, parsed, public_error, reason, status_line
from bonmun.middleware.network_settings import NetworkSettings
from bonmun.middleware.responses import Answer, Client
from bonmun.middleware.robots import MAX_BYTES, RobotsFile, RobotsFiles
from bonmun.middleware.robots import REDIRECTS as ROBOTS_REDIRECTS
from bonmun.middleware.transport import Meter
from bonmun.middleware.turns import Turns

_BUSY = frozenset({429, 503})
_TRIED_AGAIN = _BUSY | {500, 502, 504}
_BROKEN = (
    *(ConnectionResetError, ConnectionAbortedError, BrokenPipeError, ssl.SSLEOFError, ssl.SSLZeroReturnError),
    *(httpcore2.RemoteProtocolError, httpcore2.NetworkError),
)


class Fetch:
    """A fetch under way."""

    def __init__(self, request: Request, robots_only: bool = False) -> None:
        self.request, self.robots_only = request, robots_only
        self.trail = [request.url]
        self.url: URL | None = None
        self.host = ""
        self.attempts, self.seconds = 1, 0.0
        self.used = False
        """Whether the last step sent a request."""
        self.started = False
        self._meter: Meter | None = None
        self._aborted = False
        self.failure: FetchError | None = None
        try:
            self.go_to(parsed(request.url))
        except FetchError as error:
            self.failure = error

    def go_to(self, url: URL) -> None:
        """Ask this URL next."""
        self.url, self.host = url, url.hostname

    def meter(self, seconds: float) -> Meter:
        """The limits of the next request."""
        self._meter = Meter(seconds)
        if self._aborted:
            self._meter.abort()
        return self._meter

    def abort(self) -> None:
        """End the request under way."""
        self._aborted = True
        if self._meter is not None:
            self._meter.abort()


@dataclass(frozen=True, slots=True)
class Later:
    """A fetch goes on at a turn of this host, not before this time."""

    host: str
    at: float = 0.0


class Steps:
    """Carries fetches on."""

    def __init__(self, settings: NetworkSettings, client: Client, turns: Turns) -> None:
        self._settings, self._client, self._turns = settings, client, turns
        self._robots = RobotsFiles()

    def step(self, fetch: Fetch, lane: int) -> SourcePage | BonmunError | Later:
        """Do what the fetch needs next."""
        fetch.used = False
        try:
            if fetch.url is None:
                raise fetch.failure or FetchError("not a valid URL")
            if self._settings.honour_robots:
                file = self._robots.of(fetch.url)
                with file.lock:
                    if not file.known:
                        return self._robots_step(fetch, file, lane)
                if fetch.host != fetch.url.hostname:
                    fetch.host = fetch.url.hostname
                    return Later(fetch.host)
                file.check(fetch.url.href, self._settings.user_agent)
                self._turns.slow_down(fetch.host, self._capped(file.delay(self._settings.user_agent)))
            if fetch.robots_only:
                return SourcePage(fetch.url.href, b"")
            return self._hop(fetch, fetch.url, lane)
        # Exception: the HTTP libraries let errors of their parsers through, such as ValueError.
        except Exception as error:
            return public_error(_named(error), fetch.trail, self._settings.seconds, "NetworkSettings")

    def _robots_step(self, fetch: Fetch, file: RobotsFile, lane: int) -> Later:
        host = file.url.hostname
        if host != fetch.host or file.not_before > time.monotonic():
            fetch.host = host
            return Later(host, file.not_before)
        try:
            answer = self._send(fetch, file.url, lane, self._settings.seconds, robots=True)
            self._take_robots(file, answer)
        except Exception as error:
            if self._may_try_again(error, file.attempts):
                file.retry(self._back_off(file.attempts))
            else:
                file.failed(_robots_failure(error, self._settings.seconds))
        self._robots.forget_old()
        target = fetch.url if file.known else file.url
        fetch.host = target.hostname if target is not None else host
        return Later(fetch.host, file.not_before)

    def _take_robots(self, file: RobotsFile, answer: Answer) -> None:
        if answer.status in REDIRECTS and answer.location:
            if file.redirects < ROBOTS_REDIRECTS:
                file.redirected(parsed(answer.location, file.url.href))
                return
            # RFC 9309: too many redirects count as a missing file.
            file.answered(404, b"", self._settings.user_agent)
        elif answer.status in _TRIED_AGAIN and file.attempts <= self._settings.retries:
            wait = self._back_off(file.attempts, answer.retry_after)
            self._turns.leave_alone(file.url.hostname, wait)
            file.retry(wait)
        else:
            file.answered(answer.status, answer.content, self._settings.user_agent)

    def _hop(self, fetch: Fetch, url: URL, lane: int) -> SourcePage | Later:
        start = time.monotonic()
        try:
            answer = self._send(fetch, url, lane, self._settings.seconds - fetch.seconds)
        except Exception as error:
            fetch.seconds += time.monotonic() - start
            if not self._may_try_again(error, fetch.attempts):
                raise
            return self._attempt_again(fetch, self._back_off(fetch.attempts))
        fetch.seconds += time.monotonic() - start
        if 200 <= answer.status < 300:
            return _page(fetch, url, answer)
        if answer.status in REDIRECTS and answer.location:
            return self._redirected(fetch, url, answer.location)
        if answer.status in _TRIED_AGAIN and fetch.attempts <= self._settings.retries:
            wait = self._back_off(fetch.attempts, answer.retry_after)
            if answer.status in _BUSY:
                self._turns.leave_alone(fetch.host, wait)
            return self._attempt_again(fetch, wait)
        raise BadStatus(status_line(answer.status))

    def _redirected(self, fetch: Fetch, url: URL, location: str) -> Later:
        if len(fetch.trail) > self._settings.redirects:
            raise TooManyRedirects(f"more than {self._settings.redirects} redirects")
        fetch.trail.append(location)
        target = parsed(location, url.href)
        fetch.trail[-1] = target.href
        fetch.go_to(target)
        return Later(fetch.host)

    def _send(self, fetch: Fetch, url: URL, lane: int, seconds: float, robots: bool = False) -> Answer:
        meter = fetch.meter(seconds)
        try:
            return self._client.get(url, lane, meter, MAX_BYTES if robots else self._settings.max_bytes, cut=robots)
        finally:
            fetch.used = meter.sent

    def _attempt_again(self, fetch: Fetch, wait: float) -> Later:
        fetch.attempts += 1
        return Later(fetch.host, time.monotonic() + wait)

    def _may_try_again(self, error: Exception, attempts: int) -> bool:
        return isinstance(error, _BROKEN) and attempts <= self._settings.retries

    def _back_off(self, attempts: int, retry_after: str | None = None) -> float:
        """Seconds to wait after so many attempts: twice as long each time, with jitter, or what the server asks for."""
        asked = _seconds_of(retry_after) if retry_after else None
        jittered = self._settings.backoff * 2.0 ** min(attempts - 1, 30) * random.uniform(0.5, 1)
        return self._capped(jittered if asked is None else max(asked, jittered))

    def _capped(self, seconds: float) -> float:
        return min(seconds, self._settings.max_wait)


def _seconds_of(retry_after: str) -> float | None:
    """The wait of a Retry-After header: seconds, or a date; `None` if it is neither.

    >>> _seconds_of("120"), _seconds_of("Sun, 06 Nov 1994 08:49:37 GMT"), _seconds_of("soon")
    (120.0, 0.0, None)
    """
    text = retry_after.strip()
    if text.isascii() and text.isdecimal():
        return float(text[:12])
    try:
        date = parsedate_to_datetime(text)
    except ValueError:
        return None
    aware = date if date.tzinfo else date.replace(tzinfo=UTC)
    return max(0.0, (aware - datetime.now(UTC)).total_seconds())


def _page(fetch: Fetch, url: URL, answer: Answer) -> SourcePage:
    facts = NetworkFacts(
        requested_url=fetch.request.url,
        status=answer.status,
        http_version=answer.http_version,
        redirects=tuple(fetch.trail[:-1]),
        attempts=fetch.attempts,
        from_cache=answer.from_cache,
        received_bytes=answer.received_bytes,
        seconds=fetch.seconds,
        fetched_at=datetime.now(UTC),
    )
    return SourcePage(url.href, answer.content, answer.content_type, fetch.request.source, facts)


def _robots_failure(error: Exception, seconds: float) -> FetchError:
    named = _named(error)
    if isinstance(named, FetchError):
        return named
    if isinstance(named, TimeoutError):
        return FetchTimeout(f"no complete response within {seconds:g} s (NetworkSettings.seconds)")
    return FetchError(one_line(reason(named)))


def _named(error: Exception) -> Exception:
    """An error of the HTTP library in our words."""
    match error:
        case httpcore2.ProxyError():
            return FetchError(f"the proxy answered {one_line(str(error))}")
        case httpcore2.RemoteProtocolError() if "complete" in str(error) or "incomplete" in str(error):
            return FetchError("the response is truncated")
        case httpcore2.RemoteProtocolError() if "disconnected" in str(error):
            return FetchError("the server closed the connection without a response")
        case httpcore2.ProtocolError():
            return FetchError(f"invalid HTTP response: {one_line(str(error))}")
        case _:
            return error
