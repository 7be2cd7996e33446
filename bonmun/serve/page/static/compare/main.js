// The Compare screen: the input, the keys, and the address bar around a comparison.

import { carryPage } from "../carried_page.js";
import { Asking } from "../extract/asking.js";
import { SourceField } from "../extract/source.js";
import { api, byId, key, t } from "../page.js";
import { Comparison } from "./comparison.js";

const REMEMBERED = "bonmun-compared";

const values = new URLSearchParams(location.search);
const field = new SourceField(ask);
let comparison = null;
let asking = null; // null while the methods are not known

async function ask(source) {
  await ready;
  if (!asking) return;
  if (!source) {
    asking.complain(t(field.isEmpty ? "extract.nothing_given" : "extract.not_recognised"));
    field.focus();
    return;
  }
  byId("go").disabled = true;
  const isAnswered = await asking.start(source);
  byId("go").disabled = false;
  if (!isAnswered) return;
  if (source.kind !== "url") field.show(source);
  carryPage(comparison.pageId);
  remember();
}

async function changed() {
  localStorage.setItem(REMEMBERED, comparison.methods.join(","));
  remember();
  if (!comparison.pageId) return;
  byId("comparison").classList.add("busy");
  await asking.again();
  byId("comparison").classList.remove("busy");
}

/** The address bar: the page, if it has an address or the service still has it, and the methods. */
function remember() {
  const address = new URL("/compare", location.href);
  if (comparison.source?.kind === "url") address.searchParams.set("url", comparison.source.url);
  else if (comparison.pageId) address.searchParams.set("page", comparison.pageId);
  address.searchParams.set("methods", comparison.methods.join(","));
  history.replaceState(null, "", address);
}

/** The source that the link names; an address of a foreign link waits for the reader to press the button. */
function fromLink() {
  if (/^[0-9a-f]{32}$/.test(values.get("page") || "")) return { kind: "page", page: values.get("page") };
  const url = values.get("url");
  return url && /^https?:\/\//i.test(url) ? { kind: "url", url } : null;
}

/** Ask which methods there are. */
async function prepare() {
  const wished = (values.get("methods") ?? localStorage.getItem(REMEMBERED) ?? "").split(",");
  const judge = (given, signal) => api("/v1/compare", { ...given, methods: comparison.methods }, { signal });
  try {
    comparison = new Comparison(await api("/v1/methods"), wished, changed);
  } catch (error) {
    new Asking(byId("messages"), {}, judge).complain(error.message);
    return;
  }
  asking = new Asking(byId("messages"), comparison, judge);
}

async function begin() {
  const source = fromLink();
  if (source) field.show(source);
  await ready;
  if (source && (source.kind === "page" || byId("ask").dataset.start === "yes")) await ask(source);
  else if (source) asking?.complain(t("extract.press_to_fetch"), "note");
}

for (const button of document.querySelectorAll("[data-sample]")) {
  button.addEventListener("click", () => {
    const source = { kind: "sample", path: button.dataset.sample, name: button.dataset.sampleName };
    field.show(source);
    ask(source);
  });
}
// The bar of differences stays below the header, which has two lines in a narrow window.
const header = document.querySelector(".top");
new ResizeObserver(() => document.documentElement.style.setProperty("--header", `${header.offsetHeight}px`)).observe(header);

byId("next").addEventListener("click", () => comparison.step(1));
byId("previous").addEventListener("click", () => comparison.step(-1));

key("/", t("extract.key_focus"), () => field.focus());
key("n", t("compare.key_next"), () => comparison?.step(1) ?? false);
key("p", t("compare.key_previous"), () => comparison?.step(-1) ?? false);
key("o", t("compare.key_open"), () => comparison?.openCurrent() ?? false);
key("d", t("compare.key_only"), () => !byId("only").disabled && byId("only").click());
key("Escape", t("extract.key_cancel"), () => asking?.cancel() ?? false);

const ready = prepare();
begin();
