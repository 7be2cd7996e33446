"""Pages that try to reach a server: each part asks for a path of its own. C is the canary's address."""

MARKUP = {
    "img": "<img src=//C/img.svg>",
    "srcset": "<img srcset='//C/srcset.svg 1x'>",
    "picture": "<picture><source srcset=//C/picture.svg><img></picture>",
    "stylesheet": "<link rel=stylesheet href=//C/stylesheet.css>",
    "import": "<style>@import '//C/import.css';</style>",
    "background": "<div style='background: url(//C/background.svg); height: 9px'></div>",
    "font": "<style>@font-face { font-family: f; src: url(//C/font.woff) } u { font-family: f }</style><u>Tea</u>",
    "cursor": "<style>b::before { content: url(//C/cursor.svg) }</style><b>Tea</b>",
    "iframe": "<iframe src=//C/iframe.html></iframe>",
    "srcdoc": "<iframe srcdoc='<img src=//C/srcdoc.svg>'></iframe>",
    "object": "<object data=//C/object.svg></object>",
    "embed": "<embed src=//C/embed.svg>",
    "video": "<video src=//C/video.mp4 preload=auto autoplay muted></video>",
    "poster": "<video poster=//C/poster.svg></video>",
    "audio": "<audio src=//C/audio.mp3 preload=auto></audio>",
    "source": "<video preload=auto><source src=//C/source.mp4></video>",
    "svgimage": "<svg><image href=//C/svgimage.svg /></svg>",
    "svguse": "<svg><use href=//C/svguse.svg#g /></svg>",
    "svgfilter": "<svg><filter id=f><feImage href=//C/svgfilter.svg /></filter><rect width=9 filter=url(#f) /></svg>",
    "preload": "<link rel=preload as=image href=//C/preload.svg>",
    "prefetch": "<link rel=prefetch href=//C/prefetch.html>",
    "preconnect": "<link rel=preconnect href=//C/>",
    "dnsprefetch": "<link rel=dns-prefetch href=//C/><link rel=dns-prefetch href=//localhost/>",
    "modulepreload": "<link rel=modulepreload href=//C/modulepreload.js>",
    "prerender": "<link rel=prerender href=//C/prerender.html>",
    "speculation": '<script type=speculationrules>{"prerender": [{"urls": ["/speculation.html"], '
    '"eagerness": "immediate"}]}</script>',
    "manifest": "<link rel=manifest href=//C/manifest.json>",
    "icon": "<link rel=icon href=//C/icon.svg>",
    "input": "<input type=image src=//C/input.svg>",
    "body": "<table background=//C/body.svg><td>Tea</table>",
    "script": "<script src=//C/script.js></script>",
    "decimal": "<img src=//2130706433:P/decimal.svg>",
    "hexadecimal": "<img src=//0x7f.1:P/hexadecimal.svg>",
    "localhost": "<img src=//localhost:P/localhost.svg>",
    "zero": "<img src=//0.0.0.0:P/zero.svg>",
    "mapped": "<img src=//[::ffff:127.0.0.1]:P/mapped.svg>",
    "credentials": "<img src=//user:password@C/credentials.svg>",
}
UNSEEN_MARKUP = frozenset({"preconnect", "dnsprefetch", "prerender", "manifest", "icon", "speculation", "credentials"})
"""Those that are not sure to leave a request of their name in a browser without defence."""

