// The referee's page: the live picture, the four slots, the inbox of rulings, correction, undo, score by hand.

import { FACES, cardElement, cardRow, suitIcon, warning } from "./cards.js";
import { correct } from "./correct.js";
import { h, put } from "./dom.js";
import { askPin, closeSheet, openSheet, takeBack, toast, write } from "./layer.js";
import { Live, ask } from "./live.js";
import { cardNames, offence, onLang, pick, seatLong, stageWords, switchLang, t, trumpName } from "./words.js";

const app = document.getElementById("app");
const SEATS = ["E", "N", "W", "S"];
const PICTURE_MS = 400;
const RESTORED_MS = 60000;
const began = Date.now();

let message = null;
let status = null;
let online = true; // until a connection is lost
let me = { may_write: false };
let wide = null; // number of the earlier trick that is open for correction

const picture = h("img.live", { alt: "", hidden: true });
const pictureFrame = h("figure.picture", {}, picture, h("figcaption", {}));
const parts = { head: h("header.head"), slots: h("section.slots"), inbox: h("section.inbox"), tools: h("nav.tools"), history: h("section.history") };

function head() {
  const s = message.state;
  const level = (team) => h(s.declarers === team ? "span.level.declares" : "span.level", {}, t("level.of", { team: t(`team.${team}`), level: s.levels[team] }), s.declarers === team ? h("b", {}, t("declarer")) : null);
  const suit = s.trump?.split("/")[1];
  const notes = [];
  if (!online) notes.push(t("status.offline"));
  if (status?.trouble) notes.push(pick(status.trouble));
  if (s.camera_lost) notes.push(t("status.camera_lost"));
  if (status?.sound?.device === false) notes.push(t("status.silent"));
  if (status?.sound?.muted_s > 0) notes.push(t("status.muted", { s: status.sound.muted_s }));
  if (status?.restored && Date.now() - began < RESTORED_MS) notes.push(t("status.restored", status.restored));
  for (const c of s.conservation) notes.push(t("ref.conservation", { card: cardNames([c.card]), seen: c.seen, allowed: c.allowed }));
  put(parts.head,
    h("div.facts", {},
      level("EW"), level("NS"),
      h("span.trump", { "aria-label": t("trump.is", { trump: trumpName(s.trump) }), role: "img" }, suit ? suitIcon(suit === "NT" ? "none" : suit) : "?", trumpName(s.trump)),
      h("span.points", { "aria-label": t("points.aria", { points: s.points }) }, h("b", {}, String(s.reckoning?.points ?? s.points)), s.next_threshold !== null && !s.reckoning ? h("small", {}, t("to_next", { missing: s.points_to_next, next: s.next_threshold })) : null),
      h("span.stage", {}, s.reckoning ? stageWords(s.reckoning, "stage.long") : s.phase === "trick" ? t("trick.long", { n: s.trick?.number ?? 0 }) : t(`phase.${s.phase}`)),
      h("button.small", { type: "button", "data-key": "lang", "aria-label": t("lang.switch"), onclick: switchLang }, t("lang.other"))),
    notes.length ? h("div.notes", { role: "status" }, notes.map((note) => h("p", {}, note))) : null);
}

function slot(trick, seat) {
  const play = trick?.plays.find((p) => p.seat === seat);
  const worst = !play ? "empty" : play.sure.includes("unknown") ? "unknown" : play.sure.includes("check") ? "check" : "sure";
  const winning = trick?.winner === seat;
  return h(`div.slot.is-${worst}${winning ? ".winning" : ""}`, { "data-seat": seat },
    h("p.who", {}, h("b", {}, seatLong(seat)), message.state.names[seat] ? h("span", {}, message.state.names[seat]) : null, winning ? h("i", {}, t("winning")) : null),
    play ? cardRow(play.cards, { sure: play.sure, key: `${trick.number}.${seat}`, onTap: (i) => correct(message.state, trick.number, seat, i) }) : h("div.cards"),
    h("p.class", {}, t(`ref.${worst}`), play?.shape ? ` · ${pick(play.shape)}` : "", play && play.verdict !== "legal" ? h("em", {}, ` · ${t(`verdict.${play.verdict}`)}`) : null));
}

