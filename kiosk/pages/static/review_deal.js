// One deal: four seats, the trick as it lay at a moment, the timeline of tricks, the curve of points, and the way through it.

import { cardElement, cardRow, suitIcon } from "./cards.js";
import { h } from "./dom.js";
import { chartView } from "./review_chart.js";
import { clock, players, when } from "./review_list.js";
import { openList } from "./review_nav.js";
import { address, change, load, view } from "./review_state.js";
import { toast } from "./layer.js";
import { pick, seatLong, stageWords, t, trumpName } from "./words.js";

const PACE_MS = 1100;
const SPEEDS = [0.5, 1, 2, 4];
const CLOCKWISE = ["N", "W", "E", "S"];
let timer = null;

/** The moments of a deal: before each trick and after each of its plays. */
function framesOf(deal) {
  const tricks = [...deal.tricks, ...(deal.trick?.plays?.length ? [deal.trick] : [])];
  deal.all = tricks;
  return tricks.flatMap((trick) => [0, ...trick.plays.map((_, i) => i + 1)].map((play) => ({ trick: trick.number, play })));
}

export async function openDeal(place, { trick = null, play = null } = {}) {
  stopPlaying();
  const deal = await load(`/api/review/matches/${view.match.match}/deals/${place}`);
  if (!deal) return;
  deal.frames = framesOf(deal);
  change({ place, deal, at: trick === null ? 0 : frameAt(deal, trick, play) });
}

function frameAt(deal, trick, play) {
  const last = deal.frames.findLastIndex((frame) => frame.trick === trick && (play === null || frame.play <= play));
  return Math.max(0, last);
}

export function goTo(trick, play = null) {
  if (view.deal) change({ at: frameAt(view.deal, trick, play) });
}

function step(by) {
  if (view.deal) change({ at: Math.max(0, Math.min(view.deal.frames.length - 1, view.at + by)) });
}

export function stopPlaying() {
  clearInterval(timer);
  timer = null;
  view.playing = false;
}

function play() {
  if (view.playing) {
    stopPlaying();
    change({});
    return;
  }
  if (view.at >= view.deal.frames.length - 1) view.at = 0;
  view.playing = true;
  pace();
  change({});
}

function pace() {
  clearInterval(timer);
  timer = setInterval(() => {
    if (!view.deal || view.at >= view.deal.frames.length - 1) {
      stopPlaying();
      change({});
    } else step(1);
  }, PACE_MS / view.speed);
}

/** Jump to the next or the last moment that an item of the inbox speaks of. */
function jump(by) {
  const here = view.deal.frames[view.at];
  const marks = [...new Set(view.deal.inbox.map((item) => item.trick).filter((trick) => trick > 0))].sort((a, b) => a - b);
  const next = by > 0 ? marks.find((trick) => trick > (here?.trick ?? 0)) : marks.findLast((trick) => trick < (here?.trick ?? 0));
  if (next) goTo(next, 4);
}

export function keyDown(event) {
  if (view.page !== "match" || !view.deal || event.target.closest?.("input, select, textarea, .sheet") || event.ctrlKey || event.metaKey || event.altKey) return;
  const acts = { ArrowRight: () => step(1), ArrowLeft: () => step(-1), ArrowDown: () => jump(1), ArrowUp: () => jump(-1), " ": play, Home: () => change({ at: 0 }), End: () => change({ at: view.deal.frames.length - 1 }) };
  if (!acts[event.key] || (event.key === " " && event.target.closest?.("button, a, summary"))) return;
  event.preventDefault();
  acts[event.key]();
}

const current = () => {
  const frame = view.deal.frames[view.at] ?? { trick: 0, play: 0 };
  const trick = view.deal.all.find((one) => one.number === frame.trick) ?? null;
  return { frame, trick, shown: trick ? trick.plays.slice(0, frame.play) : [], done: Boolean(trick) && frame.play === trick.plays.length && trick.winner };
};

/** When the play that lies last was told, by the wall clock. */
function momentAt() {
  const { frame, shown } = current();
  const seat = shown.at(-1)?.seat;
  return view.deal.steps.findLast((step) => step.step === "play" && step.trick === frame.trick && step.seat === seat)?.at ?? null;
}

function left(seat) {
  const hand = [...(view.deal.hands?.[seat] ?? [])];
  const { frame } = current();
  for (const trick of view.deal.all) {
    if (trick.number > frame.trick) break;
    for (const play of trick.number < frame.trick ? trick.plays : trick.plays.slice(0, frame.play)) {
      if (play.seat === seat) for (const card of play.cards) hand.splice(hand.indexOf(card), 1);
    }
  }
  return hand;
}

