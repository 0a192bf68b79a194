// Elements made from data. Texts are always text: nothing here reads markup from data, except
// pictures that the server drew, which are parsed as SVG and stripped of all but shapes.

export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) listen(element, key.slice(2), value);
    else if (key === "class") element.className = value;
    else if (key in element && typeof value !== "string") element[key] = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export function fill(element, ...children) {
  element.replaceChildren(...children.flat().filter(Boolean));
  return element;
}

// What an element does is kept on it, so that it can be changed without a new element.
function listen(element, what, work) {
  element.does ??= {};
  if (!(what in element.does)) element.addEventListener(what, (event) => element.does[what](event));
  element.does[what] = work;
}

// Bring what an element shows up to date: children that are still wanted stay the same nodes, with focus, what was typed,
// chosen or opened in them, how far they are scrolled, and a click or drag that has begun. For all that an answer of the
// server may change while somebody uses it. Nodes that are given are made for this; nobody else may hold them.
export function renew(element, ...children) {
  const { activeElement } = document, hadFocus = element.contains(activeElement);
  const place = hadFocus && activeElement.closest("[data-key]"), at = place ? focusable(place).indexOf(activeElement) : -1;
  match(element, children.flat().filter(Boolean).map((child) => (child instanceof Node ? child : new Text(child))));
  if (!hadFocus || activeElement === document.activeElement) return element;
  const again = element.contains(activeElement) ? activeElement : place && focusable(element.querySelector(`[data-key="${CSS.escape(place.dataset.key)}"]`))[at];
  again?.focus?.({ preventScroll: true });
  return element;
}
const focusable = (root) => [root, ...(root?.querySelectorAll("button, a, input, select, [tabindex]") ?? [])];
const keyOf = (node) => `${node.nodeName} ${node.id || node.dataset?.key || ""}`;
function match(parent, wanted) {
  const old = [...parent.childNodes];
  const kept = wanted.map((node) => {
    const i = old.findIndex((one) => keyOf(one) === keyOf(node));
    return i < 0 ? node : become(old.splice(i, 1)[0], node);
  });
  for (const node of old) node.remove();
  kept.forEach((node, i) => { if (parent.childNodes[i] !== node) parent.insertBefore(node, parent.childNodes[i] ?? null); });
}
function become(node, wanted) {
  if (node.nodeType !== Node.ELEMENT_NODE) { if (node.data !== wanted.data) node.data = wanted.data; return node; }
  const { value } = wanted;
  for (const name of node.getAttributeNames()) if (!wanted.hasAttribute(name) && name !== "open") node.removeAttribute(name);
  for (const name of wanted.getAttributeNames()) if (node.getAttribute(name) !== wanted.getAttribute(name)) node.setAttribute(name, wanted.getAttribute(name));
  for (const what of Object.keys(node.does ?? {})) node.does[what] = wanted.does?.[what] ?? (() => {});
  for (const [what, work] of Object.entries(wanted.does ?? {})) listen(node, what, work);
  match(node, [...wanted.childNodes]);
  if (node.nodeName === "SELECT" && node.value !== value) node.value = value;
  return node;
}

const SHAPES = new Set(["svg", "g", "rect", "circle", "line", "polygon", "polyline", "path", "text", "title", "desc", "style"]);

export function picture(text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (parsed.nodeName !== "svg") return h("p", { class: "quiet" }, "no picture");
  for (const node of [...parsed.querySelectorAll("*")]) {
    if (!SHAPES.has(node.nodeName)) { node.remove(); continue; }
    for (const name of node.getAttributeNames()) if (name.startsWith("on") || name.includes("href")) node.removeAttribute(name);
  }
  return document.importNode(parsed, true);
}

export function svg(tag, props = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(props)) {
    if (key.startsWith("on")) listen(element, key.slice(2), value);
    else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

export function select(options, value, onchange, props = {}) {
  return h("select", { ...props, onchange: (event) => onchange(event.target.value) },
    options.map(([key, text]) => h("option", { value: key, selected: String(key) === String(value) }, text)));
}

// Texts of which any will do, and of which all hold, as people say them.
export const either = (texts) => [texts.slice(0, -1).join(", "), texts.at(-1)].filter(Boolean).join(" or ");
export const all = (texts) => [texts.slice(0, -1).join(", "), texts.at(-1)].filter(Boolean).join(" and ");

export function later(wait, work) {
  let timer = 0;
  return (...args) => { clearTimeout(timer); timer = setTimeout(() => work(...args), wait); };
}
