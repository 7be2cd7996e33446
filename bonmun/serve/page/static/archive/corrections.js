// The pages that people labelled by correcting verdicts, and what `bonmun train` makes of them.

import { counted } from "../amounts.js";
import { confirmed } from "../confirmation.js";
import { api, copy, emptyState, make, message, moment, number, t, toast } from "../page.js";

const PER_PAGE = 100;
const COMMAND = "bonmun train --corpus labels.jsonl --from auto --output model";

/** Show the labelled pages in `container`. */
export async function showCorrections(container) {
  container.replaceChildren(make("p", { role: "status" }, t("shell.loading")));
  try {
    const answer = await api(`/v1/labels?limit=${PER_PAGE}`);
    container.replaceChildren(...(answer.total ? listed(answer, container) : nothing()));
  } catch (error) {
    container.replaceChildren(message("error", error.message, [[t("shell.retry"), () => showCorrections(container)]]));
  }
}

function nothing() {
  const link = make("p", {}, make("a", { href: "/" }, t("archive.fill_extract")));
  return [emptyState(t("archive.no_corrections"), t("archive.no_corrections_hint"), link)];
}

function listed(answer, container) {
  const { training } = answer;
  const total = (name, count) => make("div", {}, make("dt", {}, t(name)), make("dd", {}, number(count)));
  return [
    make("dl", { class: "totals" },
      total("archive.labelled_pages", answer.total), total("archive.all_corrections", answer.total_corrections),
      total("archive.labelled_sites", training.sites), total("archive.labelled_blocks", training.blocks)),
    training.ready ? null : message("note", t("archive.more_sites", { least: training.least_sites, count: training.sites })),
    make("div", { class: "command" },
      make("p", { id: "train-hint" }, t("archive.train_hint")),
      make("pre", { tabindex: "0", role: "region", "aria-labelledby": "train-hint" }, make("code", {}, COMMAND)),
      make("div", { class: "row" },
        make("button", { type: "button", class: "small", onclick: () => copy(COMMAND) }, t("archive.copy_command")),
        make("a", { class: "button small", href: "/v1/labels/export", download: "labels.jsonl" }, t("archive.export_labels")))),
    make("ul", { class: "labels" }, ...answer.labels.map((label) => row(label, container))),
  ].filter(Boolean);
}

function row(label, container) {
  const facts = [label.host, moment(label.saved_at), label.method, counted("archive.corrected_blocks", label.corrections), label.note];
  const button = (text, look, action) =>
    make("button", { type: "button", class: look, "aria-label": `${text}: ${nameOf(label)}`, onclick: action }, text);
  return make("li", {},
    make("div", {}, make("strong", {}, nameOf(label)),
      make("p", { class: "hit-facts" }, ...facts.filter(Boolean).map((fact) => make("span", {}, fact)))),
    make("div", { class: "row" },
      button(t("archive.open_label"), "small", () => open(label)),
      button(t("archive.delete"), "small danger", () => forget(label, container))));
}

const nameOf = (label) => label.title || label.url || t("archive.page_without_url");

/** Show the labelled page on the Extract screen. */
async function open(label) {
  try {
    const { page, method } = await api(`/v1/labels/${label.id}`);
    location.assign(`/?${new URLSearchParams({ page, method })}`);
  } catch (error) {
    toast(error.message);
  }
}

async function forget(label, container) {
  if (!(await confirmed(t("archive.delete_label"), nameOf(label), t("archive.delete")))) return;
  try {
    await api(`/v1/labels/${label.id}`, undefined, { method: "DELETE" });
    toast(t("archive.deleted"));
    await showCorrections(container);
  } catch (error) {
    toast(error.message);
  }
}