SCRIPTS = {
    "fetch": "fetch('//C/fetch.html')",
    "xhr": "const x = new XMLHttpRequest(); x.open('POST', '//C/xhr.html'); x.send('x')",
    "synchronous": "const s = new XMLHttpRequest(); s.open('GET', '//C/synchronous.html', false); s.send()",
    "beacon": "navigator.sendBeacon('//C/beacon.html', 'x')",
    "keepalive": "fetch('//C/keepalive.html', {keepalive: true, method: 'POST', body: 'x'})",
    "unload": "addEventListener('pagehide', () => navigator.sendBeacon('//C/unload.html', 'x'))",
    "later": "if (window.fetchLater) fetchLater('http://C/later.html', {activateAfter: 0})",
    "socket": "new WebSocket('ws://C/socket')",
    "events": "new EventSource('//C/events')",
    "image": "new Image().src = '//C/image.svg'",
    "dynamic": "import('http://C/dynamic.js').catch(() => 0)",
    "worker": "new Worker(URL.createObjectURL(new Blob([`fetch('http://C/worker.html')`])))",
    "workersocket": "new Worker(URL.createObjectURL(new Blob([`new WebSocket('ws://C/workersocket')`])))",
    "workerimport": "new Worker(URL.createObjectURL(new Blob([`importScripts('http://C/workerimport.js')`])))",
    "ownworker": "new Worker('/ownworker.js')",
    "sharedworker": "new SharedWorker('/sharedworker.js')",
    "serviceworker": "navigator.serviceWorker.register('/serviceworker.js').catch(() => 0)",
    "worklet": "CSS.paintWorklet.addModule('//C/worklet.js').catch(() => 0)",
    "fontface": "new FontFace('x', 'url(//C/fontface.woff)').load().catch(() => 0)",
    "frame": "const f = document.createElement('iframe'); f.src = '//C/frame.html'; document.body.append(f)",
    "nested": "const n = document.body.appendChild(document.createElement('iframe'));"
    "n.contentWindow.fetch('//C/nested.html')",
    "written": "document.body.insertAdjacentHTML('beforeend', '<img src=//C/written.svg>')",
    "form": "document.body.insertAdjacentHTML('beforeend', '<iframe name=t></iframe>"
    "<form id=o target=t action=//C/form.html method=post><input name=q></form>'); o.submit()",
    "ping": "const a = document.createElement('a'); a.href = '#x'; a.ping = '//C/ping.html'; a.click()",
    "open": "window.open('//C/open.html')",
    "blank": "const l = document.createElement('a'); l.href = '//C/blank.html'; l.target = '_blank'; l.click()",
    "video": "const v = document.createElement('video'); v.src = '//C/video.mp4'; document.body.append(v)",
    "attachment": "const d = document.createElement('a'); d.href = '//C/attachment.html'; d.download = ''; d.click()",
    "speculated": "const s = document.createElement('script'); s.type = 'speculationrules'; s.textContent = "
    "JSON.stringify({prefetch: [{urls: ['/speculated.html'], eagerness: 'immediate'}]}); document.head.append(s)",
    "transport": "if (window.WebTransport) new WebTransport('https://C/transport').ready.catch(() => 0)",
    "webrtc": "const r = new RTCPeerConnection({iceServers: [{urls: 'stun:U'}, {urls: 'turn:C?transport=tcp', "
    "username: 'u', credential: 'c'}]}); r.createDataChannel('x'); r.createOffer().then(r.setLocalDescription.bind(r))",
    "location": "setTimeout(() => { location.href = '//C/location.html' }, 300)",
}
UNSEEN_SCRIPTS = frozenset({"transport", "webrtc", "later", "speculated", "ping"})
"""The same; `webrtc` sends datagrams."""


def page_of(parts: dict[str, str], host: str, udp: str, *, scripts: bool) -> str:
    """One page with all parts; a script that fails leaves the others alone."""
    port = host.rpartition(":")[2]
    lines = (f"<script>{{ {part} }}</script>" if scripts else part for part in parts.values())
    page = "<!doctype html><title>Tea</title><body><p>Tea is made of leaves.</p>" + "\n".join(lines)
    return (
        page.replace("//C/", f"//{host}/")
        .replace("@C/", f"@{host}/")
        .replace(":C?", f":{host}?")
        .replace(":P/", f":{port}/")
        .replace("stun:U", f"stun:{udp}")
    )
