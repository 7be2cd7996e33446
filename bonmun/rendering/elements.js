// All elements of the document in pre-order: names, boxes and visibility, in one string. Nested arrays cost ten times as much.
// It runs in an isolated world, where scripts of the page change nothing. Names of forms and images still hide properties of
// `document` and of forms (DOM clobbering), so properties are read by the getters of their prototypes.
(withMarkup, mostElements, mostCharacters) => {
  const getter = (type, name) => Function.prototype.call.bind(Object.getOwnPropertyDescriptor(type.prototype, name).get);
  const method = (type, name) => Function.prototype.call.bind(type.prototype[name]);
  const nameOf = getter(Element, "localName"), shadowOf = getter(Element, "shadowRoot");
  const boxOf = method(Element, "getBoundingClientRect"), rectsOf = method(Element, "getClientRects");
  const createTreeWalker = method(Document, "createTreeWalker");
  const offset = { Width: getter(HTMLElement, "offsetWidth"), Height: getter(HTMLElement, "offsetHeight") };
  const client = { Width: getter(Element, "clientWidth"), Height: getter(Element, "clientHeight") };
  const scroll = { Width: getter(Element, "scrollWidth"), Height: getter(Element, "scrollHeight") };

  for (const animation of method(Document, "getAnimations")(document)) { // else boxes depend on the moment
    try { animation.finish(); } catch { animation.cancel(); } // an endless one has no end
  }

  const pixels = (value) => Math.max(-1e9, Math.min(1e9, Math.round(value))) || 0; // a transform scales to infinity
  const isVisible = (element, box) => // as jQuery's :visible
    box.width || box.height || rectsOf(element).length
    || (element instanceof HTMLElement && (offset.Width(element) || offset.Height(element))) ? 1 : 0;
  const walk = (root) => createTreeWalker(document, root, NodeFilter.SHOW_ELEMENT);
  const names = [], boxes = [], shadows = [], walkers = [walk(document)];
  const x = window.scrollX, y = window.scrollY;
  while (walkers.length && names.length <= mostElements) {
    const element = walkers[walkers.length - 1].nextNode();
    if (!element) { walkers.pop(); continue; }
    const box = boxOf(element);
    names.push(nameOf(element));
    boxes.push(pixels(box.left + x), pixels(box.top + y), pixels(box.right + x), pixels(box.bottom + y), isVisible(element, box));
    const shadow = shadowOf(element);
    if (shadow) { // in markup it is a `template`
      names.push("template");
      boxes.push(0, 0, 0, 0, 0);
      shadows.push(shadow);
      walkers.push(walk(shadow));
    }
  }
  if (names.length > mostElements) return JSON.stringify({ limit: "nodes", found: names.length });

  const root = getter(Document, "documentElement")(document), body = getter(Document, "body")(document);
  const sizes = (element, side) => [scroll[side](element), element instanceof HTMLElement ? offset[side](element) : 0];
  const size = (side) => // as jQuery's height of a document
    Math.max(root ? client[side](root) : 0, ...[root, body].filter(Boolean).flatMap((element) => sizes(element, side)));
  const outer = getter(Element, "outerHTML"), inner = method(Element, "getHTML"), childrenOf = getter(Node, "childNodes");
  const around = (element, inside) => {
    const tags = outer(method(Node, "cloneNode")(element, false)), end = tags.lastIndexOf("</");
    return tags.slice(0, end) + inside + tags.slice(end);
  };
  // A `noscript` of the head is left empty: parsed as elements, its content would end the head.
  const headOf = (head) => Array.from(childrenOf(head), (node) =>
    !(node instanceof Element) ? "" : nameOf(node) === "noscript" ? around(node, "") : outer(node)).join("");
  const partOf = (node) => node instanceof HTMLHeadElement ? around(node, headOf(node))
    : node instanceof Element ? around(node, inner(node, { shadowRoots: shadows }))
    : node instanceof Text ? node.data.replaceAll("&", "&amp;").replaceAll("<", "&lt;") : "";
  const markupOf = () => {
    const doctype = getter(Document, "doctype")(document);
    return (doctype ? "<!doctype " + doctype.name + ">" : "") + around(root, Array.from(childrenOf(root), partOf).join(""));
  };
  const markup = !withMarkup ? null : root ? markupOf() : "";
  if (markup && markup.length > mostCharacters) return JSON.stringify({ limit: "bytes", found: markup.length });
  return JSON.stringify({
    names: names.join(" "),
    boxes: boxes.join(" "),
    viewport: [window.innerWidth, window.innerHeight],
    document: [size("Width"), size("Height")],
    markup,
  });
}
