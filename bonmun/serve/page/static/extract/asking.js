// From what the reader gave to an explanation: sends or fetches the page, shows the steps, can be cancelled.

import { api, bytes, isAbort, Latest, make, message, t } from "../page.js";

const PATIENCE = 250; // milliseconds before the steps are shown: most answers are there by then

/** `judge(given, signal)` asks for the answer that `state.take` gets; `given` are the fields that name the page. */
export class Asking {
  #messages;
  #state;
  #judge;
  #latest = new Latest();

  constructor(messages, state, judge) {
    this.#messages = messages;
    this.#state = state;
    this.#judge = judge;
  }

  get isRunning() {
    return this.#latest.running;
  }

  cancel() {
    if (!this.isRunning) return false;
    this.#latest.abort();
    this.#say(message("note", t("extract.cancelled")));
    return true;
  }

  #say(...nodes) {
    this.#messages.replaceChildren(...nodes);
  }

  /** Show what is wrong with the input. */
  complain(text, kind = "error") {
    this.#say(message(kind, text));
  }

  /** Ask for the answer on a source; true if there is one. Errors are shown in place. */
  async start(source) {
    const steps = new Steps(source, () => this.cancel());
    this.#say();
    const timer = setTimeout(() => this.#say(steps.element), PATIENCE);
    try {
      const answer = await this.#latest.run((signal) => this.#answer(source, steps, signal));
      if (!answer) return false;
      this.#state.source = source;
      this.#state.take(answer);
      this.#say();
      return true;
    } catch (error) {
      if (!isAbort(error)) this.#say(message("error", this.#sentence(error, source), [[t("shell.retry"), () => this.start(source)]]));
      return false;
    } finally {
      clearTimeout(timer);
    }
  }

  #sentence(error, source) {
    return error.status === 410 && source.kind === "page" ? t("extract.page_gone") : error.message;
  }

  async #answer(source, steps, signal) {
    const given = await this.#given(source, steps, signal);
    steps.reached("judging");
    return this.#judge(given, signal);
  }

  /** The page as the fields of a request: an address is fetched and a file sent first, so that both have an id. */
  async #given(source, steps, signal) {
    if (source.kind === "html") return source.url ? { html: source.text, url: source.url } : { html: source.text };
    if (source.kind === "page") return { page: source.page };
    if (source.kind === "url") {
      const fetched = await api("/v1/fetch", { url: source.url }, { signal });
      steps.fetched(fetched.bytes);
      return { page: fetched.page };
    }
    const text = source.kind === "sample" ? await api(source.path, undefined, { as: "blob", signal }) : source.file;
    const headers = { "Content-Type": mediaType(source), Accept: "text/plain" };
    const answer = await api("/v1/extract", text, { as: "response", signal, headers });
    return { page: answer.headers.get("X-Bonmun-Page") };
  }

  /** Judge the same page anew: with another method or preference. */
  async again() {
    try {
      const answer = await this.#latest.run((signal) => this.#judge({ page: this.#state.pageId }, signal));
      if (!answer) return;
      this.#say();
      this.#state.take(answer);
    } catch (error) {
      if (error.status === 410 && this.#state.source.kind !== "page") await this.start(this.#state.source);
      else this.#say(message("error", this.#sentence(error, this.#state.source)));
    }
  }
}

function mediaType({ name = "", file = null }) {
  if (/\.(xhtml|xht)$/i.test(name)) return "application/xhtml+xml";
  return file?.type === "text/plain" ? "text/plain" : "text/html";
}

/** The steps of a request: those done, the one that runs. */
class Steps {
  #items = new Map();

  constructor(source, cancel) {
    const names = source.kind === "url" ? ["fetching", "judging"] : ["sending", "judging"];
    const host = source.kind === "url" ? new URL(source.url).host : "";
    for (const name of names) this.#items.set(name, make("li", {}, t(`extract.step_${name}`, { host })));
    const list = make("ol", { class: "ask-steps" }, ...this.#items.values());
    this.element = make("div", { class: "message progress", role: "status" }, list, make("button", { type: "button", class: "small", onclick: cancel }, t("shell.cancel")));
    this.reached(names[0]);
  }

  reached(name) {
    let isDone = true;
    for (const [each, item] of this.#items) {
      isDone &&= each !== name;
      item.className = isDone ? "done" : each === name ? "running" : "";
    }
  }

  fetched(size) {
    this.#items.get("fetching").textContent = t("extract.step_fetched", { size: bytes(size) });
  }
}
