// Correction in two taps: the card, then one of at most six suggestions.

import { FACES, cardElement } from "./cards.js";
import { h } from "./dom.js";
import { closeSheet, openSheet, write } from "./layer.js";
import { ask } from "./live.js";
import { cardName, seatLong, t } from "./words.js";

function place(trick, seat) {
  return trick === 0 ? t("sheet.bottom") : t("sheet.title", { seat: seatLong(seat), trick });
}

async function send(trick, seat, was, cards, done) {
  closeSheet();
  if (trick === 0) return write("/api/correct-bottom", { was, cards }, { done });
  return write("/api/correct", { trick, seat, was, cards }, { done });
}

function words(trick, seat, from, to) {
  const values = { seat: seat && seatLong(seat), trick, from: from && cardName(from), to: to && cardName(to) };
  if (trick === 0) return t("toast.bottom", { from: values.from ?? "", to: values.to ?? "" });
  return t(!to ? "toast.removed" : !from ? "toast.added" : "toast.corrected", values);
}

function grid(title, choose) {
  openSheet(title, [
    h("h2", {}, title),
    h("div.faces", {}, FACES.map((face) => cardElement(face, { onTap: () => choose(face) }))),
    h("button.close", { type: "button", onclick: closeSheet }, t("sheet.close")),
  ]);
}

/** The cards that lie in a play now; trick 0 is the shown bottom. */
function lying(state, trick, seat) {
  if (trick === 0) return state.bottom.cards ?? [];
  const found = [...state.tricks, state.last_trick, state.trick].find((one) => one?.number === trick);
  return found?.plays.find((play) => play.seat === seat)?.cards ?? [];
}

/** Open the sheet for one card of a play. */
export async function correct(state, trick, seat, index) {
  const cards = lying(state, trick, seat);
  if (index >= cards.length) return;
  const card = cards[index];
  const query = new URLSearchParams({ trick, index, ...(seat ? { seat } : {}) });
  const answer = await ask(`/api/suggestions?${query}`);
  const found = answer.ok ? answer.data.cards : [];
  const becomes = (face) => send(trick, seat, cards, cards.with(index, face), words(trick, seat, card, face));
  const title = `${place(trick, seat)} · ${t("sheet.should_be")}`;
  openSheet(title, [
    h("h2", {}, place(trick, seat), h("small", {}, t("sheet.reading", { card: cardName(card) }))),
    h("p.ask", {}, t("sheet.should_be")),
    h("div.suggestions", {}, found.map((face, i) => {
      const node = cardElement(face, { onTap: () => becomes(face) });
      node.dataset.number = i + 1;
      node.append(h("span.name", { "aria-hidden": "true" }, cardName(face)));
      if (i === 0) node.dataset.first = "";
      return node;
    })),
    h("div.row", {},
      h("button", { type: "button", onclick: () => grid(`${place(trick, seat)} · ${t("sheet.all")}`, becomes) }, t("sheet.other")),
      h("button", { type: "button", disabled: cards.length < 2, onclick: () => send(trick, seat, cards, cards.toSpliced(index, 1), words(trick, seat, card, null)) }, t("sheet.remove")),
      h("button", { type: "button", onclick: () => grid(t("sheet.add.title"), (face) => send(trick, seat, cards, [...cards, face], words(trick, seat, null, face))) }, t("sheet.add")),
      h("button.close", { type: "button", onclick: closeSheet }, t("sheet.close"))),
  ]);
}
