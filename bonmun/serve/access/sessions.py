"""Sessions of browsers: an opaque cookie stands for a token, which no browser has to keep."""

import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from bonmun.serve.access.tokens import hash_of

COOKIE: Final = "bonmun_session"
LIFETIME: Final = 12 * 3600
"""Seconds after its last use at which a session ends."""
MAX_SESSIONS: Final = 1000


@dataclass(slots=True)
class _Session:
    token: str
    """The hash of the token: a token that is revoked or expires ends its sessions."""
    used: float


class Sessions:
    """The sessions of this process, the latest used last. A restart ends them. For one event loop.

    >>> sessions = Sessions()
    >>> cookie = sessions.start("the hash of a token")
    >>> sessions.token_of(cookie), sessions.token_of("another cookie")
    ('the hash of a token', None)
    >>> sessions.end(cookie)
    >>> sessions.token_of(cookie)
    """

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._sessions: OrderedDict[str, _Session] = OrderedDict()

    def start(self, token: str) -> str:
        """Start a session for a token's hash; return its cookie."""
        cookie = secrets.token_urlsafe(32)
        self._sessions[hash_of(cookie)] = _Session(token, self._clock())
        if len(self._sessions) > MAX_SESSIONS:
            self._sessions.popitem(last=False)
        return cookie

    def token_of(self, cookie: str) -> str | None:
        """Return the hash of the token that a session stands for, if it has not ended."""
        key = hash_of(cookie)
        session = self._sessions.get(key)
        if session is None:
            return None
        now = self._clock()
        if now - session.used > LIFETIME:
            del self._sessions[key]
            return None
        session.used = now
        self._sessions.move_to_end(key)
        return session.token

    def end(self, cookie: str) -> None:
        """End a session."""
        self._sessions.pop(hash_of(cookie), None)
