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

const ATOMS = new Set(["BUTTON", "INPUT", "SELECT", "FORM", "IMG"]);

function sameShell(old, next) {
  return old.nodeType === 1 && next.nodeType === 1 && old.tagName === next.tagName && !ATOMS.has(old.tagName) && old.cloneNode(false).isEqualNode(next.cloneNode(false));
}

function patch(parent, next) {
  const old = [...parent.childNodes];
  next.forEach((node, i) => {
    const was = old[i];
    if (was?.tagName === "DETAILS" && node.tagName === "DETAILS") node.open = was.open; // opened by the person, not by the state
    if (!was) parent.append(node);
    else if (was.isEqualNode(node)) return;
    else if (sameShell(was, node)) patch(was, [...node.childNodes]);
    else was.replaceWith(node);
  });
  for (const extra of old.slice(next.length)) extra.remove();
}

/**
 * Put new children in and touch only what differs: a finger that is just down on a button must find it there when it lifts.
 * So a button that looks the same stays the old one, and its handler looks up the state when it is pressed.
 * The element with the keyboard's focus, named by data-key, has it again.
 */
export function put(parent, ...children) {
  const key = parent.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  const next = children.flat(Infinity).filter(Boolean).map((child) => (typeof child === "string" ? document.createTextNode(child) : child));
  patch(parent, next);
  if (key && document.activeElement?.dataset?.key !== key) parent.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
}
