// Beside a deal: the inbox, what can be learned, comments, and what was recorded.

import { cardRow } from "./cards.js";
import { h } from "./dom.js";
import { when } from "./review_list.js";
import { goTo, openDeal } from "./review_deal.js";
import { change, load, view } from "./review_state.js";
import { lang, pick, seatLong, t } from "./words.js";

const TABS = ["inbox", "lessons", "comments", "video", "files"];
const TIERS = ["all", "alert", "unsure", "info"];
const FORMS = ["pdf", "txt", "jsonl", "deals.csv", "tricks.csv", "twbundle"];
let draft = "";

const path = (rest) => `/api/review/matches/${view.match.match}/${rest}`;

async function jump(place, trick, play = 4) {
  if (place !== view.place) await openDeal(place, { trick, play });
  else goTo(trick, play);
}

function what(item) {
  if (item.tier === "alert") return t(`kind.${item.what}`);
  return t(`rev.what.${item.what}`);
}

async function flag(item) {
  const answer = await load(path("reviewed"), { item: item.item, reviewed: !item.reviewed });
  if (answer) change({ inbox: view.inbox.map((one) => ({ ...one, reviewed: answer.reviewed[one.item] ?? null })) });
}

function itemView(item) {
  const where = item.trick ? t("rev.where", { deal: item.deal, trick: item.trick }) : t("deal", { deal: item.deal });
  return h(`li.item.${item.tier}${item.reviewed ? ".done" : ""}`, { "data-item": item.item },
    h("button.go", { type: "button", "data-key": `i.${item.item}`, onclick: () => jump(item.place, item.trick || 1) },
      h("i.mark", { "aria-label": t(`rev.tier.${item.tier}`) }, { alert: "!", unsure: "?", info: "i" }[item.tier]),
      h("span", {}, h("b", {}, what(item)), h("small", {}, where, item.seat ? ` · ${seatLong(item.seat)}` : "", item.state ? ` · ${t(`state.${item.state}`)}` : ""))),
    h("button.flag", { type: "button", "data-key": `f.${item.item}`, "aria-pressed": String(Boolean(item.reviewed)), onclick: () => flag(item) }, t(item.reviewed ? "rev.reviewed" : "rev.review")));
}

function inbox() {
  const items = (view.inbox ?? []).filter((item) => view.tier === "all" || item.tier === view.tier);
  const open = (view.inbox ?? []).filter((item) => !item.reviewed).length;
  return [
    h("div.tiers", { role: "group" }, TIERS.map((tier) => h(tier === view.tier ? "button.chosen" : "button", { type: "button", "data-key": `tier.${tier}`, "aria-pressed": String(tier === view.tier), onclick: () => change({ tier }) }, t(`rev.tier.${tier}`)))),
    h("p.soft", {}, t("rev.open", { n: open })),
    items.length ? h("ul.items", {}, items.map(itemView)) : h("p.empty", {}, t("rev.inbox_empty")),
  ];
}

const SHEETS = ["signals-1", "signals-2", "technique-80", "technique-4deck"];

/** What a lesson's sheet is called; the others are the rulebook of the match. */
const sheet = (one) => (SHEETS.includes(one.source) ? t(`rev.source.${one.source.replace("-", "_")}`) : pick(view.match.title));

function lessons() {
  const { deal } = view;
  if (!deal.over) return h("p.empty", {}, t("rev.lessons_later"));
  if (!deal.lessons.length) return h("p.empty", {}, t("rev.lessons_none"));
  return h("ul.items", {}, deal.lessons.map((one, i) =>
    h("li.item.lesson", { "data-kind": one.kind }, h("button.go", { type: "button", "data-key": `l.${i}`, onclick: () => goTo(one.trick || 1, one.trick ? 4 : 0) },
      h("i.mark", {}, one.trick ? String(one.trick) : "–"),
      h("span", {}, h("b", {}, one[lang]), one.cards.length && one.cards.length <= 10 ? cardRow(one.cards) : null,
        h("small", {}, one.clause === "silent" ? t("rev.silent", { source: sheet(one) }) : lang === "zh" ? `《${sheet(one)}》「${one.clause}」` : `${sheet(one)}: ${one.says}`))))));
}

async function say(event) {
  event.preventDefault();
  const frame = view.deal.frames[view.at];
  const answer = await load(path("comments"), { deal: view.place, trick: frame?.trick ?? null, text: draft.trim() });
  if (answer) {
    draft = "";
    event.target.reset();
    change({ match: { ...view.match, comments: answer.comments } });
  }
}

async function remove(one) {
  const answer = await load(path(`comments/${one.id}/delete`), {});
  if (answer) change({ match: { ...view.match, comments: answer.comments } });
}

