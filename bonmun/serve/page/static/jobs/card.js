// One job on the screen: state, progress, counts by stage, failures by reason. Updated in place, so that focus stays.

import { LIVE } from "./events.js";
import { stageName } from "./stages.js";
import { counted, significant, span } from "../amounts.js";
import { api, make, message, moment, number, percent, since, t } from "../page.js";
import { webLink } from "../page_text.js";

const STAGES = { crawl: ["taken", "fetched", "extracted", "stored"], batch: ["taken", "extracted"] };
const SIGNS = { waiting: "…", running: "▶", stopping: "◼", done: "✓", cancelled: "◼", failed: "✕", interrupted: "!" };
const LOOKS = { running: "accent", stopping: "warn", done: "keep", cancelled: "", failed: "drop", interrupted: "warn" };
const MOST_URLS = 5; // addresses shown for a reason

/** A card; `act(job, action, which)` is called with `cancel`, `resume`, `retry` or `delete`. */
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
    this.#offerFailures(job);
    this.#showButtons(job);
  }

  #showStages(job) {
    const { counts } = job;
    const entries = STAGES[job.kind].map((stage) => [stage, number(counts[stage])]);
    entries.push(["failed", number(counts.failed), counts.failed ? "bad" : ""]);
    if (counts.skipped) entries.push(["skipped", number(counts.skipped)]);
    if (counts.sources) {
      entries.push(["sources", `${number(counts.sources_read)} / ${number(counts.sources)}`, failedSources(job) ? "bad" : ""]);
    }
    if (LIVE.has(job.state)) entries.push(["pending", number(job.pending)], ["rate", significant(job.rate)]);
    this.#parts.stages.replaceChildren(...entries.map(([name, value, look = ""]) =>
      make("div", { class: `stage-${name} ${look}` }, make("dt", {}, t(`jobs.count_${name}`)), make("dd", { class: "number" }, value))));
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
    const label = t(`jobs.${action}`);
    const name = `${label}: ${job.name}`;
    const href = { results: `/v1/jobs/${job.id}/results`, documents: `/archive?${new URLSearchParams({ source: job.source })}` }[action];
    if (href) {
      return make("a", { class: "button small", href, download: action === "results" ? `${job.id}.jsonl` : null, "aria-label": name }, label);
    }
    const look = action === "delete" ? "small quiet danger" : "small";
    return make("button", { type: "button", class: look, "aria-label": name, onclick: () => this.#act(this.job, action) }, label);
  }

  #offerFailures(job) {
    const { failures, failuresTitle } = this.#parts;
    const count = job.counts.failed + failedSources(job);
    failures.hidden = count === 0;
    failuresTitle.textContent = counted("jobs.failures", count);
    if (failures.open && this.#failures !== count && !LIVE.has(job.state)) this.#showFailures();
  }

  async #showFailures() {
    const { reasons } = this.#parts;
    this.#failures = this.job.counts.failed + failedSources(this.job);
    try {
      const { failures } = await api(`/v1/jobs/${this.job.id}/failures`);
      reasons.replaceChildren(make("ul", { class: "reasons" }, ...failures.map((group) => this.#reason(group))));
    } catch (error) {
      reasons.replaceChildren(message("error", error.message, [[t("shell.retry"), () => this.#showFailures()]]));
    }
  }

  #reason({ stage, error, message: text, count, urls }) {
    const shown = urls.slice(0, MOST_URLS);
    const again = () => this.#act(this.job, "retry", { stage, error });
    return make("li", {},
      make("div", { class: "reason" },
        make("strong", { class: "number" }, number(count)), make("span", { class: "pill drop" }, error),
        make("span", { class: "fine" }, stageName(stage)),
        LIVE.has(this.job.state) ? null : make("button", { type: "button", class: "small push", onclick: again }, t("jobs.retry_these"))),
      make("p", {}, text),
      make("ul", {}, ...shown.map((url) => make("li", {}, webLink(url)))),
      count > shown.length ? make("p", { class: "fine" }, counted("jobs.more_urls", count - shown.length)) : null);
  }
}

/** Sources that could not be read, of a job that has come to rest. */
function failedSources(job) {
  return job.state === "done" || job.state === "failed" ? job.counts.sources - job.counts.sources_read : 0;
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
  const known = job.counts.stored + job.counts.failed + job.pending;
  return known && job.state !== "waiting" ? 1 - job.pending / known : null;
}

function actionsOf(job) {
  const isLive = LIVE.has(job.state);
  return [
    (job.state === "waiting" || job.state === "running") && "cancel",
    ["cancelled", "interrupted", "failed"].includes(job.state) && "resume",
    !isLive && job.counts.failed + failedSources(job) > 0 && "retry",
    !isLive && job.kind === "batch" && "results",
    job.kind === "crawl" && job.counts.stored > 0 && "documents",
    !isLive && "delete",
  ].filter(Boolean);
}
