// The audience's page: a scoreboard that is read from five metres.

import { cardElement, cardRow, crown, suitIcon, warning } from "./cards.js";
import { clockOf, clockText, clocks, running, takeClocks } from "./clock.js";
import { correct } from "./correct.js";
import { h, put } from "./dom.js";
import { takeBack, write } from "./layer.js";
import { Live } from "./live.js";
import { nameOf, notes, practiceMark, underReview } from "./shared.js";
import { noteMs, offence, onLang, seatLong, stageWords, switchLang, t, trumpName } from "./words.js";

const app = document.getElementById("app");
const SEATS = ["N", "W", "E", "S"];
const ROUND = ["E", "N", "W", "S"];

let state = null;
let status = null;
let online = true; // until a connection is lost
const decided = new Map(); // ruling -> when its decision was first seen

function stacked(first, second) {
  return h("span.stack", { "aria-hidden": "true" }, h("span", {}, first), h("span", {}, second));
}

function level(team) {
  const declares = state.declarers === team;
  const label = t("level.of", { team: t(`team.${team}`), level: state.levels[team] }) + (declares ? `, ${t("declarer.long")}` : "");
  return h(declares ? "div.level.declares" : "div.level", { role: "group", "aria-label": label, "data-team": team },
    stacked(t(`team.first.${team}`), t(`team.second.${team}`)),
    h("span.key", { "aria-hidden": "true" }, state.levels[team] ?? "–"),
    declares ? h("span.badge", { "aria-hidden": "true" }, t("declarer")) : null);
}

function trump() {
  const suit = state.trump ? state.trump.split("/")[1] : null;
  const label = t("trump.is", { trump: trumpName(state.trump) });
  if (!suit) return h("div.trump.open", { role: "img", "aria-label": label }, h("span.stack", {}, h("span", {}, t("trump")), h("span", {}, "?")));
  if (suit === "NT") return h("div.trump", { role: "img", "aria-label": label }, suitIcon("none"), stacked(t("trump.none.1"), t("trump.none.2")));
  const name = t(`suit.${suit}`);
  return h("div.trump", { role: "img", "aria-label": label, "data-suit": suit }, suitIcon(suit),
    /[\u4e00-\u9fff]/.test(name) ? stacked(name[0], name[1]) : h("span.suit-name", {}, name));
}

/** The thresholds as a bar to scale: the attackers' points fill it, each line says where it stands, the one that changes sides is marked. */
function ladder() {
  const rungs = state.ladder.filter((rung) => rung.from !== null && rung.from > 0);
  if (!rungs.length) return null;
  const change = rungs.find((rung) => rung.stage === "attackers")?.from ?? state.next_threshold ?? 80;
  const top = Math.max(2 * change, Math.min(state.points + change / 2, rungs.at(-1).from));
  const at = (points) => `${Math.max(0, Math.min(100, (100 * points) / top))}%`;
  const shown = rungs.filter((rung) => rung.from <= top);
  let last = 0;
  const labelled = shown.filter((rung) => {
    const fits = rung.from === change || (rung.from - last >= 0.13 * top && Math.abs(rung.from - change) >= 0.13 * top && rung.from < 0.97 * top);
    if (fits) last = rung.from;
    return fits;
  });
  return h("div.ladder", { role: "img", "aria-label": t("ladder.aria", { points: state.points, next: state.next_threshold ?? "–" }) },
    h("div.bar", {}, h("span.fill", { style: { width: at(state.points) } }),
      shown.map((rung) => h(rung.from === change ? "span.tick.change" : "span.tick", { style: { left: at(rung.from) } }))),
    labelled.map((rung) => h(rung.from === change ? "span.at.change" : "span.at", { style: { left: at(rung.from) } }, String(rung.from))));
}

const reviews = () => underReview(state);

function fresh() {
  const now = Date.now();
  return state.rulings.filter((r) => {
    if (r.deal !== state.deal || r.state === "proposed" || r.state === "later" || (r.kind === "overtime" && r.state === "overruled")) return false;
    if (!decided.has(r.ruling)) decided.set(r.ruling, now);
    return now - decided.get(r.ruling) < 1.5 * noteMs();
  });
}

function alertPanel(open, done) {
  const ruling = open.at(-1) ?? done.at(-1);
  const isOpen = open.length > 0;
  const verdict = isOpen ? t("alert.review") : t(`alert.${ruling.state}`);
  const proof = ruling.proved_by === ruling.trick ? t("alert.proved.same", ruling) : t("alert.proved", { trick: ruling.trick, proved: ruling.proved_by });
  return h(`section.alert.${isOpen ? "open" : ruling.state}`, {
    role: isOpen ? "alert" : "status", "aria-label": proof, "data-ruling": ruling.ruling,
    onclick: () => isOpen && status?.sound && write("/api/sound", { do: "acknowledge", ruling: ruling.ruling }),
  },
    h("p.where", {}, warning(), t("alert.where", { seat: seatLong(ruling.seat), trick: ruling.trick })),
    h("p.what", {}, offence(ruling)),
    h("p.verdict", {}, verdict, open.length > 1 ? ` ${t("alert.more", { n: open.length - 1 })}` : ""));
}

