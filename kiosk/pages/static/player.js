// The player's phone: the score and the last trick, nothing else.

import { cardRow, crown, suitIcon, warning } from "./cards.js";
import { h, put } from "./dom.js";
import { Live } from "./live.js";
import { nameOf, notes, practiceMark, underReview } from "./shared.js";
import { offence, onLang, seatLong, stageWords, switchLang, t, trumpName } from "./words.js";

const app = document.getElementById("app");
const SEATS = ["E", "N", "W", "S"];

let state = null;
let status = null;
let online = true;

function level(team) {
  const declares = state.declarers === team;
  return h(declares ? "div.level.declares" : "div.level", { "data-team": team, role: "group", "aria-label": t("level.of", { team: t(`team.${team}`), level: state.levels[team] }) + (declares ? `, ${t("declarer.long")}` : "") },
    h("span.team", { "aria-hidden": "true" }, t(`team.${team}`)), h("b", { "aria-hidden": "true" }, state.levels[team] ?? "–"), declares ? h("i", { "aria-hidden": "true" }, t("declarer")) : null);
}

function trump() {
  const suit = state.trump?.split("/")[1];
  return h("div.trump", { role: "img", "aria-label": t("trump.is", { trump: trumpName(state.trump) }) }, suit ? suitIcon(suit === "NT" ? "none" : suit) : h("b", {}, "?"), h("span", {}, trumpName(state.trump)));
}

function score() {
  const result = state.reckoning;
  const points = result?.points ?? state.points;
  return h("section.score", { "aria-label": t("points.aria", { points }) },
    h("p.label", {}, t("attackers")),
    h("p.points", { "data-points": points }, points < 0 ? `−${-points}` : String(points)),
    result
      ? h("p.next", {}, state.winner ? `${t("won", { team: t(`team.${state.winner}`) })} · ` : "", stageWords(result, "stage.long"))
      : h("p.next", {}, state.ladder.length ? (state.next_threshold === null ? t("to_next.top") : t("to_next", { missing: state.points_to_next, next: state.next_threshold })) : ""),
    result ? h("p.soft", {}, ["EW", "NS"].map((team) => `${t(`team.${team}`)} ${result.levels[team]}`).join(" · ")) : null);
}

function review() {
  const open = underReview(state);
  if (!open.length) return null;
  const ruling = open.at(-1);
  return h("section.review", { role: "status" }, warning(), h("span", {}, `${t("alert.where", { seat: seatLong(ruling.seat), trick: ruling.trick })} · ${offence(ruling)} · ${t("alert.review")}`));
}

function last() {
  const trick = state.last_trick;
  if (!trick) return h("section.last", {}, h("h2", {}, t(`phase.${state.phase}`)));
  return h("section.last", { "aria-label": t("trick.long", { n: trick.number }) },
    h("h2", {}, t("trick.long", { n: trick.number }), h("small", {}, t("trick.points", { points: trick.points }))),
    SEATS.map((seat) => trick.plays.find((play) => play.seat === seat)).filter(Boolean).map((play) =>
      h(trick.winner === play.seat ? "div.play.winning" : "div.play", { "data-seat": play.seat },
        h("p.who", {}, h("b", {}, t(`seat.${play.seat}`)), h("span", {}, nameOf(state, play.seat)), trick.winner === play.seat ? h("span.win", { role: "img", "aria-label": t("winning") }, crown()) : null),
        cardRow(play.cards, { sure: play.sure }))));
}

function render() {
  const shown = notes({ state, status, online })[0];
  const foot = h("footer.foot", {}, practiceMark(status), shown ? h(`span.${shown[0]}`, { role: "status" }, shown[1]) : null,
    h("button.lang", { type: "button", "data-key": "lang", "aria-label": t("lang.switch"), onclick: switchLang }, t("lang.other")));
  if (!state) {
    put(app, foot);
    return;
  }
  app.removeAttribute("aria-busy");
  put(app, h("h1.out", {}, t("title.player")), h("header.head", {}, level("EW"), trump(), level("NS")), score(), review(), last(), foot);
}

new Live({
  onState: (message) => { state = message.state; render(); },
  onStatus: (message) => { status = message; render(); },
  onOnline: (is) => { online = is; render(); },
});
onLang(render);
