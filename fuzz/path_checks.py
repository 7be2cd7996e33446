"""The checks of one mutated page on the whole path: methods, writers, chunks, metadata, comments, analysis, pickling.

Cheap checks run on every page; the dearer ones on every page whose number is a multiple of theirs.
"""

import hashlib
import json
import os
import pickle
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib.resources import files
from time import process_time
from typing import Any, Final

import lxml.html
from jsonschema import Draft202012Validator
from lxml import etree

import bonmun
from bonmun.model.document import Document
from bonmun.model.page import Page
from bonmun.model.verdict import Verdicts
from bonmun.read.parse import parse
from tests.write.test_explain import faults
from tests.write.test_html import ADDRESS, ATTRIBUTES, BY_PARSER

LIMITS: Final = bonmun.Limits(seconds=float(os.environ.get("FUZZ_SECONDS", "5")))
"""Of each stage; under the sanitizers it takes longer."""
FORBIDDEN: Final = "forbidden character"
"""The stage of a problem with characters, in any output."""
METHODS: Final = ("auto", "xpath", "xpath-robust", "density", "logical", "logical-robust")
WRITERS: Final = ("text", "markdown", "html", "json", "xml", "tei", "explain")
EVERY: Final = {"lxml": 4, "again": 4, "pickle": 5, "str": 4, "schema": 8, "methods": 6, "analysis": 12, "site": 25}
"""A check runs on every n-th page."""
_SWITCHES: Final = "links images captions tables references comments title front_matter reasons".split()
_FORBIDDEN: Final = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 forbids: NUL, other controls, lone surrogates, U+FFFE and U+FFFF."""
_IGNORED: Final = re.compile("^[\0- ]+|[\t\n\r]")
"""The characters of an address that browsers drop."""
_XSD: Final = etree.XMLSchema(etree.fromstring((files("bonmun.write") / "document.xsd").read_bytes()))
_SCHEMA: Final = Draft202012Validator(json.loads((files("bonmun.write") / "document.schema.json").read_text("utf-8")))

ALLOWED: Final = {**ATTRIBUTES, "section": {"role", "class"}, "cite": set[str](), "time": {"datetime"}}
"""The elements of our HTML with their attributes, those of readers' comments too."""

Element = tuple[str, dict[str, str]]


@dataclass
class Report:
    """The result of one page."""

    number: int
    problems: list[str] = field(default_factory=list)
    """`STAGE: what is wrong`."""
    refused: list[str] = field(default_factory=list)
    """The typed errors, as `STAGE: ERROR`."""
    slowest: tuple[float, str] = (0.0, "")
    """CPU seconds and name of the slowest stage."""
    digest: str = ""
    """The digest of all outputs."""


