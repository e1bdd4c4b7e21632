// The attackers' points over the tricks against the lines of the result table, drawn by uPlot.

import uPlot from "./vendor/uplot-1.6.32.js";
import { h } from "./dom.js";
import { goTo } from "./review_deal.js";
import { view } from "./review_state.js";
import { t } from "./words.js";

const HEIGHT = 190;
const box = h("div.chart", { role: "img" });
const style = h("link", { rel: "stylesheet", href: "/static/vendor/uplot-1.6.32.css" });
document.head.append(style);
let drawn = null;
let plot = null;

/** The lines that the curve may reach: where a side's result changes. */
function lines(deal, top) {
  return deal.ladder.filter((rung) => rung.from > 0 && rung.from <= top).map((rung) => rung.from);
}

/** Of the lines, those whose figures do not lie over each other. */
function labels(rungs, top) {
  const kept = [0];
  for (const rung of rungs) if (rung - kept.at(-1) >= top / 9) kept.push(rung);
  return kept;
}

function draw() {
  const { deal } = view;
  const most = Math.max(...deal.curve.map(([, points]) => points), deal.reckoning?.points ?? 0, deal.ladder.find((rung) => rung.stage === "attackers")?.from ?? 80);
  const top = Math.ceil((1.15 * most) / 20) * 20;
  const rungs = lines(deal, top);
  const change = deal.ladder.find((rung) => rung.stage === "attackers")?.from;
  const xs = deal.curve.map(([trick]) => trick);
  const flat = (value) => xs.map(() => value);
  const last = deal.reckoning ? deal.curve.map((_, i) => (i === deal.curve.length - 1 ? deal.reckoning.points : null)) : flat(null);
  plot?.destroy();
  plot = new uPlot(
    {
      width: Math.max(280, box.clientWidth || 600), height: HEIGHT, legend: { show: false }, cursor: { y: false, points: { size: 9 } },
      scales: { x: { time: false }, y: { range: [0, top] } },
      axes: [
        { stroke: "#B9C6D6", grid: { stroke: "#1E2937" }, ticks: { stroke: "#2C3847" }, font: "14px sans-serif", incrs: [1, 2, 5, 10] },
        { stroke: "#B9C6D6", grid: { show: false }, ticks: { stroke: "#2C3847" }, font: "14px sans-serif", splits: () => labels(rungs, top), size: 46 },
      ],
      series: [
        {},
        { label: t("rev.points"), stroke: "#8FB6DC", width: 3, fill: "rgb(143 182 220 / .14)", paths: uPlot.paths.stepped({ align: 1 }), points: { show: true, size: 6 } },
        { label: t("rev.with_dig"), stroke: "#FFFFFF", points: { show: true, size: 11, fill: "#FFFFFF" }, paths: () => null },
        ...rungs.map((rung) => ({ stroke: rung === change ? "#FFC24D" : "#51627A", width: rung === change ? 2 : 1, dash: rung === change ? [] : [5, 5], points: { show: false } })),
      ],
      hooks: { ready: [(made) => made.over.addEventListener("click", () => made.cursor.idx && goTo(xs[made.cursor.idx], 4))] },
    },
    [xs, deal.curve.map(([, points]) => points), last, ...rungs.map(flat)],
    box,
  );
}

export function chartView() {
  if (!view.deal || view.deal.curve.length < 2) return null;
  const points = view.deal.reckoning?.points ?? view.deal.curve.at(-1)[1];
  box.setAttribute("aria-label", t("rev.chart", { points, tricks: view.deal.curve.length - 1 }));
  if (drawn !== view.deal) {
    drawn = view.deal;
    requestAnimationFrame(draw);
  }
  return h("figure.curve", {}, h("figcaption", {}, t("rev.curve")), box);
}

new ResizeObserver(() => {
  if (plot && box.clientWidth && plot.width !== box.clientWidth) plot.setSize({ width: box.clientWidth, height: HEIGHT });
}).observe(box);
