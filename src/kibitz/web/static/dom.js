// Elements made from data. Texts are always text: nothing here reads markup from data, except
// pictures that the server drew, which are parsed as SVG and stripped of all but shapes.

export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
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
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

export function select(options, value, onchange, props = {}) {
  return h("select", { ...props, onchange: (event) => onchange(event.target.value) },
    options.map(([key, text]) => h("option", { value: key, selected: String(key) === String(value) }, text)));
}

export function later(wait, work) {
  let timer = 0;
  return (...args) => { clearTimeout(timer); timer = setTimeout(() => work(...args), wait); };
}
