"""A batch whose pages take time without work, to be killed: python -m tests.scale.slow_batch SOURCE OUTPUT JOBS."""

import sys
import time

from bonmun import registry
from bonmun.model.page import Page
from bonmun.model.verdict import Verdicts
from bonmun.scale import BatchSettings, Filters, RunSettings, run_batch


class Slow:
    """A quick method that sleeps."""

    name = "slow"

    def judge(self, page: Page) -> Verdicts:
        """Judge a page."""
        time.sleep(0.004)
        return registry.method("xpath-robust").judge(page)


def settings(jobs: int) -> RunSettings:
    """The settings of the batch, with everything that a resumed run has to get right."""
    filters = Filters(unique=True, near_duplicates=0.8)
    return RunSettings(BatchSettings(timings=False, method=Slow()), filters=filters, jobs=jobs)


if __name__ == "__main__":
    from tests.scale import slow_batch

    run_batch(sys.argv[1:2], sys.argv[2], slow_batch.settings(jobs=int(sys.argv[3])))