function slots() {
  const s = message.state;
  const current = s.trick?.plays.length ? s.trick : s.last_trick ?? s.trick;
  const trick = wide ? s.tricks.find((one) => one.number === wide) ?? current : current;
  const title = wide || (trick && trick === s.last_trick && !s.trick?.plays.length) ? `${t("trick.long", { n: trick?.number ?? 0 })}` : t("ref.slots");
  put(parts.slots,
    h("h2", {}, title, trick ? h("small", {}, t("trick.points", { points: trick.points })) : null),
    h("div.four", {}, SEATS.map((seat) => slot(trick, seat))),
    s.bottom.cards ? h("div.bottom", {}, h("b", {}, t("reckoning.bottom")), s.bottom.cards.map((card, i) => cardElement(card, { key: `0.${i}`, onTap: () => correct(message.state, 0, null, i) }))) : null);
}

function ruling(r) {
  const open = r.state === "proposed" || r.state === "later";
  const decide = (decision, choice = 0) => async () => {
    const why = parts.inbox.querySelector(`[data-why="${CSS.escape(r.ruling)}"]`)?.value ?? "";
    await write(`/api/rulings/${encodeURIComponent(r.ruling)}`, { decision, why, choice }, { done: t("toast.decided", { state: t(`state.${decision}`) }) });
  };
  const choices = r.penalty?.choices ?? [];
  const proof = r.proved_by === r.trick ? t("alert.proved.same", r) : t("alert.proved", { trick: r.trick, proved: r.proved_by });
  return h(`article.ruling.${r.state}`, { "aria-label": `${seatLong(r.seat)} ${offence(r)}` },
    h("h3", {}, open ? warning() : null, `${r.deal === message.state.deal ? "" : `${t("deal", { deal: r.deal })} · `}${seatLong(r.seat)} · ${offence(r)}`, h("small", {}, t(`state.${r.state}`))),
    h("p", {}, proof),
    r.deal !== message.state.deal ? null : h("div.proof", {}, [...new Set([r.trick, r.proved_by])].map((number) => evidence(number, r.seat))),
    pick(r.reason) ? h("p.reason", {}, pick(r.reason)) : null,
    r.clause ? h("p.clause", {}, r.clause === "silent" ? t("ref.clause.silent") : t("ref.clause", { clause: r.clause })) : null,
    h("p.penalty", {}, `${t("ref.penalty")}: `, choices.length ? choices.map(pick).join(" / ") : pick(r.penalty?.remedy) || t("ref.penalty.none")),
    open ? [
      h("input", { "data-why": r.ruling, "data-key": `why.${r.ruling}`, placeholder: t("ref.why"), "aria-label": t("ref.why"), maxlength: 500 }),
      h("div.row", {},
        choices.length > 1
          ? choices.map((cost, i) => h("button.confirm", { type: "button", "data-key": `ok${i}.${r.ruling}`, onclick: decide("confirmed", i) }, `${t("ref.confirm")}: ${pick(cost)}`))
          : h("button.confirm", { type: "button", "data-key": `ok.${r.ruling}`, onclick: decide("confirmed") }, t("ref.confirm")),
        h("button.overrule", { type: "button", "data-key": `no.${r.ruling}`, onclick: decide("overruled") }, t("ref.overrule")),
        h("button", { type: "button", "data-key": `later.${r.ruling}`, disabled: r.state === "later", onclick: decide("later") }, t("ref.later")),
        status?.sound?.alerts?.includes(r.ruling) ? h("button", { type: "button", "data-key": `ack.${r.ruling}`, onclick: () => write("/api/sound", { do: "acknowledge", ruling: r.ruling }) }, t("ref.acknowledge")) : null),
    ] : h("p.by", {}, t("ref.decided_by", { by: r.by, why: r.why })));
}

