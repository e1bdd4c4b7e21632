// Seats, names, rulebook, the referee's PIN and pairings, and sound.

import { h } from "./dom.js";
import { closeSheet, openSheet, toast, write } from "./layer.js";
import { ask } from "./live.js";
import { load } from "./setup.js";
import { pick, seatLong, t } from "./words.js";

const SEATS = ["E", "N", "W", "S"];
const LEVELS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];
const OPEN = ["declaring", "burying", "trick", "bottom"]; // phases in which a deal is being played
const VOLUMES = ["alert", "result", "score"];

let books = null;
const shown = new Map(); // name of a rulebook -> its words
let chosen = null;

async function askBooks(world) {
  books = [];
  const answer = await ask("/api/rulebooks");
  if (answer.ok) books = answer.data.rulebooks;
  world.draw();
}

async function askBook(world, name) {
  shown.set(name, null);
  const answer = await ask(`/api/rulebooks/${encodeURIComponent(name)}`);
  if (answer.ok) shown.set(name, answer.data);
  world.draw();
}

const current = (world) => chosen ?? world.setup?.rulebook ?? world.state?.rulebook;
const levels = (name, label, value) => h("label", {}, label, h("select", { name, "data-key": `level.${name}` }, LEVELS.map((level) => h("option", { value: level, selected: level === value }, level))));

const read = () => Object.fromEntries(SEATS.map((seat) => [seat, document.querySelector(`[data-key="name.${seat}"]`).value.trim()]));

/** Begin another match: by the sheet that is chosen, with the names that are written in. */
function begin(world) {
  const going = OPEN.includes(world.state?.phase) && world.state?.deal;
  openSheet(t("setup.new"), h("form.hand", { onsubmit: async (event) => {
    event.preventDefault();
    const data = new FormData(event.target);
    closeSheet();
    await write("/api/setup/match", { rulebook: current(world), names: read(), levels: { EW: data.get("EW"), NS: data.get("NS") }, declarer: data.get("declarer") || null, give_up: data.has("give_up") }, { told: t("setup.new.done") });
    chosen = null;
    load();
  } },
    h("h2", {}, t("setup.new"), h("small", {}, t("setup.new.what"))),
    h("div.fields", {}, ["EW", "NS"].map((team) => levels(team, t("score.level", { team: t(`team.${team}`) }), world.state?.levels?.[team])),
      h("label", {}, t("declarer.long"), h("select", { name: "declarer" }, h("option", { value: "" }, t("setup.declarer.race")), SEATS.map((seat) => h("option", { value: seat }, seatLong(seat)))))),
    going ? h("label.tick", {}, h("input", { type: "checkbox", name: "give_up", value: "yes", required: true }), h("span", {}, t("setup.new.give_up", { deal: world.state.deal }))) : null,
    h("div.row", {}, h("button.main", { type: "submit" }, t("setup.new.begin")), h("button.close", { type: "button", onclick: closeSheet }, t("sheet.close")))));
}

/** Who sits where, and another match. */
export function match(world) {
  const names = world.setup?.names ?? world.state?.names ?? {};
  return [
    h("div.fields.four-names", {}, SEATS.map((seat) => h("label", {}, seatLong(seat), h("input", { "data-key": `name.${seat}`, value: names[seat] ?? "", maxlength: 40, autocomplete: "off" })))),
    h("div.row", {},
      h("button.main", { type: "button", "data-key": "names", onclick: () => write("/api/setup/names", { names: read() }, { done: t("setup.names.done") }) }, t("setup.names")),
      h("button", { type: "button", "data-key": "new", onclick: () => begin(world) }, t("setup.new"))),
  ];
}

