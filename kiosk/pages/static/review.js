// The review page: a list of recorded matches, or one match with its deals stepped through card by card. The address says the moment.

import { h, put } from "./dom.js";
import { ask } from "./live.js";
import { dealView, keyDown, stopPlaying } from "./review_deal.js";
import { fillSearch, listView, loadList } from "./review_list.js";
import { openList, openMatch } from "./review_nav.js";
import { showMoment, sideView } from "./review_side.js";
import { change, onChange, view } from "./review_state.js";
import { loadStatistics, statisticsView } from "./review_stats.js";
import { practiceMark } from "./shared.js";
import { onLang, switchLang, t } from "./words.js";

const app = document.getElementById("app");

function head() {
  const door = (page, act) => h(view.page === page ? "button.door.chosen" : "button.door", { type: "button", "data-key": `door.${page}`, onclick: act, "aria-current": view.page === page ? "page" : null }, t(`rev.${page}`));
  return h("header.head", {},
    h("h1", {}, t("rev.title")), practiceMark(view.status),
    h("nav.doors", {}, door("list", openList), door("statistics", () => { stopPlaying(); change({ page: "statistics" }); loadStatistics(); })),
    h("a.home", { href: "/" }, t("rev.home")),
    h("button.lang", { type: "button", "data-key": "lang", "aria-label": t("lang.switch"), onclick: switchLang }, t("lang.other")));
}

function render() {
  app.removeAttribute("aria-busy");
  app.dataset.view = view.page;
  const body = view.page === "list" ? listView() : view.page === "statistics" ? statisticsView() : [dealView(), sideView()];
  put(app, head(), view.problem ? h("p.problem", { role: "alert" }, view.problem) : null, body);
  const slider = app.querySelector(".slider");
  if (slider) slider.value = view.at; // the element itself stays the same: it may be under a finger
  fillSearch(app);
  showMoment(app);
}

addEventListener("keydown", keyDown);
onChange(render);
onLang(render);

async function begin() {
  const [me, status] = await Promise.all([ask("/api/me"), ask("/api/status")]);
  if (me.ok) view.me = me.data;
  if (status.ok) view.status = status.data;
  const query = new URLSearchParams(location.search);
  const number = (name) => (/^\d{1,6}$/.test(query.get(name) ?? "") ? Number(query.get(name)) : null);
  if (/^([0-9a-f]{16}|running)$/.test(query.get("match") ?? "")) {
    await openMatch(query.get("match"), { deal: number("deal"), trick: number("trick"), play: number("play") });
    if (view.match) return;
  }
  if (query.get("page") === "statistics") {
    change({ page: "statistics" });
    await loadStatistics();
    return;
  }
  await loadList();
}

begin();
