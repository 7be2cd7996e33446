"""Nothing of this folder runs without the extra."""

import importlib.util

collect_ignore_glob = [] if importlib.util.find_spec("fastapi") else ["test_*.py"]
