// Figures over matches, of those who agreed; and the deleting of a name.

import { h } from "./dom.js";
import { change, load, view } from "./review_state.js";
import { closeSheet, openSheet } from "./layer.js";
import { t } from "./words.js";

const COLUMNS = ["matches", "deals", "won", "won_rate", "declared", "held", "steps", "points_per_deal", "tricks", "throws", "offences"];

export async function loadStatistics() {
  const found = await load("/api/review/statistics");
  if (found) change({ statistics: found });
}

async function agree(name, agreed) {
  const found = await load("/api/review/consent", { name, agreed });
  if (found) change({ statistics: { ...view.statistics, ...found } });
}

function forget(name) {
  openSheet(t("rev.forget", { name }), [
    h("h2", {}, t("rev.forget", { name })), h("p", {}, t("rev.forget_why")),
    h("div.row", {},
      h("button.main", { type: "button", "data-key": "forget.yes", onclick: async () => { closeSheet(); if (await load("/api/review/forget", { name })) loadStatistics(); } }, t("rev.forget_yes")),
      h("button", { type: "button", onclick: closeSheet }, t("pin.cancel")))]);
}

const cell = (name, value) => (value === null ? "–" : name === "won_rate" ? `${Math.round(100 * value)} %` : String(value));

function table(caption, rows, key) {
  if (!rows.length) return null;
  return h("div.wide-table", { tabindex: 0, role: "region", "aria-label": caption }, h("table", {}, h("caption", {}, caption),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("rev.name")), COLUMNS.map((name) => h("th", { scope: "col" }, t(`rev.col.${name}`))))),
    h("tbody", {}, rows.map((row) => h("tr", { "data-name": key(row) }, h("th", { scope: "row" }, key(row)), COLUMNS.map((name) => h("td", {}, cell(name, row[name]))))))));
}

export function statisticsView() {
  const found = view.statistics;
  if (!found) return null;
  return h("section.statistics", {},
    h("p.soft", {}, t("rev.opt_in")),
    table(t("rev.players"), found.players, (row) => row.name), table(t("rev.pairs"), found.pairs, (row) => row.names.join(" · ")),
    found.players.length ? null : h("p.empty", {}, t("rev.nobody")),
    h("h2", {}, t("rev.who")),
    h("ul.people", {}, found.names.map((name) => h("li", { "data-name": name },
      h("span", {}, name),
      h("label", {}, h("input", { type: "checkbox", "data-key": `agree.${name}`, checked: found.agreed.includes(name), onchange: (event) => agree(name, event.target.checked) }), t("rev.agree")),
      h("button", { type: "button", "data-key": `forget.${name}`, onclick: () => forget(name) }, t("rev.forget_short"))))));
}
