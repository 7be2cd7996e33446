// Method, preference and output switches. A change recomputes at once; the place on the page stays.

import { api, byId, debounced, make, number, t } from "../page.js";

const SWITCHES = { links: true, images: true, captions: true, tables: true, references: true, comments: false, title: false, front_matter: false, reasons: false };

export class Controls {
  #state;
  #changed;
  #methods = new Map();
  #method = byId("method");
  #prefer = byId("prefer");

  constructor(state, changed) {
    this.#state = state;
    this.#changed = debounced(changed, 120);
    this.#method.addEventListener("change", () => this.#chosen());
    this.#prefer.addEventListener("input", () => this.#moved());
    state.on("page", () => this.draw());
    state.on("verdicts", () => this.draw());
  }

  /** Load the methods; `wanted` is the one that the link names. */
  async start() {
    const methods = await api("/v1/methods");
    this.#methods = new Map(methods.map((method) => [method.name, method]));
    this.#method.replaceChildren(...methods.map(({ name, description }) => make("option", { value: name, title: description }, name)));
    if (!this.#methods.has(this.#state.method)) this.#state.method = "auto";
    this.draw();
  }

  get isAdjustable() {
    return this.#methods.get(this.#state.method)?.adjustable ?? false;
  }

  /** Show the state of the options. */
  draw() {
    this.#method.value = this.#state.method;
    this.#method.title = this.#methods.get(this.#state.method)?.description ?? "";
    this.#prefer.disabled = !this.isAdjustable;
    this.#prefer.value = String(Math.log2(this.#state.prefer));
    this.#prefer.setAttribute("aria-valuetext", this.#preference());
    const note = this.isAdjustable ? this.#preference() : t("extract.not_adjustable", { method: this.#state.method });
    byId("prefer-note").textContent = note;
    byId("prefer-box").classList.toggle("is-off", !this.isAdjustable);
  }

  #preference() {
    const { prefer } = this.#state;
    if (prefer === 1) return t("extract.balance");
    return prefer > 1 ? t("extract.prefer_recall", { times: number(prefer) }) : t("extract.prefer_precision", { times: number(1 / prefer) });
  }

  #chosen() {
    this.#state.method = this.#method.value;
    if (!this.isAdjustable) this.#state.prefer = 1;
    this.draw();
    this.#changed();
  }

  #moved() {
    this.#state.prefer = 2 ** Number(this.#prefer.value);
    this.draw();
    this.#changed();
  }

  /** One step towards recall (+1) or precision (-1). */
  nudge(direction) {
    if (!this.isAdjustable) return false;
    if (direction > 0) this.#prefer.stepUp();
    else this.#prefer.stepDown();
    this.#moved();
    return true;
  }

  /** The switches of the output as a small panel. */
  outputMenu() {
    const boxes = Object.entries(SWITCHES).map(([name, isOn]) => {
      const box = make("input", { type: "checkbox", checked: this.#state.output[name] ?? isOn, onchange: () => this.#switched(name, box.checked) });
      return make("label", { class: "check" }, box, make("span", {}, t(`extract.output_${name}`)));
    });
    const hint = make("p", { class: "fine" }, t("extract.output_hint"));
    return make("details", { class: "menu" }, make("summary", {}, t("extract.output")), make("div", {}, ...boxes, hint));
  }

  #switched(name, isOn) {
    this.#state.output = { ...this.#state.output, [name]: isOn };
    this.#state.optionsChanged();
  }
}
