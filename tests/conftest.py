"""Property tests try the same examples every time, so that a run says what changed and not what it happened to try.

`pytest --hypothesis-profile=default` looks for new ones.
"""

from hypothesis import settings

settings.register_profile("the same every time", derandomize=True, database=None)
settings.load_profile("the same every time")