function evidence(number, seat) {
  const trick = [...message.state.tricks, message.state.trick].find((one) => one?.number === number);
  const lead = trick?.plays[0];
  const play = trick?.plays.find((p) => p.seat === seat);
  if (!play) return null;
  return h("div.evidence", {},
    h("b", {}, t("trick.long", { n: number })),
    lead && lead !== play ? [h("span", {}, `${t("lead")} ${t(`seat.${lead.seat}`)}`), cardRow(lead.cards)] : null,
    h("span", {}, t(`seat.${seat}`)), cardRow(play.cards));
}

function inbox() {
  const all = message.state.rulings;
  const open = all.filter((r) => r.state === "proposed" || r.state === "later");
  const closed = all.filter((r) => !open.includes(r)).reverse();
  put(parts.inbox,
    h("h2", {}, t("ref.inbox"), h("small", {}, String(open.length))),
    open.length ? open.map(ruling) : h("p.empty", {}, t("ref.inbox.empty")),
    closed.map(ruling));
}

function undoWords() {
  const u = message.undo;
  if (!u) return t("ref.undo.none");
  return t("ref.undo.what", { what: t(`undo.${u.event}`, { seat: u.seat ? seatLong(u.seat) : "", trick: u.trick ?? "", deal: u.deal ?? "" }) });
}

function tools() {
  const s = message.state;
  const muted = status?.sound?.muted_s > 0;
  const button = (key, label, onclick, extra = {}) => h(`button${extra.class ?? ""}`, { type: "button", "data-key": key, onclick, disabled: extra.disabled }, label);
  put(parts.tools,
    me.may_write ? null : button("pair", t("ref.pair"), async () => (await askPin()) && toast("✓"), { class: ".main" }),
    s.reckoning ? button("confirm", t("reckoning.confirm"), () => write("/api/next-deal", { deal: s.deal }), { class: ".main" }) : null,
    button("undo", undoWords(), () => takeBack(null), { class: ".wide", disabled: !message.undo }),
    button("missed", t("ref.missed"), missed),
    button("score", t("ref.score"), byHand),
    status?.sound ? button("mute", muted ? `${t("ref.unmute")} (${status.sound.muted_s})` : t("ref.mute"), () => write("/api/sound", { do: muted ? "unmute" : "mute" })) : null,
    status?.sound ? button("test", t("ref.test"), () => write("/api/sound", { do: "test" })) : null);
}

function history() {
  put(parts.history,
    h("h2", {}, t("ref.history")),
    h("div.tricks", {}, message.state.tricks.map((trick) =>
      h(wide === trick.number ? "button.one.chosen" : "button.one", {
        type: "button", "data-key": `trick.${trick.number}`, "aria-pressed": wide === trick.number ? "true" : "false",
        "aria-label": t("trick.long", { n: trick.number }), onclick: () => { wide = wide === trick.number ? null : trick.number; render(); },
      }, h("b", {}, String(trick.number)), h("span", {}, t(`seat.${trick.winner ?? trick.leader}`)), h("span", {}, trick.points ? String(trick.points) : "·"),
        trick.plays.some((p) => p.sure.some((sure) => sure !== "sure")) ? h("i", {}, "?") : null,
        trick.plays.some((p) => p.verdict === "proven" || p.verdict === "illegal") ? h("i.bad", {}, "!") : null))));
}

function number(label, name, value, props = {}) {
  return h("label", {}, label, h("input", { name, type: "number", inputmode: "numeric", value, required: true, ...props }));
}