function pointsOf(points) {
  const text = points < 0 ? `−${-points}` : String(points);
  return h("div.points", { role: "group", "aria-label": t("points.aria", { points }) },
    stacked(t("attackers.1"), t("attackers.2")), h(text.length > 3 ? "span.key.narrow" : "span.key", { "aria-hidden": "true", "data-points": points }, text));
}

function toNext() {
  const top = state.next_threshold === null || state.next_threshold === undefined;
  const text = !state.ladder.length ? "" : top ? t("to_next.top") : t("to_next", { missing: state.points_to_next, next: state.next_threshold });
  return h(text.length > 9 ? "p.to-next.narrow" : "p.to-next", {}, text);
}

function score() {
  const open = reviews();
  const done = open.length ? [] : fresh();
  const points = pointsOf(state.points);
  if (open.length || done.length) return h("section.score.alerted", {}, points, alertPanel(open, done));
  return h("section.score", {}, points,
    toNext(),
    ladder(),
    state.if_ended_now ? h("div.now", {}, h("p.label", {}, t("now")), h("p.result", {}, stageWords(state.if_ended_now))) : null);
}

function seatLabel(seat, play, trick) {
  const winning = trick?.winner === seat;
  return h(winning ? "div.seat.winning" : "div.seat", {},
    h("span.name", { "aria-label": seatLong(seat) + (state.declarer === seat ? `, ${t("declarer.long")}` : "") }, t(`seat.${seat}`)),
    winning || state.declarer === seat ? h("span.marks", {},
      winning ? h("span.mark.win", { role: "img", "aria-label": t("winning") }, crown()) : null,
      state.declarer === seat ? h("span.mark.dealer", { "aria-hidden": "true" }, t("declarer")) : null) : null);
}

/** The dashed place of the card that is due, with what is left of its time where the sheet has a limit. */
function due(seat) {
  const clock = clockOf("play");
  const timed = clock?.limit ? clock : null;
  const label = t("turn", { seat: seatLong(seat) });
  return h(`span.card.place${timed ? `.is-${timed.state}` : ""}`, { "aria-label": label, role: "img" }, timed ? h("span.left", { "aria-hidden": "true" }, clockText(timed)) : null);
}

function slot(seat, trick) {
  const play = trick?.plays.find((p) => p.seat === seat);
  const isDue = trick && trick.turn === seat && !play;
  const row = play
    ? cardRow(play.cards, { sure: play.sure, key: `${trick.number}.${seat}`, onTap: (i) => correct(state, trick.number, seat, i) })
    : h(isDue ? "div.cards.due" : "div.cards.empty", {}, isDue ? due(seat) : null);
  const faulty = play?.verdict === "proven" || play?.verdict === "illegal";
  return h(`div.slot.slot-${seat}${trick?.winner === seat ? ".winning" : ""}${faulty ? ".faulty" : ""}`, { "data-seat": seat }, seatLabel(seat, play, trick), row);
}

/** The trick that is shown: the one on the table, or the last one while nothing of the next lies there. */
function shownTrick() {
  const trick = state.trick && (state.trick.plays.length || !state.last_trick) ? state.trick : state.last_trick ?? state.trick;
  return trick && ["trick", "bottom", "ended"].includes(state.phase) ? trick : null;
}

const most = (trick) => Math.max(0, ...trick.plays.map((play) => play.cards.length));
/** Plays of five and more cards lie in rows below each other: so their ranks can still be read from afar. */
const inRows = (trick) => Boolean(trick) && most(trick) > 4;

function trickArea() {
  const trick = shownTrick();
  if (!trick) return waiting();
  const multiplier = state.bottom.size ? state.bottom.multiplier : null;
  const meta = [
    h("span.meta.number", {}, t("trick.short", { n: trick.number })),
    multiplier ? h("span.meta.dig", { role: "img", "aria-label": t("multiplier.aria", { n: multiplier }) }, t("multiplier", { n: multiplier })) : null,
    h("span.meta.worth", {}, t("trick.points", { points: trick.points })),
  ];
  const label = { "aria-label": t("trick.long", { n: trick.number }) };
  if (inRows(trick)) {
    const first = ROUND.indexOf(trick.leader ?? trick.plays[0].seat);
    return h(`section.trick.rows${most(trick) > 12 ? ".flat" : ""}`, label, h("div.strip", {}, meta, line()), [0, 1, 2, 3].map((i) => slot(ROUND[(first + i) % 4], trick)));
  }
  return h(`section.trick.${most(trick) <= 2 ? "few" : "some"}`, label,
    SEATS.map((seat) => slot(seat, trick)), meta,
    h("div.centre", { "aria-hidden": "true" }, trick.winner ? h(`span.arrow.to-${trick.winner}`, {}, "▲") : null));
}