function comments() {
  const found = view.match.comments;
  return [
    h("ul.items", {}, found.map((one) => h("li.item", {},
      h("button.go", { type: "button", "data-key": `k.${one.id}`, onclick: () => jump(one.place, one.trick ?? 1) }, h("span", {}, h("b", {}, one.text),
        h("small", {}, t("rev.where", { deal: view.match.list[one.place]?.deal ?? one.place + 1, trick: one.trick ?? "–" }), ` · ${one.by} · ${when(one.at)}`))),
      view.me?.may_write ? h("button.flag", { type: "button", "data-key": `d.${one.id}`, onclick: () => remove(one) }, t("rev.delete")) : null))),
    found.length ? null : h("p.empty", {}, t("rev.comments_none")),
    h("form.say", { onsubmit: say }, h("label", {}, t("rev.comment_here"), h("input", { type: "text", maxlength: 500, required: true, "data-key": "say", oninput: (event) => { draft = event.target.value; } })),
      h("button.main", { type: "submit", "data-key": "say.send" }, t("rev.comment"))),
  ];
}

const LEAD_S = 2; // so long before a play is told its video begins: the hand that lays the cards is seen
let seen = null; // the film and the moment that were shown last

/** The play that lies last, with its time. */
function playNow() {
  const frame = view.deal.frames[view.at];
  const trick = view.deal.all.find((one) => one.number === frame?.trick);
  return trick?.plays[Math.max(0, (frame?.play ?? 0) - 1)] ?? null;
}

/** The clip of a trick, or the continuous video of the moment. */
function filmOf(trick, t) {
  const { media } = view.deal;
  return media.find((one) => one.kind === "clip" && one.trick === trick) ?? media.findLast((one) => one.kind === "segment" && t !== undefined && one.t0 <= t && t <= one.t1 + 0.5);
}

/** Bring the film to the play that is shown; whoever looks further stays where he is until another play is chosen. */
export function showMoment(app) {
  const film = app.querySelector("video[data-clip]");
  const play = film ? playNow() : null;
  const moment = play?.t !== undefined && play?.t !== null ? `${film.dataset.clip} ${play.t}` : null;
  if (moment === seen) return;
  seen = moment;
  if (!moment) return;
  const to = Math.max(0, play.t - Number(film.dataset.t0) - LEAD_S);
  const go = () => { film.currentTime = to; };
  if (film.readyState >= 1) go();
  else film.addEventListener("loadedmetadata", go, { once: true });
}

function video() {
  const frame = view.deal.frames[view.at];
  const trick = view.deal.all.find((one) => one.number === frame?.trick);
  const film = filmOf(frame?.trick, playNow()?.t);
  const stills = view.deal.media.filter((one) => one.kind === "play" && one.trick === frame?.trick);
  const notes = [["gaps", "rev.gaps"], ["unrecorded", "rev.unrecorded_n"]].filter(([name]) => view.deal[name].length).map(([name, words]) => h("p.note", {}, t(words, { n: view.deal[name].length })));
  const toPlay = (seat) => goTo(trick.number, trick.plays.findIndex((one) => one.seat === seat) + 1);
  return [
    notes,
    film ? h("video", { src: path(`media/${film.file}`), controls: true, preload: "metadata", playsinline: true, "data-clip": film.file, "data-t0": film.t0 }) : h("p.empty", {}, t("rev.no_clip")),
    film?.kind === "segment" ? h("p.soft", {}, t("rev.no_clip_but")) : null,
    stills.length ? h("div.stills", {}, stills.map((one) => h("button.still", { type: "button", "data-key": `still.${one.file}`, onclick: () => toPlay(one.seat) },
      h("img", { src: path(`media/${one.file}`), alt: "", loading: "lazy" }), h("span", {}, one.seat ? seatLong(one.seat) : "")))) : null,
  ];
}

function files() {
  return [
    h("ul.forms", {}, FORMS.map((form) => h("li", {}, h("a", { href: path(`export/${form}?lang=${lang}`), download: "" }, t(`rev.form.${form.replace(".csv", "")}`))))),
    h("p.soft.head-hash", {}, t("rev.head", { head: view.match.head })),
  ];
}

export function sideView() {
  if (!view.deal) return null;
  const body = { inbox, lessons, comments, video, files }[view.tab]();
  return h("section.side", { "aria-label": t("rev.beside") },
    h("div.tabs", { role: "tablist" }, TABS.map((tab) => h(tab === view.tab ? "button.tab.chosen" : "button.tab", { type: "button", role: "tab", "data-key": `tab.${tab}`, "aria-selected": String(tab === view.tab), onclick: () => change({ tab }) },
      t(`rev.tab.${tab}`), tab === "inbox" && view.inbox?.some((item) => !item.reviewed) ? h("i", {}, String(view.inbox.filter((item) => !item.reviewed).length)) : null))),
    h("div.panel", { role: "tabpanel" }, body));
}
