// The referee's page: the live picture, the four slots, the inbox of rulings, correction, undo, clocks, score by hand.

import { suitIcon } from "./cards.js";
import { running, takeClocks } from "./clock.js";
import { correct } from "./correct.js";
import { h, put } from "./dom.js";
import { toast, write } from "./layer.js";
import { Live, ask } from "./live.js";
import { inbox } from "./ref_inbox.js";
import { doubtful, history, refresh, slots } from "./ref_slots.js";
import { byHand, clockChips, missed, tools, undo } from "./ref_tools.js";
import { notes, practiceMark } from "./shared.js";
import { has, onLang, stageWords, switchLang, t, trumpName } from "./words.js";

const app = document.getElementById("app");
const PICTURE_MS = 400;

let message = null;
let status = null;
let online = true; // until a connection is lost
let me = { may_write: false };
let panels = [];

const picture = h("img.live", { alt: "", hidden: true });
const caption = h("figcaption", {});
const pictureFrame = h("figure.picture", {}, picture, caption);
const parts = { head: h("header.head"), slots: h("section.slots"), inbox: h("section.inbox"), tools: h("section.tools"), history: h("section.history") };

function head() {
  const s = message.state;
  const level = (team) => h(s.declarers === team ? "span.level.declares" : "span.level", {}, t("level.of", { team: t(`team.${team}`), level: s.levels[team] }), s.declarers === team ? h("b", {}, t("declarer")) : null);
  const suit = s.trump?.split("/")[1];
  const points = s.reckoning?.points ?? s.points;
  const said = notes({ state: s, status, online, detailed: true, panels: panels.length });
  put(parts.head,
    h("h1.out", {}, t("title.referee")),
    h("div.facts", {},
      practiceMark(status),
      level("EW"), level("NS"),
      h("span.trump", { "aria-label": t("trump.is", { trump: trumpName(s.trump) }), role: "img" }, suit ? suitIcon(suit === "NT" ? "none" : suit) : "?", trumpName(s.trump)),
      h("span.points", {}, h("span.out", {}, t("points.aria", { points })), h("b", { "aria-hidden": "true" }, String(points)), s.next_threshold !== null && s.ladder.length && !s.reckoning ? h("small", {}, t("to_next", { missing: s.points_to_next, next: s.next_threshold })) : null),
      h("span.stage", {}, s.winner ? t("won", { team: t(`team.${s.winner}`) }) : s.reckoning ? stageWords(s.reckoning, "stage.long") : s.phase === "trick" ? t("trick.long", { n: s.trick?.number ?? 0 }) : t(`phase.${s.phase}`)),
      clockChips(),
      h("button.small", { type: "button", "data-key": "lang", "aria-label": t("lang.switch"), onclick: switchLang }, t("lang.other"))),
    said.length ? h("div.notes", { role: "status" }, said.map(([kind, text]) => h(`p.${kind}`, {}, text))) : null);
}

const draw = () => message && render();
const world = () => message;

function render() {
  if (!message) return;
  app.removeAttribute("aria-busy");
  if (!parts.head.isConnected) app.append(parts.head, pictureFrame, parts.slots, parts.inbox, parts.tools, parts.history);
  head();
  describe();
  slots(parts.slots, message.state, draw);
  inbox(parts.inbox, { state: message.state, status, draw });
  tools(parts.tools, world, { status, me });
  history(parts.history, message.state, draw, () => refresh(message.state, draw));
}

/** Below the picture: whether camera and table agree, what each is doing, and how fresh the picture is. */
function describe() {
  picture.alt = t("ref.picture");
  const camera = status?.camera;
  if (!camera) {
    put(caption, picture.hidden ? t("ref.no_picture") : "");
    return;
  }
  const detection = `detection.${String(camera.detection ?? "").replace(" ", "_")}`;
  const doubts = message ? doubtful(message.state).length : 0;
  const step = camera.in_step === false || message?.state.desync ? "out" : doubts ? "check" : "in";
  put(caption,
    h(`b.step.is-${step}`, {}, t(`step.${step}`, { n: doubts })),
    h("span", {}, [picture.hidden ? t("ref.no_picture") : null, has(detection) ? t(detection) : camera.detection, camera.fps ? `${Math.round(camera.fps)} fps` : null].filter(Boolean).join(" · ")));
}

async function look() {
  try {
    if (me.may_write && document.visibilityState === "visible") {
      const answer = await fetch("/api/picture.jpg");
      if (answer.ok) {
        const old = picture.src;
        picture.src = URL.createObjectURL(await answer.blob());
        if (old) URL.revokeObjectURL(old);
      }
      picture.hidden = !answer.ok;
    }
  } catch {
    picture.hidden = true;
  }
  describe();
  setTimeout(look, picture.hidden ? 5 * PICTURE_MS : PICTURE_MS);
}

async function rights() {
  const answer = await ask("/api/me");
  if (answer.ok) me = answer.data;
  render();
}

/** For a keyboard or a number pad: / the first card to check, * the score, + a missed play, - silence, Backspace undo. */
const KEYS = {
  Backspace: () => undo(world),
  "/": () => { const [first] = doubtful(message.state); if (first) correct(message.state, first.trick, first.seat, first.index); },
  "*": () => byHand(message.state),
  "+": () => missed(message.state),
  "-": () => status?.sound && write("/api/sound", { do: "acknowledge" }),
};

document.addEventListener("keydown", (event) => {
  if (!message || event.ctrlKey || event.metaKey || event.altKey || event.target.closest(".sheet, input, select, textarea")) return;
  const act = KEYS[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});
addEventListener("paired", rights);
new Live({
  panel: "referee",
  onState: (next) => { message = next; render(); refresh(next.state, draw); },
  onStatus: (next) => { status = next; draw(); },
  onOnline: (is) => { online = is; if (is) rights(); render(); },
  onClocks: (next) => { takeClocks(next); draw(); },
  onPanels: (next) => { panels = next.filter((one) => !one.page || one.page === "referee"); draw(); },
});
onLang(draw);
if (location.hash === "#pair-failed") toast(t("ref.pair.failed"), { bad: true });
setInterval(() => message && running() && head(), 1000);
look();