function player(seat) {
  return h(`div.player.at-${seat}`, {}, h("b", {}, t(`seat.${seat}`)), nameOf(state, seat) ? h("span", {}, nameOf(state, seat)) : null,
    state.declarer === seat ? h("i", {}, t("declarer")) : null);
}

/** Before the first trick: who sits where, what is declared, and the clock that runs. */
function waiting() {
  const bid = (state.bids ?? []).filter((one) => one.accepted).at(-1);
  const clock = ["overturn", "bury", "draw"].map((kind) => clockOf(kind)).find(Boolean);
  const timed = clock?.limit ? clock : null;
  return h("section.trick.waiting", {},
    h("p.phase", {}, t(`phase.${state.phase}`), timed ? h(`span.left.is-${timed.state}`, { role: "timer" }, clockText(timed)) : null),
    bid ? h("div.bid", {}, h("p", {}, t("declared", { seat: seatLong(bid.seat) })), cardRow(bid.cards))
      : state.phase === "waiting" ? null : h("p.phase.soft", {}, t("nobody_declared")),
    h("div.seats", {}, SEATS.map(player)));
}

function reckoning() {
  const r = state.reckoning;
  const change = ["EW", "NS"].map((team) => {
    const from = state.levels[team];
    const to = r.levels[team];
    return h(from === to ? "div.change" : "div.change.moved", { "data-team": team, "aria-label": `${t(`team.${team}`)} ${from} → ${to}`, role: "group" },
      stacked(t(`team.first.${team}`), t(`team.second.${team}`)),
      h("span.from", { "aria-hidden": "true" }, from), from === to ? null : [h("span.to", { "aria-hidden": "true" }, "→"), h("span.key", { "aria-hidden": "true" }, to)]);
  });
  const open = reviews();
  return h("section.reckoning", { "aria-label": t("reckoning", { deal: state.deal }) },
    h("div.sum", {},
      pointsOf(r.points),
      h("p.parts", {}, t("reckoning.sum", { tricks: r.trick_points })),
      h("p.parts", {}, !state.bottom.size ? t("reckoning.no_bottom") : r.dig_points ? t("reckoning.dig", { dig: r.dig_points, multiplier: r.multiplier }) : t("reckoning.no_dig")),
      r.fines ? h("p.parts", {}, t("reckoning.fines", { fines: r.fines })) : null,
      r.bottom?.length ? h("div.bottom", { role: "group", "aria-label": t("reckoning.bottom") }, r.bottom.map((card, i) =>
        cardElement(card, { key: `0.${i}`, onTap: state.bottom.cards ? () => correct(state, 0, null, i) : null }))) : null),
    h("div.outcome", {},
      h("h1.stage", {}, state.winner ? t("won", { team: t(`team.${state.winner}`) }) : stageWords(r, "stage.long")),
      h("div.changes", {}, change),
      h("p.next", {}, state.winner ? stageWords(r, "stage.long") : r.next_declarer ? [t("reckoning.next"), " ", h("b", {}, seatLong(r.next_declarer))] : t("reckoning.next.race")),
      open.length ? h("p.held", { role: "alert" }, warning(), t("alert.review"), " · ", offence(open.at(-1))) : null,
      h("button.confirm", { type: "button", "data-key": "confirm", onclick: () => write("/api/next-deal", { deal: state.deal }) }, t(state.winner ? "reckoning.again" : "reckoning.confirm"))));
}

function line() {
  const shown = notes({ state, status, online })[0];
  const match = clockOf("match");
  return h("footer.line", {},
    practiceMark(status),
    match?.limit ? h(`span.match.is-${match.state}`, { role: "timer", "aria-label": t("clock.match") }, clockText(match)) : null,
    shown ? h(`span.${shown[0]}`, { role: "status" }, shown[1]) : h("span.fine", { role: "img", "aria-label": t("status.ok") }),
    h("button.lang", { type: "button", "data-key": "lang", "aria-label": t("lang.switch"), onclick: switchLang }, t("lang.other")));
}

function render() {
  if (!state) {
    put(app, line());
    return;
  }
  app.removeAttribute("aria-busy");
  const over = state.phase === "ended" && state.reckoning;
  app.className = over ? "over" : reviews().length ? "alarmed" : "";
  if (over) put(app, reckoning(), line());
  else put(app, h("h1.out", {}, t("title.table")), h("header.top", {}, level("EW"), trump(), level("NS")), score(), trickArea(), inRows(shownTrick()) ? null : line());
}

document.addEventListener("keydown", (event) => {
  if (event.target.closest(".sheet") || event.target.tagName === "INPUT") return;
  if (event.key === "Backspace") takeBack(null);
  if (event.key === "a" && status?.sound?.alerts.length) write("/api/sound", { do: "acknowledge" });
});

new Live({
  onState: (message) => { state = message.state; render(); },
  onStatus: (message) => { status = message; render(); },
  onOnline: (is) => { online = is; render(); },
  onClocks: (message) => { takeClocks(message); render(); },
});
onLang(render);
let ticks = 0;
setInterval(() => state && (running() && clocks().some((one) => one.limit) || ++ticks % 5 === 0) && render(), 1000);
