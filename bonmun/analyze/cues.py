"""Cues that a sentence is not understood by itself, as a summary needs it."""

import re
from collections.abc import Sequence
from typing import Final

from bonmun.analyze.token import Pos, Token

_DEPENDENT = re.compile(
    r"(?:하지만|그러나|그런데|그리고|그래서|그러면서|그러자|그럼에도|따라서|또|또한|또는|특히|한편|물론|뒤이어|이어"
    r"|이에|아울러|즉|다만|반면|결국|심지어|게다가|더구나|더욱이|왜냐하면|각각|다시 말해|예를 들어|예를 들면"
    r"|다음은|아래|아래의|[이그저위]의?|이런|그런|이러한|그러한|이같은|이와|그와|이로|이후|[이그]때|[이그]때까지만|여기서|여기에"
    r"|이렇게|그렇게|이처럼|그처럼|[이그저](?:것|들)\S?|[이그저][걸건게]|이[는를]|그[는를]|그녀\S*)(?=[\s,])"
    r"|しかし|また|そして|さらに|そこで|だから|ただ|なお|つまり|それ|これ|この|その|こうした|そうした|こう|そう"
    r"|彼[はがらの]|彼女|例えば|たとえば|では|でも|まず|一方|同[社氏課署省市県校大庁国]"
    r"|但|而|所以|因此|于是|然而|不过|同时|此外|另外|其|这|那|他|她|它|对此|除此|就这样|例如|比如|该|反之|总之"
    r"|随后|当然|首先|也就是说|[^，。“]{1,8}[这那][把个种些样一件次两几位]|(?:对于?|关于|至于|谈到|谈及|说到|提到)[^，。]{1,30}，[他她它]"
    r"|(?:But|And|Or|However|He|She|They|It|That|These|Those|Their|So|Then|Also|Therefore|Meanwhile|Instead"
    r"|Moreover|Furthermore|For (?:example|instance)|As a result|On top of that|In addition|Another|Below|The following"
    r"|Here(?:’s|'s| is| are))\b"
    r"|(?:First|Second|Third|Next|Finally|Still|Yet|Sure),"
    r"|This\b(?! (?:guide|tutorial|paper|study|report|book|page|tool)\b)"
    r"|[^\s:,，。“]{1,12}(?: [^\s:,“]{1,12}){0,5} ?: (?![“\"‘'])"  # a label, a speaker
)
"""Conjunctions, pronouns and labels that tie a sentence to the one before or after it."""

_POINTER = re.compile(
    r"(?:이런|이러한|이 같은|이같은) (?:모습|상황|현상|변화|주장|과정|결과)[은는이가]|다음과 같(?:다|습니다|아요)"
    r"|(?:위|아래|다음)의? (?:사진|그림|지도|표|그래프|영상|링크)"
    r"|(?:때문|뜻|의미|셈|[아어여라해려]서)(?:이?다|입니다)\.$"
    r"|[上下]の(?:図|表|写真|グラフ|地図)|以下の(?:通り|とおり|図|表)|(?:から|ため)(?:だ|です|である)。$"
    r"|(?:^|[如见見])[上下](?:图|圖|表)|如下[：:。]"
    r"|\b(?:chart|table|figure|photo|picture|image|map|graph|list) (?:above|below)\b|\bas follows\b"
)
"""References to a picture or list, and endings that explain the sentence before."""

_OPEN, _CLOSE = r"[(\[【〔［（]", r"[)\]】〕］）]"
_NOT_CLOSE = r"[^)\]】〕］）]"
DATELINE: Final = re.compile(
    rf"{_OPEN}[^=＝)\]】〕］）]{{1,30}}[=＝]{_NOT_CLOSE}{{1,30}}{_CLOSE}\s*"  # (서울=연합뉴스), 【ソウル＝小池和樹】
    r"(?:\S{2,4}(?:\s\S{2,4})?\s*(?:기자|특파원)\s*[=＝]\s*)?"
    rf"|{_OPEN}{_NOT_CLOSE}{{1,30}}(?:기자|특파원|記者|记者){_CLOSE}\s*"  # [한빛일보 김하나 기자]
    r"|\S{0,8}(?:社|网|报|報)\S{0,12}\d+月\d+日(?:电|電|讯|訊)\s*(?:[（(]\S{0,6}(?:记者|記者)[^)）]*[)）])?\s*"
)
"""Place and reporter before the first sentence of a news report."""

