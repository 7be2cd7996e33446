// Sites: the hosts with learned rules, and learning another one.

import { pageText } from "./files.js";
import { healthLine } from "./health.js";
import { counted } from "../amounts.js";
import { listKeys } from "../list_keys.js";
import { api, byId, day, emptyState, isAbort, key, make, message, number, t } from "../page.js";
import { isWebAddress } from "../page_text.js";

const LEAST_PAGES = 3;
const MANY = 8; // sites from which on a filter helps
let sites = [];
let learning = null; // the AbortController of the request that runs

const addressOf = (host) => `/sites/${encodeURIComponent(host)}`;

async function load() {
  byId("problem").replaceChildren();
  try {
    sites = await api("/v1/sites");
    show();
  } catch (error) {
    byId("problem").replaceChildren(message("error", error.message, [[t("shell.retry"), load]]));
  }
}

function show() {
  const wanted = byId("filter").value.trim().toLowerCase();
  const shown = sites.filter(({ host }) => host.toLowerCase().includes(wanted));
  byId("count").textContent = sites.length ? counted("sites.count", shown.length) : "";
  byId("search-sites").hidden = sites.length < MANY;
  byId("list").hidden = !shown.length;
  byId("nothing").hidden = shown.length > 0;
  byId("nothing").replaceChildren(sites.length
    ? emptyState(t("sites.none_match"), t("sites.none_match_hint"))
    : emptyState(t("sites.empty"), t("sites.empty_hint")));
  byId("sites").replaceChildren(...shown.map(row));
}

function row(site) {
  return make("tr", {},
    make("th", { scope: "row" }, make("a", { href: addressOf(site.host), class: "site-link" }, site.host)),
    make("td", { class: "number" }, number(site.pages)),
    make("td", { class: "number" }, number(site.templates)),
    make("td", {}, healthLine(site.health)),
    make("td", {}, site.last_drift ? drift(site.last_drift) : make("span", { class: "muted" }, t("sites.no_drift"))),
    make("td", { class: "number" }, number(site.documents)));
}

function drift({ until, reason }) {
  return make("span", { class: "pill warn", title: reason }, until ? `! ${day(until)}` : `! ${t("sites.stale")}`);
}

async function learn(event) {
  event.preventDefault();
  const problem = byId("learn-problem");
  problem.replaceChildren();
  learning = new AbortController();
  busy(true);
  try {
    const asked = await pagesAsked();
    byId("learn-state").textContent = counted("sites.learning", asked.pages.length);
    const site = await api("/v1/sites/learn", asked, { signal: learning.signal });
    if (site.problems.length) await showLeftOut(site);
    else location.assign(addressOf(site.host));
  } catch (error) {
    byId("learn-state").textContent = isAbort(error) ? t("sites.learning_cancelled") : "";
    if (!isAbort(error)) problem.replaceChildren(message("error", error.message));
  }
  busy(false);
}

/** Name the pages that were not learned from, and offer the rules learned from the others. */
async function showLeftOut(site) {
  byId("learn-state").textContent = "";
  const lines = site.problems.map((left) => make("li", {}, leftOut(left)));
  const box = message("warn", counted("sites.left_out", lines.length, { host: site.host }));
  box.append(make("ul", { class: "left-out" }, ...lines), make("a", { class: "button small", href: addressOf(site.host) }, t("sites.see_rules")));
  byId("learn-problem").replaceChildren(box);
  await load();
}

/** What was wrong with a page; most errors of fetching begin with its address. */
function leftOut({ index, url, problem }) {
  const text = problem.detail || problem.title;
  if (url && text.startsWith(url)) return text;
  return `${url ?? t("sites.page_number", { number: index + 1 })}: ${text}`;
}

async function pagesAsked() {
  const { urls, files, host } = byId("learn").elements;
  const lines = urls.value.split("\n").map((line) => line.trim()).filter(Boolean);
  const wrong = lines.find((line) => !isWebAddress(line));
  if (wrong) throw complaint(urls, t("sites.wrong_address", { address: wrong }));
  const pages = [...new Set(lines)].map((url) => ({ url }));
  for (const file of files.files) pages.push({ html: await pageText(file) });
  if (pages.length < LEAST_PAGES) throw complaint(urls, t("sites.too_few", { least: LEAST_PAGES, count: pages.length }));
  const name = hostName(host.value);
  if (!lines.length && !name) throw complaint(host, t("sites.needs_host"));
  return name ? { host: name, pages } : { pages };
}

/** An error whose field gets the focus. */
function complaint(field, text) {
  field.focus();
  return new Error(text);
}

/** The host in what was typed: a name, or a whole address. */
function hostName(text) {
  const typed = text.trim().toLowerCase();
  return isWebAddress(typed) ? new URL(typed).hostname : typed;
}

function busy(is) {
  byId("learn-button").disabled = is;
  byId("learn-cancel").hidden = !is;
  byId("learn").setAttribute("aria-busy", String(is));
}

byId("learn").addEventListener("submit", learn);
byId("learn-cancel").addEventListener("click", () => learning?.abort());
byId("filter").addEventListener("input", show);
listKeys(byId("sites"), ".site-link", byId("filter"));
key("/", t("sites.key_filter"), () => (byId("search-sites").hidden ? byId("urls") : byId("filter")).focus());
load();
