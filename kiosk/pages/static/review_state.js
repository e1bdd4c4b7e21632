// What the review page shows, in one place; every part reads it and says what is to be different.

import { askPin } from "./layer.js";
import { ask } from "./live.js";
import { pick, t } from "./words.js";

export const view = {
  page: "list", // list | match | statistics
  me: null, status: null, problem: null,
  query: { player: "", rulebook: "", since: "", until: "" }, list: null,
  match: null, place: 0, deal: null, at: 0, playing: false, speed: 1, hands: false, tab: "inbox", inbox: null, tier: "all",
  statistics: null,
};

let render = () => {};

export function onChange(act) {
  render = act;
}

export function change(parts) {
  Object.assign(view, parts);
  remember();
  render();
}

/** The address of what is shown: match, deal (from 1), trick, play. */
export function address() {
  if (view.page === "statistics") return "/review?page=statistics";
  if (view.page !== "match" || !view.match) return "/review";
  const query = new URLSearchParams({ match: view.match.match, deal: view.place + 1 });
  const frame = view.deal ? view.deal.frames[view.at] : null;
  if (frame) {
    query.set("trick", frame.trick);
    query.set("play", frame.play);
  }
  return `/review?${query}`;
}

function remember() {
  const lang = new URLSearchParams(location.search).get("lang");
  const to = address() + (lang ? `${address().includes("?") ? "&" : "?"}lang=${lang}` : "");
  if (to !== location.pathname + location.search) history.replaceState(null, "", to);
}

/** Ask the table; who may not read is asked for the PIN once. */
export async function load(path, body) {
  let answer = await ask(path, body);
  if (answer.status === 403 && (await askPin())) answer = await ask(path, body);
  if (!answer.ok) change({ problem: pick(answer.words) || t("toast.failed") });
  else if (view.problem) change({ problem: null });
  return answer.ok ? answer.data : null;
}
