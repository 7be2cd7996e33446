"""Profile the compiled core on the pages of examples/ and tests/golden, for a build that is optimised by the figures.

    python tools/profile_core.py                    build an instrumented core, run it, keep its figures
    BONMUN_PROFILE=use python -m pip wheel . ...    build by them
    python tools/profile_core.py --outputs          print a digest of all outputs of those pages, to compare builds

gcc only: it finds the figures of a file by the path of its object, so both builds are made in this folder. Pages that
we wrote train it: they have every construct that a writer knows, and can be given to everybody.
"""

import argparse
import hashlib
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TURNS = 4
"""How often each page is extracted: figures of small files are noise otherwise."""
REPEATED = 4
"""How often the pages are repeated in one of 170 kB: trained on small pages alone, loops are slower on real ones."""


def pages() -> Iterator[bytes]:
    """The pages that we wrote."""
    for folder, pattern in (("examples/pages", "*.html"), ("tests/golden", "*/*/page.html")):
        for path in sorted((ROOT / folder).glob(pattern)):
            yield path.read_bytes()


def outputs(page: bytes) -> Iterator[str]:
    """All that the core has a part in."""
    import bonmun

    document = bonmun.extract(page, url="https://example.org/page")
    yield from (document.text, document.markdown, document.html, document.to_xml())
    yield document.to_json(bonmun.Output(reasons=True))


def digest() -> str:
    """Return a digest of the outputs of all pages."""
    total = hashlib.sha256()
    for page in pages():
        for output in outputs(page):
            total.update(output.encode())
    return total.hexdigest()


def train() -> None:
    """Extract all pages: joined to large ones, and each by itself."""
    small = list(pages())
    for page in (b"".join(small[::2]) * REPEATED, b"".join(small[1::2]) * REPEATED, *small):
        for _ in range(TURNS):
            for _ in outputs(page):
                pass


def profile() -> None:
    """Build an instrumented core, run it, and leave its figures in build/profile."""
    if not _is_gcc():
        print("not profiled: the figures are gcc's", file=sys.stderr)
        return
    shutil.rmtree(ROOT / "build", ignore_errors=True)
    environment = {**os.environ, "BONMUN_PROFILE": "make"}
    build = [sys.executable, "setup.py", "--quiet", "build"]
    subprocess.run(build, cwd=ROOT, env=environment, check=True)
    (made,) = (ROOT / "build").glob("lib*")
    here = [sys.executable, str(Path(__file__)), "--train"]
    subprocess.run(here, cwd=made, env={**environment, "PYTHONPATH": str(made)}, check=True)
    for folder in ("lib", "temp"):
        for built in (ROOT / "build").glob(f"{folder}*"):
            shutil.rmtree(built)


def _is_gcc() -> bool:
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")[0]
    try:
        asked = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=False)
    except OSError:
        return False
    return "Free Software Foundation" in asked.stdout


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--train", action="store_true", help="run the core that is on the path")
    parser.add_argument("--outputs", action="store_true", help="print the digest of all outputs")
    arguments = parser.parse_args()
    if arguments.outputs:
        print(digest())
    elif arguments.train:
        train()
    else:
        profile()


if __name__ == "__main__":
    main()
