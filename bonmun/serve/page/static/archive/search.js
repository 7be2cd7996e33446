// The archive: search as you type, filters, pages of results. The address holds the search, so that it can be kept and shared.

import { showCorrections } from "./corrections.js";
import { counted, languageName } from "../amounts.js";
import { listKeys } from "../list_keys.js";
import { api, byId, bytes, day, debounced, emptyState, key, Latest, make, message, number, percent, t, tabs } from "../page.js";
import { markedText } from "../page_text.js";

const PER_PAGE = 20;
const PAUSE = 180; // milliseconds after the last key before a search starts
const FIELDS = ["q", "host", "language", "source", "since", "until", "min_confidence"];
const form = byId("search");
let offset = 0;
const latest = new Latest();

function readAddress() {
  const asked = new URLSearchParams(location.search);
  for (const name of FIELDS) {
    const field = form.elements[name];
    const value = asked.get(name) ?? (name === "min_confidence" ? "0" : "");
    if (field.tagName === "SELECT" && value && ![...field.options].some((option) => option.value === value)) {
      field.append(make("option", { value }, value));
    }
    field.value = value;
  }
  offset = Math.max(0, Number.parseInt(asked.get("offset") ?? "0", 10) || 0);
}

/** What is asked for, without empty fields. */
function query() {
  const asked = new URLSearchParams();
  for (const name of FIELDS) {
    const value = form.elements[name].value.trim();
    if (value && !(name === "min_confidence" && Number(value) === 0)) asked.set(name, value);
  }
  if (offset) asked.set("offset", String(offset));
  return asked;
}

function writeAddress(asked) {
  const search = asked.toString();
  sessionStorage.setItem("bonmun-archive", search);
  history.replaceState(null, "", `${location.pathname}${search ? `?${search}` : ""}${location.hash}`);
}

async function search() {
  const asked = query();
  writeAddress(asked);
  showFilters(asked);
  form.setAttribute("aria-busy", "true");
  const address = `/v1/documents?${new URLSearchParams([...asked, ["limit", PER_PAGE], ["prefix", asked.has("q")]])}`;
  try {
    const answer = await latest.run((signal) => api(address, undefined, { signal }));
    if (answer && offset && !answer.documents.length) turnTo(0); // the last page is gone
    else if (answer) show(answer, asked);
  } catch (error) {
    byId("count").textContent = "";
    byId("problem").replaceChildren(message("error", error.message, [[t("shell.retry"), search]]));
  }
  if (!latest.running) form.removeAttribute("aria-busy");
}

function show(answer, asked) {
  byId("problem").replaceChildren();
  fillChoices("host", answer.hosts, (host) => host);
  fillChoices("language", answer.languages, languageName);
  byId("hits").replaceChildren(...answer.documents.map(hit));
  byId("count").textContent = countText(answer.total, asked);
  const nothing = byId("nothing");
  nothing.hidden = answer.documents.length > 0;
  byId("filters").hidden = !answer.total && !isFiltered(asked);
  if (!nothing.hidden) nothing.replaceChildren(isFiltered(asked) ? nothingFound(asked) : emptyArchive());
  const last = offset + answer.documents.length;
  byId("pager").hidden = answer.total <= PER_PAGE && offset === 0;
  byId("range").textContent = t("shell.page_of", { from: number(offset + 1), to: number(last), total: number(answer.total) });
  byId("previous").disabled = offset === 0;
  byId("next").disabled = last >= answer.total;
}

function countText(total, asked) {
  if (!total) return "";
  return asked.get("q") ? counted("archive.found", total) : counted("archive.latest", total);
}

const isFiltered = (asked) => [...asked.keys()].length > 0;

function hit(found) {
  const title = make("a", { href: `/archive/${found.id}`, class: "hit-title", lang: found.language || null }, found.title || found.url);
  const facts = [found.host, found.language && languageName(found.language), found.published && day(found.published)];
  const line = make("p", { class: "hit-facts" }, ...facts.filter(Boolean).map((fact) => make("span", {}, fact)), confidence(found.confidence));
  if (found.group !== null) line.append(make("span", { class: "pill" }, t("archive.near_duplicate")));
  return make("li", {}, make("h2", {}, title), line,
    make("p", { class: "snippet", lang: found.language || null }, ...markedText(found.snippet.text, found.snippet.marks)));
}

