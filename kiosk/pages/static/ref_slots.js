// The referee's view of the cards: the four slots of a trick with how sure each is, all tricks of all deals, and what is still to be checked.

import { cardElement, cardRow } from "./cards.js";
import { seconds } from "./clock.js";
import { correct, enter } from "./correct.js";
import { h, put } from "./dom.js";
import { ask } from "./live.js";
import { report } from "./ref_tools.js";
import { nameOf } from "./shared.js";
import { pick, seatLong, t } from "./words.js";

const SEATS = ["E", "N", "W", "S"];
const ORDER = { unknown: 0, check: 1, sure: 2, empty: 3 };

/** What is looked at: an earlier deal (null: the one being played) and a closed trick of it (null: the newest). */
export const view = { deal: null, trick: null };
let deals = [];
let old = null; // the state of the earlier deal that is looked at

/** How sure a play is, as a whole. */
export const worst = (play) => (!play ? "empty" : play.sure.includes("unknown") ? "unknown" : play.sure.includes("check") ? "check" : "sure");

const allTricks = (state) => [...state.tricks, ...(state.trick && !state.tricks.some((one) => one.number === state.trick.number) && state.trick.plays.length ? [state.trick] : [])];

/** Plays that somebody should look at: [{trick, seat, index}]. */
export function doubtful(state) {
  return allTricks(state).flatMap((trick) => trick.plays.filter((play) => worst(play) !== "sure").map((play) => ({ trick: trick.number, seat: play.seat, index: play.sure.findIndex((one) => one !== "sure"), worst: worst(play) })));
}

/** Ask for the deals of the match, and for the earlier one that is looked at. */
export async function refresh(state, draw) {
  if (state.deal > 1 || view.deal) {
    const answer = await ask("/api/deals");
    if (answer.ok) deals = answer.data.deals;
    if (view.deal) {
      const found = await ask(`/api/deals/${view.deal}`);
      old = found.ok ? found.data.state : null;
    }
    draw();
  }
}

function slot(state, trick, seat) {
  const play = trick?.plays.find((p) => p.seat === seat);
  const sure = worst(play);
  const winning = trick?.winner === seat;
  const tap = (i) => correct(view.deal ? old : state, trick.number, seat, i, view.deal);
  const closed = trick && trick.plays.length && trick.number !== state.trick?.number;
  return h(`div.slot.is-${sure}${winning ? ".winning" : ""}`, { "data-seat": seat },
    h("p.who", {}, h("b", {}, seatLong(seat)), nameOf(state, seat) ? h("span", {}, nameOf(state, seat)) : null, winning ? h("i", {}, t("winning")) : null),
    play ? cardRow(play.cards, { sure: play.sure, key: `${trick.number}.${seat}`, onTap: tap }) : h("div.cards", {}, closed ? h("button.plain", { type: "button", "data-key": `enter.${seat}`, onclick: () => enter(trick.number, [seat], { deal: view.deal }) }, t("ref.missed")) : null),
    h("div.foot", {},
      h("p.class", {}, h("b", {}, t(`ref.${sure}`)), play?.shape && pick(play.shape) ? [" · ", h("span", {}, pick(play.shape))] : null,
        play && play.verdict !== "legal" ? [" · ", h(play.verdict === "undecided" ? "span" : "em", {}, t(`verdict.${play.verdict}`))] : null,
        play?.thought_s ? [" · ", h("span", {}, t("ref.thought", { s: seconds(play.thought_s) }))] : null),
      view.deal ? null : h("button.offence", { type: "button", "data-key": `offence.${seat}`, "aria-label": t("ref.offence.of", { seat: seatLong(seat) }), onclick: () => report(state, seat) }, t("ref.offence"))));
}

