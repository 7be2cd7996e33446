// What the tabs XTractor and Logical share: loading of an analysis, panes, paths, bars, and the link to the page's blocks.

import { api, emptyState, Latest, make, message, t } from "./page.js";

/** A pane: a numbered heading, what it shows in a few words, controls, and a body. */
export function pane({ step, title, hint = "", controls = [] }, ...body) {
  const heading = make("h3", {}, make("span", { class: "step", "aria-hidden": "true" }, String(step)), title);
  const head = make("header", { class: "pane-head" }, heading, make("span", { class: "pane-hint" }, hint), ...controls);
  return make("section", { class: `pane pane-${step}`, "aria-label": title }, head, ...body);
}

/** A tag path on one line: the end is always visible, the beginning is cut. */
export function path(text, title = text) {
  const cut = text.lastIndexOf("/", text.lastIndexOf("/") - 1);
  const [head, tail] = cut > 0 ? [text.slice(0, cut), text.slice(cut)] : ["", text];
  return make("span", { class: "path", title }, make("span", { class: "path-head" }, head), make("span", { class: "path-tail" }, tail));
}

/** The parts of a path that may break after each slash. */
export function breakable(text) {
  return text.split(/(?<=\/)/).flatMap((part) => [part, make("wbr")]);
}

/** A bar for a share between 0 and 1. */
export function bar(share) {
  const inner = make("i");
  inner.style.width = `${Math.max(share * 100, 0.5)}%`;
  return make("span", { class: "bar", "aria-hidden": "true" }, inner);
}

/** A definition list of figures: [[term, value]]. */
export function facts(entries) {
  return make("dl", { class: "facts" }, ...entries.flatMap(([term, value]) => [make("dt", {}, term), make("dd", {}, value)]));
}

/** Paragraphs of text from the page. */
export function paragraphs(texts) {
  return make("div", { class: "pane-text" }, ...texts.map((text) => make("p", {}, text)));
}

/**
 * A tab of the Extract screen with the analysis of a method. `draw(view)` fills `view.root` from `view.analysis` and
 * returns a function that is called with the block that the reader points at on the page.
 */
export function analysisTab(id, method, draw) {
  const views = new WeakMap();
  const show = (container, state) => {
    if (!views.has(container)) views.set(container, new AnalysisView(id, container, method, draw));
    return views.get(container).show(state);
  };
  return { id, show };
}

class AnalysisView {
  #latest = new Latest();
  #page = null;
  #state = null;
  #marked = [];
  #own = null; // the set of marks on the page, if this tab set it
  #container = null;
  #pointed = () => {};

  constructor(id, container, method, draw) {
    this.id = id;
    this.method = method;
    this.draw = draw;
    this.root = make("div", { class: `analysis analysis-${method}` });
    container.classList.add("tab-analysis");
    container.replaceChildren(this.root);
    this.#container = container;
    new MutationObserver(() => this.#markPage()).observe(container, { attributeFilter: ["hidden"] });
  }

  /** Show the analysis of the page in `state`; nothing happens if it is there already. */
  async show(state) {
    if (this.#state !== state) {
      this.#state = state;
      state.onHighlight((index, how) => index >= 0 && how?.from !== this.id && this.#pointed(index));
    }
    if (state.pageId !== this.#page) await this.load(0);
  }

  /** Ask for the analysis from an entry on. */
  async load(offset) {
    const page = this.#state.pageId;
    this.#page = page;
    this.#pointed = () => {};
    this.mark([]);
    this.root.replaceChildren(make("p", { class: "analysis-wait", role: "status" }, make("span", { class: "spinner" }), " ", t("shell.loading")));
    try {
      const answer = await this.#latest.run((signal) => api("/v1/analysis", { page, method: this.method, offset }, { signal }));
      if (answer) this.#shown(answer.analysis);
    } catch (error) {
      this.#page = null;
      this.root.replaceChildren(message("error", error.message, [[t("shell.retry"), () => this.load(offset)]]));
    }
  }

  #shown(analysis) {
    this.analysis = analysis;
    if (!analysis.total) {
      this.root.replaceChildren(emptyState(t("analysis.nothing"), t(`analysis.nothing_${this.method}`)));
      return;
    }
    this.root.replaceChildren();
    this.#pointed = this.draw(this);
  }

  /** Light up a block of the page, or none (null); `reveal` scrolls to it. */
  highlight(index, reveal = false) {
    this.#state.highlight(index ?? -1, { from: this.id, reveal: reveal && index !== null });
  }

  /** Mark a set of blocks on the page until another set, or another tab, is chosen. */
  mark(indexes) {
    this.#marked = [...new Set(indexes)].filter((index) => index !== null);
    this.#markPage();
  }

  /** Show the marks while the tab is shown, and take back only its own: another tab may have set others meanwhile. */
  #markPage() {
    if (!this.#state?.mark) return;
    if (!this.#container.hidden) this.#state.mark(this.#marked);
    else if (this.#state.marked === this.#own) this.#state.mark([]);
    else return;
    this.#own = this.#container.hidden ? null : this.#state.marked;
  }

  /** Buttons to the windows before and after this one, on a page with more entries than an answer has. */
  windows(entries) {
    const { offset, total } = this.analysis;
    const end = offset + entries;
    if (offset === 0 && end >= total) return "";
    const button = (name, at, off) => make("button", { type: "button", class: "small", disabled: off, onclick: () => this.load(at) }, t(name));
    return make("nav", { class: "windows", "aria-label": t("analysis.windows") },
      button("analysis.window_before", Math.max(0, offset - Math.max(entries, 1)), offset === 0),
      make("span", {}, t("analysis.window", { first: offset + 1, last: end, total })),
      button("analysis.window_after", end, end >= total));
  }
}

/** A number with its unit "characters". */
export const characters = (count) => t(count === 1 ? "analysis.characters_one" : "analysis.characters", { count });

/** Buttons of which one is pressed: [[id, label]]. */
export function segments(label, choices, chosen, choose) {
  const group = make("div", { class: "segments", role: "group", "aria-label": label });
  const buttons = choices.map(([id, text]) => make("button", { type: "button", "aria-pressed": String(id === chosen), "data-choice": id, onclick: () => press(id) }, text));
  const press = (id) => {
    buttons.forEach((button) => button.setAttribute("aria-pressed", String(button.dataset.choice === id)));
    choose(id);
  };
  group.append(...buttons);
  return group;
}
