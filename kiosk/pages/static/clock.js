// Clocks: the table says when each began and at what time that was; the page counts on by itself, so nothing is sent while they run.

const WARN_S = 10;

let message = null;
let at = 0;

export function takeClocks(next) {
  message = next;
  at = performance.now();
}

/** All running clocks: {kind, seat, limit, elapsed, left (null without a limit), state: "free" | "ok" | "warning" | "over"}. */
export function clocks() {
  if (!message) return [];
  const now = message.now + (message.paused ? 0 : (performance.now() - at) / 1000);
  return message.running.map((one) => {
    const elapsed = Math.max(0, now - one.since);
    const limit = one.limit_s || null;
    const left = limit === null ? null : limit - elapsed;
    const state = left === null ? "free" : left <= 0 ? "over" : left <= (one.warn_s ?? WARN_S) ? "warning" : "ok";
    return { ...one, limit, elapsed, left, state };
  });
}

export const clockOf = (kind, seat = null) => clocks().find((one) => one.kind === kind && (seat === null || one.seat === seat)) ?? null;
export const paused = () => Boolean(message?.paused);
export const running = () => Boolean(message?.running.length) && !message.paused;

/** Seconds as a person reads them: 9, 1:05, 2:03:00; an overrun with a plus. */
export function seconds(value) {
  const whole = value < 0 ? Math.floor(-value) : Math.ceil(value);
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const text = h ? `${h}:${String(m).padStart(2, "0")}:${String(s).padStart(2, "0")}` : m ? `${m}:${String(s).padStart(2, "0")}` : String(s);
  return value < 0 ? `+${text}` : text;
}

/** What a clock shows: what is left where there is a limit, what has passed where there is none. */
export const clockText = (one) => seconds(one.left === null ? Math.floor(one.elapsed) : one.left);
