// The page as a browser renders it: a screenshot with a box for every block, in the colour of its verdict.

import { api, isAbort, Latest, make, message, t } from "../page.js";
import { Clicks } from "./clicks.js";
import { DOUBTFUL } from "./state.js";

const MOST = 300; // blocks that are listed because they are not on the picture
const percent = (part, whole) => `${(100 * part) / whole}%`;

export class RenderedView {
  #element;
  #options;
  #state;
  #changed;
  #clicks;
  #latest = new Latest();
  #isShown = false;
  #pageId = null; // the page on the picture
  #size = [1, 1];
  #shot = null;
  #elements = make("div", { class: "shot-elements", "aria-hidden": "true" });
  #elementsSwitch = null;
  #boxes = new Map();
  #lit = null;

  /** `options` is the place of its switches; `changed(what)` is told "drawn", "scrolled" or "resized". */
  constructor(element, options, state, changed) {
    this.#element = element;
    this.#options = options;
    this.#state = state;
    this.#changed = changed;
    this.#clicks = new Clicks(state, "rendered");
    state.on("page", () => this.show(this.#isShown));
    state.on("verdicts", () => this.#judged());
    state.on("corrections", (changedBlocks) => changedBlocks?.forEach((index) => this.#paint(index)));
    state.on("highlight", (index, how) => this.#light(index, how));
    state.on("marks", () => this.#mark());
    element.addEventListener("pointerover", (event) => this.#at(event) >= 0 && state.highlight(this.#at(event), { from: "rendered" }));
    element.addEventListener("pointerleave", () => state.highlight(-1, { from: "rendered" }));
    element.addEventListener("click", (event) => this.#at(event) >= 0 && this.#clicks.on(this.#at(event), event));
    element.addEventListener("scroll", () => changed("scrolled"));
    new ResizeObserver(() => changed("resized")).observe(element);
  }

  /** Show it, with a picture of the page at hand, or stop. */
  show(isShown) {
    this.#isShown = isShown;
    this.#options.hidden = !isShown || !this.#boxes.size;
    if (isShown && this.#state.pageId && this.#pageId !== this.#state.pageId) this.#load();
    if (!isShown) this.#latest.abort();
  }

  async #load() {
    const { pageId, method, prefer } = this.#state;
    this.#pageId = null;
    this.#say(make("div", { class: "message progress", role: "status" }, make("span", { class: "spinner", "aria-hidden": "true" }), make("p", {}, t("extract.rendering"))));
    try {
      const answer = await this.#latest.run((signal) => api("/v1/explain", { page: pageId, method, prefer, rendered: true }, { signal }));
      if (!answer) return;
      this.#pageId = pageId;
      this.#draw(answer.rendered);
    } catch (error) {
      if (!isAbort(error)) this.#say(this.#problem(error));
    }
  }

  #say(node) {
    this.#boxes = new Map();
    this.#options.hidden = true;
    this.#element.replaceChildren(node);
    this.#changed("drawn");
  }

  /** What is missing, or went wrong, in a sentence. */
  #problem(error) {
    if (error.status === 501) return message("warn", t("extract.rendered_missing", { detail: error.detail.replace(/\.$/, "") }));
    const words = error.status === 410 ? t("extract.page_gone") : error.type.endsWith(":RenderError") ? t("extract.rendered_failed", { detail: error.detail.replace(/\.$/, "") }) : error.message;
    return message("error", words, error.status === 410 ? [] : [[t("shell.retry"), () => this.#load()]]);
  }

  #draw(rendered) {
    this.#size = [rendered.width, rendered.height];
    const picture = make("img", { src: `data:image/png;base64,${rendered.screenshot}`, alt: t("extract.rendered_picture"), width: rendered.width, height: rendered.height });
    this.#boxes = new Map();
    rendered.boxes.forEach((box, index) => box && this.#boxes.set(index, this.#placed(make("div", { class: "box", "data-block": String(index) }), box)));
    this.#shot = make("div", { class: "shot" }, picture, this.#elements, ...this.#boxes.values());
    this.#shot.style.setProperty("--width", `${rendered.width}px`);
    this.#options.replaceChildren(...this.#switches());
    this.#options.hidden = !this.#isShown;
    this.#element.replaceChildren(this.#shot, ...this.#notes(rendered));
    this.#element.scrollTop = 0;
    this.#boxes.forEach((_, index) => this.#paint(index));
    this.#shade(rendered.elements);
    this.#mark();
    this.#light(this.#state.current, { reveal: true });
    this.#changed("drawn");
  }

  #placed(element, [left, top, right, bottom]) {
    const [width, height] = this.#size;
    Object.assign(element.style, { left: percent(left, width), top: percent(top, height), width: percent(right - left, width), height: percent(bottom - top, height) });
    return element;
  }

  #switches() {
    const check = (words, changed) => {
      const box = make("input", { type: "checkbox", onchange: () => changed(box.checked) });
      return make("label", { class: "check" }, box, make("span", {}, words));
    };
    this.#elementsSwitch = check(t("extract.element_probabilities"), (on) => this.#shot.classList.toggle("with-elements", on));
    const size = check(t("extract.actual_size"), (on) => {
      this.#shot.classList.toggle("actual", on);
      this.#changed("resized");
    });
    return [this.#elementsSwitch, size];
  }

  /** What the picture does not show. */
  #notes({ height, page_height: total, aborted, boxes }) {
    const notes = [total > height && t("extract.rendered_end", { height, total }), t(aborted ? "extract.rendered_aborted" : "extract.rendered_offline", { count: aborted })];
    const away = this.#state.blocks.filter((block) => !boxes[block.index]);
    const listed = away.slice(0, MOST).map((block) => make("li", {}, make("button", { type: "button", class: "why-text", onclick: () => this.#state.highlight(block.index, { from: "rendered", reveal: true }) }, block.text.slice(0, 160) || t("extract.kind_image"))));
    return [
      ...notes.filter(Boolean).map((note) => make("p", { class: "fine shot-note" }, note)),
      away.length > 0 && make("details", { class: "shot-note" }, make("summary", {}, t("extract.rendered_elsewhere", { count: away.length })), make("ul", {}, ...listed)),
    ].filter(Boolean);
  }

  /** Elements by probability: each pixel has the colour of the innermost one. */
  #shade(elements) {
    const shades = elements.map(([left, top, right, bottom, probability]) => {
      const shade = this.#placed(make("i"), [left, top, right, bottom]);
      shade.style.setProperty("--p", percent(probability, 1));
      return shade;
    });
    this.#elements.replaceChildren(...shades);
    this.#elementsSwitch.hidden = !elements.length;
  }

  /** The same page judged anew: the picture stays. */
  #judged() {
    if (this.#pageId !== this.#state.pageId || !this.#boxes.size) return;
    this.#boxes.forEach((_, index) => this.#paint(index));
    this.#shade(this.#state.explanation.rendered?.elements ?? []);
  }

  #paint(index) {
    const box = this.#boxes.get(index);
    if (!box) return;
    const { score } = this.#state.blocks[index];
    const isFlipped = this.#state.isFlipped(index);
    box.classList.toggle("keep", this.#state.keeps(index));
    box.classList.toggle("doubt", !isFlipped && score >= DOUBTFUL[0] && score <= DOUBTFUL[1]);
    box.classList.toggle("flipped", isFlipped);
  }

  #mark() {
    this.#boxes.forEach((box, index) => box.classList.toggle("marked", this.#state.marked.has(index)));
  }

  #light(index, { from = null, reveal = false }) {
    this.#lit?.classList.remove("lit");
    this.#lit = this.#boxes.get(index) ?? null;
    this.#lit?.classList.add("lit");
    if (!this.#lit || from === "rendered" || !this.#isShown) return;
    const box = this.#lit.getBoundingClientRect();
    const pane = this.#element.getBoundingClientRect();
    const isInView = box.top >= pane.top && box.bottom <= pane.bottom;
    if (!isInView || (reveal && (box.top < pane.top + pane.height * 0.1 || box.bottom > pane.bottom - pane.height * 0.1))) {
      this.#element.scrollTop += box.top - pane.top - pane.height / 3;
    }
    if (box.left < pane.left || box.left > pane.right) this.#element.scrollLeft += box.left - pane.left - 16;
  }

  #at(event) {
    const box = event.target.closest?.(".box");
    return box ? Number(box.dataset.block) : -1;
  }

  // What the strip asks

  /** Where the blocks are, from 0 (top) to 1: [[index, start, end]]. */
  places() {
    const whole = this.#element.scrollHeight;
    if (!whole || !this.#boxes.size) return [];
    const top = this.#shot.offsetTop;
    return [...this.#boxes].map(([index, box]) => [index, (top + box.offsetTop) / whole, (top + box.offsetTop + box.offsetHeight) / whole]);
  }

  /** The part in view, from 0 to 1. */
  view() {
    const { scrollTop, clientHeight, scrollHeight } = this.#element;
    return scrollHeight ? [scrollTop / scrollHeight, (scrollTop + clientHeight) / scrollHeight] : [0, 1];
  }
}
