"""Pages for the screens of archive, sites and jobs: written for them, in several languages."""

from html import escape

TEA = (
    "Black tea is fully oxidised before it is dried, which gives it a dark colour and a strong taste.",
    "Most of it is grown in Assam, in Sri Lanka and in Kenya, on slopes with much rain and warm nights.",
    "It is brewed with water that has just boiled, for three to five minutes, and keeps its taste for years.",
    "Milk softens the tannins. In the north of India, spices and sugar are boiled together with the leaves.",
)
NEWER_TEA = (
    TEA[0],
    "Most of it is grown in Assam, in Sri Lanka, in Kenya and in Malawi, on slopes with much rain and warm nights.",
    TEA[2],
    "Brewed cold, in the refrigerator and over night, it is milder and contains less caffeine.",
)
BANK = (
    "한국은행은 오늘 기준금리를 연 3.25퍼센트로 유지하기로 결정했다고 밝혔습니다.",
    "금융통화위원회는 물가 상승률이 목표에 가까워지고 있지만 가계부채가 여전히 부담이라고 설명했습니다.",
    "시장에서는 내년 상반기에 금리가 한 차례 더 내려갈 것으로 보는 의견이 많습니다.",
    "전문가들은 은행에서 대출을 받은 가구의 이자 부담이 당분간 줄어들기 어렵다고 말했습니다.",
)
PALACE = (
    "경복궁 야간 관람이 다음 달부터 두 달 동안 열립니다. 관람 시간은 저녁 일곱 시부터 아홉 시 반까지입니다.",
    "올해는 근정전과 경회루에 더해 향원정 일대까지 문을 열어 연못에 비친 불빛을 볼 수 있습니다.",
    "입장권은 인터넷으로 미리 사야 하며 하루에 삼천 명까지 들어갈 수 있습니다.",
    "한복을 입은 관람객과 예순다섯 살이 넘은 어르신은 무료로 들어갈 수 있습니다.",
)
RAILWAY = (
    "高速铁路连接了这座城市和沿海的港口，全程只需要两个小时。",
    "新的车站位于老城区的北面，每天可以接待十万名旅客，周围还建了公园和图书馆。",
    "铁路公司表示，票价将在第一年保持不变，学生和老人可以享受优惠。",
    "当地居民希望新线路能够带来更多的游客，也希望年轻人不必再离开家乡工作。",
)
HOSTILE = (
    "<img src=x onerror=alert(1)> is what the page says about tags, and <script>alert(2)</script> is text as well.",
    "A text may contain anything, and every screen has to show it as it is: & < > \" ' and `backticks`.",
    "This paragraph is here to be long enough for the method to keep all of them as the main text of the page.",
)


def article(title: str, paragraphs: tuple[str, ...], *, language: str = "en", day: str = "2026-03-14") -> str:
    """A page with a menu, an article and a footer."""
    body = "".join(f"<p>{escape(text)}</p>" for text in paragraphs)
    menu = "".join(f"<li><a href=/{word}>{word}</a></li>" for word in ("news", "culture", "science", "sports"))
    return (
        f'<html lang={language}><title>{escape(title)}</title><meta property="article:published_time" content="{day}">'
        f"<header><nav><ul>{menu}</ul></nav></header><main><article><h1>{escape(title)}</h1>{body}</article></main>"
        "<footer><p>All rights reserved.</p></footer></html>"
    )


PLACES = ("Oslo", "Lisbon", "Kraków", "Nairobi", "Valparaíso", "Osaka", "Galway", "Tartu", "Cusco", "Porto", "Bergen")
THINGS = ("bridge", "market", "library", "harbour", "museum", "tram")


def notes(number: int, more: int = 0) -> str:
    """One of many short articles, no two alike; `more` paragraphs make it long."""
    place, thing = PLACES[number % len(PLACES)], THINGS[number % len(THINGS)]
    paragraphs = (
        f"The {thing} of {place} was opened in {1850 + 7 * number} after {number + 2} years of work and long debates.",
        f"Every day some {(number + 3) * 137} people pass it on their way, and in summer twice as many.",
        f"Plans to rebuild it are in draft {number + 1}; the council decides about them next spring.",
    )
    paragraphs += tuple(
        f"In the year {year} its {thing} was painted in colour {year * 7 % 31}." for year in range(more)
    )
    return article(f"The {thing} of {place}", paragraphs, day=f"2025-{number % 12 + 1:02d}-{number % 28 + 1:02d}")
