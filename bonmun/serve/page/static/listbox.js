// A long list of which one item is chosen (ARIA Authoring Practices, "Listbox"): arrow keys choose, rows are virtual.

import { Chunks } from "./chunks.js";
import { make } from "./elements.js";

let count = 0;
const PAGE = 10;

/**
 * `new Listbox({ label, height, row, choose, hover })`. `row(item)` returns the children of an option; `choose(item)`
 * is called when the reader chooses, `hover(item)` under the pointer, and `hover(null)` when it leaves.
 */
export class Listbox {
  #id = `listbox-${(count += 1)}`;
  #options;
  #chunks;
  #at = -1;
  #lit = () => false;

  constructor(options) {
    this.#options = options;
    const list = make("div", { class: `listbox ${options.class ?? ""}`, role: "listbox", tabindex: "0", "aria-label": options.label });
    this.element = list;
    this.#chunks = new Chunks(list, { scroller: list, height: options.height, row: (item, index) => this.#row(item, index) });
    list.addEventListener("keydown", (event) => this.#key(event));
    list.addEventListener("click", (event) => this.#clicked(event));
    list.addEventListener("mouseover", (event) => this.#hovered(event));
    list.addEventListener("mouseleave", () => options.hover?.(null));
  }

  get items() {
    return this.#chunks.items;
  }

  /** Show other items; none is chosen. */
  set(items) {
    this.#at = -1;
    this.element.removeAttribute("aria-activedescendant");
    this.element.scrollTop = 0;
    this.#chunks.set(items);
  }

  /** Mark the item for which `is(item)` holds as chosen, and bring it into view; `choose` is not called. */
  select(is, where = "nearest") {
    this.#mark(this.items.findIndex(is), where);
  }

  /** Light up the items for which `is(item)` holds; bring the first of them into view if `reveal`. */
  light(is, reveal = false) {
    this.#lit = is;
    for (const [element, item] of this.#chunks.shown()) element.classList.toggle("lit", is(item));
    const first = reveal ? this.items.findIndex(is) : -1;
    if (first >= 0) this.#chunks.reveal(first, "center");
  }

  #row(item, index) {
    const on = index === this.#at;
    const names = `option ${this.#lit(item) ? "lit" : ""}`;
    const state = { role: "option", id: `${this.#id}-${index}`, "aria-selected": String(on), "aria-setsize": String(this.items.length), "aria-posinset": String(index + 1) };
    return make("div", { class: names, "data-index": String(index), ...state }, ...this.#options.row(item));
  }

  #mark(index, where) {
    this.#chunks.element(this.#at)?.setAttribute("aria-selected", "false");
    this.#at = index;
    if (index < 0) {
      this.element.removeAttribute("aria-activedescendant");
      return;
    }
    this.#chunks.reveal(index, where)?.setAttribute("aria-selected", "true");
    this.element.setAttribute("aria-activedescendant", `${this.#id}-${index}`);
  }

  #key(event) {
    const last = this.items.length - 1;
    const at = this.#at;
    const to = { ArrowDown: at + 1, ArrowUp: Math.max(at - 1, 0), Home: 0, End: last, PageDown: at + PAGE, PageUp: at - PAGE }[event.key];
    if (to === undefined || last < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const index = Math.min(Math.max(to, 0), last);
    this.#mark(index, "nearest");
    this.#options.choose?.(this.items[index]);
  }

  #clicked(event) {
    const index = indexOf(event);
    if (index < 0) return;
    this.#mark(index, "nearest");
    this.#options.choose?.(this.items[index]);
  }

  #hovered(event) {
    const index = indexOf(event);
    if (index >= 0) this.#options.hover?.(this.items[index]);
  }
}

function indexOf(event) {
  return Number(event.target.closest("[data-index]")?.dataset.index ?? -1);
}
