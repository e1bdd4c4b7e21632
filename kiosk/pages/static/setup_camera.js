// The camera's picture, the markers found in it, four points by hand, and the checks of the picture.

import { h, svg } from "./dom.js";
import { write } from "./layer.js";
import { load } from "./setup.js";
import { pick, t } from "./words.js";

const CORNERS = ["NW", "NE", "SE", "SW"];
const STEP = 0.004;
const DEFAULT = [[0.28, 0.1], [0.72, 0.1], [0.72, 0.9], [0.28, 0.9]];

let points = null; // the four points while they are being set, as parts of the picture's width and height
let chosen = 0;

const percent = (value) => `${(100 * value).toFixed(2)}%`;
const within = (value) => Math.min(1, Math.max(0, value));

function move(i, x, y) {
  points = points.with(i, [within(x), within(y)]);
  chosen = i;
}

function handle(world, i) {
  const press = (event) => {
    const by = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] }[event.key];
    if (!by) return;
    event.preventDefault();
    const factor = event.shiftKey ? 5 : 1;
    move(i, points[i][0] + factor * by[0], points[i][1] + factor * by[1]);
    world.draw();
  };
  const drag = (event) => {
    event.preventDefault();
    event.stopPropagation();
    const frame = event.target.closest(".frame").getBoundingClientRect();
    const follow = (e) => { move(i, (e.clientX - frame.left) / frame.width, (e.clientY - frame.top) / frame.height); world.draw(); };
    const end = () => { removeEventListener("pointermove", follow); removeEventListener("pointerup", end); };
    addEventListener("pointermove", follow);
    addEventListener("pointerup", end);
  };
  return h(i === chosen ? "button.handle.chosen" : "button.handle", {
    type: "button", "data-key": `handle.${CORNERS[i]}`, "aria-label": t("setup.point", { corner: t(`setup.corner.${CORNERS[i]}`) }),
    style: { left: percent(points[i][0]), top: percent(points[i][1]) }, onkeydown: press, onpointerdown: drag, onclick: (event) => event.stopPropagation(),
  }, String(i + 1));
}

function place(world, event) {
  if (!points) return;
  const frame = event.currentTarget.getBoundingClientRect();
  move(chosen, (event.clientX - frame.left) / frame.width, (event.clientY - frame.top) / frame.height);
  chosen = (chosen + 1) % 4;
  world.draw();
}

const outline = (corners, name) => ["polygon", { class: name, points: corners.map(([x, y]) => `${100 * x},${100 * y}`).join(" "), "vector-effect": "non-scaling-stroke" }];

function markers(found) {
  const seen = new Set((found.markers ?? []).map((one) => one.id));
  return !found.expected?.length ? null : h("ul.markers", {}, found.expected.map((id) =>
    h(seen.has(id) ? "li.seen" : "li.missing", {}, `${seen.has(id) ? "✓" : "✗"} ${t("setup.marker", { id })}`)));
}

/** The picture with what was found in it, and the ways to calibrate. */
export function camera(world, picture) {
  picture.alt = t("setup.picture");
  const found = world.setup?.calibration;
  const source = world.setup?.camera;
  const square = points ?? found?.square;
  const button = (key, label, onclick, main = false) => h(main ? "button.main" : "button", { type: "button", "data-key": key, onclick }, label);
  const post = async (path, body) => { points = null; await load(await write(path, body)); };
  return [
    source?.problem ? h("p.bad", { role: "alert" }, pick(source.problem)) : null,
    h("div.frame", { onclick: (event) => place(world, event) }, picture,
      picture.hidden ? h("p.none", {}, t("ref.no_picture")) : null,
      svg("0 0 100 100", [...(found?.markers ?? []).map((one) => outline(one.corners, "marker")), ...(square ? [outline(square, "square")] : [])], { preserveAspectRatio: "none", class: "drawn" }),
      points ? CORNERS.map((_, i) => handle(world, i)) : null),
    found ? [h("p", {}, t("setup.calibrated"), " ", h("b", {}, found.kind ? t(`setup.by.${found.kind}`) : t("setup.by.none"))), markers(found)] : null,
    points
      ? [h("p", { role: "status" }, t("setup.point.next", { n: chosen + 1, corner: t(`setup.corner.${CORNERS[chosen]}`) })),
         h("div.row", {}, button("points.use", t("setup.points.use"), () => post("/api/setup/corners", { square: points }), true), button("points.drop", t("sheet.close"), () => { points = null; world.draw(); }))]
      : h("div.row", {}, button("markers", t("setup.markers"), () => post("/api/setup/markers", {}), true),
          button("points", t("setup.points"), () => { points = (world.setup?.calibration?.square ?? DEFAULT).map((one) => [...one]); chosen = 0; world.draw(); })),
  ];
}

const SIGN = { pass: "✓", warn: "!", fail: "✗", unknown: "·" };

/** What was looked at in the picture: passed or not, and what to do. */
export function checks(world) {
  const found = world.setup?.checks ?? [];
  return [
    found.length
      ? h("ul.checks", {}, found.map((one) => h(`li.is-${one.state}`, {}, h("b", {}, `${SIGN[one.state] ?? "·"} ${t(`setup.state.${one.state}`)}`), h("span", {}, pick(one)))))
      : h("p.soft", {}, t("setup.checks.none")),
    h("div.row", {}, h("button.main", { type: "button", "data-key": "checks", onclick: async () => load(await write("/api/setup/checks", {})) }, t("setup.checks.run"))),
  ];
}
