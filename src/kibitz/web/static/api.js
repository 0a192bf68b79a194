// Questions to the server. Every error is an ApiError with a message fit for a person.

import { answer, isCopy } from "./copy.js";
import { h } from "./dom.js";

export { isCopy };

export class ApiError extends Error {
  constructor(status, error) {
    super(error.message);
    Object.assign(this, { status, code: error.code, hint: error.hint, line: error.line, column: error.column });
  }
  get whole() { return `${this.message}${this.hint ? ` (${this.hint})` : ""}`; }
}

async function ask(method, path, body, wait) {
  if (isCopy) {
    const found = answer(method, path, body);
    if (found.error && !found.status) throw new ApiError(0, found.error);
    return found;
  }
  return (await request(method, path, body, wait)).json();
}
async function request(method, path, body, wait) {
  const sent = body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const signal = wait ? AbortSignal.timeout(wait) : null;
  const response = await fetch(path, { method, keepalive: method === "DELETE", signal, ...sent }) // that one also when the page is being left
    .catch(() => { throw new ApiError(0, { code: "network", message: "Kibitz does not answer", hint: "is it still running?" }); });
  if (response.ok) return response;
  const { error } = await response.json().catch(() => ({}));
  throw new ApiError(response.status, error ?? { code: "internal", message: `status ${response.status}` });
}

const query = (params) => {
  const set = Object.entries(params).filter(([, value]) => value !== undefined && value !== false && value !== "");
  return set.length ? `?${new URLSearchParams(set)}` : "";
};

// Fetch a file, and have the browser save it.
export async function save(path, body) {
  const response = await request(body === undefined ? "GET" : "POST", path, body);
  download(await response.blob(), /filename="([^"]+)"/.exec(response.headers.get("content-disposition"))?.[1] ?? "kibitz");
}
export function download(blob, name) {
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

export const get = (path, params = {}) => ask("GET", path + query(params));
export const post = (path, body, wait) => ask("POST", path, body, wait); // `wait` in ms, or for ever
export const remove = (path) => ask("DELETE", path);
export const of = (game, rest = "") => `/api/games/${encodeURIComponent(game)}${rest}`;

// Show a job on a separate line, with a button that stays the same while the text changes.
export function showJob(line, job, app) {
  const text = h("span");
  line.replaceChildren(text, h("button", { class: "small", onclick: () => app.try(() => remove(`/api/jobs/${encodeURIComponent(job.id)}`)) }, "Cancel"));
  line.hidden = false;
  return (message) => { text.textContent = message; };
}

// Follow a job to its end; `report` gets every change. Returns the result, or throws.
export function follow(job, report = () => {}) {
  return new Promise((resolve, reject) => {
    const finish = (view) => {
      report(view);
      if (view.status === "done") resolve(view.result);
      else if (view.status === "cancelled") reject(new ApiError(0, { code: "cancelled", message: "cancelled", hint: "" }));
      else if (view.status === "failed") reject(new ApiError(0, { code: "failed", message: view.error, hint: view.hint }));
      else return false;
      return true;
    };
    if (finish(job)) return;
    const source = new EventSource(`/api/jobs/${encodeURIComponent(job.id)}/events`);
    source.onmessage = (event) => { if (finish(JSON.parse(event.data))) source.close(); };
    source.onerror = async () => {
      source.close();
      try { if (!finish(await get(`/api/jobs/${encodeURIComponent(job.id)}`))) reject(new ApiError(0, { code: "network", message: "lost sight of the job" })); }
      catch (error) { reject(error); }
    };
  });
}
