"""How much of a page's structure survives: headings, code, cells, items, links, images, quotes, formulas, footnotes.

python bench/fidelity.py                                     every tenth page of wcxb_dev, all of cjk_dev and news_dev
python bench/fidelity.py --every 1 --docs docs/fidelity.md   all pages, as the tables of the docs
python bench/fidelity.py --systems bonmun --show link        the links that our Markdown lacks, by page
python bench/fidelity.py --tables                            the cells of every kept table, in JSON, HTML and Markdown
python bench/fidelity.py --install                           Turndown, by npm, into the cache folder

The truth is the markup of the region that we kept. Each system's Markdown is read by markdown-it-py and its items are
matched by their text (links with their address, images by address, code with its indentation), each item once:
recall = matched / truth, precision = matched / items of the output. `here` leaves out of recall the items whose text
is not in the output at all, and out of precision those whose text is not in our region: for a system with an
extraction of its own, that separates structure from extraction. bonmun and trafilatura read the page; markdownify and
turndown convert our HTML of it.
"""

import argparse
import json
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from importlib.metadata import version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from corpus import pages
from fidelity_items import KINDS, Items, matched
from rich.console import Console
from rich.progress import track

import bonmun
from bonmun.errors import BonmunError, MissingExtra, SourceError
from bonmun.evaluate.runtimes import node_folder

CORPORA = ("wcxb_dev", "cjk_dev", "news_dev")
TABLE_CORPORA = (*CORPORA, "daniel_dev")
NODE_PACKAGES = ("turndown@^7.2.0", "turndown-plugin-gfm@^1.0.2")
DOCS_MARKER = "<!-- python bench/fidelity.py --every 1 --docs docs/fidelity.md -->"
BOTH_SIDES = "Only the items whose text is on both sides, in the output and in our region:"
PLURALS = "headings,code blocks,table cells,list items,links,images,quotes,formulas,footnotes".split(",")
WITHOUT_TEXT = frozenset({"image", "formula"})
"""Kinds that are not found by their text; `here` is the same for them."""

System = Callable[[bonmun.Document, str], str]
"""From our document and the page's markup to Markdown."""


@dataclass
class Tally:
    """The items of one kind: all, and those whose text is on both sides."""

    truth: int = 0
    found: int = 0
    truth_here: int = 0
    found_here: int = 0
    output: int = 0
    right: int = 0
    output_here: int = 0
    right_here: int = 0

    def shares(self) -> list[str]:
        """Recall and precision of all items, then of those whose text is on both sides."""
        return [
            f"{_share(self.found, self.truth)} / {_share(self.right, self.output)}",
            f"{_share(self.found_here, self.truth_here)} / {_share(self.right_here, self.output_here)}",
        ]


def main() -> None:
    options = _options()
    if options.install:
        return install_turndown()
    corpora = options.corpus or (TABLE_CORPORA if options.tables else CORPORA)
    if options.tables:
        from fidelity_tables import report_tables

        return report_tables(corpora, options.every or 1, markdown=options.markdown)
    systems = {name: made for name in options.systems.split(",") if (made := _opened(name)) is not None}
    tallies: dict[tuple[str, str], Tally] = defaultdict(Tally)
    count = 0
    for corpus in corpora:
        every = options.every or (10 if corpus == "wcxb_dev" else 1)
        for record in track(list(pages(corpus))[::every], corpus, console=Console(stderr=True)):
            count += 1
            _measure(record, f"{corpus} {record['id']}", systems, tallies, options.show)
    pages_read = f"{count:,} pages of {', '.join(f'`{corpus}`' for corpus in corpora)}"
    if options.docs:
        return write_docs(Path(options.docs), pages_read, tallies, list(systems))
    print(pages_read)
    report(tallies, list(systems), markdown=options.markdown)
    return None


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", action="append", help="a corpus of the data folder; may be given several times")
    parser.add_argument("--every", type=int, help="read each Nth page")
    parser.add_argument("--systems", default=",".join(SYSTEMS), help="names, separated by commas")
    parser.add_argument("--show", choices=KINDS, help="print the items missing or extra in our Markdown")
    parser.add_argument("--tables", action="store_true", help="count the cells of kept tables instead")
    parser.add_argument("--markdown", action="store_true", help="print the table as Markdown")
    parser.add_argument("--docs", metavar="PATH", help="replace the tables of this page of the docs")
    parser.add_argument("--install", action="store_true", help="install Turndown by npm")
    return parser.parse_args()


def _measure(
    record: dict[str, str],
    name: str,
    systems: dict[str, System],
    tallies: dict[tuple[str, str], Tally],
    shown: str | None,
) -> None:
    from fidelity_markdown import in_markdown, reader
    from fidelity_markup import in_markup

    document = bonmun.extract(record["html"], url=record["url"] or None)
    truth = in_markup(document)
    for system, convert in systems.items():
        output = in_markdown(convert(document, record["html"]), reader(), document.page.base_url)
        for kind in KINDS:
            missing, extra = _count(tallies[system, kind], kind, truth, output)
            if kind == shown and system == "bonmun" and (missing or extra):
                print(f"{name}: missing {missing[:5]}, extra {extra[:5]}")