function seatPart(seat) {
  const { trick, shown, done } = current();
  const deal = view.deal;
  const act = shown.find((one) => one.seat === seat);
  const thought = deal.tempo?.plays.find((one) => one.trick === trick?.number && one.seat === seat);
  const winning = done && trick.winner === seat;
  const bad = act && ["illegal", "proven"].includes(act.verdict);
  return h(`div.place.place-${seat}${winning ? ".winning" : ""}${bad ? ".faulty" : ""}`, { "data-seat": seat },
    h("p.who", {}, h("b", {}, t(`seat.${seat}`)), deal.names[seat] ? h("span", {}, deal.names[seat]) : null,
      deal.declarer === seat ? h("i.dealer", { title: t("declarer.long") }, t("declarer")) : null, winning ? h("em", {}, t("rev.takes")) : null),
    act ? cardRow(act.cards, { sure: act.sure ?? [] }) : h("div.cards.upto-4.none", {}),
    h("p.fine", {}, act?.shape?.[document.documentElement.lang.slice(0, 2)] ?? "", bad ? h("em", {}, ` ${t(`verdict.${act.verdict}`)}`) : null,
      act && thought ? h("span.thought", {}, t("rev.thought", { s: thought.seconds, median: deal.tempo.median[seat] ?? "–" })) : null),
    view.hands && deal.hands ? h("div.hand", { "aria-label": t("rev.hand_of", { seat: seatLong(seat) }) }, left(seat).map((card) => cardElement(card))) : null);
}

function facts() {
  const { deal, match } = view;
  const { frame } = current();
  const points = [...deal.curve].reverse().find(([trick]) => trick < frame.trick || (trick === frame.trick && current().done))?.[1] ?? 0;
  const [ew, ns] = players(deal.names);
  const trump = deal.trump ? deal.trump.split("/") : null;
  return h("div.facts", {},
    h("button.back", { type: "button", "data-key": "back", onclick: openList }, t("rev.back")),
    h("span.when", {}, when(match.started)), h("span.sides", {}, ew, h("i", {}, t("rev.against")), ns), h("span.book", { title: deal.rulebook }, pick(match.title)),
    trump ? h("span.trump", { role: "img", "aria-label": t("trump.is", { trump: trumpName(deal.trump) }) }, suitIcon(trump[1] === "NT" ? "none" : trump[1]), trump[0]) : null,
    h("span.points", {}, t("points.aria", { points })),
    deal.reckoning && view.at === deal.frames.length - 1 ? h("span.result", {}, `${t("rev.final", { points: deal.reckoning.points })} · ${stageWords(deal.reckoning, "stage.long")}`) : null);
}

function deals() {
  return h("ol.deals", { "aria-label": t("rev.deals_of") }, view.match.list.map((one) =>
    h("li", {}, h(one.place === view.place ? "button.one.chosen" : "button.one", { type: "button", "data-key": `deal.${one.place}`, "aria-current": one.place === view.place ? "true" : null, onclick: () => openDeal(one.place) },
      h("b", {}, String(one.deal)), one.declarer ? t(`seat.${one.declarer}`) : "–", h("span", {}, one.over ? String(one.points) : t("rev.running")), one.alerts ? h("i", { "aria-label": t("rev.alerts", { n: one.alerts }) }, "!") : null))));
}

function controls() {
  const { frame } = current();
  const button = (key, label, act, words = t(`rev.${key}`)) => h("button", { type: "button", "data-key": `c.${key}`, "aria-label": words, title: words, onclick: act }, label);
  return h("div.controls", { role: "toolbar", "aria-label": t("rev.controls") },
    button("mark_back", "‹ !", () => jump(-1)), button("step_back", "‹", () => step(-1)),
    button("play", view.playing ? "❚❚" : "▶", play, t(view.playing ? "rev.pause" : "rev.play")),
    button("step", "›", () => step(1)), button("mark", "! ›", () => jump(1)),
    h("label.speed", {}, t("rev.speed"), h("select", { "data-key": "c.speed", onchange: (event) => { view.speed = Number(event.target.value); if (view.playing) pace(); change({}); } },
      SPEEDS.map((speed) => h("option", { value: speed, selected: speed === view.speed }, `×${speed}`)))),
    h("input.slider", { type: "range", min: 0, max: Math.max(0, view.deal.frames.length - 1), "data-key": "c.slider", "aria-label": t("rev.moment"), oninput: (event) => change({ at: Number(event.target.value) }) }),
    h("output", {}, t("rev.at", frame), momentAt() ? h("small", {}, ` ${clock(momentAt())}`) : null),
    view.deal.hands ? h("button.wide", { type: "button", "data-key": "c.hands", "aria-pressed": String(view.hands), onclick: () => change({ hands: !view.hands }) }, t(view.hands ? "rev.hands_hide" : "rev.hands_show"))
      : h("span.soft", {}, t(view.deal.over ? "rev.hands_unknown" : "rev.hands_later")),
    h("button.wide", { type: "button", "data-key": "c.link", onclick: copyLink }, t("rev.link")));
}

