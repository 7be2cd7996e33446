"""The page that a request is about, and the cache that keeps it for the next request."""

import hashlib
from collections import OrderedDict
from dataclasses import dataclass
from functools import cached_property
from threading import Lock

from bonmun.middleware.exchange import NetworkFacts


def utf8(text: str) -> bytes:
    """Return a text as UTF-8; half of a surrogate pair, which JSON may have, is replaced.

    Bytes that are not UTF-8 would make the whole page look like one of another encoding.

    >>> utf8("tea \\ud83c").decode()
    'tea \ufffd'
    """
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()


@dataclass(frozen=True)
class GivenPage:
    """A page as it was sent or fetched, before it is read."""

    content: bytes
    url: str | None = None
    """Its address; of a fetched page, the final one."""
    content_type: str | None = None
    network: NetworkFacts | None = None
    """How it was fetched; `None` for a page that was sent."""

    @cached_property
    def id(self) -> str:
        """The same for the same bytes at the same address.

        >>> GivenPage(b"<p>Tea").id == GivenPage(b"<p>Tea").id != GivenPage(b"<p>Tea", "https://example.org/").id
        True
        """
        digest = hashlib.sha256(f"{self.url or ''}\n{self.content_type or ''}\n".encode("utf-8", "replace"))
        digest.update(self.content)
        return digest.hexdigest()[:32]


class PageCache:
    """The pages asked for last, by owner and id, up to a number of bytes. Thread-safe.

    >>> cache = PageCache(10)
    >>> first, second = (cache.add("me", GivenPage(content)) for content in (b"<p>Tea", b"<p>Water"))
    >>> cache.get("me", first), cache.get("me", second).content, cache.get("you", second)
    (None, b'<p>Water', None)
    """

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._size = 0
        self._pages: OrderedDict[tuple[str, str], GivenPage] = OrderedDict()
        self._lock = Lock()

    def add(self, owner: str, page: GivenPage) -> str:
        """Keep a page, at the cost of those not asked for longest; return its id."""
        key = (owner, page.id)
        with self._lock:
            if key not in self._pages:
                self._size += len(page.content)
            self._pages[key] = page
            self._pages.move_to_end(key)
            while self._size > self._capacity and len(self._pages) > 1:
                _, oldest = self._pages.popitem(last=False)
                self._size -= len(oldest.content)
        return page.id

    def get(self, owner: str, page_id: str) -> GivenPage | None:
        """Return a page that this owner gave, if it is still there."""
        with self._lock:
            page = self._pages.get((owner, page_id))
            if page is not None:
                self._pages.move_to_end((owner, page_id))
            return page
