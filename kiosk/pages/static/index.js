// The front page: where to go, and the codes that bring a phone or a tablet there.

import { h, put } from "./dom.js";
import { Live, ask } from "./live.js";
import { notes, practiceMark } from "./shared.js";
import { onLang, switchLang, t } from "./words.js";

const app = document.getElementById("app");
const address = document.documentElement.dataset.address;
const PAGES = [["table", "/table"], ["referee", "/referee"], ["player", "/player"], ["setup", "/setup"], ["overlay", "/overlay"], ["review", "/review"]];

let me = null;
let state = null;
let status = null;
let online = true;
let pairing = null; // the path that pairs a tablet, while its code is good

const lonely = () => /\/\/(localhost|127\.|\[::1\])/.test(address);

function entry([name, path]) {
  const target = name === "referee" && pairing ? pairing.path : path;
  return h("li", {},
    h("a", { href: path, "data-page": name, "data-key": `page.${name}` },
      h("span.words", {}, h("b", {}, t(`index.${name}`)), h("span", {}, t(`index.${name}.for`))),
      lonely() ? null : h("img.qr", { src: `/qr.svg?path=${encodeURIComponent(target)}`, alt: t("index.qr", { page: t(`index.${name}`) }), width: 132, height: 132 })));
}

async function pair() {
  const answer = await ask("/api/pairing", {});
  if (!answer.ok) return;
  pairing = answer.data;
  render();
  setTimeout(() => { pairing = null; render(); }, 1000 * pairing.expires_s);
}

function render() {
  if (!state) return;
  app.removeAttribute("aria-busy");
  const shown = notes({ state, status, online });
  put(app,
    h("header.head", {}, h("h1", {}, t("index.title")), practiceMark(status), me ? h("span.mode", {}, t(`index.mode.${me.mode}`)) : null,
      h("button.lang", { type: "button", "data-key": "lang", "aria-label": t("lang.switch"), onclick: switchLang }, t("lang.other"))),
    shown.length ? h("div.notes", { role: "status" }, shown.map(([kind, text]) => h(`p.${kind}`, {}, text))) : null,
    h("ul.pages", {}, PAGES.map(entry)),
    h("p.address", {}, lonely() ? t("index.lonely") : address),
    me?.mode === "competition" && me.may_write && !lonely()
      ? h("button.pair", { type: "button", "data-key": "pair", onclick: pair }, pairing ? t("index.paired", { s: pairing.expires_s }) : t("index.pair")) : null);
}

async function rights() {
  const answer = await ask("/api/me");
  if (answer.ok) me = answer.data;
  render();
}

new Live({
  onState: (message) => { state = message.state; render(); },
  onStatus: (message) => { status = message; render(); },
  onOnline: (is) => { online = is; if (is) rights(); render(); },
});
onLang(render);
