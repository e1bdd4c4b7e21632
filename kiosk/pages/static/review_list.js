// The list of recorded matches: searched by player, rulebook and day.

import { h } from "./dom.js";
import { openMatch } from "./review_nav.js";
import { change, load, view } from "./review_state.js";
import { pick, t } from "./words.js";

const CATCHING_UP_MS = 2000;
let waiting = null;

export async function loadList(more = false) {
  const query = new URLSearchParams(Object.entries(view.query).filter(([, value]) => value));
  if (more && view.list?.next) query.set("after", view.list.next);
  const found = await load(`/api/review/matches?${query}`);
  if (!found) return;
  if (more) found.matches = [...view.list.matches, ...found.matches];
  change({ list: found });
  if (found.behind && !more) {
    clearTimeout(waiting);
    waiting = setTimeout(() => view.page === "list" && loadList(), CATCHING_UP_MS);
  }
}

function search(name, value, soon = false) {
  view.query[name] = value;
  clearTimeout(waiting);
  waiting = setTimeout(loadList, soon ? 0 : 250);
}

/** What was typed stays the browser's while it is being typed (a Chinese word is composed of several keys); a field that is new gets what it held. */
export function fillSearch(app) {
  for (const field of app.querySelectorAll(".search input")) {
    if (field !== document.activeElement) field.value = view.query[field.dataset.key.slice(2)];
  }
}

export function when(text) {
  const at = new Date(text);
  const two = (n) => String(n).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
}

export function clock(text) {
  const at = new Date(text);
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map((n) => String(n).padStart(2, "0")).join(":");
}

export function players(names) {
  const pair = (one, other) => [names[one], names[other]].map((name, i) => name || t(`seat.${[one, other][i]}`)).join(" · ");
  return [pair("E", "W"), pair("S", "N")];
}

function row(match) {
  const [ew, ns] = players(match.names);
  return h("li", {}, h("button.match", { type: "button", "data-key": `match.${match.match}`, onclick: () => openMatch(match.match) },
    h("span.when", {}, when(match.started), match.match === view.list.running ? h("em.running", {}, t("rev.running")) : null),
    h("span.sides", {}, h(match.winner === "EW" ? "b.won" : "b", {}, ew), h("i", {}, t("rev.against")), h(match.winner === "NS" ? "b.won" : "b", {}, ns)),
    h("span.book", { title: match.rulebook }, pick(match.title)),
    h("span.count", {}, t("rev.deals", { n: match.deals })),
    match.alerts ? h("span.alerts", {}, t("rev.alerts", { n: match.alerts })) : h("span.alerts.none", {}, t("rev.no_alerts"))));
}

export function listView() {
  const { query, list } = view;
  return h("section.list", {},
    h("form.search", { role: "search", onsubmit: (event) => { event.preventDefault(); loadList(); } },
      h("label", {}, t("rev.player"), h("input", { type: "search", "data-key": "q.player", maxlength: 100, oninput: (event) => search("player", event.target.value) })),
      h("label", {}, t("rev.rulebook"), h("select", { "data-key": "q.rulebook", onchange: (event) => search("rulebook", event.target.value, true) },
        h("option", { value: "" }, t("rev.all")), (list?.rulebooks ?? []).map((one) => h("option", { value: one.name, selected: one.name === query.rulebook }, pick(one))))),
      h("label", {}, t("rev.since"), h("input", { type: "date", "data-key": "q.since", onchange: (event) => search("since", event.target.value, true) })),
      h("label", {}, t("rev.until"), h("input", { type: "date", "data-key": "q.until", onchange: (event) => search("until", event.target.value, true) }))),
    list?.behind ? h("p.note", { role: "status" }, t("rev.behind", { n: list.behind })) : null,
    list && !list.matches.length ? h("p.empty", {}, t("rev.none")) : null,
    h("ul.matches", {}, (list?.matches ?? []).map(row)),
    list?.next ? h("button.more", { type: "button", "data-key": "more", onclick: () => loadList(true) }, t("rev.more")) : null,
    list?.problems?.length ? h("details.problems", {}, h("summary", {}, t("rev.problems", { n: list.problems.length })), list.problems.map((text) => h("p", {}, text))) : null);
}
