"""Builds the compiled reader; everything else about the package stands in pyproject.toml.

The extension is optional: where it cannot be built, the reference reader does its work. ``BONMUN_NO_EXTENSION=1``
leaves it out.
"""

import os
from pathlib import Path

from setuptools import Extension, setup

# Calls between our own files need not go through a table that other libraries could change.
FLAGS = [] if os.name == "nt" else ["-std=c11", "-O3", "-fvisibility=hidden"]

# reader.c includes the other files.
SOURCES = [
    *"cells_py characters digests features_py feature_measured feature_naming feature_place".split(),
    *"feature_surroundings feature_table feature_wording groups module page_py pool reader segment".split(),
    *"terms tokenize_py utf8".split(),
]

core = Extension(
    "bonmun._core",
    sources=[f"bonmun/_core/{name}.c" for name in SOURCES],
    depends=sorted(map(str, Path("bonmun/_core").glob("*.[ch]"))),
    define_macros=[("Py_LIMITED_API", "0x030B0000")],
    extra_compile_args=FLAGS,
    libraries=[] if os.name == "nt" else ["m"],
    py_limited_api=True,
    optional=True,
)

setup(
    ext_modules=[] if os.environ.get("BONMUN_NO_EXTENSION") else [core],
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
