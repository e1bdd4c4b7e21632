// Correction in two taps: the card, then one of at most six suggestions. Any trick of the match may be put right.

import { FACES, cardElement } from "./cards.js";
import { h, put } from "./dom.js";
import { closeSheet, openSheet, write } from "./layer.js";
import { ask } from "./live.js";
import { cardName, cardNames, seatLong, t } from "./words.js";

/** Where a play lies: {trick (0: the bottom), seat, deal (null: the one being played)}. */
function title({ trick, seat, deal }) {
  const play = trick === 0 ? t("sheet.bottom") : t("sheet.title", { seat: seatLong(seat), trick });
  return deal ? `${t("deal", { deal })} · ${play}` : play;
}

function send(place, was, cards, done) {
  closeSheet();
  const deal = place.deal ? { deal: place.deal } : {};
  if (place.trick === 0) return write("/api/correct-bottom", { was, cards, ...deal }, { done });
  return write("/api/correct", { trick: place.trick, seat: place.seat, was, cards, ...deal }, { done });
}

function words(place, from, to) {
  const values = { seat: place.seat && seatLong(place.seat), trick: place.trick, from: (from && cardName(from)) ?? "", to: (to && cardName(to)) ?? "" };
  if (place.trick === 0) return t("toast.bottom", values);
  return t(!to ? "toast.removed" : !from ? "toast.added" : "toast.corrected", values);
}

function grid(heading, choose) {
  openSheet(heading, [
    h("h2", {}, heading),
    h("div.faces", {}, FACES.map((face) => cardElement(face, { onTap: () => choose(face) }))),
    h("button.close", { type: "button", onclick: closeSheet }, t("sheet.close")),
  ]);
}

/** The cards that lie in a play now. */
function lying(state, { trick, seat }) {
  if (trick === 0) return state.bottom.cards ?? [];
  const found = [...state.tricks, state.last_trick, state.trick].find((one) => one?.number === trick);
  return found?.plays.find((play) => play.seat === seat)?.cards ?? [];
}

/** Open the sheet for one card of a play; deal is named when it is an earlier one. */
export async function correct(state, trick, seat, index, deal = null) {
  const place = { trick, seat, deal };
  const cards = lying(state, place);
  if (index >= cards.length) return;
  const card = cards[index];
  const query = new URLSearchParams({ trick, index, ...(seat ? { seat } : {}), ...(deal ? { deal } : {}) });
  const answer = await ask(`/api/suggestions?${query}`);
  const found = answer.ok ? answer.data.cards : [];
  const becomes = (face) => send(place, cards, cards.with(index, face), words(place, card, face));
  openSheet(`${title(place)} · ${t("sheet.should_be")}`, [
    h("h2", {}, title(place), h("small", {}, t("sheet.reading", { card: cardName(card) }))),
    h("p.ask", {}, t("sheet.should_be")),
    h("div.suggestions", {}, found.map((face, i) => {
      const node = cardElement(face, { onTap: () => becomes(face) });
      node.dataset.number = i + 1;
      node.append(h("span.name", { "aria-hidden": "true" }, cardName(face)));
      if (i === 0) node.dataset.first = "";
      return node;
    })),
    h("div.row", {},
      h("button", { type: "button", onclick: () => grid(`${title(place)} · ${t("sheet.all")}`, becomes) }, t("sheet.other")),
      h("button", { type: "button", onclick: () => send(place, cards, cards.toSpliced(index, 1), words(place, card, null)) }, t("sheet.remove")),
      h("button", { type: "button", onclick: () => grid(t("sheet.add.title"), (face) => send(place, cards, [...cards, face], words(place, null, face))) }, t("sheet.add")),
      h("button.close", { type: "button", onclick: closeSheet }, t("sheet.close"))),
  ]);
}

/** Enter a play that was not seen; now: it belongs to the trick that is being played. */
export function enter(trick, seats, { first = seats[0], deal = null, now = false } = {}) {
  let seat = first;
  let chosen = [];
  const body = h("div");
  const record = () => {
    closeSheet();
    const done = t("toast.played", { seat: seatLong(seat), trick });
    if (now) write("/api/play", { trick, seat, cards: chosen }, { done });
    else write("/api/correct", { trick, seat, was: [], cards: chosen, ...(deal ? { deal } : {}) }, { done });
  };
  const draw = () => put(body,
    h("h2", {}, `${t("missed.title")} · ${t("trick.long", { n: trick })}`),
    h("div.row", { role: "group", "aria-label": t("missed.seat") }, seats.map((one) => h(one === seat ? "button.main" : "button", {
      type: "button", "data-key": `seat.${one}`, "aria-pressed": one === seat ? "true" : "false", onclick: () => { seat = one; draw(); } }, seatLong(one)))),
    h("p.ask", { role: "status" }, chosen.length ? t("missed.chosen", { cards: cardNames(chosen) }) : t("missed.cards")),
    h("div.faces", {}, FACES.map((face) => cardElement(face, { key: `face.${face}`, onTap: () => { chosen = [...chosen, face]; draw(); } }))),
    h("div.row", {},
      h("button.main", { type: "button", "data-key": "missed.enter", disabled: !chosen.length, onclick: record }, t("missed.enter")),
      h("button", { type: "button", "data-key": "missed.back", disabled: !chosen.length, "aria-label": t("missed.back"), onclick: () => { chosen = chosen.slice(0, -1); draw(); } }, "⌫"),
      h("button.close", { type: "button", onclick: closeSheet }, t("sheet.close"))));
  draw();
  openSheet(t("missed.title"), body);
}
