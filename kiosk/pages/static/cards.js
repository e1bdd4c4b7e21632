// Cards and suits, drawn by shape and name; colour is never alone.

import { h, svg } from "./dom.js";
import { cardName, t } from "./words.js";

const SHAPES = {
  S: [["path", { d: "M50 5C68 29 93 44 93 64c0 13-10 20-21 20-7 0-13-3-17-8 1 8 4 14 12 19H33c8-5 11-11 12-19-4 5-10 8-17 8C17 84 7 77 7 64 7 44 32 29 50 5z" }]],
  H: [["path", { d: "M50 93C22 66 6 50 6 31 6 17 17 8 29 8c9 0 17 5 21 14C54 13 62 8 71 8c12 0 23 9 23 23 0 19-16 35-44 62z" }]],
  D: [["path", { d: "M50 3C60 20 74 37 90 50 74 63 60 80 50 97 40 80 26 63 10 50 26 37 40 20 50 3z" }]],
  C: [["path", { d: "M50 5a21 21 0 0 1 18 32 21 21 0 1 1-13 38c1 9 4 15 12 20H33c8-5 11-11 12-20a21 21 0 1 1-13-38A21 21 0 0 1 50 5z" }]],
  crown: [["path", { d: "M8 82 4 26l25 22L50 12l21 36 25-22-4 56z" }]],
  none: [["path", { "fill-rule": "evenodd", d: "M50 4a46 46 0 1 1 0 92 46 46 0 0 1 0-92zm0 13a33 33 0 0 0-26 53l46-46a33 33 0 0 0-20-7zm26 13L30 76a33 33 0 0 0 46-46z" }]],
  star: [["path", { d: "M50 4 62 37l35 1-28 22 10 34-29-20-29 20 10-34L3 38l35-1z" }]],
  warn: [["path", { "fill-rule": "evenodd", d: "M50 5 98 92H2zm-6 30 2 31h8l2-31zm6 37a6 6 0 1 0 0 12 6 6 0 0 0 0-12z" }]],
};

export function suitIcon(suit) {
  return svg("0 0 100 100", SHAPES[suit], { class: `suit suit-${suit}` });
}

export const crown = () => svg("0 0 100 94", SHAPES.crown, { class: "crown" });
export const warning = () => svg("0 0 100 96", SHAPES.warn, { class: "warn-icon" });

function inside(card) {
  if (card === "??") return [h("span.rank", {}, "?")];
  if (card === "BJ" || card === "LJ") return [h("span.joker", {}, t(`card.${card}.1`)), h("span.joker", {}, t(`card.${card}.2`)), svg("0 0 100 100", SHAPES.star, { class: "star" })];
  const rank = card.slice(1);
  return [h(`span.rank${{ 10: ".ten", Q: ".tail" }[rank] ?? ""}`, {}, rank), h("span.pip", {}, suitIcon(card[0]))];
}

/**
 * One card.
 * sure: "sure" | "check" | "unknown"; onTap makes it a button.
 */
export function cardElement(card, { sure = "sure", onTap = null, key = null, label = null } = {}) {
  const kind = card === "BJ" ? "big" : card === "LJ" ? "little" : card === "??" ? "unknown" : card[0];
  const name = `${onTap ? "button" : "span"}.card.card-${kind}.is-${sure}`;
  const mark = sure === "sure" ? "" : `, ${t(`ref.${sure}`)}`;
  const props = { "data-card": card, "aria-label": (label ?? cardName(card)) + mark, "data-key": key };
  if (onTap) Object.assign(props, { type: "button", onclick: () => onTap() });
  else props.role = "img";
  return h(name, props, ...inside(card), sure === "check" ? h("span.question", { "aria-hidden": "true" }, "?") : null);
}

/** The cards of a play in a row that shrinks with their number. */
export function cardRow(cards, { sure = [], onTap = null, key = "" } = {}) {
  const n = cards.length;
  const size = n <= 4 ? 4 : n <= 6 ? 6 : n <= 12 ? 12 : 24;
  return h(`div.cards.upto-${size}`, {}, cards.map((card, i) => cardElement(card, { sure: sure[i], onTap: onTap && (() => onTap(i)), key: `${key}.${i}` })));
}

export const SUITS = ["S", "H", "D", "C"];
export const RANKS = ["A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2"];
export const FACES = [...SUITS.flatMap((suit) => RANKS.map((rank) => suit + rank)), "BJ", "LJ"];