/** The four slots: unsure ones first, so that the eye need not look for them. */
export function slots(part, state, draw) {
  const shown = view.deal ? old : state;
  if (!shown) return;
  const current = shown.trick?.plays.length ? shown.trick : shown.last_trick ?? shown.trick;
  const trick = view.trick ? shown.tricks.find((one) => one.number === view.trick) ?? current : current;
  const named = view.deal || view.trick || (trick && trick === shown.last_trick && !shown.trick?.plays.length);
  const seats = SEATS.toSorted((a, b) => ORDER[worst(trick?.plays.find((p) => p.seat === a))] - ORDER[worst(trick?.plays.find((p) => p.seat === b))]);
  const check = view.deal ? [] : doubtful(state);
  const title = [view.deal ? t("deal", { deal: view.deal }) : null, named ? t("trick.long", { n: trick?.number ?? 0 }) : t("ref.slots")].filter(Boolean).join(" · ");
  put(part,
    h("h2", {}, title, trick ? h("small", {}, t("trick.points", { points: trick.points })) : null,
      view.deal || view.trick ? h("button.back", { type: "button", "data-key": "now", onclick: () => { view.deal = view.trick = null; draw(); } }, t("ref.now")) : null),
    check.length ? h("div.check", { role: "group", "aria-label": t("ref.to_check", { n: check.length }) }, h("b", {}, t("ref.to_check", { n: check.length })), check.slice(0, 6).map((one) =>
      h("button", { type: "button", "data-key": `check.${one.trick}.${one.seat}`, onclick: () => correct(state, one.trick, one.seat, one.index) }, `${t("sheet.title", { seat: seatLong(one.seat), trick: one.trick })} ${one.worst === "unknown" ? "??" : "?"}`))) : null,
    h("div.four", {}, seats.map((seat) => slot(shown, trick, seat))),
    shown.bottom.cards ? h("div.bottom", {}, h("b", {}, t("reckoning.bottom")), shown.bottom.cards.map((card, i) => cardElement(card, { key: `0.${i}`, onTap: () => correct(shown, 0, null, i, view.deal) }))) : null);
}

function trickButton(trick, draw) {
  const chosen = view.trick === trick.number;
  return h(chosen ? "button.one.chosen" : "button.one", {
    type: "button", "data-key": `trick.${trick.number}`, "aria-pressed": chosen ? "true" : "false",
    "aria-label": t("trick.long", { n: trick.number }), onclick: () => { view.trick = chosen ? null : trick.number; draw(); },
  }, h("b", {}, String(trick.number)), h("span", {}, t(`seat.${trick.winner ?? trick.leader}`)), h("span", {}, trick.points ? String(trick.points) : "·"),
    trick.plays.some((p) => worst(p) !== "sure") ? h("i", {}, "?") : null,
    trick.plays.some((p) => p.verdict === "proven" || p.verdict === "illegal") ? h("i.bad", {}, "!") : null);
}

/** Every trick of the deal, and of the deals before; where the score was set by hand there is a mark. */
export function history(part, state, draw, again) {
  const shown = view.deal ? old : state;
  const gaps = new Map((state.gaps ?? []).filter((gap) => gap.deal === (view.deal ?? state.deal)).map((gap) => [gap.trick, gap]));
  const numbers = [...new Set([...(shown?.tricks ?? []).map((one) => one.number), ...gaps.keys()])].toSorted((a, b) => a - b);
  const choose = (deal) => async () => { view.deal = deal === state.deal ? null : deal; view.trick = null; old = null; await again(); draw(); };
  const now = view.deal ?? state.deal;
  put(part,
    h("h2", {}, t("ref.history"), numbers.length ? h("small", {}, t("ref.history.legend")) : null, gaps.size ? h("small", {}, t("ref.gaps", { n: gaps.size })) : null),
    deals.length > 1 ? h("div.deals", {}, deals.map((one) => h(one.deal === now ? "button.chosen" : "button", { type: "button", "data-key": `deal.${one.deal}`, "aria-pressed": one.deal === now ? "true" : "false", onclick: choose(one.deal) }, t("deal", { deal: one.deal })))) : null,
    h("div.tricks", {}, numbers.map((number) => [
      gaps.has(number) ? h("span.gap", { role: "img", "aria-label": t("ref.gap", { trick: number, by: gaps.get(number).by ?? "" }) }, t("ref.gap.short")) : null,
      shown.tricks.filter((one) => one.number === number).map((one) => trickButton(one, draw)),
    ])));
}
