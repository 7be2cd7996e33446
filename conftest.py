"""Modules of the package that need torch or an engine are searched for doctests only where it is installed.

Those of the adapters are run by `tests/adapters`: to load their packages takes five seconds, which only that test pays.
"""

import os
from importlib.util import find_spec

os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"  # else Haystack reports its use over the network

_NEED_TORCH = ("fit", "networks", "pool", "run", "scores")
_HAS_TORCH = find_spec("torch") and find_spec("pytorch_tabnet")
_ENGINES = {"spark": "pyspark", "spark_sites": "pyspark", "ray": "ray", "datatrove": "datatrove"}
_ADAPTERS = ("haystack", "langchain", "llama_index", "pandas", "polars", "scrapy", "scrapy_work")
collect_ignore = [] if _HAS_TORCH else [f"bonmun/training/visual/{name}.py" for name in _NEED_TORCH]
collect_ignore += [f"bonmun/scale/{name}.py" for name, package in _ENGINES.items() if not find_spec(package)]
collect_ignore += [f"bonmun/adapters/{name}.py" for name in _ADAPTERS]
