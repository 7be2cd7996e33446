// The document in a format, as the service writes it: fetched when its tab is shown, kept until an option changes.

import { api, Latest, make, message, t } from "../page.js";

export const FORMATS = {
  text: { type: "text/plain", ending: "txt" },
  markdown: { type: "text/markdown", ending: "md" },
  html: { type: "text/html", ending: "html" },
  json: { type: "application/json", ending: "json" },
  xml: { type: "application/xml", ending: "xml" },
  tei: { type: "application/tei+xml", ending: "tei.xml" },
  explain: { type: "text/html", ending: "explained.html" },
};

/** The document in any format; asked for once for the same page and options. */
export class Writer {
  #state;
  #texts = new Map();

  constructor(state) {
    this.#state = state;
    for (const name of ["page", "verdicts", "options"]) state.on(name, () => this.#texts.clear());
  }

  async text(format, signal) {
    if (!this.#texts.has(format)) {
      const { pageId, method, prefer, output } = this.#state;
      const text = await api("/v1/extract", { page: pageId, method, prefer, format, output }, { as: "text", signal });
      this.#texts.set(format, text);
    }
    return this.#texts.get(format);
  }
}

export class FormatView {
  #container;
  #writer;
  #latest = new Latest();
  #code = make("code");

  constructor(id, container, writer, state) {
    this.id = id;
    this.#container = container;
    this.#writer = writer;
    for (const name of ["page", "verdicts", "options"]) state.on(name, () => this.#container.hidden || this.show());
  }

  async show() {
    this.#container.classList.add("busy");
    try {
      const text = await this.#latest.run((signal) => this.#writer.text(this.id, signal));
      if (text === undefined) return;
      const { scrollTop } = this.#container;
      this.#code.textContent = this.id === "json" ? indented(text) : text;
      this.#container.replaceChildren(make("pre", { class: "source", dir: "auto" }, this.#code));
      this.#container.scrollTop = scrollTop;
    } catch (error) {
      this.#container.replaceChildren(message("error", error.message, [[t("shell.retry"), () => this.show()]]));
    }
    this.#container.classList.remove("busy");
  }
}

function indented(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
