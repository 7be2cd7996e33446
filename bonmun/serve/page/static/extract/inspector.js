// The bar below the panes: why the block that is lit up was kept or dropped, where it is, and a button that corrects it.

import { copy, make, number, t } from "../page.js";
import { kindName, reasonGroups, reasonName, scoreMeter, verdictPill } from "./verdicts.js";

export class Inspector {
  #element;
  #spoken;
  #state;
  #shown = -1; // stays when the pointer leaves, so that the buttons can be reached

  constructor(element, spoken, state) {
    this.#element = element;
    this.#spoken = spoken;
    this.#state = state;
    state.on("page", () => this.#empty());
    state.on("verdicts", () => this.#show(this.#shown));
    state.on("corrections", () => this.#show(this.#shown));
    state.on("highlight", (index, { spoken: aloud }) => {
      if (index >= 0) this.#show(index);
      if (index >= 0 && aloud) this.#speak(index);
    });
  }

  /** The block that keys such as `x` are about. */
  get index() {
    return this.#shown;
  }

  #empty() {
    this.#shown = -1;
    this.#element.replaceChildren(make("p", { class: "muted" }, t("extract.inspect_hint")));
  }

  #show(index) {
    const block = this.#state.blocks[index];
    if (!block) {
      this.#empty();
      return;
    }
    this.#shown = index;
    this.#element.replaceChildren(this.#verdict(block), this.#reasons(block), this.#buttons(index));
  }

  #verdict(block) {
    const kind = kindName(block.kind) + (block.level ? ` ${number(block.level)}` : "");
    const isFlipped = this.#state.isFlipped(block.index);
    const notes = [kind, t("extract.block_number", { number: block.index + 1 }), block.hidden && t("shell.hidden"), block.comment && t("extract.comment")];
    return make(
      "div", { class: "inspector-verdict" },
      make("div", { class: "row" }, verdictPill(this.#state, block.index), scoreMeter(block), isFlipped && make("span", { class: "pill warn" }, t("extract.corrected"))),
      make("span", { class: "muted" }, notes.filter(Boolean).join(" · ")),
    );
  }

  #reasons(block) {
    const groups = reasonGroups(block.reasons).map(([name, details]) =>
      make("span", { class: "reason" }, make("b", {}, reasonName(name)), details.length ? ` ${details.join(" · ")}` : ""),
    );
    const path = make("button", { type: "button", class: "path", title: t("extract.copy_xpath"), onclick: () => copy(block.xpath) }, block.xpath);
    return make("div", { class: "inspector-why" }, make("p", {}, ...(groups.length ? groups : [t("extract.no_reasons")])), path);
  }

  #buttons(index) {
    const flipped = this.#state.isFlipped(index);
    const wrong = make(
      "button", { type: "button", class: "small", "aria-pressed": String(flipped), onclick: () => this.#state.flip(index) },
      t(flipped ? "extract.right_again" : "extract.wrong"), " ", make("kbd", { "aria-hidden": "true" }, "x"),
    );
    const step = (direction, name, sign) => make("button", { type: "button", class: "small icon", "aria-label": t(name), title: t(name), onclick: () => this.#state.step(direction) }, sign);
    return make("div", { class: "inspector-buttons" }, step(-1, "extract.previous_block", "↑"), step(1, "extract.next_block", "↓"), wrong);
  }

  #speak(index) {
    const block = this.#state.blocks[index];
    const verdict = t(this.#state.keeps(index) ? "shell.kept" : "shell.dropped");
    const words = { number: index + 1, total: this.#state.blocks.length, verdict, score: String(Math.round(block.score * 100) / 100) };
    this.#spoken.textContent = `${t("extract.block_spoken", words)}: ${block.text.slice(0, 200)}`;
  }
}
