// The reader's corrections: how many there are, undo, and saving them as a labelled page for `bonmun train`.

import { api, make, message, t, toast } from "../page.js";

export class Labelling {
  #element;
  #state;
  #saved = null; // the service's answer, until the next correction
  #problem = null;
  #isSaving = false;

  constructor(element, state) {
    this.#element = element;
    this.#state = state;
    state.on("corrections", () => {
      this.#saved = null;
      this.#problem = null;
      this.#draw();
    });
  }

  #draw() {
    const count = this.#state.corrections;
    this.#element.hidden = !count;
    if (!count) return;
    const name = this.#saved ? "saved" : "made";
    const text = t(count === 1 ? `extract.correction_${name}` : `extract.corrections_${name}`, { count });
    this.#element.replaceChildren(make("p", { role: "status" }, make("strong", {}, text), " ", this.#hint()), ...this.#buttons());
    if (this.#problem) this.#element.append(message("error", this.#problem));
  }

  #hint() {
    const saved = this.#saved;
    const totals = saved && { pages: saved.total_pages, corrections: saved.total_corrections };
    return make("span", { class: "muted" }, saved ? t("extract.train_uses", totals) : t("extract.corrections_hint"));
  }

  #buttons() {
    const button = (name, action, look = "small") => make("button", { type: "button", class: look, disabled: this.#isSaving, onclick: action }, t(name));
    const undo = button("shell.undo", () => this.#state.undo());
    const discard = button(this.#saved ? "extract.clear" : "extract.discard", () => this.#discard());
    return this.#saved ? [discard] : [undo, discard, button("extract.save_labels", () => this.save(), "small primary")];
  }

  #discard() {
    const count = this.#state.corrections;
    const wasSaved = this.#saved;
    this.#state.clearCorrections();
    if (!wasSaved) toast(t("extract.discarded", { count }));
  }

  /** Save page and verdicts in the store. */
  async save() {
    const { blocks, pageId, method, prefer } = this.#state;
    this.#isSaving = true;
    this.#problem = null;
    this.#draw();
    try {
      const keep = blocks.map((block) => this.#state.keeps(block.index));
      this.#saved = await api("/v1/labels", { page: pageId, keep, method, prefer });
    } catch (error) {
      this.#problem = error.message;
    }
    this.#isSaving = false;
    this.#draw();
  }
}
