"""One request and its response: through the cache, within limits of size, decompressed."""

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

import httpx2
from ada_url import URL
from hishel import CacheStatus, Entry, SqliteStorage
from hishel import Request as HishelRequest
from hishel import Response as HishelResponse
from hishel.httpx2 import CacheTransport

from bonmun.errors import FetchError, LimitExceeded, SourceError
from bonmun.middleware.decompression import ALL, coding, decompressed
from bonmun.middleware.hops import ACCEPT
from bonmun.middleware.network_settings import NetworkSettings
from bonmun.middleware.transport import VERSION, GuardedTransport, Meter, Meters

# A longer body of a redirect or an error is not read; its connection is closed instead.
_UNWANTED_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class Answer:
    """A response, its body read and decompressed."""

    status: int
    content: bytes
    content_type: str | None
    location: str | None
    retry_after: str | None
    http_version: str
    received_bytes: int
    from_cache: bool


class Client:
    """Sends requests and reads their responses; one for all threads."""

    def __init__(self, settings: NetworkSettings) -> None:
        self._meters = Meters()
        self._transport = GuardedTransport(settings, self._meters)
        self._cache: httpx2.BaseTransport = self._transport
        if settings.cache is not None:
            storage = _storage(str(settings.cache), settings.max_bytes)
            self._cache = CacheTransport(self._transport, storage, rfc={"shared": False})
        self._headers = httpx2.Headers({"Accept": ACCEPT, "Accept-Encoding": "gzip, deflate, br, zstd"})
        chosen = {**settings.headers, "User-Agent": settings.user_agent}
        self._headers.update(httpx2.Headers(chosen, encoding="utf-8"))

    def get(self, url: URL, lane: int, meter: Meter, limit: int, cut: bool = False) -> Answer:
        """Send one request. A body beyond the limit is a `LimitExceeded`, or is cut there."""
        try:
            request = httpx2.Request("GET", url.href.partition("#")[0], headers=self._headers)
        except httpx2.InvalidURL:
            raise FetchError("not a valid URL") from None
        request.extensions.update(lane=lane, target=f"{url.pathname}{url.search}".encode())
        complete = False
        with self._meters.metering(meter):
            try:
                response = self._cache.handle_request(request)
                try:
                    meter.allow(2 * limit + _UNWANTED_BYTES, LimitExceeded("bytes", 2 * limit, limit))
                    body = _Body(response, limit, cut)
                    content, complete = body.read()
                finally:
                    response.close()
            finally:
                if not complete:
                    self._transport.drop(lane, url)
        return _answer(response, content, body.received)

    def close(self) -> None:
        """Close the connections and the cache."""
        self._cache.close()


class _Body:
    """The body of a response, within a limit; of a redirect or an error only its start."""

    def __init__(self, response: httpx2.Response, limit: int, cut: bool) -> None:
        wanted = response.is_success
        self._chunks = response.iter_raw()
        self._coding = coding(response.headers.get("content-encoding", ""), ALL) if wanted else None
        self._limit, self._cut = (limit, cut) if wanted else (_UNWANTED_BYTES, True)
        declared = response.headers.get("content-length", "")
        self._declared = int(declared) if declared.isdecimal() else 0
        self.received = 0

    def read(self) -> tuple[bytes, bool]:
        """The body, and whether it was read to its end."""
        if self._declared > self._limit and not self._cut:
            raise LimitExceeded("bytes", self._declared, self._limit)
        pieces: list[bytes] = []
        chunks = self._counted()
        try:
            for piece in decompressed(chunks, self._coding, self._limit) if self._coding else chunks:
                pieces.append(piece)
            for _ in chunks:
                pass  # bytes after the end of the compressed stream
        except LimitExceeded:
            if not self._cut:
                raise
            return b"".join(pieces)[: self._limit], False
        return b"".join(pieces), True

    def _counted(self) -> Iterator[bytes]:
        for chunk in self._chunks:
            self.received += len(chunk)
            if self.received > self._limit:
                raise LimitExceeded("bytes", self.received, self._limit)
            yield chunk


def _answer(response: httpx2.Response, content: bytes, received: int) -> Answer:
    headers = httpx2.Headers(response.headers.raw, encoding="utf-8")
    status: CacheStatus = response.extensions.get("caching", {})
    from_cache = status.get("from_cache", False)
    return Answer(
        response.status_code,
        content,
        headers.get("content-type"),
        headers.get("location"),
        headers.get("retry-after"),
        headers.get(VERSION, ""),
        0 if from_cache else received,
        from_cache,
    )


class _Storage(SqliteStorage):
    """Keeps one response per URL. Our requests are all alike, so no URL has variants.

    hishel 2.0 keeps the outdated response beside a new one, and asks with the outdated ETag again.
    """

    def create_entry(
        self,
        request: HishelRequest,
        response: HishelResponse,
        key: str,
        *,
        ttl: float | None = None,
        tti: float | None = None,
    ) -> Entry:
        for outdated in self.get_entries(key):
            self.remove_entry(outdated.id)
        return super().create_entry(request, response, key, ttl=ttl, tti=tti)


def _storage(path: str, max_bytes: int) -> SqliteStorage:
    """The cache's storage; `SourceError` if the file is not one."""
    connection = None
    try:
        connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        connection.execute("PRAGMA schema_version").fetchone()
        storage = _Storage(connection=connection, max_stream_size=max_bytes)
        storage.get_entries("")
    except (sqlite3.Error, RuntimeError) as error:
        if connection is not None:
            connection.close()
        raise SourceError(f"{path}: cannot be used as the HTTP cache: {error}") from None
    return storage
