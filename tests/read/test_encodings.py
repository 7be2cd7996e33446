"""Encoding declarations of pages."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bonmun.read.encodings import declaration, encoding_of

DATA = Path(__file__).parents[2].parent / "shared" / "data"


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b"<meta charset=euc-kr>", ("euc-kr", "meta")),
        (b"<!-- <meta charset=big5> --><META CHARSET='euc-kr'/>", ("euc-kr", "meta")),
        (b"<!--><meta charset=euc-kr>", ("euc-kr", "meta")),
        (b"<meta/charset=euc-kr>", ("euc-kr", "meta")),
        (b"<meta name=x content='charset=big5'><meta charset=euc-kr>", ("euc-kr", "meta")),
        (b'<meta content="text/html; charset = euc-kr" http-equiv=CONTENT-TYPE>', ("euc-kr", "meta")),
        (b"<meta charset=utf-16be>", ("utf-8", "meta")),
        (b"<meta charset=x-user-defined>", ("windows-1252", "meta")),
        (b"<?xml version='1.0' encoding='euc-kr'?>", ("euc-kr", "xml")),
        (b"<?xml version='1.0' encoding='big5'?><meta charset=euc-kr>", ("euc-kr", "meta")),
        (b"<a title='<meta charset=big5>'>", None),
        (b"<meta charset=euc-kr", None),
        (b"<meta charset=klingon>", None),
        (b"<!-- <meta charset=euc-kr>", None),
        (b"<script>" + b"x" * 5000 + b"</script><meta charset=euc-kr>", ("euc-kr", "meta")),
    ],
)
def test_the_prescan_follows_the_standard(head: bytes, expected: tuple[str, str] | None) -> None:
    assert declaration(head) == expected


def conformance_cases() -> Iterator[tuple[bytes, str]]:
    for path in sorted((DATA / "html5lib-tests" / "encoding").glob("*.dat")):
        for case in path.read_bytes().split(b"#data\n")[1:]:
            data, _, label = case.partition(b"#encoding\n")
            yield data, label.split()[0].decode()


def test_html5lib_encoding_cases_agree() -> None:
    cases = list(conformance_cases())
    if not cases:
        pytest.skip("html5lib-tests are not beside the project")
    assert len(cases) > 80
    for data, label in cases:
        bom = "utf-8" if data.startswith(b"\xef\xbb\xbf") else None
        declared = declaration(data)
        assert (bom or (declared.encoding if declared else "windows-1252")) == encoding_of(label), data[:200]
