// Enrolling the deck in use: spread it, look, answer what is not sure, keep.

import { FACES, cardElement, cardRow } from "./cards.js";
import { h } from "./dom.js";
import { closeSheet, openSheet, toast, write } from "./layer.js";
import { load } from "./setup.js";
import { cardName, t } from "./words.js";

let busy = null; // what is being done just now

const post = (path, body) => async () => load(await write(path, body));

/** A step that takes a moment: the button says so meanwhile. */
function step(world, doing, done = null) {
  return async () => {
    busy = doing;
    world.draw();
    const answer = await write("/api/setup/deck", { do: doing });
    busy = null;
    await load(answer);
    if (answer.ok && done) toast(done);
  };
}

function other(question) {
  openSheet(t("setup.deck.which"), [
    h("h2", {}, t("setup.deck.which"), h("img.asked", { src: question.picture, alt: "" })),
    h("div.faces", {}, FACES.map((face) => cardElement(face, { onTap: () => { closeSheet(); post("/api/setup/deck/answer", { number: question.number, face })(); } }))),
    h("button.close", { type: "button", onclick: closeSheet }, t("sheet.close")),
  ]);
}

/** One card that is not sure: its picture, what it may be, and two ways out. */
function ask(question) {
  const say = (face) => post("/api/setup/deck/answer", { number: question.number, face });
  const button = (key, label, onclick) => h("button", { type: "button", "data-key": `deck.${key}.${question.number}`, onclick }, label);
  return h("li.question-row", {},
    h("img.asked", { src: question.picture, alt: t("setup.deck.asked", { card: cardName(question.guess) }) }),
    h("div.choices", {}, question.choices.map((face) => cardElement(face, { onTap: say(face), key: `deck.is.${question.number}.${face}` }))),
    h("div.row", {}, button("other", t("sheet.other"), () => other(question)), button("none", t("setup.deck.none"), say(null))));
}

/** Where the enrolment stands, and the next step. */
export function deck(world) {
  const found = world.setup?.deck;
  if (!found) return h("p.soft", {}, t("setup.deck.elsewhere"));
  const button = (doing, { main = false, disabled = false, done = null } = {}) => h(main ? "button.main" : "button", {
    type: "button", "data-key": `deck.${doing}`, disabled: disabled || busy !== null, onclick: step(world, doing, done),
  }, busy === doing ? t("setup.deck.busy") : t(`setup.deck.${doing}`));
  if (found.state !== "looking") {
    return [
      h("p", {}, t("setup.deck.how")),
      h("p", { role: "status" }, found.state === "done" ? t("setup.deck.is.done", found) : t(found.kept ? "setup.deck.is.kept" : "setup.deck.is.idle")),
      h("div.row", {}, button("start", { main: true }), found.kept ? button("forget") : null),
    ];
  }
  const asked = found.unsure ?? [];
  const few = found.missing.length > 0 && found.missing.length <= 30;
  return [
    h("ol.steps", {}, ["spread", "look", "answer", "keep"].map((one) => h("li", {}, t(`setup.deck.step.${one}`)))),
    h("p", { role: "status" }, t("setup.deck.is.looking", found), asked.length ? ` · ${t("setup.deck.questions", { n: asked.length })}` : ""),
    asked.length ? h("ul.questions", {}, asked.map(ask)) : null,
    few ? h("div.missing", {}, h("p.soft", {}, t("setup.deck.missing")), cardRow(found.missing)) : null,
    h("div.row", {}, button("look", { main: !found.found || found.missing.length > 0 }), button("keep", { main: !found.missing.length, disabled: found.found < found.least, done: t("setup.deck.done") }), button("cancel")),
  ];
}
