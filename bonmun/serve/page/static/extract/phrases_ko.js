// The reasons of the methods in Korean. They come in English from bonmun/methods; one without an entry stays as it is.

export const NAMES = {
  "content-like": "본문 같음", "boilerplate-like": "군더더기 같음", inside: "사이에 있음", "lone-image": "단독 그림", comments: "댓글", copy: "중복",
  "closing-notice": "끝 안내문", "behind-text": "본문 뒤", post: "글의 일부", "around-posts": "글 밖", source: "출처 목록", declared: "페이지가 밝힌 조리법", unseen: "보이지 않음", snippet: "짧은 페이지", table: "표", title: "제목", dateline: "날짜 줄", hidden: "숨김",
  "form-control": "입력 양식", "mere-links": "링크뿐", "advert-label": "광고 표시", "heading-of-nothing": "내용 없는 제목", footnote: "각주",
  "callout-title": "상자 제목", "plain-page": "글뿐인 페이지", "nothing-promising": "본문 후보 없음", "no-text": "글 없음", "longest-group": "가장 긴 그룹",
  "shorter-group": "더 짧은 그룹", "in-region": "본문 영역 안", "outside-region": "본문 영역 밖", "page-furniture": "페이지 부가 요소", "one-syllable": "한 음절",
  candidate: "후보", "nothing-left": "남은 것 없음", "no-keywords": "키워드 없음", "no-common-block": "공통 블록 없음", cut: "잘림", "no-site": "사이트 모름",
  "no-template": "템플릿 없음", "stale-template": "낡은 템플릿", "template-rule": "템플릿 규칙", "template-rule-drops": "템플릿 규칙이 제외", "outside-template-rule": "템플릿 규칙 밖",
  "recurring-text": "되풀이되는 글", "auto-added": "auto가 더함", "auto-dropped": "auto가 제외", "auto-disagrees": "auto와 다름", abstained: "판정 보류",
  "densest-block": "글이 가장 빽빽한 블록", "no-class": "학습한 종류 없음", "rule-missing": "일치하는 규칙 없음", "rule-empty": "규칙이 남긴 글 없음",
  "not-visible": "화면에 없음", centre: "문서 중심",
  "same-text-as-another-page": "다른 페이지와 같은 글", "share-out-of-range": "남긴 비율이 평소와 다름",
};

const PLACES = {
  "the navigation": "내비게이션", "a header": "머리글", "a footer": "바닥글", "a sidebar": "사이드바", "a form": "입력 양식", "the page's main part": "페이지의 중심부",
  "an article": "기사", "a section": "구역", "a table": "표", "a list": "목록", "a numbered list": "번호 목록", "a definition list": "정의 목록", "a figure": "그림 영역",
  "a heading": "제목", "a list item": "목록 항목", "a block of code": "코드", "a quotation": "인용", "a caption": "그림 설명", "a picture": "그림", "a paragraph": "문단",
};
const MEANINGS = {
  navigation: "내비게이션", "a footer": "바닥글", "a page header": "머리글", "a sidebar": "사이드바", "a pop-up": "팝업", "a cookie notice": "쿠키 안내", "sharing buttons": "공유 버튼",
  "a sign-up form": "가입 양식", "related links": "관련 링크", "an advert": "광고", comments: "댓글", "a date or author line": "날짜나 글쓴이 줄", "tags or categories": "태그나 분류",
  content: "내용", "the main part": "중심부", "an article": "기사", "body text": "본문", "a picture or video": "그림이나 영상", "a list of teasers": "소개 목록", "a product": "상품",
  "a price or shopping cart": "가격이나 장바구니", reviews: "후기", "forum posts": "게시글", "a banner or section": "배너나 구역", "folded sections": "접힌 구역", documentation: "문서",
  "a table of data": "자료 표", "hidden text": "숨은 글", "a form": "입력 양식", "a language menu": "언어 메뉴",
};
const OF_TEXTS = {
  "hold little of the page's text": "페이지 글의 적은 부분", "hold much of the page's text": "페이지 글의 많은 부분", "are short": "짧음", "are long": "긺", "have hardly any links": "링크가 거의 없음",
  "are mostly links": "대부분 링크", "are no running text": "줄글이 아님", "are running text": "줄글",
};

