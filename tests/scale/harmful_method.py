"""A method that does to its process what the page says; for the tests of `BatchPool`."""

import os
import re
import signal
import time
from dataclasses import replace

import pyarrow as pa

from bonmun import registry
from bonmun.model.page import Page
from bonmun.model.verdict import Verdicts


class Harmful:
    """The method `xpath`, if the page lets it."""

    name = "harmful"

    def judge(self, page: Page) -> Verdicts:
        text = " ".join(page.blocks.text)
        if "sleep for ever" in text:
            time.sleep(3600)
        if "match for ever" in text:
            re.match(r"(a+)+$", "a" * 64 + "b")
        if "exit at once" in text:
            os._exit(3)
        if "crash at once" in text:
            os.kill(os.getpid(), signal.SIGSEGV)
        if "allocate without end" in text:
            hoard = []
            while True:
                hoard.append(bytes(1 << 26))
        if "unusual answer" in text:
            raise ValueError("an unusual \ud800 answer")
        verdicts = registry.method("xpath").judge(page)
        if "take its time" in text:
            time.sleep(0.4)
            return replace(verdicts, warnings=(f"process {os.getpid()}",))
        return verdicts


def with_length(batch: pa.RecordBatch) -> pa.RecordBatch:
    """An answer with a column more, for tests of `then`."""
    return batch.append_column("length", pa.array([len(text or "") for text in batch.column("text").to_pylist()]))
