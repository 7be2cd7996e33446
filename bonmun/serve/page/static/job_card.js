// One job on the screen: state, progress, counts by stage, failures by reason. Updated in place, so that focus stays.

import { counted, significant, span } from "./amounts.js";
import { LIVE } from "./job_streams.js";
import { api, make, message, moment, number, percent, since, t } from "./page.js";
import { webLink } from "./page_text.js";
import { stageName } from "./stages.js";

const STAGES = ["taken", "fetched", "extracted", "stored"];
const SIGNS = { waiting: "…", running: "▶", stopping: "◼", done: "✓", cancelled: "◼", failed: "✕", interrupted: "!" };
const LOOKS = { running: "accent", stopping: "warn", done: "keep", cancelled: "", failed: "drop", interrupted: "warn" };
const MOST_URLS = 5; // addresses shown for a reason

/** A card; `act(job, action)` is called with `cancel`, `resume`, `retry` or `delete`. */
export class JobCard {
  #act;
  #failures = null; // the failed count for which the reasons are shown
  #parts = {};

  constructor(job, act) {
    this.#act = act;
    this.element = make("li", { class: "panel job" });
    this.#build(job);
    this.update(job);
  }

  #build(job) {
    const part = (name, tag, attributes = {}, ...children) => (this.#parts[name] = make(tag, attributes, ...children));
    const title = make("h3", { id: `job-${job.id}`, tabindex: "-1" }, job.name);
    this.element.setAttribute("aria-labelledby", title.id);
    const failures = part("failures", "details", { class: "failures" }, part("failuresTitle", "summary"), part("reasons", "div"));
    failures.addEventListener("toggle", () => failures.open && this.#showFailures());
    this.element.append(
      make("div", { class: "job-head" }, title, part("state", "span"), part("facts", "span", { class: "fine" })),
      part("progress", "progress", { max: "1", "aria-label": t("jobs.progress") }),
      part("stages", "dl", { class: "stages" }),
      part("note", "div"),
      failures,
      part("buttons", "div", { class: "row" }),
    );
  }

  /** Show the news of the job. */
  update(job) {
    this.job = job;
    const { state, facts, progress, note } = this.#parts;
    state.className = `pill plain ${LOOKS[job.state] ?? ""}`;
    state.textContent = `${SIGNS[job.state] ?? ""} ${t(`jobs.state_${job.state}`)}`;
    facts.textContent = factsOf(job);
    facts.title = moment(job.created_at);
    progress.hidden = !LIVE.has(job.state);
    const share = shareOf(job);
    if (share === null) progress.removeAttribute("value");
    else progress.value = share;
    progress.textContent = share === null ? "" : percent(share);
    note.replaceChildren(...(job.message ? [message(job.state === "failed" ? "error" : "warn", job.message)] : []));
    this.#showStages(job);
    this.#showButtons(job);
    this.#offerFailures(job);
  }

  #showStages(job) {
    const entries = STAGES.filter((stage) => job.counts[stage] !== undefined).map((stage) => [stage, number(job.counts[stage]), ""]);
    entries.push(["failed", number(job.counts.failed ?? 0), job.counts.failed ? "bad" : ""]);
    if (LIVE.has(job.state)) {
      entries.push(["pending", number(job.pending ?? 0), ""]);
      entries.push(["rate", significant(job.rate ?? 0), ""]);
    }
    const { stages } = this.#parts;
    const shown = entries.map(([name, value, look]) =>
      make("div", { class: `stage-${name} ${look}` }, make("dt", {}, t(`jobs.count_${name}`)), make("dd", { class: "number" }, value)));
    stages.replaceChildren(...shown);
  }

  #showButtons(job) {
    const offered = actionsOf(job);
    const { buttons } = this.#parts;
    if (buttons.dataset.offered === offered.join()) return; // else the focus would be lost at every change
    const hadFocus = buttons.contains(document.activeElement);
    buttons.dataset.offered = offered.join();
    buttons.replaceChildren(...offered.map((action) => this.#button(job, action)));
    if (hadFocus) (buttons.querySelector("button, a") ?? this.element.querySelector("h3")).focus();
  }

  #button(job, action) {
    const label = `${t(`jobs.${action}`)}`;
    const name = `${label}: ${job.name}`;
    if (action === "results") {
      return make("a", { class: "button small", href: `/v1/jobs/${job.id}/results`, download: `${job.id}.jsonl`, "aria-label": name }, label);
    }
    const look = action === "delete" ? "small quiet danger" : "small";
    return make("button", { type: "button", class: look, "aria-label": name, onclick: () => this.#act(this.job, action) }, label);
  }

  #offerFailures(job) {
    const { failures, failuresTitle } = this.#parts;
    const count = job.counts.failed ?? 0;
    failures.hidden = count === 0;
    failuresTitle.textContent = counted("jobs.failures", count);
    if (failures.open && this.#failures !== count && !LIVE.has(job.state)) this.#showFailures();
  }

  async #showFailures() {
    const { reasons } = this.#parts;
    this.#failures = this.job.counts.failed ?? 0;
    try {
      const groups = await api(`/v1/jobs/${this.job.id}/failures`);
      reasons.replaceChildren(make("ul", { class: "reasons" }, ...groups.map(reasonOf)));
    } catch (error) {
      reasons.replaceChildren(message("error", error.message, [[t("shell.retry"), () => this.#showFailures()]]));
    }
  }
}

function factsOf(job) {
  const parts = [t(`jobs.${job.kind}`), since(job.created_at)];
  if (job.started_at) {
    const end = job.ended_at ? new Date(job.ended_at) : new Date();
    parts.push(span(Math.max(0, (end - new Date(job.started_at)) / 1000)));
  }
  return parts.join(" · ");
}

/** The share of the known pages that are finished; `null` if none is known yet. */
function shareOf(job) {
  const finished = (job.counts.stored ?? job.counts.extracted ?? 0) + (job.counts.failed ?? 0);
  const known = finished + (job.pending ?? 0);
  return known && job.state !== "waiting" ? finished / known : null;
}

function actionsOf(job) {
  const actions = [];
  if (job.state === "waiting" || job.state === "running") actions.push("cancel");
  if (["cancelled", "interrupted", "failed"].includes(job.state)) actions.push("resume");
  if (!LIVE.has(job.state) && job.counts.failed) actions.push("retry");
  if (job.kind === "batch" && !LIVE.has(job.state)) actions.push("results");
  return actions;
}

function reasonOf({ stage, error, message: text, count, urls }) {
  const shown = urls.slice(0, MOST_URLS);
  return make("li", {},
    make("p", {}, make("strong", { class: "number" }, number(count)), " ", make("span", { class: "pill drop" }, error), " ", text,
      " ", make("span", { class: "fine" }, t("jobs.at_stage", { stage: stageName(stage) }))),
    make("ul", {}, ...shown.map((url) => make("li", {}, webLink(url)))),
    count > shown.length ? make("p", { class: "fine" }, counted("jobs.more_urls", count - shown.length)) : null);
}
