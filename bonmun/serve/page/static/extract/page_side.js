// The left side: the page in its frame, drawn from its text, or as a browser renders it. The strip follows the one shown.

import { byId } from "../page.js";

export class PageSide {
  #frame;
  #state;
  #rendered = null; // its module is loaded when it is first shown
  #isRendered = false;
  #listeners = [];

  constructor(frame, state) {
    this.#frame = frame;
    this.#state = state;
    frame.onDrawn((what) => !this.#isRendered && this.#tell(what));
    for (const button of byId("views").children) button.addEventListener("click", () => this.show(button.dataset.view));
  }

  /** Show "simplified" or "rendered". */
  async show(view) {
    this.#isRendered = view === "rendered";
    for (const button of byId("views").children) button.setAttribute("aria-pressed", String(button.dataset.view === view));
    byId("frame").hidden = this.#isRendered;
    byId("rendered").hidden = !this.#isRendered;
    if (this.#isRendered && !this.#rendered) {
      const { RenderedView } = await import("./rendered.js");
      this.#rendered ??= new RenderedView(byId("rendered"), byId("view-options"), this.#state, (what) => this.#isRendered && this.#tell(what));
    }
    this.#rendered?.show(this.#isRendered);
    this.#tell("resized");
  }

  /** Show the other one. */
  toggle() {
    this.show(this.#isRendered ? "simplified" : "rendered");
  }

  #tell(what) {
    for (const listener of this.#listeners) listener(what);
  }

  get #shown() {
    return this.#isRendered && this.#rendered ? this.#rendered : this.#frame;
  }

  // What the strip asks

  onDrawn(listener) {
    this.#listeners.push(listener);
  }

  places() {
    return this.#shown.places();
  }

  view() {
    return this.#shown.view();
  }
}
