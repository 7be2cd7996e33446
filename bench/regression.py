"""Whether a change altered any output: `python bench/regression.py record FILE`, later `… compare BEFORE AFTER`.

`record` writes one line per page with a hash of each output format, of XML and JSON also without reasons; `compare`
counts the pages whose hashes differ, per format, and names the first twenty that differ in more than their reasons.
"""

import argparse
import hashlib
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from corpus import pages
from rich.progress import track

import bonmun

CORPORA = ("wcxb_dev", "cjk_dev", "daniel_dev")
Hashes = dict[str, str]

REASON = re.compile(r"\s*<reason\b[^>]*?(?:/>|>[^<]*</reason>)")
REASONS = bonmun.Output(reasons=True)
WITH_REASONS = {"json", "xml"}


def without_reasons(written: str) -> str:
    """JSON output with every list of reasons removed: their wording may change while the answer does not."""

    def removed(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: removed(item) for key, item in value.items() if key != "reasons"}
        return [removed(item) for item in value] if isinstance(value, list) else value

    return json.dumps(removed(json.loads(written)), ensure_ascii=False)


FORMATS: dict[str, Callable[[bonmun.Document], str]] = {
    "text": lambda document: document.text,
    "markdown": lambda document: document.markdown,
    "html": lambda document: document.html,
    "xml": lambda document: document.to_xml(REASONS),
    "json": lambda document: document.to_json(REASONS),
    "xml without reasons": lambda document: REASON.sub("", document.to_xml(REASONS)),
    "json without reasons": lambda document: without_reasons(document.to_json(REASONS)),
}


def hashes(record: dict[str, Any], method: str) -> Hashes:
    """A hash of each output of a page, or of its error."""
    try:
        document = bonmun.extract(record["html"], url=record["url"], method=method)
        outputs = {name: write(document) for name, write in FORMATS.items()}
    except bonmun.BonmunError as error:
        outputs = dict.fromkeys(FORMATS, f"{type(error).__name__}: {error}")
    return {
        name: hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
        for name, text in outputs.items()
    }


def record(path: Path, method: str, every: int) -> None:
    """Write the hashes of all pages, a JSON object per line."""
    with path.open("w") as file:
        for corpus in CORPORA:
            for page in track(list(pages(corpus))[::every], description=corpus, transient=True):
                file.write(json.dumps({"page": f"{corpus}/{page['id']}", **hashes(page, method)}) + "\n")


def recorded(path: Path) -> Iterator[tuple[str, Hashes]]:
    """The pages of a file that `record` wrote."""
    for line in path.read_text().splitlines():
        entry = json.loads(line)
        yield entry.pop("page"), entry


def compare(before: Path, after: Path) -> int:
    """Print the number of differing pages per format; the exit code is 1 if any differs by more than its reasons."""
    old, new = dict(recorded(before)), dict(recorded(after))
    both = [page for page in old if page in new]
    differing = {page: [name for name in old[page] if old[page][name] != new[page].get(name)] for page in both}
    counts = Counter(name for names in differing.values() for name in names)
    print(f"{len(both)} pages in both, {len(old.keys() ^ new.keys())} in one only")
    for name in FORMATS:
        print(f"  {name}: {counts[name]} differ")
    changed = [(page, names) for page, names in differing.items() if set(names) - WITH_REASONS]
    for page, names in changed[:20]:
        print(f"  {page}: {', '.join(names)}")
    return 1 if changed or old.keys() ^ new.keys() else 0


def main() -> int:
    """Record or compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    recording = commands.add_parser("record")
    recording.add_argument("file", type=Path)
    recording.add_argument("--method", default="auto")
    recording.add_argument("--every", type=int, default=1)
    comparing = commands.add_parser("compare")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    options = parser.parse_args()
    if options.command == "compare":
        return compare(options.before, options.after)
    record(options.file, options.method, options.every)
    return 0


if __name__ == "__main__":
    sys.exit(main())
