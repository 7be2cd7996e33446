"""Hypothesis runs derandomized, so that a failure comes from a change and not from new examples.

`pytest --hypothesis-profile=default` searches for new examples.
"""

from hypothesis import settings

settings.register_profile("deterministic", derandomize=True, database=None)
settings.load_profile("deterministic")
