// What every page says in the same words: whether it is practice, and what is wrong at the moment.

import { h } from "./dom.js";
import { cardNames, pick, t } from "./words.js";

const RESTORED_MS = 30000;
const OLD_PICTURE_S = 2;
const began = Date.now();

/** A demonstration or a replay is marked as such everywhere. */
export const practiceMark = (status) => (status?.practice ? h("span.practice", {}, t("practice")) : null);

/**
 * What a page has to say about its own state, the most urgent first: [class, words] with class "bad" or "note".
 * detailed: also what only the referee needs (sound, copies too many, the camera out of step, a second panel).
 */
export function notes({ state, status, online, detailed = false, panels = 0 }) {
  const out = [];
  const bad = (text) => out.push(["bad", text]);
  const note = (text) => out.push(["note", text]);
  if (!online) bad(t("status.offline"));
  if (status?.trouble) bad(detailed ? pick(status.trouble) || t("status.trouble") : t("status.trouble"));
  if (state?.camera_lost || status?.camera_lost) bad(t("status.camera_lost"));
  else if (status?.camera?.ended) note(t("status.ended"));
  else if (status?.camera?.frame_age_s > OLD_PICTURE_S) bad(t("status.camera_old", { s: Math.round(status.camera.frame_age_s) }));
  else if (state?.desync) bad(detailed && pick(state.desync) ? pick(state.desync) : t("status.out_of_step"));
  else if (detailed && status?.camera?.in_step === false) bad(t("status.out_of_step"));
  if (pick(status?.camera?.slow)) bad(detailed ? pick(status.camera.slow) : t("status.slow"));
  if (status?.restored && Date.now() - began < RESTORED_MS) note(t("status.restored", status.restored));
  if (!detailed) return out;
  if (status?.record?.state === "stopped") bad(pick(status.record.why) || t("status.record_stopped"));
  if (status?.clock_jump) note(t("status.clock_jump"));
  if (panels > 1) note(t("status.two_panels", { n: panels }));
  if (status?.sound?.device === false) note(t("status.silent"));
  if (status?.sound?.muted_s > 0) note(t("status.muted", { s: status.sound.muted_s }));
  for (const c of state?.conservation ?? []) note(t("ref.conservation", { card: cardNames([c.card]), seen: c.seen, allowed: c.allowed }));
  return out;
}

/** The player's name, or the seat where none was given. */
export const nameOf = (state, seat) => state.names?.[seat] || "";

/** Rulings of the deal that the room is told of while they are open: not an overrun, which the gong has called and the referee alone weighs. */
export const underReview = (state) => state.rulings.filter((r) => r.deal === state.deal && (r.state === "proposed" || r.state === "later") && r.kind !== "overtime");
