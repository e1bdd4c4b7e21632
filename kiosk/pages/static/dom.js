// Building elements: h("div.name", {attributes, onclick}, children...).

const SVG = "http://www.w3.org/2000/svg";

function fill(node, props, children) {
  for (const [key, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (key === "style") for (const [name, v] of Object.entries(value)) node.style.setProperty(name, v);
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false && child !== ""));
  return node;
}

export function h(name, props, ...children) {
  const [tag, ...classes] = name.split(".");
  const node = document.createElement(tag || "div");
  if (classes.length) node.className = classes.join(" ");
  return fill(node, props, children);
}

export function svg(viewBox, paths, props = {}) {
  const node = document.createElementNS(SVG, "svg");
  fill(node, { viewBox, "aria-hidden": "true", focusable: "false", ...props }, []);
  for (const [tag, attributes] of paths) node.append(fill(document.createElementNS(SVG, tag), attributes, []));
  return node;
}

/** Put new children in, keeping the keyboard's place: the element with the same data-key has the focus again. */
export function put(parent, ...children) {
  const key = parent.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  parent.replaceChildren(...children.flat(Infinity).filter(Boolean));
  if (key) parent.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
}
