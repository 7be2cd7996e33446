"""What tells of a sentence that it does not stand for itself in a summary."""

import re
from typing import Final

LEANS: Final = re.compile(
    r"하지만|그러나|그런데|그리고|그래서|그러면서|그러자|따라서|또|또한|또는|특히|한편|물론|뒤이어|이어|이에|이는|이런|이러한|이것"
    r"|이처럼|이와|그는|그녀|그의|그런|그러한|그것|그들|즉|다만|아울러|반면|결국|예를 들"
    r"|しかし|また|そして|さらに|そこで|だから|ただ|なお|つまり|それ|これ|この|その|こうした|そうした|こう|そう|彼は|彼女は|例えば"
    r"|たとえば|では"
    r"|但|而|所以|因此|于是|然而|不过|同时|此外|另外|其|这|那|他|她|它|对此|除此|就这样|例如|比如"
    r"|(?:But|And|However|He|She|They|It|This|That|These|Those|So|Then|Also|Therefore|Meanwhile|For example)\b"
)
"""Words by which a sentence leans on the one before it."""

_OPEN, _CLOSE = r"[(\[【〔［（]", r"[)\]】〕］）]"
DATELINE: Final = re.compile(
    rf"{_OPEN}[^=＝)\]】〕］）]{{1,30}}[=＝][^)\]】〕］）]{{1,30}}{_CLOSE}\s*"  # (서울=연합뉴스), 【ソウル＝小池和樹】
    r"(?:\S{2,4}(?:\s\S{2,4})?\s*(?:기자|특파원)\s*[=＝]\s*)?"
    r"|\S{0,8}(?:社|网|报|報)\S{0,12}\d+月\d+日(?:电|電|讯|訊)\s*(?:[（(]\S{0,6}(?:记者|記者)[^)）]*[)）])?\s*"
)
"""Where and by whom a news agency's report was written: no part of its first sentence."""

OF_ITSELF: Final = re.compile(
    r"^(?:본|이) (?:기사|칼럼|글|포스팅|콘텐츠)[은는]|무단\s?(?:전재|복제)"
    r"|^(?:本|この)(?:記事|コラム|連載)は|転載(?:になります|です|記事)"
    r"|^本文(?:来自|转自|首发|系|原载)|(?:未经|请勿).{0,8}转载"
    r"|^This (?:article|post|story) (?:was|is|first|originally)\b"
)
"""Sentences about the article rather than about its matter."""
