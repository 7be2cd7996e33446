// A long list whose rows exist only near the window: chunks of rows, filled when they come close and emptied far away.

const SIZE = 50;
const MARGIN = 600; // pixels around the visible part that are filled

// Whether an element is well inside the window, below anything that sticks to its top.
function isInView(element) {
  const { top, bottom } = element.getBoundingClientRect();
  return top > innerHeight * 0.22 && bottom < innerHeight * 0.95;
}

/**
 * `new Chunks(list, { scroller, height, row })`: `list` gets the chunks, `scroller` is the element that scrolls (null:
 * the window), `height` the estimated height of a row in pixels, `row(item, index)` makes an element.
 */
export class Chunks {
  #list;
  #scroller;
  #height;
  #row;
  #observer;
  #chunks = [];
  items = [];

  constructor(list, { scroller = null, height, row }) {
    this.#list = list;
    this.#scroller = scroller;
    this.#height = height;
    this.#row = row;
    const seen = (entries) => entries.forEach((entry) => (entry.isIntersecting ? this.#fill(entry.target) : this.#empty(entry.target)));
    this.#observer = new IntersectionObserver(seen, { root: scroller, rootMargin: `${MARGIN}px 0px` });
  }

  /** Show other items, from the top. */
  set(items) {
    this.items = items;
    this.#observer.disconnect();
    this.#chunks = [];
    for (let start = 0; start < items.length; start += SIZE) {
      const chunk = document.createElement("div");
      chunk.className = "chunk";
      chunk.setAttribute("role", "presentation");
      chunk.dataset.start = start;
      chunk.style.height = `${Math.min(SIZE, items.length - start) * this.#height}px`;
      this.#chunks.push(chunk);
    }
    this.#list.replaceChildren(...this.#chunks);
    if (this.#chunks.length) this.#fill(this.#chunks[0]); // at once: nothing flickers
    this.#chunks.forEach((chunk) => this.#observer.observe(chunk));
  }

  /** The element of an item, if its chunk is filled. */
  element(index) {
    return this.#chunks[Math.floor(index / SIZE)]?.children[index % SIZE] ?? null;
  }

  /** Every row that exists: [element, item, index]. */
  *shown() {
    for (const chunk of this.#chunks) {
      for (const [offset, element] of [...chunk.children].entries()) {
        const index = Number(chunk.dataset.start) + offset;
        yield [element, this.items[index], index];
      }
    }
  }

  /** Make the rows that exist again: what they show has changed. */
  refresh() {
    for (const [element, item, index] of this.shown()) element.replaceWith(this.#row(item, index));
  }

  /** Make one row again. */
  refreshRow(index) {
    this.element(index)?.replaceWith(this.#row(this.items[index], index));
  }

  /** Bring an item into view: `where` is "nearest" or "center". Returns its element. */
  reveal(index, where = "nearest") {
    const chunk = this.#chunks[Math.floor(index / SIZE)];
    if (!chunk) return null;
    this.#fill(chunk);
    const element = this.element(index);
    if (this.#scroller) this.#scrollTo(element, where);
    else if (!isInView(element)) element.scrollIntoView({ block: where });
    return element;
  }

  // Only the scroller moves: scrollIntoView would move the window too.
  #scrollTo(element, where) {
    const outer = this.#scroller.getBoundingClientRect();
    const inner = element.getBoundingClientRect();
    const above = inner.top - outer.top;
    const below = inner.bottom - outer.bottom;
    if (above >= 0 && below <= 0) return;
    if (where === "center") this.#scroller.scrollTop += above - (outer.height - inner.height) / 2;
    else this.#scroller.scrollTop += above < 0 ? above : below;
  }

  #fill(chunk) {
    if (chunk.childElementCount) return;
    const start = Number(chunk.dataset.start);
    chunk.append(...this.items.slice(start, start + SIZE).map((item, offset) => this.#row(item, start + offset)));
    chunk.style.height = "";
  }

  #empty(chunk) {
    if (!chunk.childElementCount || chunk.contains(document.activeElement)) return;
    chunk.style.height = `${chunk.offsetHeight}px`;
    chunk.replaceChildren();
  }
}
