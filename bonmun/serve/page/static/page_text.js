// Text and addresses from pages of the web: only ever set as text, and linked only where the link is harmless.

import { make } from "./elements.js";

/** Return a text with its marked parts in `<mark>`; `marks` are pairs of start and end in code points, in order. */
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

/** Whether an address can be opened: `http` or `https`. */
export function isWebAddress(address) {
  try {
    return ["http:", "https:"].includes(new URL(address).protocol);
  } catch {
    return false;
  }
}

/** Return a link to a page of the web, or its address as text where it cannot be opened. */
export function webLink(address, label = address, attributes = {}) {
  if (!isWebAddress(address)) return make("span", attributes, label);
  return make("a", { href: address, rel: "noreferrer noopener", target: "_blank", ...attributes }, label);
}