async function copyLink() {
  try {
    await navigator.clipboard.writeText(new URL(address(), location.href).href);
    toast(t("rev.copied"));
  } catch {
    toast(new URL(address(), location.href).href);
  }
}

function thumbnail(trick) {
  const medium = view.deal.media.filter((one) => one.kind === "thumb" && one.trick === trick.number).at(-1);
  if (medium) return h("img.thumb", { src: `/api/review/matches/${view.match.match}/media/${medium.file}`, alt: t("trick.long", { n: trick.number }), loading: "lazy", width: 96, height: 72 });
  const winner = trick.plays.find((one) => one.seat === trick.winner) ?? trick.plays[0];
  return h("span.mini", { "aria-hidden": "true" }, winner ? cardRow(winner.cards.slice(0, 4)) : null);
}

/** Gaps that begin between two times of the table's clock: the camera saw nothing (`gaps`), or there is no video (`unrecorded`). */
function gapsBetween(from, to) {
  const words = (name, [start, end]) => (end === null ? t(`rev.${name}_open`) : t(`rev.${name}`, { s: Math.round(end - start) }));
  const of = (name, list) => list.filter(([start]) => start >= from && start < to).map((gap) => [gap[0], h(`li.gap.${name}`, {}, words(name, gap))]);
  return [...of("gap", view.deal.gaps), ...of("unrecorded", view.deal.unrecorded)].sort(([a], [b]) => a - b).map(([, tile]) => tile);
}

function timeline() {
  const { frame } = current();
  let from = -Infinity;
  const tiles = view.deal.all.flatMap((trick) => {
    const marks = view.deal.inbox.filter((item) => item.trick === trick.number);
    const tier = ["alert", "unsure", "info"].find((name) => marks.some((item) => item.tier === name));
    const to = trick.plays.at(-1)?.t ?? from;
    const gaps = gapsBetween(from, to);
    from = to;
    const label = t("rev.trick_of", { n: trick.number, seat: trick.winner ? seatLong(trick.winner) : "–", points: trick.points });
    return [gaps, h("li", {}, h(`button.tile${trick.number === frame.trick ? ".chosen" : ""}${trick.winner && view.deal.declarers?.includes(trick.winner) ? "" : ".attackers"}`,
      { type: "button", "data-key": `trick.${trick.number}`, "aria-label": label, "aria-current": trick.number === frame.trick ? "true" : null, onclick: () => goTo(trick.number, trick.plays.length) },
      h("span.number", {}, String(trick.number)), thumbnail(trick), h("span.taker", {}, trick.winner ? t(`seat.${trick.winner}`) : "–", trick.points ? h("b", {}, ` ${trick.points}`) : null),
      tier ? h(`i.mark.${tier}`, { "aria-label": t(`rev.tier.${tier}`) }, { alert: "!", unsure: "?", info: "i" }[tier]) : null))];
  });
  return h("ol.timeline", { "aria-label": t("rev.timeline") }, tiles, gapsBetween(from, Infinity));
}

export function dealView() {
  if (!view.deal) return h("section.deal", {}, view.match ? deals() : null);
  const { trick } = current();
  return h("section.deal", {},
    facts(), deals(),
    h("div.board", {},
      h("div.middle", {}, h("b", {}, trick ? t("trick.short", { n: trick.number }) : "–"), trick ? h("span", {}, t("trick.points", { points: trick.points })) : null,
        view.deal.bottom?.cards && view.hands ? h("div.bottom", { "aria-label": t("sheet.bottom") }, h("small", {}, t("sheet.bottom")), h("div.hand", {}, view.deal.bottom.cards.map((card) => cardElement(card)))) : null),
      CLOCKWISE.map(seatPart)),
    controls(), timeline(), chartView());
}
