// What must hold of everything that can be seen: names, labels, and colours that can be read.
() => {
  const found = [];
  const see = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const rgb = (text) => (text.match(/[\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
  const light = (colour) => colour.slice(0, 3).map((v) => v / 255)
    .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = (one) => {
    for (let at = one; at; at = at.parentElement) {
      const colour = rgb(getComputedStyle(at).backgroundColor);
      if (colour.length < 4 || colour[3] > 0.5) return colour;
    }
    return [255, 255, 255];
  };
  for (const one of document.querySelectorAll("body *")) {
    if (!see(one) || one.closest("svg") || one.closest(":disabled, option, datalist")) continue;
    const own = [...one.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    if (own) {
      const [a, b] = [light(rgb(getComputedStyle(one).color)), light(ground(one))].sort((x, y) => x - y);
      if ((b + 0.05) / (a + 0.05) < 4.5) found.push(`contrast ${one.textContent.trim().slice(0, 40)}`);
    }
  }
  const named = "button, a[href], input, select, textarea, summary, [role=button], [tabindex='0']";
  for (const one of document.querySelectorAll(named)) {
    if (!see(one)) continue;
    const name = one.getAttribute("aria-label") || one.textContent.trim() || one.labels?.[0]?.textContent;
    if (!name) found.push(`no name ${one.outerHTML.slice(0, 80)}`);
    if (one.closest("[aria-hidden=true]")) found.push(`hidden but used ${one.outerHTML.slice(0, 80)}`);
    if (one.parentElement.closest("button, a[href], [role=button]")) found.push(`nested ${one.outerHTML.slice(0, 80)}`);
  }
  const ids = [...document.querySelectorAll("[id]")].map((one) => one.id);
  found.push(...ids.filter((id, i) => ids.indexOf(id) !== i).map((id) => `twice ${id}`));
  for (const one of document.querySelectorAll("ul > *, ol > *")) {
    if (one.nodeName !== "LI") found.push(`in a list: ${one.nodeName}`);
  }
  for (const one of document.querySelectorAll("[role=group], [role=img], section")) {
    if (see(one) && !one.getAttribute("aria-label") && one.hasAttribute("role") && !one.querySelector("title")) found.push(`no label ${one.outerHTML.slice(0, 80)}`);
  }
  if (document.querySelectorAll("h1").length !== 1) found.push("h1");
  if (document.documentElement.scrollWidth > innerWidth) found.push("sticks out");
  return found;
}
