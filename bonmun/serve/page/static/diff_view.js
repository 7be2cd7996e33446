// A diff of two texts: insertions and deletions are marked by colour, by a line and in words.

import { make } from "./elements.js";

const CONTEXT = 160; // characters of unchanged text around a change
const LEAST_HIDDEN = 200;

/**
 * Return the changes `[{op: "equal" | "insert" | "delete", text}]` as an element. `words`: `{inserted, deleted, same,
 * unchanged(count)}`; long unchanged parts are folded behind a button.
 */
export function diffView(changes, words) {
  const box = make("div", { class: "diff" });
  if (changes.every(({ op }) => op === "equal")) {
    box.append(make("p", { class: "empty" }, words.same));
    return box;
  }
  changes.forEach(({ op, text }, index) => {
    if (op === "insert") box.append(changed("ins", "+", words.inserted, text));
    else if (op === "delete") box.append(changed("del", "−", words.deleted, text));
    else box.append(...unchanged(text, index > 0, index < changes.length - 1, words));
  });
  return box;
}

function changed(tag, sign, name, text) {
  const mark = make("span", { class: "diff-sign", "aria-hidden": "true" }, sign);
  return make(tag, {}, make("span", { class: "sr-only" }, `${name}: `), mark, text);
}

function unchanged(text, changeBefore, changeAfter, words) {
  const head = changeBefore ? CONTEXT : 0;
  const tail = changeAfter ? CONTEXT : 0;
  const characters = Array.from(text);
  if (characters.length < head + tail + LEAST_HIDDEN) return [make("span", {}, text)];
  const part = (start, end) => characters.slice(start, end).join("");
  const middle = part(head, characters.length - tail);
  const button = make("button", { type: "button", class: "diff-more" }, words.unchanged(characters.length - head - tail));
  button.addEventListener("click", () => button.replaceWith(make("span", {}, middle)));
  const nodes = [button];
  if (head) nodes.unshift(make("span", {}, part(0, head), "…"));
  if (tail) nodes.push(make("span", {}, "…", part(characters.length - tail)));
  return nodes;
}

/** Return how many characters were inserted and deleted. */
export function diffSize(changes) {
  const size = (kind) => changes.reduce((sum, { op, text }) => sum + (op === kind ? Array.from(text).length : 0), 0);
  return { inserted: size("insert"), deleted: size("delete") };
}
