// From the list to a match and back.

import { openDeal, stopPlaying } from "./review_deal.js";
import { loadList } from "./review_list.js";
import { change, load, view } from "./review_state.js";

export async function openMatch(match, { deal = null, trick = null, play = null } = {}) {
  stopPlaying();
  const found = await load(`/api/review/matches/${match}`);
  if (!found) return;
  const place = deal === null ? 0 : Math.max(0, Math.min(found.list.length - 1, deal - 1));
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
