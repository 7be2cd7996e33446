// The Extract screen: puts its parts together and keeps the address bar in step.

import { carryPage } from "../carried_page.js";
import { api, byId, copy, download, duration, key, make, number, percent, t, tabs, toast } from "../page.js";
import { Asking } from "./asking.js";
import { Controls } from "./controls.js";
import { FORMATS, FormatView, Writer } from "./formats.js";
import { Frame } from "./frame.js";
import { Inspector } from "./inspector.js";
import { Labelling } from "./labelling.js";
import { PageSide } from "./page_side.js";
import { ReadView } from "./read.js";
import { SourceField } from "./source.js";
import { State } from "./state.js";
import { Strip } from "./strip.js";
import { WhyView } from "./why.js";

const state = new State();
const frame = new Frame(byId("frame"), state);
const pageSide = new PageSide(frame, state);
new Strip(byId("strip"), state, pageSide);
const inspector = new Inspector(byId("inspector"), byId("spoken"), state);
new Labelling(byId("corrections"), state);
const writer = new Writer(state);
const asking = new Asking(byId("messages"), state, (given, signal) => api("/v1/explain", { ...given, method: state.method, prefer: state.prefer }, { signal }));
const field = new SourceField(ask);
const controls = new Controls(state, recompute);

// The tabs

const views = {
  read: new ReadView(byId("panel-read"), state, frame),
  why: new WhyView(byId("panel-why"), state),
};
for (const id of ["markdown", "json", "xml"]) views[id] = new FormatView(id, byId(`panel-${id}`), writer, state);
const analyses = { xtractor: "../xtractor.js", logical: "../logical.js" };
const result = tabs(byId("tabs"), shown);

async function shown(panel) {
  const id = panel.replace("panel-", "");
  drawActions(id);
  if (state.pageId) await (analyses[id] ? showAnalysis(id) : views[id].show?.());
}

/** A tab of its own module: `tab.show(container, state)`. */
async function showAnalysis(id) {
  const { tab } = await import(analyses[id]);
  tab.show(byId(`panel-${id}`), state);
}

for (const name of ["page", "verdicts"]) {
  state.on(name, () => {
    const id = result.shown.replace("panel-", "");
    if (analyses[id]) showAnalysis(id);
  });
}

/** Copy and download of what a tab shows. */
function drawActions(id) {
  const format = id in FORMATS ? id : "text";
  const isText = !["why", "xtractor", "logical"].includes(id);
  const button = (words, action, title = null) => make("button", { type: "button", class: "small", title, onclick: action }, words);
  const link = state.source?.kind === "url" && button(t("extract.copy_link"), () => copy(permalink().href));
  const copies = isText && button(t("shell.copy"), async () => copy(await written(format)), t("extract.copy_as", { format: t(`extract.format_${format}`) }));
  byId("actions").replaceChildren(...[link, isText && controls.outputMenu(), copies, saveMenu(format)].filter(Boolean));
}

/** Where to keep the document: in the archive, or as a file in any format, that of the tab first. */
function saveMenu(first) {
  const item = (words, action) => make("button", { type: "button", class: "small quiet", onclick: () => (closeMenus(), action()) }, words);
  const formats = [first, ...Object.keys(FORMATS).filter((name) => name !== first)];
  const files = formats.map((name) => item(t(`extract.format_${name}`), () => save(name)));
  const choices = make("div", { class: "choices" }, item(t("extract.keep"), keep), make("p", { class: "fine" }, t("shell.download")), ...files);
  return make("details", { class: "menu" }, make("summary", {}, t("extract.save")), choices);
}

/** Keep the document in the archive. */
async function keep() {
  try {
    const { pageId, method, prefer } = state;
    const { outcome, id } = await api("/v1/documents", { page: pageId, method, prefer });
    toast(t(outcome === "unchanged" ? "extract.kept_before" : "extract.kept_new"), [t("extract.open"), () => location.assign(`/archive/${id}`)]);
  } catch (error) {
    toast(error.message);
  }
}

async function written(format) {
  try {
    return await writer.text(format);
  } catch (error) {
    toast(error.message);
    throw error;
  }
}