SELF_REFERENCE: Final = re.compile(
    r"^(?:본|이) (?:기사|칼럼|글|포스팅|콘텐츠)[은는]|무단\s?(?:전재|복제)|^[▲△▼☞※]"
    r"|^(?:本|この)(?:記事|コラム|連載)は|転載(?:になります|です|記事)"
    r"|^本文(?:来自|转自|首发|系|原载)|(?:未经|请勿).{0,8}转载|责任编辑"
    r"|截至.{0,4}发稿.{0,20}(?:未|没有)"
    r"|^This (?:article|post|story) (?:was|is|first|originally)\b"
    r"|^The post .{1,200} (?:appeared )?first (?:appeared )?on\b|[©ⓒ]|\b[Aa]ll [Rr]ights [Rr]eserved\b"
)
"""Sentences about the article or its pictures: copyright, source, captions."""

_PHOTO_CAPTION = re.compile(r"\d일 (?:오전|오후|낮|밤|새벽)\s.*고 있다\.$")
"""The caption of a Korean press photograph: a person's action at a time of day."""
_CALL_TO_ACTION = re.compile(
    r"클릭[하해]|구독(?:과|하기|해 ?주)|로그인 ?[하후]|눌러 ?주|신청하세요|ください|お申し込み|ご応募"
    r"|開催します|好評発売|点击(?:这里|此处|下方|链接|查看|阅读)|扫码|关注我们|关注.{0,6}公众号"
    r"|\b(?:[Cc]lick (?:here|on|the)|[Ss]ubscribe (?:to|now)|[Ss]ign up|[Ll]og in to|[Jj]oin (?:us|me)|[Cc]ontact us)\b"
)
"""Calls to action, at the start and end of many articles."""
_FULL_LENGTH = 80  # characters of an ASCII text; other texts need half as many
_QUESTION, _ELLIPSIS, _CALL, _UNBALANCED = 0.3, 0.5, 0.4, 0.5  # factors
_DEPENDENCE, _DEPENDENCE_IN = 0.7, {"ko": 0.5, "zh": 0.5, "ja": 0.5}  # an English `This` often opens a summing-up
_NO_SUBJECT, _CAPTION = 0.7, 0.3
_OPENERS = "\"'“‘「『《〈«("
CLOSERS: Final = "\"'”’»」』）)】] "
_INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff"
_PAIRS = ("“”", "「」", "『』", "()", "（）", "[]", "《》")
_QUOTED = re.compile(r"“[^”]*”|‘[^’]*’|\"[^\"]*\"|「[^」]*」")
_NOMINAL = frozenset((Pos.NOUN, Pos.NAME, Pos.LATIN, Pos.COUNTER, Pos.SUFFIX))


def standalone_score(text: str, tokens: Sequence[Token], language: str, start: int = 0) -> float:
    """Return how well a sentence is understood by itself, up to 1; `start` is its offset in the tokenized text.

    >>> texts = "It was.", "The lighthouse of the village burns again after twenty years in the dark, says the mayor."
    >>> [round(standalone_score(text, [], "en"), 2) for text in texts]
    [0.06, 1.0]
    """
    factor = min(1.0, len(text) / (_FULL_LENGTH if text.isascii() else _FULL_LENGTH / 2))
    end = text.rstrip(CLOSERS)
    if end.endswith(("?", "？")):
        factor *= _QUESTION
    if end.endswith(("…", "...")):
        factor *= _ELLIPSIS
    if any(text.count(pair[0]) != text.count(pair[1]) for pair in _PAIRS) or text.count('"') % 2:
        factor *= _UNBALANCED
    first = text.lstrip(_INVISIBLE)[:1]
    if _DEPENDENT.match(text) or _POINTER.search(text) or not (first.isalnum() or first in _OPENERS):
        factor *= _DEPENDENCE_IN.get(language, _DEPENDENCE)
    if _CALL_TO_ACTION.search(text):
        factor *= _CALL
    if language in ("ko", "ja") and tokens:
        factor *= 1.0 if _has_subject(text, tokens, start) else _NO_SUBJECT
    if language == "ko" and (_ends_in_noun(tokens) or _PHOTO_CAPTION.search(text)):
        factor *= _CAPTION
    return factor


def _has_subject(text: str, tokens: Sequence[Token], start: int) -> bool:
    """Whether a Korean or Japanese sentence has a topic or subject particle outside of quotations."""
    quoted = [match.span() for match in _QUOTED.finditer(text)]
    subjects = (token.start - start for token in tokens if token.pos is Pos.TOPIC)
    return any(not any(begin <= subject < end for begin, end in quoted) for subject in subjects)


def _ends_in_noun(tokens: Sequence[Token]) -> bool:
    """Whether a Korean sentence has no final verb, as captions and headlines with a full stop."""
    last = next((token for token in reversed(tokens) if token.pos is not Pos.MARK), None)
    return last is not None and last.pos in _NOMINAL
