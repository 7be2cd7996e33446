"""Builds the compiled core; all other metadata is in pyproject.toml.

The extension is optional: without it the Python twins and the reference reader are used. ``BONMUN_NO_EXTENSION=1``
skips the build. ``BONMUN_PROFILE=make`` builds a core that notes how often each of its branches is taken, ``use`` one
that is optimised by these notes (tools/profile_core.py).
"""

import os
import re
from pathlib import Path

from setuptools import Extension, setup

# Hidden visibility: calls between our own files need no procedure linkage table. No fused multiply-add: sums have the
# same bits as those of the Python twins.
FLAGS = ["/std:c11"] if os.name == "nt" else ["-std=c11", "-O3", "-ffp-contract=off", "-fvisibility=hidden"]
if os.name != "nt" and "-g" not in os.environ.get("CFLAGS", "").split():
    FLAGS.append("-g0")  # Python's own flags ask for debug information, four fifths of the core's size

NOTES = Path("build/profile").resolve()
PROFILE = {
    "make": [f"-fprofile-generate={NOTES}"],
    # Code that no page of the training reaches is compiled as ever, not for size. All files are optimised as one.
    "use": [f"-fprofile-use={NOTES}", "-fprofile-partial-training", "-Wno-missing-profile", "-flto=auto"],
}
wanted = os.environ.get("BONMUN_PROFILE", "")
profile = PROFILE.get(wanted, []) if wanted == "make" or NOTES.exists() else []

CORE = Path("bonmun/_core")
INCLUDED = {name for path in CORE.glob("*.[ch]") for name in re.findall(r'#include "(\w+)\.c"', path.read_text())}
"""Files that others include: the reader is one compilation unit."""
SOURCES = sorted(str(path) for path in CORE.glob("*.c") if path.stem not in INCLUDED)

core = Extension(
    "bonmun._core",
    sources=SOURCES,
    depends=sorted(map(str, CORE.glob("*.[ch]"))),
    define_macros=[("Py_LIMITED_API", "0x030B0000")],
    extra_compile_args=[*FLAGS, *profile],
    extra_link_args=profile,
    libraries=[] if os.name == "nt" else ["m"],
    py_limited_api=True,
    optional=True,
)

setup(
    ext_modules=[] if os.environ.get("BONMUN_NO_EXTENSION") else [core],
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