const PHRASES = {
  "among links": "링크 사이에 있음", "shares no word with the page's title": "페이지 제목과 겹치는 단어 없음", "above the page's main heading": "페이지의 큰 제목보다 위",
  "the text before or after the picture is not kept": "그림 앞이나 뒤의 글이 제외됨", "the text before and after the picture is kept": "그림 앞뒤의 글이 유지됨",
  "behind the element that holds the text": "글을 담은 요소보다 뒤", "a part of a post": "글의 일부", "outside of the posts of the thread": "토론 글의 밖", "an entry of a list of sources": "출처 목록의 항목", "listed in a recipe that the page declares": "페이지가 밝힌 조리법의 재료나 순서", "the text before and after it is kept": "앞뒤의 글이 유지됨", "wording common in menus, notices and adverts": "메뉴, 안내, 광고에 흔한 말", "wording common in main texts": "본문에 흔한 말",
  "next to wording common in menus, notices and adverts": "메뉴, 안내, 광고에 흔한 말 옆", "next to wording common in main texts": "본문에 흔한 말 옆",
  "outside navigation, footers and sidebars": "내비게이션, 바닥글, 사이드바 밖", "before nearly all text of the page": "페이지의 거의 모든 글보다 앞", "after nearly all text of the page": "페이지의 거의 모든 글보다 뒤",
  "among short texts": "짧은 글 사이", "among long texts": "긴 글 사이", "outside the part of the page with most of its running text": "줄글이 모인 부분의 밖",
  "in the part of the page with most of its running text": "줄글이 모인 부분", "nothing but a link": "링크 하나뿐", "part of a longer passage that is repeated on the page": "페이지에서 되풀이되는 긴 대목의 일부",
  "no full sentence": "완전한 문장 없음", "a full sentence": "완전한 문장", "written in full sentences": "완전한 문장으로 쓰임", "little text and much markup around it": "주변에 글은 적고 마크업이 많음",
  "much text and little markup around it": "주변에 글이 많고 마크업은 적음", "in the middle of the page": "페이지 가운데", "its words hardly occur in the page's running text": "줄글에 거의 나오지 않는 단어",
  "its words recur in the page's running text": "줄글에 다시 나오는 단어", "hardly any links around it": "주변에 링크가 거의 없음", "class and id names as around menus and notices": "메뉴나 안내 같은 class와 id 이름",
  "class and id names as around main texts": "본문 같은 class와 id 이름", "its text is not repeated on the page": "페이지에서 되풀이되지 않음", "in a part of the page with little text": "글이 적은 부분",
  "in a part of the page with few texts": "글 조각이 적은 부분", "in a part of the page with many texts": "글 조각이 많은 부분", "in the part of the page with most of its text": "글이 가장 많은 부분",
  "in a part of the page without running text": "줄글이 없는 부분", "shares words with the page's title": "페이지 제목과 단어가 겹침", "repeats the page's title": "페이지 제목을 되풀이함",
  "below the page's main heading": "페이지의 큰 제목 아래", "right below the page's main heading": "페이지의 큰 제목 바로 아래", "far below the page's main heading": "페이지의 큰 제목에서 한참 아래", "the page's main heading": "페이지의 큰 제목",
  "at the end of its part of the page": "속한 부분의 끝", "in the middle of its part of the page": "속한 부분의 가운데", "hardly any paragraphs around it": "주변에 문단이 거의 없음", "among paragraphs": "문단 사이",
  "a long text": "긴 글", "as long as a sentence": "문장만 한 길이", "a short text": "짧은 글", "only a few words": "단어 몇 개뿐", "a short text in a list of links": "링크 목록 속 짧은 글", "only a few words in a list of links": "링크 목록 속 단어 몇 개",
  "a short text among links": "링크 사이 짧은 글", "only a few words among links": "링크 사이 단어 몇 개", "no running text around it": "주변에 줄글 없음", "among running text": "줄글 사이",
  "nearly every word starts with a capital letter": "거의 모든 단어가 대문자로 시작", "written in capital letters": "대문자로 씀", "ordinary use of capital letters": "일반적인 대문자 사용",
  "in a section of links": "링크 구역", "in a section without running text": "줄글이 없는 구역", "in a section of running text": "줄글의 구역", "in a section with hardly any links": "링크가 거의 없는 구역",
  "hardly any punctuation around it": "주변에 문장 부호가 거의 없음", "punctuated text around it": "주변에 문장 부호가 있는 글", "no links in it": "링크 없음", "hardly any links in it": "링크가 거의 없음", "many links in it": "링크가 많음",
  "mostly links": "대부분 링크", "hardly anything but links": "거의 링크뿐", "far from any running text": "줄글에서 멂", "next to other running text": "줄글 옆", "before the running text begins": "줄글이 시작되기 전",
  "after the end of the running text": "줄글이 끝난 뒤", "no other text is marked up like it": "같은 마크업의 글이 없음", "one of many texts in parts of the page built alike": "비슷하게 짜인 부분의 많은 글 중 하나",
  "no heading above it": "위에 제목 없음", "near the top of the page": "페이지 위쪽", "near the end of the page": "페이지 끝 쪽", "at the start of the page": "페이지 맨 앞", "at the end of the page": "페이지 맨 끝",
  "among pictures": "그림 사이", "mostly digits": "대부분 숫자", "many digits in it": "숫자가 많음", "very long words, like codes or addresses": "코드나 주소처럼 긴 단어", "many headings around it": "주변에 제목이 많음",
  "a colon in it": "콜론이 있음", "a price in it": "가격이 있음", "quotation marks in it": "따옴표가 있음", "brackets in it": "괄호가 있음", "a date or time in it": "날짜나 시각이 있음",
  "plain text without markup inside": "안에 마크업이 없는 글", "markup inside its text": "글 안에 마크업", "at the top level of the page's markup": "마크업 최상위", "a button or form field": "버튼이나 입력란", "hidden until a script shows it": "스크립트가 보일 때까지 숨김",
  "hidden until a script or style shows it": "스크립트나 스타일이 보일 때까지 숨김", "shown without scripts": "스크립트 없이 보임", "no text in it": "글이 없음", "no single sign decided": "결정적인 단서 없음",
  "a list item": "목록 항목", "a heading": "제목", "a paragraph": "문단", "a table cell": "표 칸", "a quotation": "인용", "a caption": "그림 설명", "a picture": "그림", "a block of code": "코드",
  "an entry of a definition list": "정의 목록의 항목", "a term of a definition list": "정의 목록의 용어", "text for screen readers or the name of an icon": "화면 낭독기용 글이나 아이콘 이름", "the same text is further up the page": "같은 글이 위에 있음",
  "copyright line": "저작권 표시", "reporter's e-mail address": "기자 이메일 주소", "part of a table that is kept": "유지된 표의 일부", "the callout below it is kept": "아래 상자가 유지됨", "the note of a kept mark": "유지된 표시의 각주",
  "on so short a page all readable text is kept": "짧은 페이지라 읽을 수 있는 글을 모두 유지", "no text is likely to be the main content": "본문으로 보이는 글이 없음", "the page has no text": "페이지에 글이 없음", "the page has no text node": "페이지에 텍스트 노드가 없음",
  "the page is nothing but prose, without menus or lists of links": "메뉴나 링크 목록 없이 글만 있는 페이지", "the page's own title": "페이지 자신의 제목", "a date before the text begins": "글이 시작되기 전의 날짜",
  "nothing below it is kept": "아래에 유지된 것이 없음", "no kept text next to it": "옆에 유지된 글이 없음", "not in the element that holds the main text": "본문이 든 요소 밖", "not in the element that holds the candidates": "후보가 든 요소 밖",
  "inside the <header> of the page": "페이지의 <header> 안", "no noun occurs twice; the longest block was taken": "두 번 나오는 명사가 없어 가장 긴 블록을 고름",
  "no block is in both top tens; the heaviest was taken": "두 목록의 상위 10개에 함께 든 블록이 없어 가중치가 가장 큰 블록을 고름",
  "no text is left without lists, links and emphasis": "목록, 링크, 강조를 빼면 남는 글이 없음", "every block was dropped for a reason of its own": "모든 블록이 저마다의 이유로 제외됨",
  "the title under which the text was first published": "글이 처음 실릴 때의 제목", "editor's line": "편집자 표시", "legal notice": "법적 고지", "no block node has text outside links": "링크가 아닌 글이 든 요소가 없음",
  "no text outside links and page furniture": "링크와 부가 요소 밖에는 글이 없음", "no class of pages was learned": "학습한 페이지 종류가 없음",
  "the browser gave it no box": "브라우저가 그리지 않음", "around the text nearest to the centre of the document": "문서 중심에서 가장 가까운 글 주변",
  "early in the page's markup": "마크업 앞쪽", "late in the page's markup": "마크업 뒤쪽", "few child nodes": "자식 노드가 적음", "many child nodes": "자식 노드가 많음",
  "little text": "글이 적음", "much text": "글이 많음",
  "near the left edge": "왼쪽 가장자리 근처", "far from the left edge": "왼쪽 가장자리에서 멂", "far from the right edge": "오른쪽 가장자리에서 멂", "reaches far to the right": "오른쪽 멀리까지 이어짐",
  "starts near the top of the page": "페이지 위쪽에서 시작", "starts far down the page": "페이지 한참 아래에서 시작", "ends near the top of the page": "페이지 위쪽에서 끝남", "ends far down the page": "페이지 한참 아래에서 끝남",
  "a narrow box": "좁은 상자", "a wide box": "넓은 상자", "a flat box": "낮은 상자", "a tall box": "높은 상자",
  "near the centre of the window": "창 중심 근처", "far from the centre of the window": "창 중심에서 멂", "near the centre of the document": "문서 중심 근처", "far from the centre of the document": "문서 중심에서 멂",
  "residue of an advert": "광고 잔여물", "no template of this page's site is known; auto decided": "이 사이트의 템플릿이 없어 auto가 판정함", "on other pages of the template too": "같은 템플릿의 다른 페이지에도 있음",
};