/** The sheet on the wall in words: choose one, and see what it says. */
export function rulebook(world) {
  if (books === null) askBooks(world);
  const name = current(world);
  if (name && !shown.has(name)) askBook(world, name);
  const book = shown.get(name);
  return [
    h("label", {}, t("setup.rulebook.which"), h("select", { "data-key": "rulebook", onchange: (event) => { chosen = event.target.value; world.draw(); } },
      (books?.length ? books : [{ name, title: { zh: name, en: name } }]).map((one) => h("option", { value: one.name, selected: one.name === name }, `${pick(one.title)}${one.decks ? ` · ${t("setup.decks", { n: one.decks })}` : ""}`)))),
    chosen && chosen !== world.state?.rulebook ? h("div.note", {}, h("p", {}, t("setup.rulebook.new")), h("button.main", { type: "button", "data-key": "new.book", onclick: () => begin(world) }, t("setup.new"))) : null,
    book ? [h("p.soft", {}, pick(book.title)),
      h("details.words", {}, h("summary", { "data-key": "words" }, t("setup.rulebook.words", { n: book.parts.length })),
        h("dl", {}, book.parts.map((part) => h("div", {}, h("dt", {}, pick(part.label)),
          h("dd", {}, pick(part.value), part.clauses?.length ? h("q", { lang: "zh-Hans" }, part.clauses.join(" · ")) : null, part.assumed ? h("i", {}, t("setup.assumed")) : null)))))] : null,
  ];
}

let paired = null;

async function askPaired(world) {
  const answer = await ask("/api/pairings");
  paired = answer.ok ? answer.data.pairings : [];
  world.draw();
}

/** The referee's PIN (whoever was paired before must enter the new one), and the browsers that are paired. */
export function access(world) {
  if (paired === null) {
    paired = [];
    askPaired(world);
  }
  const set = async (event) => {
    event.preventDefault();
    const input = event.target.elements.pin;
    if ((await write("/api/setup/pin", { pin: input.value })).ok) toast(t("setup.pin.done"));
    input.value = "";
    askPaired(world);
  };
  const end = (one) => async () => {
    await write(one.mine ? "/api/logout" : "/api/pairings/end", one.mine ? {} : { id: one.id }, { told: t("setup.pairing.ended") });
    if (one.mine) dispatchEvent(new Event("paired"));
    askPaired(world);
  };
  const since = (one) => new Date(1000 * one.since).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hour12: false });
  return [
    h("form.row", { onsubmit: set },
      h("input", { name: "pin", type: "password", inputmode: "numeric", autocomplete: "new-password", minlength: 4, maxlength: 64, required: true, "aria-label": t("pin.label"), "data-key": "pin" }),
      h("button.main", { type: "submit", "data-key": "pin.set" }, t("setup.pin.set"))),
    h("h3", {}, t("setup.pairings")),
    paired.length
      ? h("ul.pairings", {}, paired.map((one) => h("li", {}, h("span", {}, `${one.address} · ${since(one)}${one.mine ? ` · ${t("setup.pairing.mine")}` : ""}`),
          h("button", { type: "button", "data-key": `pairing.${one.id}`, "aria-label": t("setup.pairing.end.of", { address: one.address }), onclick: end(one) }, t("setup.pairing.end")))))
      : h("p.soft", {}, t("setup.pairings.none")),
  ];
}

/** Hear the alert, and set how loud each kind is. */
export function sound(world) {
  const found = world.status?.sound;
  if (!found) return h("p.soft", {}, t("setup.sound.none"));
  return [
    h("div.fields", {}, VOLUMES.filter((kind) => found.volumes?.[kind] !== undefined).map((kind) => h("label", {}, t(`setup.volume.${kind}`),
      h("input", { type: "range", min: 0, max: 100, step: 5, value: Math.round(100 * found.volumes[kind]), "data-key": `volume.${kind}`,
        onchange: (event) => write("/api/sound", { do: "volume", kind, value: Number(event.target.value) / 100 }) })))),
    h("div.row", {}, h("button.main", { type: "button", "data-key": "test", onclick: async () => (await write("/api/sound", { do: "test" })).ok && toast(t("setup.sound.heard")) }, t("ref.test"))),
  ];
}

