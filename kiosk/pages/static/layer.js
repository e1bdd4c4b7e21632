// What lies over a page: sheets, the PIN, and toasts with their undo.

import { h, put } from "./dom.js";
import { ask } from "./live.js";
import { noteMs, pick, t } from "./words.js";

const layer = document.getElementById("layer");
let before = null;
let closing = null;

export function openSheet(label, children, { onClose = null } = {}) {
  if (!layer.querySelector(".sheet")) before = document.activeElement?.dataset?.key ?? null;
  closing = onClose;
  const sheet = h("section.sheet", { role: "dialog", "aria-modal": "true", "aria-label": label, onkeydown: keys }, children);
  layer.querySelector(".shade")?.remove();
  layer.append(h("div.shade", { onclick: (event) => event.target.classList.contains("shade") && closeSheet() }, sheet));
  sheet.querySelector("[data-first], button, input")?.focus();
  return sheet;
}

export function closeSheet() {
  layer.querySelector(".shade")?.remove();
  if (before) document.querySelector(`[data-key="${CSS.escape(before)}"]`)?.focus({ preventScroll: true });
  closing?.();
  closing = null;
}

export const sheetOpen = () => Boolean(layer.querySelector(".sheet"));

function keys(event) {
  if (event.key === "Escape") {
    event.preventDefault();
    closeSheet();
    return;
  }
  if (/^[1-6]$/.test(event.key) && event.target.tagName !== "INPUT") {
    layer.querySelector(`.sheet [data-number="${event.key}"]`)?.click();
    return;
  }
  if (event.key === "Tab") {
    const all = [...layer.querySelectorAll(".sheet button, .sheet input, .sheet select")].filter((node) => !node.disabled);
    const edge = event.shiftKey ? all[0] : all.at(-1);
    if (document.activeElement === edge) {
      event.preventDefault();
      (event.shiftKey ? all.at(-1) : all[0]).focus();
    }
  }
}

/** A note at the edge; with the place of an entry it offers to take that back, and more: {label, run} is a second thing to do. */
export function toast(text, { undo = null, undoLabel = "toast.undo", more = null, bad = false } = {}) {
  layer.querySelector(".toast")?.remove();
  const note = h(bad ? "div.toast.bad" : "div.toast", { role: bad ? "alert" : "status" }, h("span", {}, text));
  if (undo) {
    note.append(h("button.undo", { type: "button", "data-key": "toast.undo", onclick: () => { note.remove(); takeBack(undo); } }, t(undoLabel)));
  }
  if (more) note.append(h("button.undo", { type: "button", "data-key": "toast.more", onclick: () => { note.remove(); more.run(); } }, more.label));
  layer.append(note);
  setTimeout(() => note.remove(), noteMs());
}

/** Take an entry back (null: the last one); the note offers to have it again, and what more says. */
export async function takeBack(seq, { more = null } = {}) {
  const answer = await write("/api/undo", seq ? { seq } : {});
  if (answer.ok) toast(t("toast.undone"), { undo: answer.data.seq, undoLabel: "toast.redo", more });
}

/** Write something; a looker-on is asked for the PIN first, and a refusal is shown. done: what a note says that offers to take it back; told: one that does not. */
export async function write(path, body, { done = null, told = null } = {}) {
  let answer = await ask(path, body);
  if (answer.status === 403 && (await askPin())) answer = await ask(path, body);
  if (answer.ok) {
    if (done) toast(done, { undo: answer.data.seq });
    else if (told) toast(told);
  } else if (answer.status !== 403) {
    toast(pick(answer.words) || t("toast.failed"), { bad: true });
  }
  return answer;
}

export function askPin() {
  return new Promise((resolve) => {
    const problem = h("p.problem", { role: "alert" });
    const input = h("input", { type: "password", inputmode: "numeric", autocomplete: "off", maxlength: 64, "aria-label": t("pin.label"), "data-first": true });
    let good = false;
    const enter = async (event) => {
      event.preventDefault();
      const answer = await ask("/api/login", { pin: input.value });
      if (answer.ok) {
        good = true;
        closeSheet();
        dispatchEvent(new Event("paired"));
      } else {
        put(problem, pick(answer.words) || t("toast.failed"));
        input.select();
      }
    };
    openSheet(
      t("pin.title"),
      h("form.pin", { onsubmit: enter },
        h("h2", {}, t("pin.title")), h("p", {}, t("pin.why")), input, problem,
        h("div.row", {}, h("button.main", { type: "submit" }, t("pin.enter")), h("button", { type: "button", onclick: closeSheet }, t("pin.cancel")))),
      { onClose: () => resolve(good) },
    );
  });
}
