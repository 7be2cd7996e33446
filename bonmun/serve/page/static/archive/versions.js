// The versions of a document: a list, and the diff of the two that are chosen.

import { counted } from "../amounts.js";
import { diffSize, diffView } from "../diff_view.js";
import { api, Latest, make, message, moment, number, t } from "../page.js";

const COLUMNS = [["version"], ["saved"], ["title"], ["characters_column", "number"], ["old", "choice"], ["new", "choice"]]; // with classes

/** Show the versions of the document `shown`; `open(version)` shows another one. */
export async function showVersions(container, shown, open) {
  container.replaceChildren(make("p", { role: "status" }, t("shell.loading")));
  try {
    const versions = await api(`/v1/documents/${shown.id}/versions`);
    versions.sort((one, other) => other.number - one.number);
    container.replaceChildren(...(versions.length > 1 ? comparison(versions, shown, open) : [onlyOne(versions[0])]));
  } catch (error) {
    container.replaceChildren(message("error", error.message, [[t("shell.retry"), () => showVersions(container, shown, open)]]));
  }
}

function onlyOne(version) {
  return make("p", { class: "fine" }, t("archive.one_version", { when: moment(version.saved_at) }));
}

function comparison(versions, shown, open) {
  const result = make("div", { class: "diff-result", "aria-live": "polite" });
  const table = make("table", { class: "data versions" });
  const latest = new Latest();
  const compare = () => showDiff(latest, result, shown.id, chosen(table, "old"), chosen(table, "new"));
  const heads = COLUMNS.map(([name, look]) => make("th", { scope: "col", class: look }, t(`archive.version_${name}`)));
  table.append(
    make("thead", {}, make("tr", {}, ...heads)),
    make("tbody", {}, ...versions.map((version, index) => row(version, index, shown, open))),
  );
  table.addEventListener("change", compare);
  compare();
  return [make("div", { class: "table-wrap" }, table), result];
}

function row(version, index, shown, open) {
  const choice = (name, checked) => make("td", { class: "choice" }, make("input", {
    type: "radio", name: `version-${name}`, value: version.number, checked,
    "aria-label": t(`archive.choose_${name}`, { version: version.number }),
  }));
  const label = t("archive.show_version", { version: version.number });
  const name = version.number === shown.version
    ? make("strong", { "aria-current": "true" }, number(version.number))
    : make("button", { type: "button", class: "link", onclick: () => open(version.number) }, label);
  return make("tr", {}, make("th", { scope: "row" }, name), make("td", {}, moment(version.saved_at)), make("td", {}, version.title),
    make("td", { class: "number" }, number(version.text_size)), choice("old", index === 1), choice("new", index === 0));
}

const chosen = (table, name) => Number(table.querySelector(`[name=version-${name}]:checked`).value);

async function showDiff(latest, result, id, old, recent) {
  try {
    const answer = await latest.run((signal) => api(`/v1/documents/${id}/diff?old=${old}&new=${recent}`, undefined, { signal }));
    if (!answer) return;
    const { inserted, deleted } = diffSize(answer.changes);
    result.replaceChildren(
      make("h2", {}, t("archive.diff_of", { old, new: recent })),
      make("p", { class: "diff-size" }, `+ ${counted("archive.inserted_size", inserted)} · − ${counted("archive.deleted_size", deleted)}`),
      diffView(answer.changes, diffWords()),
    );
  } catch (error) {
    result.replaceChildren(message("error", error.message));
  }
}

/** The words of a diff. */
function diffWords() {
  return {
    inserted: t("archive.inserted"), deleted: t("archive.deleted_text"), same: t("archive.same"),
    unchanged: (count) => counted("archive.unchanged", count),
  };
}
