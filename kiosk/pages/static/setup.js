// Setting up a table: camera, markers, checks; seats, names, rulebook; deck; sound; and whether the screen can be read from the chairs.

import { camera, checks } from "./setup_camera.js";
import { deck } from "./setup_deck.js";
import { access, match, rulebook, sound } from "./setup_match.js";
import { reading } from "./setup_reading.js";
import { h, put } from "./dom.js";
import { askPin } from "./layer.js";
import { Live, ask } from "./live.js";
import { notes, practiceMark } from "./shared.js";
import { onLang, pick, switchLang, t } from "./words.js";

const app = document.getElementById("app");
const PICTURE_MS = 1000;

/** What the sections work on; draw() shows it again. */
export const world = { state: null, status: null, setup: null, problem: null, me: null, online: true, draw: () => render() };

const picture = h("img.raw", { alt: "", hidden: true });

export async function load(answer = null) {
  const found = answer ?? (await ask("/api/setup"));
  if (found.ok) Object.assign(world, { setup: found.data, problem: null });
  else if (found.status !== 403) world.problem = (found.status !== 404 && found.words) || { zh: "", en: "" };
  render();
}

/** A part of the setting up; number: its step, for somebody who does it for the first time. */
function section(key, title, number, ...children) {
  return h("section.part", { "aria-labelledby": `h.${key}`, "data-part": key }, h("h2", { id: `h.${key}` }, number ? h("b.number", { "aria-hidden": "true" }, String(number)) : null, title), children);
}

function render() {
  if (!world.state && !world.me) return;
  app.removeAttribute("aria-busy");
  const shown = notes({ ...world, detailed: true });
  put(app,
    h("header.head", {}, h("h1", {}, t("setup.title")), practiceMark(world.status),
      h("a.away", { href: "/", "data-key": "home" }, t("setup.home")),
      h("button.lang", { type: "button", "data-key": "lang", "aria-label": t("lang.switch"), onclick: switchLang }, t("lang.other"))),
    shown.length || world.problem ? h("div.notes", { role: "status" }, [...shown.map(([kind, text]) => h(`p.${kind}`, {}, text)), world.problem ? h("p.note", {}, pick(world.problem) || t("setup.not_here")) : null]) : null,
    h("div.columns", {}, world.me && !world.me.may_write
      ? h("div.column", {}, section("pair", t("pin.title"), null, h("p", {}, t("pin.why")), h("button.main", { type: "button", "data-key": "pair", onclick: askPin }, t("ref.pair"))))
      : [
          h("div.column", {}, section("camera", t("setup.camera"), 1, camera(world, picture)), section("checks", t("setup.checks"), 2, checks(world))),
          h("div.column", {}, section("rulebook", t("setup.rulebook"), 3, rulebook(world)), section("match", t("setup.match"), 4, match(world)), section("sound", t("setup.sound"), 5, sound(world))),
        ],
      h("div.column", {}, world.me && !world.me.may_write ? null : section("deck", t("setup.deck"), 6, deck(world)),
        section("reading", t("setup.reading"), world.me?.may_write ? 7 : null, reading(world)),
        world.me?.mode === "competition" && world.me.may_write ? section("access", t("pin.title"), null, access(world)) : null)));
}

async function look() {
  try {
    if (world.me?.may_write && document.visibilityState === "visible") {
      const answer = await fetch("/api/setup/picture.jpg");
      if (answer.ok) {
        const old = picture.src;
        picture.src = URL.createObjectURL(await answer.blob());
        if (old) URL.revokeObjectURL(old);
      }
      if (picture.hidden === answer.ok) {
        picture.hidden = !answer.ok;
        render();
      }
    }
  } catch { /* no network: the last picture stays, the line above says so */ }
  setTimeout(look, PICTURE_MS * (picture.hidden ? 3 : 1));
}

async function rights() {
  const answer = await ask("/api/me");
  if (answer.ok) world.me = answer.data;
  if (world.me?.may_write) await load();
  else render();
}

addEventListener("paired", rights);
new Live({
  onState: (message) => { world.state = message.state; render(); },
  onStatus: (message) => { world.status = message; render(); },
  onOnline: (is) => { world.online = is; if (is) rights(); else render(); },
});
onLang(render);
look();
