"""Pages that never end, or want too much of time, memory, windows or questions."""

SCRIPTS = {
    "endless script": "while (true) {}",
    "endless script after the load": "addEventListener('load', () => { while (true) {} })",
    "endless promises": "const again = () => Promise.resolve().then(again); again()",
    "endless timers": "for (let i = 0; i < 1000; i++) setInterval(() => document.body.toggleAttribute('x'), 0)",
    "endless frames": "const next = () => { requestAnimationFrame(next); document.body.offsetWidth }; next()",
    "endless workers": "for (let i = 0; i < 8; i++) new Worker(URL.createObjectURL(new Blob(['while (true) {}'])))",
    "endless observer": "new MutationObserver(() => document.body.toggleAttribute('x')).observe(document, "
    "{attributes: true, subtree: true}); document.body.toggleAttribute('x')",
    "endless pattern": "/(a+)+b/.test('a'.repeat(60))",
    "endless recursion": "const down = () => { try { down() } finally { down() } }; down()",
    "alerts": "while (true) alert('Tea')",
    "questions": "while (true) { confirm('Tea?'); prompt('Tea?'); print() }",
    "alerts of a frame": "const f = document.body.appendChild(document.createElement('iframe'));"
    "while (true) f.contentWindow.alert('Tea')",
    "beforeunload": "onbeforeunload = (event) => { event.preventDefault(); return 'Stay' };"
    "setInterval(() => location.reload(), 1)",
    "200 MB": "window.kept = []; for (let i = 0; i < 25; i++) kept.push(new Array(1e6).fill(i + 0.5))",
    "endless memory": "window.kept = []; while (true) kept.push(new Array(1e6).fill(kept.length + 0.5))",
    "endless buffers": "window.kept = []; while (true) kept.push(new Uint8Array(1e8).fill(1))",
    "endless elements": "while (true) document.body.append(document.createElement('p'))",
    "endless string": "let s = 'x'; try { while (true) s += s } catch {}",
    "reloads": "location.reload()",
    "addresses": "for (let i = 0; ; i++) location.href = '/' + i",
    "fragments": "let n = 0; setInterval(() => { location.hash = n++ }, 0)",
    "history": "for (let i = 0; i < 100000; i++) try { history.pushState({}, '', '/' + i) } catch {}",
    "back": "history.pushState({}, '', '/x'); onpopstate = () => history.forward(); history.back()",
    "popups": "for (let i = 0; i < 1000; i++) { open('about:blank'); open('/' + i) }",
    "clicked popups": "for (let i = 0; i < 300; i++) { const a = document.createElement('a'); a.href = '/' + i;"
    "a.target = '_blank'; a.click() }",
    "downloads": "for (let i = 0; i < 100; i++) { const a = document.createElement('a'); a.download = 'canary-' + i;"
    "a.href = URL.createObjectURL(new Blob(['canary'])); a.click() }",
    "close": "close(); self.close(); top.close()",
    "debugger": "for (let i = 0; i < 1000; i++) { debugger }",
    "crash": "location.href = 'chrome://crash'; location.href = 'chrome://kill'; location.href = 'chrome://hang'",
    "inner pages": "location.href = 'chrome://settings'; location.href = 'view-source:http://page.invalid/'",
    "blank": "location.href = 'about:blank'",
    "data address": "location.href = 'data:text/html,<p>gone'",
    "blob address": "location.href = URL.createObjectURL(new Blob(['<p>gone'], {type: 'text/html'}))",
    "script address": "location.href = 'javascript:while(true){}'",
    "mail": "for (let i = 0; i < 50; i++) { location.href = 'mailto:tea@example.org'; location.href = 'ssh://x' }",
    "canvas": "for (let i = 0; i < 4; i++) { const c = document.createElement('canvas'); c.width = c.height = 16384;"
    "const x = c.getContext('2d'); x.fillRect(0, 0, 16384, 16384); document.body.append(c) }",
    "WebGL": "for (let i = 0; i < 20; i++) { const c = document.createElement('canvas'); c.width = c.height = 4096;"
    "const g = c.getContext('webgl2'); if (g) g.clear(g.COLOR_BUFFER_BIT); document.body.append(c) }",
    "permissions": "navigator.geolocation.getCurrentPosition(() => 0); Notification.requestPermission();"
    "navigator.mediaDevices?.getUserMedia({audio: true, video: true}); navigator.clipboard?.readText();"
    "document.documentElement.requestFullscreen(); document.body.requestPointerLock(); window.showOpenFilePicker?.();"
    "document.body.insertAdjacentHTML('beforeend', '<input type=file id=i>'); i.click(); i.showPicker()",
    "written": "document.open(); for (let i = 0; i < 1000; i++) document.write('<p>x')",
    "emptied": "document.removeChild(document.documentElement)",
    "deep": "let e = document.body; for (let i = 0; i < 100000; i++) e = e.appendChild(document.createElement('div'))",
    "storage": "try { while (true) localStorage.setItem(Math.random(), 'x'.repeat(1e6)) } catch {}",
    "messages": "const c = new MessageChannel(); c.port1.onmessage = () => c.port1.postMessage(0);"
    "c.port2.onmessage = () => c.port2.postMessage(0); c.port1.postMessage(0)",
}
MARKUP = {
    "refresh": "<meta http-equiv=refresh content=0>",
    "refresh of a frame": "<iframe srcdoc='<meta http-equiv=refresh content=0>'></iframe>",
    "deep": "<div>" * 100_000,
    "deep and formatted": "<b><i>" * 5_000 + "<p>" * 5_000,
    "300,000 elements": "<i></i>" * 100_000 + "<br>" * 200_000,
    "animations": "<style>@keyframes k { to { rotate: 1turn; width: 9999px } } i { animation: k .01s infinite }</style>"
    + "<i>x</i>" * 1_000,
    "base": "<base href='file:///etc/'><img src=passwd><link rel=stylesheet href=passwd><iframe src=passwd></iframe>",
    "huge picture": "<img src=\"data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='1000000' "
    "height='1000000'><rect width='1000000' height='1000000'/></svg>\">" * 20,
    "doubling": "<svg>" + "".join(f"<g id=g{n}>{f'<use href=#g{n - 1} />' * 10}</g>" for n in range(1, 10)) + "</svg>",
    "large numbers": "<style>p { font-size: 1e38px; margin: 1e38px; transform: scale(1e38); column-count: 1000000 }"
    "div { display: grid; grid-template-columns: repeat(100000, 1px) }</style><p>x<div>y</div>",
    "filters": "<style>i { filter: blur(9999px); backdrop-filter: blur(9999px); position: absolute; inset: -99999px }"
    "</style>" + "<i>x</i>" * 50,
    "frames": "<iframe srcdoc='<iframe srcdoc=\"<iframe></iframe><p>x\"></iframe>'></iframe>" * 30,
    "autofocus": "<input autofocus onfocus='this.blur()' onblur='this.focus()'>" * 2,
    "dialog": "<dialog open>Tea?</dialog><form method=dialog><button autofocus></button></form>",
    "plug-ins": "<object data='data:application/pdf,x'></object><embed type=application/x-shockwave-flash src=x.swf>",
}
