// The inbox of rulings: what happened, both tricks with their pictures, the clause, the penalty as the sheet prints it, and the decision.

import { cardRow, warning } from "./cards.js";
import { seconds } from "./clock.js";
import { h, put } from "./dom.js";
import { write } from "./layer.js";
import { offence, pick, seatLong, spelled, t } from "./words.js";

const RETRY_MS = 20000;
const stills = new Map(); // address -> "asked" | "there" | "missing"

const isOpen = (r) => r.state === "proposed" || r.state === "later";

/** A picture of a play, once it is there. */
function still(address, alt, draw) {
  if (!stills.has(address)) {
    stills.set(address, "asked");
    const picture = new Image();
    picture.onload = () => { stills.set(address, "there"); draw(); };
    picture.onerror = () => { stills.set(address, "missing"); setTimeout(() => stills.delete(address), RETRY_MS); };
    picture.src = address;
  }
  return stills.get(address) === "there" ? h("img.still", { src: address, alt }) : null;
}

function evidence(state, r, number, draw) {
  if (r.deal !== state.deal) return null;
  const trick = [...state.tricks, state.trick].find((one) => one?.number === number);
  const play = trick?.plays.find((p) => p.seat === r.seat);
  if (!play) return null;
  const lead = trick.plays[0];
  const address = `/api/evidence/plays/${r.deal}/${number}/${r.seat}.jpg`;
  return h("div.evidence", {},
    h("b", {}, t("trick.long", { n: number })),
    lead !== play ? [h("span", {}, `${t("lead")} ${t(`seat.${lead.seat}`)}`), cardRow(lead.cards)] : null,
    h("span", {}, t(`seat.${r.seat}`)), cardRow(play.cards),
    still(address, t("ref.still", { seat: seatLong(r.seat), trick: number }), draw));
}

const costs = (list) => list.map(pick).join(t("list.and"));

function penalty(r) {
  const p = r.penalty ?? {};
  const choices = p.choices ?? [];
  const printed = choices.length ? choices.map(pick).join(` ${t("ref.or")} `) : pick(p.remedy) || t("ref.penalty.none");
  return [
    h("p.penalty", {}, h("b", {}, `${t("ref.penalty")}: `), printed, p.also?.length ? ` + ${costs(p.also)}` : "", choices.length && p.remedy && p.remedy.kind !== "none" ? ` · ${pick(p.remedy)}` : ""),
    choices.length > 1 ? h("p.soft", {}, t("ref.chooser")) : null,
    p.repeat ? h("p.soft", {}, t("ref.repeat", { count: p.count, repeat: p.repeat })) : p.count > 1 ? h("p.soft", {}, t("ref.count", { count: p.count })) : null,
    p.claim && p.claim.kind !== "no_limit" ? h(p.claim.in_time ? "p.soft" : "p.late", {}, `${t("ref.claim")}: ${pick(p.claim)}`, p.claim.in_time ? "" : ` · ${t("ref.claim.late")}`) : null,
  ];
}

function when(at) {
  const time = at ? new Date(at) : null;
  return time && !Number.isNaN(time.getTime()) ? time.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false }) : "";
}

function ruling(r, { state, status, draw, part }) {
  const decide = (decision, choice = 0) => async () => {
    const why = part.querySelector(`[data-why="${CSS.escape(r.ruling)}"]`)?.value ?? "";
    await write(`/api/rulings/${encodeURIComponent(r.ruling)}`, { decision, why, choice }, { done: t("toast.decided", { state: t(`state.${decision}`) }) });
  };
  const choices = r.penalty?.choices ?? [];
  const button = (name, key, label, onclick, disabled = false) => h(name, { type: "button", "data-key": `${key}.${r.ruling}`, onclick, disabled }, label);
  const proof = r.reported ? t("ref.reported") : r.proved_by === r.trick ? t("alert.proved.same", r) : t("alert.proved", { trick: r.trick, proved: r.proved_by });
  return h(`article.ruling.${r.state}`, { "aria-label": `${seatLong(r.seat)} ${offence(r)}` },
    h("h3", {}, isOpen(r) ? warning() : null, `${r.deal === state.deal ? "" : `${t("deal", { deal: r.deal })} · `}${seatLong(r.seat)} · ${offence(r)}`, h("small", {}, t(`state.${r.state}`))),
    h("p", {}, proof, r.note ? ` · ${r.note}` : ""),
    h("div.proof", {}, [...new Set([r.trick, r.proved_by])].map((number) => evidence(state, r, number, draw))),
    r.over ? h("p.late", {}, t("ref.over", { limit: t(`clock.${r.over.limit}`), allowed: seconds(r.over.allowed), seconds: seconds(Math.ceil(r.over.seconds)) })) : null,
    pick(r.reason) ? h("p.reason", {}, spelled(pick(r.reason))) : null,
    r.clause ? h("p.clause", {}, r.clause === "silent" ? t("ref.clause.silent") : t("ref.clause", { clause: r.clause })) : null,
    penalty(r),
    isOpen(r) ? [
      h("input", { "data-why": r.ruling, "data-key": `why.${r.ruling}`, placeholder: t("ref.why"), "aria-label": t("ref.why"), maxlength: 500 }),
      h("div.row", {},
        choices.length > 1
          ? choices.map((cost, i) => button("button.confirm", `ok${i}`, `${t("ref.confirm")}: ${pick(cost)}`, decide("confirmed", i)))
          : button("button.confirm", "ok", t("ref.confirm"), decide("confirmed")),
        button("button.overrule", "no", t("ref.overrule"), decide("overruled")),
        button("button", "later", t("ref.later"), decide("later"), r.state === "later"),
        status?.sound?.alerts?.includes(r.ruling) ? button("button", "ack", t("ref.acknowledge"), () => write("/api/sound", { do: "acknowledge", ruling: r.ruling })) : null),
    ] : h("p.by", {}, [t("ref.decided_by", { by: r.by, why: r.why }).trim(), when(r.decided_at)].filter(Boolean).join(" · ")));
}

/** All rulings of the match, open ones first. */
export function inbox(part, world) {
  const all = world.state.rulings;
  const open = all.filter(isOpen);
  const closed = all.filter((r) => !isOpen(r)).reverse();
  const here = { ...world, part };
  put(part,
    h("h2", {}, t("ref.inbox"), h("small", {}, String(open.length))),
    open.length ? open.map((r) => ruling(r, here)) : h("p.empty", {}, t("ref.inbox.empty")),
    closed.map((r) => ruling(r, here)));
}
