// "Can you read this from your chair?": the very sizes of the audience's screen, full screen, and what follows from the smallest line that can be read.

import { suitIcon } from "./cards.js";
import { h } from "./dom.js";
import { t } from "./words.js";

const KEY = "trickwatch.screen";
const GLYPH = { key: 0.733 * 31, text: 0.92 * 12.2, cards: 0.733 * 8.1 };
/** Heights of what is to be read on /table, in hundredths of the screen's height: digits, Chinese text, ranks of cards where they are smallest. */
const WANTED = { key: 60, text: 30, cards: 16 };
const ROWS = ["key", "text", "cards"];

function kept() {
  try {
    return { inches: 32, metres: 5, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return { inches: 32, metres: 5 };
  }
}

function keep(screen) {
  try {
    localStorage.setItem(KEY, JSON.stringify(screen));
  } catch { /* without storage it holds for this visit only */ }
}

let screen = kept();
let verdict = null;

/** The angle (arc minutes) under which a row of /table is seen on a 16:9 screen of so many inches from so many metres. */
export function arcMinutes(row, { inches, metres }) {
  const millimetres = (GLYPH[row] / 100) * inches * 25.4 * (9 / Math.hypot(16, 9));
  return (Math.atan(millimetres / (1000 * metres)) * 180 * 60) / Math.PI;
}

function test(world) {
  const close = () => { document.querySelector(".chart")?.remove(); world.draw(); };
  const say = (row) => { verdict = row; close(); };
  const chart = h("section.chart", { role: "dialog", "aria-modal": "true", "aria-label": t("setup.reading"), onkeydown: (event) => event.key === "Escape" && close() },
    h("p.ask", {}, t("reading.ask")),
    h("button.row-key", { type: "button", onclick: () => say("key") }, "2 10 A"),
    h("button.row-text", { type: "button", onclick: () => say("text") }, t("reading.sample")),
    h("button.row-cards", { type: "button", onclick: () => say("cards") }, ["S", "H", "D", "C"].map((suit) => [suitIcon(suit), "8"])),
    h("button.none", { type: "button", onclick: () => say("none") }, t("reading.nothing")));
  document.getElementById("layer").append(chart);
  chart.querySelector("button").focus();
}

export function reading(world) {
  const set = (key) => (event) => { screen = { ...screen, [key]: Number(event.target.value) || screen[key] }; keep(screen); world.draw(); };
  return [
    h("div.fields", {},
      h("label", {}, t("reading.inches"), h("input", { type: "number", min: 10, max: 120, value: screen.inches, "data-key": "inches", onchange: set("inches") })),
      h("label", {}, t("reading.metres"), h("input", { type: "number", min: 1, max: 20, step: 0.5, value: screen.metres, "data-key": "metres", onchange: set("metres") }))),
    h("ul.angles", {}, ROWS.map((row) => {
      const angle = arcMinutes(row, screen);
      return h(angle >= WANTED[row] ? "li.good" : "li.small", {}, `${angle >= WANTED[row] ? "✓" : "✗"} ${t(`reading.${row}`, { angle: Math.round(angle), wanted: WANTED[row] })}`);
    })),
    verdict ? h("p.verdict", { role: "status" }, t(`reading.verdict.${verdict}`)) : null,
    h("div.row", {}, h("button.main", { type: "button", "data-key": "chart", onclick: () => test(world) }, t("reading.show"))),
  ];
}
