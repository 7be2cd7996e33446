// Jobs: start crawls and batches, watch them live, look at failures, retry, cancel, resume.

import { JobCard } from "./job_card.js";
import { JobStreams } from "./job_streams.js";
import { api, byId, emptyState, key, make, message, t, tabs, toast } from "./page.js";
import { showTimings } from "./timings.js";

const PER_PAGE = 20;
const cards = new Map(); // by job id
const streams = new JobStreams(changed);

/** A job has news. Only a new state is announced: a count that changes four times a second is no news to listen to. */
function changed(job) {
  const card = cards.get(job.id);
  if (!card) return;
  const before = card.job.state;
  card.update(job);
  streams.follow(job);
  if (before === job.state) return;
  byId("announcer").textContent = `${job.name}: ${t(`jobs.state_${job.state}`)}`;
  if (job.state === "done") showTimings();
}

function add(job, first) {
  const known = cards.get(job.id);
  if (known) {
    known.update(job);
  } else {
    const card = new JobCard(job, act);
    cards.set(job.id, card);
    if (first) byId("jobs").prepend(card.element);
    else byId("jobs").append(card.element);
  }
  byId("nothing").hidden = true;
  streams.follow(job);
}

async function load() {
  byId("problem").replaceChildren();
  try {
    const answer = await api(`/v1/jobs?limit=${PER_PAGE}&offset=${cards.size}`);
    for (const job of answer.jobs) add(job, false);
    byId("more").hidden = cards.size >= answer.total;
    byId("nothing").hidden = cards.size > 0;
    byId("nothing").replaceChildren(emptyState(t("jobs.empty"), t("jobs.empty_hint")));
  } catch (error) {
    byId("problem").replaceChildren(message("error", error.message, [[t("shell.retry"), load]]));
  }
}

async function act(job, action) {
  try {
    const answer = await api(`/v1/jobs/${job.id}/${action}`, undefined, { method: "POST" });
    changed(answer);
    streams.follow(answer);
  } catch (error) {
    toast(error.message);
  }
}

async function start(form, ask) {
  const problem = form.querySelector(".form-problem");
  const button = form.querySelector("button.primary");
  problem.replaceChildren();
  button.disabled = true;
  try {
    const job = await ask(form.elements);
    form.reset();
    add(job, true);
    byId("announcer").textContent = `${job.name}: ${t(`jobs.state_${job.state}`)}`;
    cards.get(job.id).element.querySelector("h3").focus();
  } catch (error) {
    problem.replaceChildren(message("error", error.message));
  }
  button.disabled = false;
}

function startCrawl({ sources, name, method, max_pages: most, revisit }) {
  const lines = sources.value.split("\n").map((line) => line.trim()).filter(Boolean);
  if (!lines.length) {
    sources.focus();
    throw new Error(t("jobs.no_sources"));
  }
  const asked = { sources: lines, method: method.value, revisit: revisit.checked };
  if (name.value.trim()) asked.name = name.value.trim();
  if (most.value) asked.max_pages = Number(most.value);
  return api("/v1/jobs", asked);
}

function startBatch({ file, name, method }) {
  if (!file.files.length) {
    file.focus();
    throw new Error(t("jobs.no_file"));
  }
  const options = new URLSearchParams({ method: method.value, name: name.value.trim() || file.files[0].name });
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
    // the field stays empty, and the service takes its default
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
load();
fillMethods();
showTimings();
