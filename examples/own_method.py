"""A method of your own: any object with a `name` and a function `judge`."""

from pathlib import Path

import bonmun


class LongBlocks:
    """Keep every block of at least forty characters."""

    name = "long-blocks"

    def judge(self, page: bonmun.Page) -> bonmun.Verdicts:
        lengths = [len(text) for text in page.blocks.text]
        return bonmun.Verdicts(
            keep=[int(length >= 40) for length in lengths],
            score=[min(1.0, length / 80) for length in lengths],
            reasons=[(bonmun.Reason("length", f"{length} characters"),) for length in lengths],
            confidence=0.5,
        )


page = Path(__file__).parent / "pages" / "ja-bakery.html"
print(bonmun.extract(page.read_bytes(), method=LongBlocks()).text)
