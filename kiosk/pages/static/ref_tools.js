// What the referee does by hand: undo (and replace), offences that no camera sees, missed plays, the score, the clocks, the sound.

import { enter } from "./correct.js";
import { clockText, clocks, paused } from "./clock.js";
import { correct } from "./correct.js";
import { h, put } from "./dom.js";
import { askPin, closeSheet, openSheet, takeBack, toast, write } from "./layer.js";
import { ask } from "./live.js";
import { pick, seatLong, t, trumpName } from "./words.js";

const SEATS = ["E", "N", "W", "S"];
const LEVELS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];

const DRAWING = ["dealing", "declaring"];

let offences = null;

/** An act in words. */
export const act = (u) => t(`undo.${u.event}`, { seat: u.seat ? seatLong(u.seat) : "", trick: u.trick ?? "", deal: u.deal ?? "" });

/** What it should have been instead, where that can be said: a play opens its card, a score its sheet. */
function instead(message, u) {
  const label = t("toast.instead");
  if (u.event === "ScoreSet") return { label, run: () => byHand(message.state) };
  if (u.event === "Corrected") return { label, run: () => correct(message.state, u.trick, u.seat, 0, u.deal && u.deal !== message.state.deal ? u.deal : null) };
  if (u.event === "CardsPlayed") return { label, run: () => enter(u.trick, [u.seat], { now: true }) };
  return null;
}

/** Take the last act back. world() gives the newest message, since the state has moved on when the note is touched. */
export function undo(world, u = world().undo) {
  if (u) takeBack(u.seq, { more: { label: t("toast.instead"), run: () => instead(world(), u)?.run() } });
}

/** Two taps: the seat's button, then the offence. */
export async function report(state, seat) {
  if (offences === null) {
    const answer = await ask("/api/offences");
    if (answer.ok) offences = answer.data.offences;
  }
  const trick = state.trick?.number ?? state.last_trick?.number ?? null;
  const send = (kind) => {
    closeSheet();
    write("/api/rulings", { kind, seat, trick }, { done: t("toast.reported", { seat: seatLong(seat) }) });
  };
  openSheet(`${seatLong(seat)} · ${t("offence.which")}`, [
    h("h2", {}, `${seatLong(seat)} · ${t("offence.which")}`, h("small", {}, t("offence.what"))),
    h("div.offences", {}, (offences ?? []).map((one) => h("button.kind", { type: "button", onclick: () => send(one.kind) },
      h("b", {}, pick(one)), one.penalty && pick(one.penalty) ? h("span", {}, pick(one.penalty)) : null, one.clause && one.clause !== "silent" ? h("q", {}, one.clause) : null))),
    h("button.close", { type: "button", onclick: closeSheet }, t("sheet.close")),
  ]);
}

function number(label, name, value, props = {}) {
  return h("label", {}, label, h("input", { name, type: "number", inputmode: "numeric", value, required: true, ...props }));
}

const choose = (name, label, none, options) => h("label", {}, label, h("select", { name }, h("option", { value: "" }, none), options.map(([value, text]) => h("option", { value }, text))));

/** The score by hand: one screen, everything filled in as it stands. */
export function byHand(s) {
  const send = (event) => {
    event.preventDefault();
    const data = new FormData(event.target);
    const body = { points: Number(data.get("points")), trick: Number(data.get("trick")), levels: { EW: data.get("EW"), NS: data.get("NS") }, leader: data.get("leader") || null };
    if (data.get("end")) body.end = true;
    const declarer = data.get("declarer") || s.declarer;
    const suit = data.get("trump") || s.trump?.split("/")[1];
    if (data.get("declarer") || data.get("trump")) Object.assign(body, declarer ? { declarer } : {}, declarer && suit ? { trump: `${body.levels["EW".includes(declarer) ? "EW" : "NS"]}/${suit}` } : {});
    closeSheet();
    write("/api/score", body, { done: t("toast.score") });
  };
  openSheet(t("score.title"), h("form.hand", { onsubmit: send },
    h("h2", {}, t("score.title"), h("small", {}, t("score.gap"))),
    h("div.fields", {},
      number(t("score.points"), "points", s.points, { step: 5, min: -400, max: 800, "data-first": true }),
      number(t("score.trick"), "trick", s.trick ? s.trick.number - 1 : s.tricks.length, { min: 0, max: 60 }),
      ["EW", "NS"].map((team) => h("label", {}, t("score.level", { team: t(`team.${team}`) }), h("select", { name: team }, LEVELS.map((level) => h("option", { value: level, selected: s.levels[team] === level }, level))))),
      choose("leader", t("score.leader"), t("score.leader.keep"), SEATS.map((seat) => [seat, seatLong(seat)])),
      choose("declarer", t("declarer.long"), s.declarer ? t("score.keep", { now: seatLong(s.declarer) }) : t("trump.unknown"), SEATS.map((seat) => [seat, seatLong(seat)])),
      choose("trump", t("score.trump"), s.trump ? t("score.keep", { now: trumpName(s.trump) }) : t("trump.unknown"), ["S", "H", "D", "C", "NT"].map((suit) => [suit, trumpName(`2/${suit}`)]))),
    h("label.tick", {}, h("input", { type: "checkbox", name: "end", value: "yes" }), h("span", {}, t("score.end"))),
    h("div.row", {}, h("button.main", { type: "submit" }, t("score.set")), h("button.close", { type: "button", onclick: closeSheet }, t("sheet.close")))));
}

