// The whole page at a glance, between the panes: where text was kept, what is in view. A click or a key goes there.

import { draw, score, t } from "../page.js";

const FINE = 2000; // the strip's height in units of the drawing

export class Strip {
  #element;
  #state;
  #frame;
  #places = [];
  #paths = {};
  #view = draw("rect", { class: "strip-view", x: 0, width: 100 });
  #here = draw("rect", { class: "strip-here", x: 0, width: 100, height: 0 });

  constructor(element, state, frame) {
    this.#element = element;
    this.#state = state;
    this.#frame = frame;
    for (const name of ["dropped", "less", "sure", "flipped"]) this.#paths[name] = draw("path", { class: `strip-${name}` });
    const drawing = draw("svg", { viewBox: `0 0 100 ${FINE}`, preserveAspectRatio: "none", "aria-hidden": "true" });
    drawing.append(...Object.values(this.#paths), this.#here, this.#view);
    element.append(drawing);
    frame.onDrawn((what) => (what === "scrolled" ? this.#moveView() : this.#redraw()));
    state.on("corrections", () => this.#redraw());
    state.on("highlight", (index) => this.#mark(index));
    new ResizeObserver(() => this.#redraw()).observe(element);
    element.addEventListener("pointerdown", (event) => this.#pointed(event));
    element.addEventListener("pointermove", (event) => event.buttons === 1 && this.#pointed(event));
    element.addEventListener("keydown", (event) => this.#pressed(event));
  }

  #redraw() {
    this.#places = this.#frame.places();
    const parts = { dropped: [], less: [], sure: [], flipped: [] };
    for (const [index, start, end] of this.#places) {
      const [top, height] = [Math.round(start * FINE), Math.max(3, Math.round((end - start) * FINE) - 1)];
      parts[this.#look(index)].push(`M0 ${top}h100v${height}h-100z`);
      if (this.#state.isFlipped(index)) parts.flipped.push(`M0 ${top}h26v${height}h-26z`);
    }
    for (const [name, path] of Object.entries(this.#paths)) path.setAttribute("d", parts[name].join(""));
    this.#element.setAttribute("aria-valuemax", String(Math.max(1, this.#state.blocks.length)));
    this.#moveView();
    this.#mark(this.#state.current);
  }

  #look(index) {
    if (!this.#state.keeps(index)) return "dropped";
    return this.#state.blocks[index].score >= 0.7 ? "sure" : "less";
  }

  #moveView() {
    const [start, end] = this.#frame.view();
    this.#view.setAttribute("y", start * FINE);
    this.#view.setAttribute("height", Math.max(4, (end - start) * FINE));
  }

  #mark(index) {
    const place = this.#places.find(([each]) => each === index);
    this.#here.setAttribute("height", place ? Math.max(8, (place[2] - place[1]) * FINE) : 0);
    if (place) this.#here.setAttribute("y", place[1] * FINE);
    this.#element.setAttribute("aria-valuenow", String(Math.max(1, index + 1)));
    const block = this.#state.blocks[index];
    const verdict = block && t(this.#state.keeps(index) ? "shell.kept" : "shell.dropped");
    const text = block ? t("extract.block_spoken", { number: index + 1, total: this.#state.blocks.length, verdict, score: score(block.score) }) : t("extract.strip_none");
    this.#element.setAttribute("aria-valuetext", text);
  }

  #pointed(event) {
    const box = this.#element.getBoundingClientRect();
    const at = (event.clientY - box.top) / box.height;
    let nearest = -1;
    let distance = Infinity;
    for (const [index, start, end] of this.#places) {
      const away = at < start ? start - at : Math.max(0, at - end);
      if (away < distance) [nearest, distance] = [index, away];
    }
    this.#state.highlight(nearest, { from: "strip", reveal: true });
  }

  #pressed(event) {
    const last = this.#state.blocks.length - 1;
    const { current } = this.#state;
    const leap = Math.max(1, Math.round(last / 10));
    const steps = { ArrowDown: current + 1, ArrowRight: current + 1, ArrowUp: current - 1, ArrowLeft: current - 1, PageDown: current + leap, PageUp: current - leap, Home: 0, End: last };
    if (!(event.key in steps)) return;
    event.preventDefault();
    this.#state.highlight(Math.min(last, Math.max(0, steps[event.key])), { from: "strip", reveal: true });
  }
}
