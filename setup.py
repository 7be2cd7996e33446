"""Builds the compiled core; all other metadata is in pyproject.toml.

The extension is optional: without it the Python twins and the reference reader are used. ``BONMUN_NO_EXTENSION=1``
skips the build. ``BONMUN_PROFILE=make`` builds a core that notes how often each of its branches is taken, ``use`` one
that is optimised by these notes (tools/profile_core.py).
"""

import os
from pathlib import Path

from setuptools import Extension, setup

# Hidden visibility: calls between our own files need no procedure linkage table. No fused multiply-add: sums have the
# same bits as those of the Python twins.
FLAGS = ["/std:c11"] if os.name == "nt" else ["-std=c11", "-O3", "-ffp-contract=off", "-fvisibility=hidden"]

NOTES = Path("build/profile").resolve()
PROFILE = {
    "make": [f"-fprofile-generate={NOTES}"],
    # Code that no page of the training reaches is compiled as ever, not for size.
    "use": [f"-fprofile-use={NOTES}", "-fprofile-partial-training", "-Wno-missing-profile"],
}
wanted = os.environ.get("BONMUN_PROFILE", "")
profile = PROFILE.get(wanted, []) if wanted == "make" or NOTES.exists() else []

# reader.c includes the other files.
SOURCES = [
    *"addresses attribute_rows block_text blocks_py calibration_py cells_py characters choice code_language".split(),
    *"contributions decoding_py digests elements_py".split(),
    *"feature_measured feature_naming feature_place feature_surroundings feature_table feature_wording".split(),
    *"features_py forest forest_lanes forest_open forest_sum formula_rows gaps grid groups".split(),
    *"inline_html inline_markdown inline_py inline_runs json_blocks json_groups json_py judge judge_py".split(),
    *"markdown_chunks markdown_dollars markdown_escapes markdown_lines markdown_table meta_prescan numbering".split(),
    *"outline output_buffer page_facts page_figures plans_py".split(),
    *"write_html write_markdown write_text writer_page writer_plan writers_py".split(),
    *"module nodes_py page_py places pool ranks ranks_py reader rules rules_py scripts segment signs terms".split(),
    *"tokenize_py utf8 views_py".split(),
]

core = Extension(
    "bonmun._core",
    sources=[f"bonmun/_core/{name}.c" for name in SOURCES],
    depends=sorted(map(str, Path("bonmun/_core").glob("*.[ch]"))),
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
