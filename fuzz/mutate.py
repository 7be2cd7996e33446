"""Run the mutation fuzzer on real pages: under the sanitizers, then for time. `make -C fuzz mutate` builds its drivers.

An input depends only on the pages, the seed and its number, so that a finding can be reproduced.
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
    """Write all pages, each behind its length, for the driver; return their number."""
    count = 0
    with path.open("wb") as file:
        for corpus in CORPORA:
            for page in pages(corpus):
                source = page["html"].encode("utf-8", "replace")
                file.write(struct.pack("=I", len(source)) + source)
                count += 1
    return count


def run(driver: Path, source: Path, seed: int, count: int, out: Path) -> str:
    """Run a driver and return its output; on a crash, keep the input in `out` and exit."""
    out.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        [str(driver), str(source), str(seed), str(count), str(out)], capture_output=True, text=True, check=False
    )
    if done.returncode:
        running = (out / "running").read_bytes()
        (out / "crash").write_bytes(running[: struct.unpack("=I", running[-4:])[0]])
        sys.exit(f"{done.stderr}\n{driver.name}, seed {seed}: crashed; the input is {out / 'crash'}")
    return done.stdout.strip()


def main() -> None:
    """Run both drivers in batches and report progress."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--count", type=int, default=1_000_000)
    options.add_argument("--batch", type=int, default=20_000)
    options.add_argument("--seed", type=int, default=1, help="seed of the first batch; later ones count up")
    options.add_argument("--build", type=Path, default=Path("build"), help="folder of the drivers")
    chosen = options.parse_args()
    source = chosen.build / "pages.bin"
    print(f"{write_pages(source)} pages", flush=True)
    slowest = 0.0
    for batch, done in enumerate(range(0, chosen.count, chosen.batch)):
        count = min(chosen.batch, chosen.count - done)
        for driver in ("mutate_sane", "mutate_fast"):
            out = chosen.build / f"{driver}_{chosen.seed + batch}"
            line = run(chosen.build / driver, source, chosen.seed + batch, count, out)
            (out / "running").unlink()
        slowest = max(slowest, float(line.split()[-4]))
        print(f"{done + count:,} mutations without a finding; {line}; slowest so far {slowest}", flush=True)
    if slowest > MOST_NS_PER_BYTE:
        sys.exit(f"the slowest input took {slowest} ns per byte; the limit is {MOST_NS_PER_BYTE}")


if __name__ == "__main__":
    main()
