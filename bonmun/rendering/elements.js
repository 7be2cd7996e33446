// All elements of the document in pre-order: names, boxes and visibility, in one string. Nested arrays cost ten times as much.
(withMarkup) => {
  const walker = document.createTreeWalker(document, NodeFilter.SHOW_ELEMENT);
  const names = [], boxes = [];
  const x = window.scrollX, y = window.scrollY;
  while (walker.nextNode()) {
    const element = walker.currentNode;
    const box = element.getBoundingClientRect();
    const visible = element.offsetWidth || element.offsetHeight || element.getClientRects().length ? 1 : 0;
    names.push(element.localName);
    boxes.push(Math.round(box.left + x), Math.round(box.top + y), Math.round(box.right + x), Math.round(box.bottom + y), visible);
  }
  const root = document.documentElement, body = document.body || root;
  const size = (side) => Math.max(
    body["scroll" + side], root["scroll" + side], body["offset" + side], root["offset" + side], root["client" + side]);
  const doctype = document.doctype ? "<!doctype " + document.doctype.name + ">" : "";
  return JSON.stringify({
    names: names.join(" "),
    boxes: boxes.join(" "),
    viewport: [window.innerWidth, window.innerHeight],
    document: [size("Width"), size("Height")],
    markup: withMarkup ? doctype + root.outerHTML : null,
  });
}
