// The catalogue of both languages, switched without a reload.

const catalogue = JSON.parse(document.getElementById("words").textContent);
const listeners = new Set();
const KEY = "trickwatch.lang";

function initial() {
  if (new URLSearchParams(location.search).has("lang")) return document.documentElement.lang === "en" ? "en" : "zh";
  try {
    const kept = localStorage.getItem(KEY);
    if (kept in catalogue) return kept;
  } catch { /* a browser without storage still gets a page */ }
  return document.documentElement.lang === "en" ? "en" : "zh";
}

export let lang = initial();

export function t(key, values = {}) {
  const text = catalogue[lang][key] ?? catalogue.en[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? values[name] : whole));
}

export function has(key) {
  return key in catalogue[lang];
}

export function pick(words) {
  return words ? words[lang] || words.zh || words.en || "" : "";
}

export function setLang(next) {
  lang = next;
  try {
    localStorage.setItem(KEY, next);
  } catch { /* as above */ }
  announceLang();
}

export function switchLang() {
  setLang(lang === "zh" ? "en" : "zh");
}

export function onLang(listener) {
  listeners.add(listener);
}

function announceLang() {
  document.documentElement.lang = lang === "zh" ? "zh-Hans" : "en";
  document.title = t(`title.${document.documentElement.dataset.page}`);
  for (const listener of listeners) listener();
}

announceLang();

export const seatLong = (seat) => t(`seat.long.${seat}`);

export function cardName(card) {
  if (card === "BJ" || card === "LJ" || card === "??") return t(`card.${card}`);
  return t("card.suited", { suit: t(`suit.${card[0]}`), rank: card.slice(1) });
}

/** A text of the engine with its cards by name: H7 -> 红桃7. */
export const spelled = (text) => text.replace(/\b(?:[SHDC](?:10|[2-9JQKA])|BJ|LJ)\b/g, cardName);

export const cardNames = (cards) => cards.map(cardName).join(t("list.and"));

export function trumpName(trump) {
  if (!trump) return t("trump.unknown");
  const suit = trump.split("/")[1];
  return suit === "NT" ? t("trump.none") : t(`suit.${suit}`);
}

export function stageWords(result, form = "stage") {
  const attackers = result.stage === "attackers" || (result.steps.attackers ?? 0) > 0;
  const side = attackers ? "attackers" : "declarers";
  const n = result.steps[side] ?? 0;
  return t(n > 0 ? `${form}.${side}` : `${form}.${side}.0`, { n });
}

/** What an offence is called: only possible until it is confirmed. */
export function offence(ruling) {
  const form = ruling.state === "confirmed" ? "kind.done" : "kind";
  return t(has(`${form}.${ruling.kind}`) ? `${form}.${ruling.kind}` : `${form}.other`);
}

/** How long notes stay (ms): ten seconds, or what this screen was set to for slow readers. */
export function noteMs() {
  try {
    return 1000 * (Number(localStorage.getItem("trickwatch.noteSeconds")) || 10);
  } catch {
    return 10000;
  }
}