function byHand() {
  const s = message.state;
  const enter = (event) => {
    event.preventDefault();
    const data = new FormData(event.target);
    const levels = { EW: data.get("EW"), NS: data.get("NS") };
    closeSheet();
    write("/api/score", { points: Number(data.get("points")), trick: Number(data.get("trick")), levels, leader: data.get("leader") || null }, { done: t("toast.score") });
  };
  const levels = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];
  openSheet(t("score.title"), h("form.hand", { onsubmit: enter },
    h("h2", {}, t("score.title"), h("small", {}, t("score.gap"))),
    h("div.fields", {},
      number(t("score.points"), "points", s.points, { step: 5, min: -400, max: 800, "data-first": true }),
      number(t("score.trick"), "trick", s.trick?.number ?? s.tricks.length + 1, { min: 1, max: 60 }),
      ["EW", "NS"].map((team) => h("label", {}, t("score.level", { team: t(`team.${team}`) }), h("select", { name: team }, levels.map((level) => h("option", { value: level, selected: s.levels[team] === level }, level))))),
      h("label", {}, t("score.leader"), h("select", { name: "leader" }, h("option", { value: "" }, t("score.leader.keep")), SEATS.map((seat) => h("option", { value: seat }, seatLong(seat)))))),
    h("div.row", {}, h("button.main", { type: "submit" }, t("score.set")), h("button.close", { type: "button", onclick: closeSheet }, t("sheet.close")))));
}

function missed() {
  const s = message.state;
  const trick = s.trick;
  let seat = trick?.turn ?? SEATS.find((one) => !trick?.plays.some((p) => p.seat === one)) ?? "E";
  let chosen = [];
  const body = h("div");
  const draw = () => put(body,
    h("h2", {}, `${t("missed.title")} · ${t("trick.long", { n: trick?.number ?? 1 })}`),
    h("div.row", { role: "group", "aria-label": t("missed.seat") }, SEATS.map((one) => h(one === seat ? "button.main" : "button", {
      type: "button", "data-key": `seat.${one}`, "aria-pressed": one === seat ? "true" : "false", disabled: trick?.plays.some((p) => p.seat === one),
      onclick: () => { seat = one; draw(); } }, seatLong(one)))),
    h("p.ask", { role: "status" }, chosen.length ? t("missed.chosen", { cards: cardNames(chosen) }) : t("missed.cards")),
    h("div.faces", {}, FACES.map((face) => cardElement(face, { key: `face.${face}`, onTap: () => { chosen = [...chosen, face]; draw(); } }))),
    h("div.row", {},
      h("button.main", { type: "button", "data-key": "missed.enter", disabled: !chosen.length, onclick: () => { closeSheet(); write("/api/play", { trick: trick?.number ?? 1, seat, cards: chosen }, { done: t("toast.played", { seat: seatLong(seat), trick: trick?.number ?? 1 }) }); } }, t("missed.enter")),
      h("button", { type: "button", "data-key": "missed.back", disabled: !chosen.length, onclick: () => { chosen = chosen.slice(0, -1); draw(); } }, "⌫"),
      h("button.close", { type: "button", onclick: closeSheet }, t("sheet.close"))));
  draw();
  openSheet(t("missed.title"), body);
}

function render() {
  if (!message) return;
  app.removeAttribute("aria-busy");
  if (!parts.head.isConnected) app.append(parts.head, pictureFrame, parts.slots, parts.inbox, parts.tools, parts.history);
  head();
  caption();
  slots();
  inbox();
  tools();
  history();
}

function caption() {
  picture.alt = t("ref.picture");
  const camera = status?.camera;
  pictureFrame.lastChild.textContent = picture.hidden ? t("ref.no_picture") : camera ? `${camera.fps ? `${Math.round(camera.fps)} fps · ` : ""}${camera.detection ?? ""}` : "";
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
  caption();
  setTimeout(look, picture.hidden ? 2 * PICTURE_MS : PICTURE_MS);
}

async function rights() {
  const answer = await ask("/api/me");
  if (answer.ok) me = answer.data;
  render();
}

document.addEventListener("keydown", (event) => {
  if (event.target.closest(".sheet") || event.target.tagName === "INPUT") return;
  if (event.key === "Backspace") takeBack(null);
});
addEventListener("paired", rights);
new Live({
  onState: (next) => { message = next; render(); },
  onStatus: (next) => { status = next; if (message) { head(); tools(); inbox(); } },
  onOnline: (is) => { online = is; if (is) rights(); render(); },
});
onLang(render);
look();
