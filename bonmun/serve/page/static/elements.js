// Elements by DOM calls. Text is only ever set as text: nothing that a page contains can become markup.

const SVG = "http://www.w3.org/2000/svg";

/**
 * Make an HTML element. `properties` are attributes; `on` is an object of listeners; a value of `null` or `false`
 * leaves the attribute out. Children are nodes or strings; `null` is skipped.
 */
export function make(tag, properties = {}, ...children) {
  return fill(document.createElement(tag), properties, children);
}

/** Make an SVG element; as `make`. */
export function makeSvg(tag, properties = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), properties, children);
}

function fill(element, { on = {}, ...attributes }, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  for (const [event, listener] of Object.entries(on)) element.addEventListener(event, listener);
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** Return a text with its marked parts in `<mark>`; `marks` are pairs of start and end in code points. */
export function markedText(text, marks) {
  const characters = Array.from(text);
  const part = (start, end) => characters.slice(start, end).join("");
  const nodes = [];
  let done = 0;
  for (const [start, end] of marks) {
    nodes.push(part(done, start), make("mark", {}, part(start, end)));
    done = end;
  }
  return [...nodes, part(done)];
}

/** Return a link to a page of the web, or its address as text where it is not `http` or `https`. */
export function webLink(address, label = address, properties = {}) {
  let scheme = "";
  try {
    scheme = new URL(address).protocol;
  } catch {
    // no address of the web
  }
  if (scheme !== "http:" && scheme !== "https:") return make("span", properties, label);
  return make("a", { href: address, rel: "noreferrer noopener", target: "_blank", ...properties }, label);
}
