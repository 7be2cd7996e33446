// Elements made by DOM calls: text is always text, whatever it contains.

/** The element of an id, which has to be there. */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`no element #${id}`);
  return element;
}

/**
 * An element: `make("a", { class: "x", href: "/" }, "text", child)`. A value of null, undefined or false leaves an
 * attribute out, true sets it empty; a function under "onclick" and the like becomes a listener.
 */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function" && key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** The same for SVG. */
export function draw(name, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** A message in place: an error, a warning or a note, with buttons `[[label, action]]`. */
export function message(kind, text, actions = []) {
  const buttons = actions.map(([label, action]) => make("button", { type: "button", class: "small", onclick: action }, label));
  return make("div", { class: `message ${kind}`, role: kind === "error" ? "alert" : "status" }, make("p", {}, text), ...buttons);
}

/** An empty state: a heading, a sentence that says how to fill it, and whatever else. */
export function emptyState(title, text, ...children) {
  return make("div", { class: "empty" }, make("h2", {}, title), make("p", {}, text), ...children);
}