const PATTERNS = [
  [/^inside an element with the role “(.+)”$/, (role) => `역할이 “${role}”인 요소 안`],
  [/^in an area with (\d+) reply buttons$/, (count) => `답글 버튼이 ${count}개 있는 영역`],
  [/^no text in (.+)$/, (path) => `${path}에 글이 없음`],
  [/^unlike all pages that (.+) was learned from$/, (host) => `${host === "the site" ? "이 사이트" : host}의 학습에 쓴 페이지와 모두 다름`],
  [/^([\d.]+ ?%) in common with the template's rule$/, (share) => `템플릿 규칙과 ${share} 일치`],
  [/^(.+); not used$/, (what) => `${what}; 쓰지 않음`],
  [/^inside an element named “(.+?)”(?:, like (.+))?$/, (name, like) => `이름이 “${name}”인 요소 안${like ? `(${MEANINGS[like] ?? like} 같음)` : ""}`],
  [/^inside (.+) \(<(\w+)>\)$/, (place, tag) => `${PLACES[place] ?? place} 안(<${tag}>)`],
  [/^outside (.+?)(?: \(<(\w+)>\))?$/, (place) => `${PLACES[place] ?? place} 밖`],
  [/^inside <(\w+)>$/, (tag) => `<${tag}> 안`],
  [/^under the heading “([^]*)”$/, (heading) => `제목 “${heading}” 아래`],
  [/^one of ([\d,]+) texts marked up alike$/, (count) => `같은 마크업의 글 ${count}개 중 하나`],
  [/^nested (\d+) elements deep$/, (count) => `요소 ${count}겹 안`],
  [/^(inside )?one of ([\d,]+) (?:similar )?elements side by side$/, (inside, count) => `나란히 놓인 요소 ${count}개 중 하나${inside ? "의 안" : ""}`],
  [/^its text is on the page (twice|\d+ times)(, with other numbers)?$/, (times, other) => `같은 글이 페이지에 ${times === "twice" ? 2 : parseInt(times, 10)}번${other ? " (숫자만 다름)" : ""}`],
  [/^just (after|before) (.+)$/, (where, what) => `${PLACES[what] ?? what} 바로 ${where === "after" ? "뒤" : "앞"}`],
  [/^texts marked up like it (.+)$/, (what) => `같은 마크업의 글: ${OF_TEXTS[what] ?? what}`],
  [/^texts in parts of the page built like its own (.+)$/, (what) => `비슷하게 짜인 부분의 글: ${OF_TEXTS[what] ?? what}`],
  [/^(.+): ([\d,]+) text nodes, ([\d,]+) characters$/, (path, nodes, size) => `${path}: 텍스트 노드 ${nodes}개, ${size}자`],
  [/^([\d,]+) of ([\d,]+) characters are links$/, (linked, size) => `${size}자 중 ${linked}자가 링크`],
  [/^the label “(.+)”$/, (label) => `“${label}” 표시`],
  [/^probability (.+)$/, (probability) => `확률 ${probability}`],
  [/^weight (.+)$/, (weight) => `가중치 ${weight}`],
  [/^(.+) holds the candidates$/, (path) => `후보가 든 ${path}`],
  [/^(.+) holds the heaviest group$/, (path) => `가장 무거운 그룹이 든 ${path}`],
  [/^not in (.+)$/, (path) => `${path} 밖`],
  [/^confidence (.+) is below (.+)$/, (is, least) => `신뢰도 ${is}, 기준 ${least}보다 낮음`],
];

/** The phrase in Korean, or as it is. */
export function phrase(detail) {
  if (Object.hasOwn(PHRASES, detail)) return PHRASES[detail];
  for (const [pattern, words] of PATTERNS) {
    const match = pattern.exec(detail);
    if (match) return words(...match.slice(1));
  }
  return detail;
}