async function save(format) {
  const { type, ending } = FORMATS[format];
  const title = (state.explanation.metadata.title || "page").replace(/[\\/:*?"<>|\p{Cc}]+/gu, " ").trim().slice(0, 80);
  download(`${title || "page"}.${ending}`, await written(format), type);
}

function closeMenus(target = null) {
  for (const menu of document.querySelectorAll("details.menu[open]")) if (!menu.contains(target)) menu.open = false;
}

document.addEventListener("click", (event) => closeMenus(event.target));
window.addEventListener("blur", () => closeMenus()); // a click into the frame
document.addEventListener("keydown", (event) => {
  const menu = event.key === "Escape" && document.querySelector("details.menu[open]");
  if (!menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});

// Asking

async function ask(source) {
  if (!source) {
    asking.complain(t(field.isEmpty ? "extract.nothing_given" : "extract.not_recognised"));
    field.focus();
    return;
  }
  byId("go").disabled = true;
  const isAnswered = await asking.start(source);
  byId("go").disabled = false;
  if (isAnswered && source.kind !== "url") field.show(source);
}

async function recompute() {
  const panels = document.querySelector(".result-side");
  panels.classList.add("busy");
  await asking.again();
  panels.classList.remove("busy");
  remember();
}

state.on("page", () => {
  const isLost = byId("start").contains(document.activeElement) || field.waits; // the focus, with the start that goes; the keys of blocks need it outside the field
  byId("start").hidden = true;
  byId("work").hidden = false;
  result.show(result.shown);
  if (isLost) byId(result.shown).focus({ preventScroll: true });
  carryPage(state.pageId);
  byId("compare-link").href = `/compare?page=${state.pageId}`;
  remember();
});
for (const name of ["page", "verdicts", "corrections"]) state.on(name, summarise);

function summarise() {
  const { blocks, explanation } = state;
  const kept = blocks.filter((block) => state.keeps(block.index));
  const size = (list) => list.reduce((sum, block) => sum + block.text.length, 0);
  const [characters, all] = [size(kept), size(blocks)];
  const seconds = Object.values(explanation.seconds).reduce((sum, each) => sum + each, 0);
  byId("summary").replaceChildren(
    ...(explanation.status === "ok" ? [] : [make("span", { class: "pill warn" }, t(`extract.status_${explanation.status}`))]),
    make("span", {}, t("extract.kept_blocks", { kept: kept.length, all: blocks.length })),
    make("span", {}, t("extract.kept_characters", { kept: characters, share: percent(all ? characters / all : 0) })),
    make("span", { class: "muted", title: t("extract.time_title") }, duration(seconds)),
  );
}

// The address bar: a link to an address that was fetched, or the id of a page that the service still has.

function permalink() {
  const url = new URL("/", location.href);
  if (state.source?.kind === "url") url.searchParams.set("url", state.source.url);
  else if (state.pageId) url.searchParams.set("page", state.pageId);
  if (state.method !== "auto") url.searchParams.set("method", state.method);
  if (state.prefer !== 1) url.searchParams.set("prefer", String(state.prefer));
  return url;
}

function remember() {
  history.replaceState(null, "", permalink());
}

/** The source that the link names; an address of a foreign link waits for the reader to press the button. */
function fromLink() {
  const values = new URLSearchParams(location.search);
  state.method = values.get("method") || "auto";
  const prefer = Number(values.get("prefer"));
  if (prefer >= 0.25 && prefer <= 4) state.prefer = prefer;
  if (/^[0-9a-f]{32}$/.test(values.get("page") || "")) return { kind: "page", page: values.get("page") };
  const url = values.get("url");
  return url && /^https?:\/\//i.test(url) ? { kind: "url", url } : null;
}

async function begin() {
  const source = fromLink();
  if (source) field.show(source);
  else field.giveChosen(); // the page may have been shown, and a file chosen, before this script ran
  try {
    await controls.start();
  } catch (error) {
    asking.complain(error.message);
  }
  if (source && (source.kind === "page" || byId("ask").dataset.start === "yes")) await ask(source);
  else if (source) asking.complain(t("extract.press_to_fetch"), "note");
}

for (const button of document.querySelectorAll("[data-sample]")) {
  button.addEventListener("click", () => {
    const source = { kind: "sample", path: button.dataset.sample, name: button.dataset.sampleName };
    field.show(source);
    ask(source);
  });
}

// Narrow windows show one side at a time

for (const button of document.querySelectorAll("[data-show]")) {
  button.addEventListener("click", () => {
    byId("work").dataset.side = button.dataset.show;
    for (const each of document.querySelectorAll("[data-show]")) each.setAttribute("aria-pressed", String(each === button));
  });
}

// Keys

const here = () => state.blocks.length > 0;
let anchor = -1;
key("/", t("extract.key_focus"), () => field.focus());
key("j", t("extract.key_next"), () => here() && state.step(1));
key("k", t("extract.key_previous"), () => here() && state.step(-1));
key("n", t("extract.key_next_kept"), () => here() && state.step(1, (block) => state.keeps(block.index)));
key("x", t("extract.key_flip"), () => {
  if (inspector.index < 0) return false;
  anchor = inspector.index;
  state.flip(anchor);
  return true;
});
key("X", t("extract.key_range"), () => {
  if (anchor < 0 || inspector.index < 0) return false;
  state.flipRange(anchor, inspector.index);
  anchor = inspector.index;
  return true;
});
key("u", t("extract.key_undo"), () => state.undo());
key(["[", "]"], t("extract.key_prefer"), (event) => here() && controls.nudge(event.key === "]" ? 1 : -1));
key("v", t("extract.key_view"), () => here() && pageSide.toggle());
key("m", t("extract.key_method"), () => here() && byId("method").focus());
key(["1", "2", "3", "4", "5", "6", "7"], t("extract.key_tabs"), (event) => {
  if (!here()) return false;
  result.show([...byId("tabs").children][Number(event.key) - 1].getAttribute("aria-controls"), true);
  return true;
});
key("Escape", t("extract.key_cancel"), () => asking.cancel());

begin();
