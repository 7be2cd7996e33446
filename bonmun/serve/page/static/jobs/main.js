// Jobs: start crawls and batches, watch them live, look at failures, retry, cancel, resume.

import { JobCard } from "./card.js";
import { followJobs } from "./events.js";
import { showTimings } from "./timings.js";
import { confirmed } from "../confirmation.js";
import { api, byId, emptyState, key, make, message, t, tabs, toast } from "../page.js";

const PER_PAGE = 20;
const SOURCE = /^(?:(?:feed|sitemap|site):\s*)?https?:\/\/[^\s/]/;
const cards = new Map(); // by job id
let all = 0; // jobs of the service, when they were listed last

/** A job has news. Only a new state is announced: a count that changes four times a second is no news to listen to. */
function changed(job) {
  const card = cards.get(job.id);
  if (!card) {
    if (!isOlder(job)) add(job);
    return;
  }
  const before = card.job.state;
  card.update(job);
  if (before === job.state) return;
  announce(job);
  if (job.state === "done") showTimings();
}

function announce(job) {
  byId("announcer").textContent = `${job.name}: ${t(`jobs.state_${job.state}`)}`;
}

/** Whether a job belongs to those that are listed only on request. */
function isOlder(job) {
  if (cards.size >= all) return false;
  return [...cards.values()].every((card) => job.created_at < card.job.created_at);
}

/** Show a job, the newest first. */
function add(job) {
  if (cards.has(job.id)) return;
  const card = new JobCard(job, act);
  const next = [...cards.values()].filter((other) => other.job.created_at < job.created_at).map((other) => other.element);
  const after = [...byId("jobs").children].find((element) => next.includes(element));
  cards.set(job.id, card);
  byId("jobs").insertBefore(card.element, after ?? null);
  showNothing();
}

function removed(id) {
  cards.get(id)?.element.remove();
  cards.delete(id);
  showNothing();
}

function showNothing() {
  byId("nothing").hidden = cards.size > 0;
}

async function load() {
  byId("problem").replaceChildren();
  try {
    const answer = await api(`/v1/jobs?limit=${PER_PAGE}&offset=${cards.size}`);
    all = answer.total;
    for (const job of answer.jobs) add(job);
    byId("more").hidden = cards.size >= all;
    byId("nothing").replaceChildren(emptyState(t("jobs.empty"), t("jobs.empty_hint")));
    showNothing();
  } catch (error) {
    byId("problem").replaceChildren(message("error", error.message, [[t("shell.retry"), load]]));
  }
}

/** Do what a button of a card says; `which` narrows a retry to a reason. */
async function act(job, action, which = {}) {
  try {
    if (action === "delete") await remove(job);
    else changed(await api(`/v1/jobs/${job.id}/${action}`, action === "retry" ? which : undefined, { method: "POST" }));
  } catch (error) {
    toast(error.message);
  }
}

async function remove(job) {
  if (!(await confirmed(t("jobs.delete_question", { name: job.name }), t("jobs.delete_detail"), t("jobs.delete")))) return;
  await api(`/v1/jobs/${job.id}`, undefined, { method: "DELETE" });
  removed(job.id);
}

async function start(form, ask) {
  const problem = form.querySelector(".form-problem");
  const button = form.querySelector("button.primary");
  problem.replaceChildren();
  button.disabled = true;
  try {
    const job = await ask(form.elements);
    form.reset();
    add(job);
    announce(job);
    cards.get(job.id).element.querySelector("h3").focus();
  } catch (error) {
    problem.replaceChildren(message("error", error.message));
  }
  button.disabled = false;
}

function startCrawl({ sources, name, method, max_pages: most, revisit }) {
  const lines = sources.value.split("\n").map((line) => line.trim()).filter(Boolean);
  const wrong = lines.find((line) => !SOURCE.test(line));
  if (!lines.length || wrong) {
    sources.focus();
    throw new Error(wrong ? t("jobs.wrong_source", { source: wrong }) : t("jobs.no_sources"));
  }
  const asked = { sources: lines, revisit: revisit.checked };
  if (method.value) asked.method = method.value;
  if (name.value.trim()) asked.name = name.value.trim();
  if (most.value) asked.max_pages = Number(most.value);
  return api("/v1/jobs", asked);
}

function startBatch({ file, name, method }) {
  if (!file.files.length) {
    file.focus();
    throw new Error(t("jobs.no_file"));
  }
  const options = new URLSearchParams({ name: name.value.trim() || file.files[0].name });
  if (method.value) options.set("method", method.value);
  return api(`/v1/jobs?${options}`, file.files[0], { headers: { "Content-Type": "application/x-ndjson" } });
}

async function fillMethods() {
  try {
    const methods = await api("/v1/methods");
    for (const id of ["crawl-method", "batch-method"]) {
      const options = methods.map(({ name, description }) => make("option", { value: name, title: description }, name));
      byId(id).replaceChildren(...options);
      byId(id).value = methods.find((method) => method.default)?.name ?? methods[0].name;
    }
  } catch {
    // the field stays empty, as it is until the answer comes, and the service takes its default
  }
}

for (const [id, ask] of [["crawl", startCrawl], ["batch", startBatch]]) {
  byId(id).addEventListener("submit", (event) => {
    event.preventDefault();
    start(byId(id), ask);
  });
}
byId("more").addEventListener("click", load);
tabs(document.querySelector("[role=tablist]"));
key("/", t("jobs.key_sources"), () => byId(byId("crawl").hidden ? "batch-file" : "sources").focus());
load().then(() => followJobs(changed, removed));
fillMethods();
showTimings();
