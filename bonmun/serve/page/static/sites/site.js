// A site's rules: edited, tried at once on its pages, saved or discarded.

import { RuleEditor } from "./rule_editor.js";
import { triedPage } from "./tried_page.js";
import { counted } from "../amounts.js";
import { confirmed } from "../confirmation.js";
import { api, byId, debounced, emptyState, Latest, message, t, toast } from "../page.js";

const PAUSE = 350; // milliseconds after the last key before the rules are tried
const { host } = byId("site").dataset;
const address = `/v1/sites/${encodeURIComponent(host)}`;
const trials = new Latest();
let editor = null;

async function load() {
  try {
    show(await api(address));
  } catch (error) {
    byId("problem").replaceChildren(error.status === 404
      ? emptyState(t("sites.unknown"), t("sites.unknown_hint"))
      : message("error", error.message, [[t("shell.retry"), load]]));
  }
  byId("loading").hidden = true;
}

function show(site) {
  byId("content").hidden = false;
  byId("actions").hidden = false;
  byId("documents").href = `/archive?${new URLSearchParams({ host })}`;
  byId("explanation").textContent = site.explanation;
  editor = new RuleEditor(byId("rules"), site.templates, edited);
  showSaveBar();
  tryRules();
}

function edited() {
  showSaveBar();
  trySoon();
}

const trySoon = debounced(() => tryRules(), PAUSE);

function showSaveBar() {
  byId("save-bar").hidden = !editor.isChanged;
}

/** Try the rules as they stand on the kept pages. */
async function tryRules() {
  if (editor.showMissing()) {
    trials.abort();
    showMarked();
    return;
  }
  byId("trial-state").textContent = t("sites.trying");
  byId("trial-hint").textContent = editor.isChanged ? t("sites.trial_edited") : t("sites.trial_saved");
  byId("tried").classList.add("busy");
  try {
    const asked = editor.isChanged ? { templates: editor.edits } : {};
    const pages = await trials.run((signal) => api(`${address}/try`, asked, { signal }));
    if (!pages) return;
    byId("trial-problem").replaceChildren();
    showTried(pages);
  } catch (error) {
    showTrialProblem(error);
  }
  byId("tried").classList.remove("busy");
}

function showTried(pages) {
  const changed = pages.filter((page) => page.changed).length;
  const opened = new Set([...byId("tried").querySelectorAll("details[open]")].map((details) => details.dataset.page));
  byId("trial-state").textContent = pages.length ? counted("sites.changed_pages", changed, { total: pages.length }) : "";
  byId("tried").replaceChildren(...pages.map((page) => triedPage(page, opened.has(page.page))));
  if (!pages.length) byId("trial-problem").replaceChildren(message("note", t("sites.no_pages")));
}

/** Show what is wrong at the selector that it is about; what belongs to none, above the pages. */
function showTrialProblem(error) {
  if (editor.showProblem(error.document)) showMarked();
  else byId("trial-problem").replaceChildren(message("error", error.message, [[t("shell.retry"), tryRules]]));
  byId("trial-state").textContent = "";
}

/** Say that a marked selector has to be mended first. */
function showMarked() {
  byId("trial-state").textContent = "";
  byId("trial-problem").replaceChildren(message("warn", t("sites.mend_selectors")));
}

async function save() {
  if (editor.showMissing()) {
    editor.focusProblem();
    return;
  }
  byId("save").disabled = true;
  try {
    show(await api(address, { templates: editor.edits }, { method: "PUT" }));
    toast(t("sites.saved"));
  } catch (error) {
    showTrialProblem(error);
    editor.focusProblem();
  }
  byId("save").disabled = false;
}

async function remove() {
  if (!(await confirmed(t("sites.delete_question", { host }), t("sites.delete_detail"), t("sites.delete")))) return;
  try {
    await api(address, undefined, { method: "DELETE" });
    editor.discard();
    location.assign("/sites");
  } catch (error) {
    toast(error.message);
  }
}

byId("save").addEventListener("click", save);
byId("discard").addEventListener("click", () => editor.discard());
byId("delete").addEventListener("click", remove);
addEventListener("beforeunload", (event) => {
  if (editor?.isChanged) event.preventDefault();
});
load();
