"""Pages for the engines: articles of some hosts, the odd ones among them, and a method that does not survive a page."""

import gzip
import os
import signal
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from bonmun import Page, Verdicts, registry

SUBJECTS = ("Tea", "Bread", "Glass", "Paper", "Rope", "Cheese", "Soap", "Salt", "Ink", "Brick")
DEADLY = "ends the process that reads it"


def article(number: int) -> bytes:
    """A page with a menu, an article and a footer; every tenth is a PDF, every eleventh Korean and not in UTF-8."""
    if number % 10 == 9:
        return b"%PDF-1.7 and no page"
    if number % 11 == 10:
        text = f"<title>차 {number}</title><p>차는 잎과 뜨거운 물로 만든다. 모두 {number}번 읽었다.</p>"
        return f"<meta charset=euc-kr>{text}".encode("euc-kr")
    subject = SUBJECTS[number % len(SUBJECTS)]
    sentences = (f"{subject} of kind {number} is <b>made</b> in step {step}, which takes a while." for step in range(8))
    paragraphs = "".join(f"<p>{sentence}</p>" for sentence in sentences)
    return (
        f"<title>{subject} {number}</title><div id=menu><a href=/>Home</a> <a href=/news>News</a></div>"
        f"<article><h1>{subject} {number}</h1>{paragraphs}</article><footer>All rights reserved</footer>"
    ).encode()


def sheet(number: int) -> bytes:
    """A page whose main text only a template knows: some figures among others."""
    subject = SUBJECTS[number % len(SUBJECTS)]
    return (
        f"<title>{subject} {number}</title><div id=menu><a href=/>Home</a> <a href=/n>Next: {number + 1}</a></div>"
        f"<div id=data><p>{subject}, {number * 7} of {number * 13}</p><p>Grade {number % 7}</p></div>"
        f"<div id=foot><p>All rights reserved, and printed on paper of our own.</p></div>"
    ).encode()


def deadly_page() -> bytes:
    return f"<title>Bad</title><p>This is the page that {DEADLY}, and that costs a row.</p>".encode()


def address(number: int) -> str:
    return f"https://site{number % 3}.example.org/{number}"


def batch(pages: Sequence[bytes]) -> pa.RecordBatch:
    urls = [address(number) for number in range(len(pages))]
    return pa.RecordBatch.from_pydict({"url": urls, "html": pa.array(pages, pa.binary()), "digest": urls})


def warc(numbers: Iterable[int]) -> bytes:
    """A WARC with the responses of some pages."""
    return b"".join(gzip.compress(_record(address(number), article(number)), 1) for number in numbers)


def _record(url: str, page: bytes) -> bytes:
    body = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + page
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-11-15T00:00:00Z\r\n"
        f"WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000000>\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body + b"\r\n\r\n"


@dataclass(frozen=True)
class Fragile:
    """`auto`, which one page kills with its process."""

    name: str = "fragile"

    def judge(self, page: Page) -> Verdicts:
        if DEADLY.encode() in page.nodes.buffer:
            os.kill(os.getpid(), signal.SIGKILL)
        return registry.method("auto").judge(page)


@dataclass(frozen=True)
class Waiting:
    """`auto`, which stops at the page with a title until it is told to go on."""

    title: str
    folder: Path
    name: str = "waiting"

    def judge(self, page: Page) -> Verdicts:
        if self.title.encode() in page.nodes.buffer and not self._permission.exists():
            self._notice.write_text(f"{os.getpid()}\n")
            wait_for(self._permission.exists)
        return registry.method("auto").judge(page)

    def waiting_process(self) -> int:
        """The process that waits, as soon as there is one."""
        wait_for(lambda: self._notice.exists() and self._notice.read_text().endswith("\n"))
        return int(self._notice.read_text())

    def go_on(self) -> None:
        self._permission.touch()

    @property
    def _notice(self) -> Path:
        return self.folder / "waiting"

    @property
    def _permission(self) -> Path:
        return self.folder / "go on"


def wait_for(condition: Callable[[], bool], seconds: float = 300) -> None:
    """Wait until something holds."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)