function confidence(value) {
  const fill = make("i");
  fill.style.inlineSize = percent(value);
  return make("span", { title: t("archive.confidence") },
    make("span", { class: "meter", "aria-hidden": "true" }, fill),
    make("span", { class: "sr-only" }, `${t("archive.confidence")} `), percent(value));
}

/** Fill a menu with the values that the answer counts; the chosen one stays. */
function fillChoices(name, counts, label) {
  const field = form.elements[name];
  const chosen = field.value;
  const entries = counts.filter(({ value }) => value); // pages without an address have no host
  if (chosen && !entries.some(({ value }) => value === chosen)) entries.push({ value: chosen, count: 0 });
  const options = entries.map(({ value, count }) => make("option", { value }, `${label(value)} (${number(count)})`));
  field.replaceChildren(field.options[0], ...options);
  field.value = chosen;
}

function showFilters(asked) {
  const used = FIELDS.filter((name) => name !== "q" && asked.has(name)).length;
  byId("filter-count").hidden = used === 0;
  byId("filter-count").textContent = counted("archive.filters_set", used);
  byId("clear").hidden = used === 0;
  const least = Number(form.elements.min_confidence.value);
  byId("least-confidence").textContent = least ? t("archive.at_least", { share: percent(least) }) : t("archive.any");
}

function nothingFound(asked) {
  const words = asked.get("q");
  return emptyState(words ? t("archive.nothing_for", { query: words }) : t("archive.nothing_filtered"), t("archive.nothing_hint"),
    make("button", { type: "button", onclick: clearAll }, t("archive.show_all")));
}

function emptyArchive() {
  return emptyState(t("archive.empty"), t("archive.empty_hint"), make("ul", { class: "ways" },
    make("li", {}, make("a", { href: "/" }, t("archive.fill_extract")), " ", t("archive.fill_extract_hint")),
    make("li", {}, make("a", { href: "/jobs" }, t("archive.fill_jobs")), " ", t("archive.fill_jobs_hint")),
    make("li", {}, t("archive.fill_run"), " ", make("code", {}, "bonmun run"))));
}

function clearAll() {
  for (const name of FIELDS) form.elements[name].value = name === "min_confidence" ? "0" : "";
  offset = 0;
  search();
  byId("query").focus();
}

const soon = debounced(search, PAUSE);

function turnTo(place) {
  offset = Math.max(0, place);
  search().then(() => byId("count").scrollIntoView({ block: "nearest" }));
}

async function showStats() {
  try {
    const stats = await api("/v1/stats");
    fillChoices("source", Object.entries(stats.sources).map(([value, count]) => ({ value, count })), (source) => source);
    byId("stats").textContent = [
      counted("archive.documents_count", stats.documents), counted("archive.versions_count", stats.versions), bytes(stats.bytes),
    ].join(" · ");
  } catch {
    byId("stats").textContent = "";
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  search();
});
form.addEventListener("reset", (event) => {
  event.preventDefault();
  for (const name of FIELDS.filter((one) => one !== "q")) form.elements[name].value = name === "min_confidence" ? "0" : "";
  offset = 0;
  search();
});
form.addEventListener("input", (event) => {
  offset = 0;
  if (event.target.name === "min_confidence") showFilters(query());
  soon();
});
byId("previous").addEventListener("click", () => turnTo(offset - PER_PAGE));
byId("next").addEventListener("click", () => turnTo(offset + PER_PAGE));
listKeys(byId("hits"), ".hit-title", byId("query"));
key("/", t("archive.key_search"), () => byId("query").focus());
const views = tabs(document.querySelector("[role=tablist]"), (panel) => {
  history.replaceState(null, "", `${location.pathname}${location.search}${panel === "corrections" ? "#corrections" : ""}`);
  if (panel === "corrections") showCorrections(byId("corrections"));
});
byId("filters").open = matchMedia("(min-width: 60rem)").matches;
readAddress();
if (location.hash === "#corrections") views.show("corrections");
search();
showStats();
