// From the list to a match and back.

import { openDeal, stopPlaying } from "./review_deal.js";
import { loadList } from "./review_list.js";
import { change, load, view } from "./review_state.js";

/** The running match can be named so in an address: what is looked for there is in the deal that was begun last. */
const RUNNING = "running";

export async function openMatch(name, { deal = null, trick = null, play = null } = {}) {
  stopPlaying();
  if (!view.list || name === RUNNING) view.list = await load("/api/review/matches");
  const match = name === RUNNING ? view.list?.running : name;
  if (!match) return;
  const found = await load(`/api/review/matches/${match}`);
  if (!found) return;
  const place = deal === null ? (match === view.list?.running ? found.list.length - 1 : 0) : Math.max(0, Math.min(found.list.length - 1, deal - 1));
  Object.assign(view, { page: "match", match: found, inbox: null, deal: null });
  await openDeal(place, { trick, play });
  const items = await load(`/api/review/matches/${match}/inbox`);
  if (items) change({ inbox: items.items });
}

export function openList() {
  stopPlaying();
  change({ page: "list", match: null, deal: null });
  loadList();
}
