"""pandas: a column of HTML becomes a frame of columns."""

from pathlib import Path

import pandas as pd

import bonmun.adapters.pandas  # noqa: F401 (registers the accessor)

files = sorted((Path(__file__).parents[1] / "pages").glob("*.html"))
frame = pd.DataFrame({"html": [file.read_bytes() for file in files]}, index=[file.stem for file in files])

pages = frame["html"].bonmun.extract()
print(pages[["status", "language", "date", "title"]].to_string())
print(frame["html"].bonmun.text().str.len().to_dict())
