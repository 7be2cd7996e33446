// A stored document: text, Markdown, facts, versions and their diff, export, deletion.

import { showVersions } from "./versions.js";
import { counted, languageName } from "../amounts.js";
import { confirmed } from "../confirmation.js";
import { api, byId, bytes, copy, day, download, emptyState, make, message, moment, percent, t, tabs, toast } from "../page.js";
import { isWebAddress, webLink } from "../page_text.js";

const id = byId("document").dataset.document;
const UNNAMED = "urn:bonmun:page:"; // the address of pages that were given without one
let shown = null; // the version on the screen

async function load(version = null) {
  const address = `/v1/documents/${encodeURIComponent(id)}${version ? `?version=${version}` : ""}`;
  try {
    shown = await api(address);
  } catch (error) {
    byId("loading").hidden = true;
    const text = error.status === 404 || error.status === 422 ? t("archive.gone") : error.message;
    byId("problem").replaceChildren(error.status === 404 || error.status === 422
      ? emptyState(text, t("archive.gone_hint"), make("a", { class: "button", href: "/archive" }, t("archive.back")))
      : message("error", text, [[t("shell.retry"), () => load(version)]]));
    return;
  }
  byId("loading").hidden = true;
  byId("content").hidden = false;
  show(shown);
}

function show(found) {
  document.title = `${found.title || found.url} · Bonmun`;
  byId("title").textContent = found.title || found.url;
  byId("eyebrow").textContent = [found.site || found.host, found.published && day(found.published)].filter(Boolean).join(" · ");
  byId("byline").textContent = found.author;
  byId("text").lang = found.language || "";
  byId("text").replaceChildren(...paragraphs(found));
  byId("markdown-text").textContent = found.markdown;
  byId("version-count").textContent = String(found.versions);
  showOldVersion(found);
  showSide(found);
  byId("versions").replaceChildren();
  if (views.shown === "versions") openVersions();
}

function paragraphs(found) {
  if (!found.text.trim()) return [make("p", { class: "fine" }, t("archive.no_text"))];
  const lines = found.text.split(/\n+/).filter((line) => line.trim());
  if (lines.length > 1 && lines[0].trim() === found.title.trim()) lines.shift(); // it stands above already
  return lines.map((line) => make("p", {}, line));
}

function showOldVersion(found) {
  const note = byId("old-version");
  note.hidden = found.version === found.versions;
  if (note.hidden) return;
  const text = t("archive.old_version", { version: found.version, versions: found.versions, when: moment(found.saved_at) });
  note.replaceChildren(message("warn", text, [[t("archive.latest_version"), () => load()]]));
}

function showSide(found) {
  part("summary", found.summary.map((sentence) => make("p", {}, sentence)));
  part("keywords", found.keywords.map((word) => make("li", {}, make("a", { href: `/archive?${new URLSearchParams({ q: word })}` }, word))));
  part("duplicates", found.duplicates.map((other) => make("li", {},
    make("a", { href: `/archive/${other.id}` }, other.title || other.url), make("span", { class: "fine" }, ` ${hostOf(other.url)}`))));
  byId("pairs").replaceChildren(...facts(found).flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
  byId("original").replaceChildren(isWebAddress(found.url) ? webLink(found.url, t("archive.original"), { class: "button small" }) : "");
  const again = byId("extract-again");
  again.hidden = !isWebAddress(found.url);
  again.href = `/?${new URLSearchParams({ url: found.url })}`;
}

function hostOf(address) {
  return isWebAddress(address) ? new URL(address).host : "";
}

function part(name, children) {
  byId(`${name}-part`).hidden = !children.length;
  byId(name).replaceChildren(...children);
}

function facts(found) {
  return [
    [t("archive.address"), found.url.startsWith(UNNAMED) ? t("archive.page_without_url") : webLink(found.url)],
    [t("archive.author"), found.author],
    [t("archive.published"), found.published && day(found.published)],
    [t("archive.modified"), found.modified && day(found.modified)],
    [t("archive.language"), found.language && languageName(found.language)],
    [t("archive.kind"), found.page_type],
    [t("archive.confidence"), percent(found.confidence)],
    [t("archive.method"), found.method],
    [t("archive.source"), found.source],
    [t("archive.first_seen"), moment(found.first_seen)],
    [t("archive.last_seen"), moment(found.last_seen)],
    [t("archive.size"), `${counted("archive.characters", Array.from(found.text).length)} · HTML ${bytes(found.html_size)}`],
  ].filter(([, value]) => value);
}

/** The texts that can be copied and saved: name of the format, ending, content type, text. */
function formats(found) {
  return [
    [t("archive.text"), "txt", "text/plain", found.text],
    ["Markdown", "md", "text/markdown", found.markdown],
    ["JSON", "json", "application/json", JSON.stringify(found, null, 2)],
  ];
}

function fileName(found) {
  const name = (found.title || found.host).normalize("NFC").replace(/[^\p{Letter}\p{Number}]+/gu, "-").replace(/^-+|-+$/g, "");
  return (name || `document-${found.id}`).slice(0, 60);
}

function fillExports() {
  const names = [[t("archive.text"), 0], ["Markdown", 1], ["JSON", 2]];
  byId("exports").replaceChildren(...names.map(([name, index]) => make("button", {
    type: "button", onclick: () => {
      const [, ending, type, text] = formats(shown)[index];
      download(`${fileName(shown)}.${ending}`, text, type);
      byId("exports").closest("details").open = false;
    },
  }, name)));
}

async function remove() {
  const detail = t("archive.delete_detail", { title: shown.title || shown.url });
  if (!(await confirmed(t("archive.delete_question"), detail, t("archive.delete")))) return;
  try {
    await api(`/v1/documents/${shown.id}`, undefined, { method: "DELETE" });
    location.assign(byId("back").href);
  } catch (error) {
    toast(error.message);
  }
}

function openVersions() {
  if (!byId("versions").childElementCount) showVersions(byId("versions"), shown, load);
}

const views = tabs(document.querySelector("[role=tablist]"), (panel) => {
  if (panel === "versions" && shown) openVersions();
});
byId("copy").addEventListener("click", () => copy(views.shown === "markdown" ? shown.markdown : shown.text));
byId("delete").addEventListener("click", remove);
const search = sessionStorage.getItem("bonmun-archive");
if (search) byId("back").href = `/archive?${search}`;
fillExports();
load();