/** A play of the running trick that the camera did not see. */
export function missed(s) {
  const open = SEATS.filter((seat) => !s.trick?.plays.some((p) => p.seat === seat));
  if (open.length) enter(s.trick?.number ?? 1, open, { first: open.includes(s.trick?.turn) ? s.trick.turn : open[0], now: true });
}

function recent(world) {
  const acts = (world().acts ?? []).slice(1);
  if (!acts.length) return null;
  return h("details.recent", {}, h("summary", { "data-key": "recent" }, t("ref.recent")),
    acts.map((u) => h("button.wide", { type: "button", "data-key": `undo.${u.seq}`, onclick: () => undo(world, u) }, t("ref.undo.what", { what: act(u) }))));
}

/** The buttons. world() gives the newest {state, undo, acts}. */
export function tools(part, world, { status, me }) {
  const { state: s, undo: last } = world();
  const muted = status?.sound?.muted_s > 0;
  const button = (key, label, onclick, { name = "button", disabled = false } = {}) => h(name, { type: "button", "data-key": key, onclick, disabled }, label);
  const match = clocks().some((one) => one.kind === "match");
  put(part,
    me.may_write ? null : button("pair", t("ref.pair"), async () => (await askPin()) && toast("✓"), { name: "button.main" }),
    s.reckoning ? button("confirm", t(s.winner ? "reckoning.again" : "reckoning.confirm"), () => write("/api/next-deal", { deal: world().state.deal }, { done: t("toast.next", { deal: world().state.deal + 1 }) }), { name: "button.main" }) : null,
    DRAWING.includes(s.phase) && !s.drawn ? button("drawn", t("ref.drawn"), () => write("/api/drawn", {}, { done: t("toast.drawn") }), { name: "button.main" }) : null,
    button("undo", last ? t("ref.undo.what", { what: act(last) }) : t("ref.undo.none"), () => undo(world), { name: "button.wide", disabled: !last }),
    button("missed", t("ref.missed"), () => missed(world().state)),
    button("score", t("ref.score"), () => byHand(world().state)),
    match || paused() ? button("clock", t(paused() ? "ref.clock.start" : "ref.clock.stop"), () => write("/api/clocks", { do: paused() ? "resume" : "pause" })) : null,
    status?.sound ? button("mute", muted ? t("ref.unmute") : t("ref.mute"), () => write("/api/sound", { do: muted ? "unmute" : "mute" })) : null,
    status?.sound ? button("test", t("ref.test"), () => write("/api/sound", { do: "test" })) : null,
    recent(world),
    h("nav.links", { "aria-label": t("index.title") }, [["/", "ref.pages"], ["/table", "index.table"], ["/setup", "index.setup"], ["/review", "index.review"]].map(([path, words]) => h("a", { href: path, "data-key": path }, t(words)))));
}

/** The clocks that run, each with whose it is. */
export function clockChips() {
  return clocks().map((one) => h(`span.clock.is-${one.state}`, { role: "timer" }, h("small", {}, one.seat ? `${t(`clock.${one.kind}`)} ${t(`seat.${one.seat}`)}` : t(`clock.${one.kind}`)), h("b", {}, clockText(one))));
}
