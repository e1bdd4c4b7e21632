// The overlay for a stream: a transparent page with a bar below and the trick beside it; nothing can be touched.

import { cardRow, crown, suitIcon, warning } from "./cards.js";
import { clockOf, clockText, running, takeClocks } from "./clock.js";
import { h, put } from "./dom.js";
import { Live } from "./live.js";
import { nameOf, practiceMark } from "./shared.js";
import { offence, onLang, seatLong, stageWords, t, trumpName } from "./words.js";

const app = document.getElementById("app");
const SEATS = ["E", "N", "W", "S"];

let state = null;
let status = null;

function side(team) {
  const declares = state.declarers === team;
  const names = [...team].map((seat) => nameOf(state, seat) || seatLong(seat)).join(" · ");
  return h(declares ? "div.side.declares" : "div.side", { "data-team": team, role: "group", "aria-label": t("level.of", { team: t(`team.${team}`), level: state.levels[team] }) },
    h("span.names", {}, names), h("b", {}, state.levels[team] ?? "–"), declares ? h("i", {}, t("declarer")) : null);
}

function bar() {
  const suit = state.trump?.split("/")[1];
  const points = state.reckoning?.points ?? state.points;
  const result = state.reckoning ? stageWords(state.reckoning, "stage.long") : state.if_ended_now ? `${t("now")} ${stageWords(state.if_ended_now)}` : t(`phase.${state.phase}`);
  const clock = clockOf("match");
  return h("section.bar", { "aria-label": t("title.overlay") },
    side("EW"),
    h("div.middle", {},
      h("span.trump", { role: "img", "aria-label": t("trump.is", { trump: trumpName(state.trump) }) }, suit ? suitIcon(suit === "NT" ? "none" : suit) : h("b", {}, "?")),
      h("span.points", { "aria-label": t("points.aria", { points }) }, h("small", {}, t("attackers")), h("b", { "data-points": points }, points < 0 ? `−${-points}` : String(points))),
      h("span.now", {}, result, state.next_threshold !== null && !state.reckoning && state.ladder.length ? h("small", {}, t("to_next", { missing: state.points_to_next, next: state.next_threshold })) : null),
      clock?.limit ? h("span.clock", { role: "timer", "aria-label": t("clock.match") }, clockText(clock)) : null,
      practiceMark(status)),
    side("NS"));
}

function trick() {
  const trick = state.trick?.plays.length ? state.trick : state.last_trick;
  if (!trick || state.phase !== "trick") return null;
  return h("section.trick", { "aria-label": t("trick.long", { n: trick.number }) },
    h("h2", {}, t("trick.long", { n: trick.number }), h("small", {}, t("trick.points", { points: trick.points }))),
    SEATS.map((seat) => {
      const play = trick.plays.find((one) => one.seat === seat);
      return h(trick.winner === seat ? "div.play.winning" : "div.play", { "data-seat": seat },
        h("span.who", {}, t(`seat.${seat}`)), play ? cardRow(play.cards, { sure: play.sure }) : h("div.cards"), trick.winner === seat ? h("span.win", { role: "img", "aria-label": t("winning") }, crown()) : null);
    }));
}

function review() {
  const open = state.rulings.filter((r) => r.deal === state.deal && (r.state === "proposed" || r.state === "later")).at(-1);
  return open ? h("section.review", { role: "status" }, warning(), `${t("alert.where", { seat: seatLong(open.seat), trick: open.trick })} · ${offence(open)} · ${t("alert.review")}`) : null;
}

function render() {
  if (!state) return;
  app.removeAttribute("aria-busy");
  put(app, h("h1.out", {}, t("title.overlay")), trick(), review(), bar());
}

new Live({
  onState: (message) => { state = message.state; render(); },
  onStatus: (message) => { status = message; render(); },
  onClocks: (message) => { takeClocks(message); render(); },
});
onLang(render);
setInterval(() => running() && render(), 1000);
