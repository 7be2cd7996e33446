"""Modules of the package that need torch are searched for doctests only where it is installed."""

from importlib.util import find_spec

_NEED_TORCH = ("fit", "networks", "pool", "run", "scores")
collect_ignore = [] if find_spec("torch") else [f"bonmun/training/visual/{name}.py" for name in _NEED_TORCH]
