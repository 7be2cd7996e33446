"""Modules of the package that need torch or an engine are searched for doctests only where it is installed."""

from importlib.util import find_spec

_NEED_TORCH = ("fit", "networks", "pool", "run", "scores")
_HAS_TORCH = find_spec("torch") and find_spec("pytorch_tabnet")
_ENGINES = {"spark": "pyspark", "ray": "ray", "datatrove": "datatrove"}
collect_ignore = [] if _HAS_TORCH else [f"bonmun/training/visual/{name}.py" for name in _NEED_TORCH]
collect_ignore += [f"bonmun/scale/{name}.py" for name, package in _ENGINES.items() if not find_spec(package)]
