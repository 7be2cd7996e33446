"""Mutations of real pages: with the sanitizers, then for time. `make -C fuzz mutate` builds what this runs.

Every input is made from the pages, the seed and its number alone, so that a finding can be made again.
"""

import argparse
import struct
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "bench"))

from corpus import pages  # bench/corpus.py

CORPORA = ("cjk_dev", "wcxb_dev", "daniel_dev", "cleanportaleval")
MOST_NS_PER_BYTE = 50.0


def write_pages(path: Path) -> int:
    """Every page behind its length, as the driver wants them; how many."""
    count = 0
    with path.open("wb") as file:
        for corpus in CORPORA:
            for page in pages(corpus):
                source = page["html"].encode("utf-8", "replace")
                file.write(struct.pack("=I", len(source)) + source)
                count += 1
    return count


def run(driver: Path, source: Path, seed: int, count: int, out: Path) -> str:
    """The driver's line; what it was reading when it died lies in `out`."""
    out.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        [str(driver), str(source), str(seed), str(count), str(out)], capture_output=True, text=True, check=False
    )
    if done.returncode:
        running = (out / "running").read_bytes()
        (out / "crash").write_bytes(running[: struct.unpack("=I", running[-4:])[0]])
        sys.exit(f"{done.stderr}\n{driver.name}, seed {seed}: died at the input kept as {out / 'crash'}")
    return done.stdout.strip()


def main() -> None:
    """Run both drivers in batches, saying how far they are."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--count", type=int, default=1_000_000)
    options.add_argument("--batch", type=int, default=20_000)
    options.add_argument("--seed", type=int, default=1, help="of the first batch; the others follow")
    options.add_argument("--build", type=Path, default=Path("build"), help="where the drivers are")
    chosen = options.parse_args()
    source = chosen.build / "pages.bin"
    print(f"{write_pages(source)} pages", flush=True)
    slowest = 0.0
    for at, done in enumerate(range(0, chosen.count, chosen.batch)):
        count = min(chosen.batch, chosen.count - done)
        for driver in ("mutate_sane", "mutate_fast"):
            out = chosen.build / f"{driver}_{chosen.seed + at}"
            line = run(chosen.build / driver, source, chosen.seed + at, count, out)
            (out / "running").unlink()
        slowest = max(slowest, float(line.split()[-4]))
        print(f"{done + count:,} mutations without a finding; {line}; slowest so far {slowest}", flush=True)
    if slowest > MOST_NS_PER_BYTE:
        sys.exit(f"an input took {slowest} ns per byte; more than {MOST_NS_PER_BYTE} is too slow")


if __name__ == "__main__":
    main()