def _count(tally: Tally, kind: str, truth: Items, output: Items) -> tuple[list[str], list[str]]:
    """Count the items of a kind; return those without a partner."""
    wanted, given = truth.of(kind), output.of(kind)
    hits, pairs = matched(wanted, given)
    required = [(item, hit) for item, hit in zip(wanted, hits, strict=True) if not item.optional]
    tally.truth, tally.found = tally.truth + len(required), tally.found + sum(hit for _, hit in required)
    tally.output, tally.right = tally.output + len(given), tally.right + sum(pairs)
    anyway = kind in WITHOUT_TEXT
    for item, hit in required:
        here = hit or anyway or item.text in output.text
        tally.truth_here, tally.found_here = tally.truth_here + here, tally.found_here + hit
    for item, right in zip(given, pairs, strict=True):
        here = right or anyway or item.text in truth.text
        tally.output_here, tally.right_here = tally.output_here + here, tally.right_here + right
    missing = [item.keys[0] for item, hit in required if not hit]
    return missing, [item.keys[0] for item, right in zip(given, pairs, strict=True) if not right]


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.3f}".removeprefix("0") if whole else "–"


def _bonmun() -> System:
    return lambda document, _: document.markdown


def _trafilatura() -> System:
    import trafilatura

    def convert(document: bonmun.Document, html: str) -> str:
        written = trafilatura.extract(
            html,
            url=document.url,
            output_format="markdown",
            include_links=True,
            include_images=True,
            include_tables=True,
            include_formatting=True,
        )
        return str(written or "")

    return convert


def _markdownify() -> System:
    from markdownify import markdownify

    return lambda document, _: str(markdownify(document.html, heading_style="ATX"))


def _turndown() -> System:
    if not (node_folder() / "node_modules" / "turndown-plugin-gfm").is_dir() or not shutil.which("node"):
        raise ImportError("turndown is not installed: python bench/fidelity.py --install (needs Node and npm)")
    script = Path(__file__).with_name("turndown.mjs")
    process = subprocess.Popen(
        ["node", str(script), str(node_folder())], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )

    def convert(document: bonmun.Document, _: str) -> str:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps({"html": document.html}) + "\n")
        process.stdin.flush()
        return str(json.loads(process.stdout.readline())["markdown"])

    return convert


SYSTEMS: dict[str, Callable[[], System]] = {
    "bonmun": _bonmun,
    "trafilatura": _trafilatura,
    "markdownify": _markdownify,
    "turndown": _turndown,
}


def _opened(name: str) -> System | None:
    """A system by name; `None`, said on stderr, where it is not installed."""
    try:
        return SYSTEMS[name]()
    except KeyError:
        raise SourceError(f"unknown system {name!r}: choose from {', '.join(SYSTEMS)}") from None
    except ImportError as error:
        reason = str(error) if name == "turndown" else f"{name} is not installed: pip install {name}"
        print(f"left out: {reason}", file=sys.stderr)
        return None


def install_turndown() -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise SourceError("turndown needs Node: no command npm on the PATH")
    node_folder().mkdir(parents=True, exist_ok=True)
    quiet = ("--no-audit", "--no-fund", "--silent")
    subprocess.run([npm, "install", "--prefix", str(node_folder()), *quiet, *NODE_PACKAGES], check=True)


def report(tallies: dict[tuple[str, str], Tally], systems: list[str], *, markdown: bool) -> None:
    header = ["", "in markup", *(part for name in systems for part in (f"{name} R / P", "here"))]
    rows = []
    for kind in KINDS:
        shares = [part for name in systems for part in tallies[name, kind].shares()]
        rows.append([kind, f"{tallies[systems[0], kind].truth:,}", *shares])
    for line in table_lines(header, rows, markdown=markdown):
        print(line)


def write_docs(page: Path, pages_read: str, tallies: dict[tuple[str, str], Tally], systems: list[str]) -> None:
    """Replace everything behind the marker of a page by one table of all items and one of those on both sides."""
    before, marker, _ = page.read_text(encoding="utf-8").partition(DOCS_MARKER)
    if not marker:
        raise SourceError(f"{page}: the line {DOCS_MARKER!r} is missing; the tables are written below it")
    titles = [_titled(system) for system in systems]
    all_items, both_sides = [], []
    for kind, name in zip(KINDS, PLURALS, strict=True):
        every, here = zip(*(tallies[system, kind].shares() for system in systems), strict=True)
        all_items.append([name, f"{tallies[systems[0], kind].truth:,}", *every])
        both_sides.append([name, *here])
    first = "\n".join(table_lines(["", "in markup", *titles], all_items, markdown=True))
    second = "\n".join(table_lines(["", *titles], both_sides, markdown=True))
    text = f"{pages_read}, {date.today()}; recall / precision.\n\n{first}\n\n{BOTH_SIDES}\n\n{second}\n"
    page.write_text(f"{before}{marker}\n\n{text}", encoding="utf-8")


def _titled(system: str) -> str:
    """The name of a system with its version, if it is a Python package."""
    return f"{system} {version(system)}" if system in ("trafilatura", "markdownify") else system


def table_lines(header: list[str], rows: list[list[str]], *, markdown: bool) -> Iterable[str]:
    if markdown:
        yield f"| {' | '.join(header)} |"
        yield f"|---|{'--:|' * (len(header) - 1)}"
        yield from (f"| {' | '.join(row)} |" for row in rows)
        return
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    for row in (header, *rows):
        first, *rest = (cell.ljust(width) if not at else cell.rjust(width)
                        for at, (cell, width) in enumerate(zip(row, widths, strict=True)))  # fmt: skip
        yield "  ".join((first, *rest))


if __name__ == "__main__":
    try:
        main()
    except ImportError as error:
        sys.exit(str(MissingExtra(f"{error.name}", "bench")))
    except BonmunError as error:
        sys.exit(str(error))