class Checks:
    """The checks of one page; `run` returns their report."""

    def __init__(self, source: bytes, url: str | None, number: int) -> None:
        self.source, self.url, self.number = source, url, number
        self.report = Report(number)
        self.outputs = hashlib.blake2b(digest_size=16)

    def run(self) -> Report:
        """Run all checks of the page's turn."""
        page = self.stage("read", lambda: bonmun.read_page(self.source, url=self.url, limits=LIMITS))
        document = self.stage("judge", lambda: self.judged(page)) if page else None
        if document:
            self.write(document)
            self.derive(document)
            self.compare(document)
        if page and self.turn("methods"):
            for method in METHODS:
                self.stage(method, lambda method=method: bonmun.extract(page, method=method, limits=LIMITS).text)
        if page and self.turn("site"):
            self.stage("site", lambda: self.learned(page))
        self.report.digest = self.outputs.hexdigest()
        return self.report

    def turn(self, check: str) -> bool:
        """Whether a check is to be made of this page."""
        return self.number % EVERY[check] == 0

    def stage(self, name: str, work: Callable[[], Any]) -> Any:
        """The result of a stage, recorded; `None` for an error. A typed error is an answer, any other is a problem."""
        started = process_time()
        result = None
        try:
            result = work()
        except bonmun.BonmunError as error:
            self.report.refused.append(f"{name}: {type(error).__name__} {error}"[:120])
            self.record(type(error).__name__)
        except AssertionError as error:
            self.problem(name, str(error))
        except Exception as error:
            self.problem(name, f"untyped {type(error).__name__}: {error}")
        seconds = process_time() - started
        self.report.slowest = max(self.report.slowest, (seconds, name))
        if seconds > LIMITS.seconds:
            self.problem(name, f"{seconds:.1f} CPU seconds, beyond the limit of {LIMITS.seconds}")
        return result

    def problem(self, stage: str, reason: str) -> None:
        """Record a problem."""
        self.report.problems.append(f"{stage}: {ascii(reason[:200])[1:-1]}")

    def record(self, output: str) -> None:
        """Add an output to the digest."""
        self.outputs.update(output.encode("utf-8", "surrogatepass"))

    def check_characters(self, stage: str, text: str) -> None:
        """Report the first character that no output may have."""
        if match := _FORBIDDEN.search(text):
            self.problem(FORBIDDEN, f"{stage} has U+{ord(match[0]):04X} at {match.start()}")

    def judged(self, page: Page) -> Document:
        """A document: by turns of `auto`, of another method, and of all blocks; with all switches of the output."""
        method = METHODS[self.number // 3 % len(METHODS)] if self.number % 3 == 1 else "auto"
        document = bonmun.extract(page, method=method, limits=LIMITS)
        if self.number % 3 == 2:
            keep, old = [1] * len(page.blocks), document.verdicts
            kept = Verdicts(keep, old.score, old.reasons, 1.0, comments=old.comments)
            document = Document(page, kept, "everything")
        switches = (1 << len(_SWITCHES)) - 1 if self.number % 2 else self.number // 2
        output = bonmun.Output(**{name: bool(switches >> bit & 1) for bit, name in enumerate(_SWITCHES)})
        return document.with_output(output)

    def write(self, document: Document) -> None:
        """Write every format and check it."""
        for format in WRITERS:
            written = self.stage(format, lambda format=format: document.write(format))
            if written is not None:
                self.record(written)
                self.check_characters(format, written)
                self.stage(f"{format} check", lambda format=format, written=written: self.check(format, written))

    def check(self, format: str, written: str) -> None:
        """Check one output."""
        if format in ("xml", "tei"):
            tree = etree.fromstring(
                written.encode("utf-8", "replace"), etree.XMLParser(huge_tree=True, resolve_entities=False)
            )
            assert format == "tei" or _XSD.validate(tree), str(_XSD.error_log.last_error)
        if format == "json":
            data = json.loads(written, parse_constant=_no_constant)
            if self.turn("schema"):
                error = next(_SCHEMA.iter_errors(data), None)
                assert error is None, str(error)
        if format in ("html", "explain"):
            parsers = (elements, lxml_elements) if self.turn("lxml") else (elements,)
            for parser in parsers:
                unsafe = list(faults(parser(written)) if format == "explain" else html_faults(parser(written)))
                assert not unsafe, f"unsafe by {parser.__name__}: {unsafe[:3]}"

    def derive(self, document: Document) -> None:
        """Chunks, metadata, comments, blocks, and by turns keywords, summary and a pickled copy."""
        self.text("metadata", lambda: self.metadata(document))
        self.text("comments", lambda: repr(document.comments))
        self.text("blocks", lambda: repr([(b.text, b.xpath, b.span, b.runs, b.reasons) for b in document.blocks[:300]]))
        self.text("chunks", lambda: repr(document.chunks(max_chars=300 + self.number % 500, by="size")))
        if self.turn("analysis"):
            self.text("keywords", lambda: repr([(word.text, word.score) for word in document.keywords()]))
            self.text("summary", lambda: str(document.summary()))
        if self.turn("pickle"):
            self.stage("pickle", lambda: self.same(pickle.loads(pickle.dumps(document)), document))  # noqa: S301

    def text(self, stage: str, work: Callable[[], str]) -> None:
        """A stage whose result is only recorded."""
        self.record(self.stage(stage, work) or "")

    def metadata(self, document: Document) -> str:
        """The metadata, with the characters of all its texts checked."""
        metadata = document.metadata
        for name in type(metadata).__slots__:
            value = getattr(metadata, name)
            for text in value if isinstance(value, tuple) else (value,):
                if isinstance(text, str):
                    self.check_characters(name, text)
        return repr(metadata)

    def compare(self, document: Document) -> None:
        """The same bytes give the same answer, and so does the same page as `str`."""
        seconds = any("seconds" in refusal for refusal in self.report.refused)
        if self.turn("again") and not seconds:
            page = self.stage("read again", lambda: bonmun.read_page(self.source, url=self.url, limits=LIMITS))
            self.stage("again", lambda: self.same(self.judged(page), document))
        if self.turn("str") and not seconds and not self.source.startswith(b"\xef\xbb\xbf"):
            self.stage("str", self.as_text)

    def same(self, other: Document, document: Document) -> None:
        """Compare two documents that must be equal."""
        assert other == document, "another answer for the same bytes"

    def as_text(self) -> None:
        """Compare the page as bytes and as `str`, and read one of lone surrogates."""
        try:
            text = self.source.decode()
        except UnicodeDecodeError:
            lone = self.source.decode("utf-8", "surrogateescape")
            self.check_characters("str", bonmun.extract(lone, url=self.url, limits=LIMITS).to_json())
            return
        both = [bonmun.extract(self.source, charset="utf-8", limits=LIMITS), bonmun.extract(text, limits=LIMITS)]
        if both[0].page.encoding != "utf-8":  # the bytes show another encoding, such as UTF-16
            return
        assert both[0].html == both[1].html, "HTML of bytes and str differs"
        assert both[0].metadata == both[1].metadata, "metadata of bytes and str differs"

    def learned(self, page: Page) -> str:
        """The text by a site learned from the page and two others."""
        pages = [page, *(bonmun.read_page(b"<p>%d</p>" % n + self.source, limits=LIMITS) for n in range(2))]
        return bonmun.Site.learn(pages, host="example.org").extract(page).text


def _no_constant(name: str) -> None:
    raise AssertionError(f"{name} is not JSON")


def elements(html: str) -> Iterator[Element]:
    """The elements of a page, by our own reader."""
    nodes = parse(html, bonmun.Limits(depth=100_000, blocks=10_000_000))
    return ((nodes.name(row), nodes.attrs(row)) for row in range(len(nodes)) if nodes.tag[row])


def lxml_elements(html: str) -> Iterator[Element]:
    """The elements of a page, by libxml2."""
    parser = lxml.html.HTMLParser(huge_tree=True, encoding="utf-8")
    tree = lxml.html.document_fromstring(html.encode("utf-8", "replace"), parser=parser)
    return ((str(node.tag), dict(node.attrib)) for node in tree.iter() if isinstance(node.tag, str))


def html_faults(of_page: Iterator[Element]) -> Iterator[str]:
    """Elements, attributes and addresses that our HTML must not have."""
    for tag, attributes in of_page:
        if tag not in ALLOWED and tag not in BY_PARSER:
            yield f"<{tag}>"
        yield from (f"<{tag} {name}>" for name in attributes.keys() - ALLOWED.get(tag, set()))
        for name in attributes.keys() & {"href", "src", "poster"}:
            if not ADDRESS.match(_IGNORED.sub("", attributes[name])):
                yield f"<{tag} {name}={attributes[name][:60]}>"
