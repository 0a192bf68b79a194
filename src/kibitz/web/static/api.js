// Questions to the server. Every error is an ApiError with a message fit for a person.

import { answer, isCopy } from "./copy.js";

export { isCopy };

export class ApiError extends Error {
  constructor(status, error) {
    super(error.message);
    Object.assign(this, { status, code: error.code, hint: error.hint, line: error.line, column: error.column });
  }
}

async function ask(method, path, body) {
  if (isCopy) {
    const found = answer(method, path, body);
    if (found.error && !found.status) throw new ApiError(0, found.error);
    return found;
  }
  let response;
  try {
    response = await fetch(path, {
      method,
      keepalive: method === "DELETE", // also when the page is being left
      headers: body === undefined ? {} : { "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new ApiError(0, { code: "network", message: "Kibitz does not answer", hint: "is it still running?" });
  }
  const found = await response.json().catch(() => ({ error: { code: "internal", message: `status ${response.status}` } }));
  if (!response.ok) throw new ApiError(response.status, found.error ?? { code: "internal", message: "no answer" });
  return found;
}

const query = (params) => {
  const set = Object.entries(params).filter(([, value]) => value !== undefined && value !== false && value !== "");
  return set.length ? `?${new URLSearchParams(set)}` : "";
};

// Fetch a file, and have the browser save it.
export async function save(path, body) {
  const response = await fetch(path, body === undefined ? {} : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  if (!response.ok) {
    const found = await response.json().catch(() => ({}));
    throw new ApiError(response.status, found.error ?? { code: "internal", message: `status ${response.status}` });
  }
  const name = /filename="([^"]+)"/.exec(response.headers.get("content-disposition"))?.[1] ?? "kibitz";
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await response.blob());
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

export const get = (path, params = {}) => ask("GET", path + query(params));
export const post = (path, body) => ask("POST", path, body);
export const remove = (path) => ask("DELETE", path);
export const of = (game, rest = "") => `/api/games/${encodeURIComponent(game)}${rest}`;

// Show a job on a separate line, with a button that stays the same while the text changes.
export function showJob(line, job, app) {
  const text = document.createElement("span");
  const cancel = document.createElement("button");
  cancel.className = "small";
  cancel.textContent = "Cancel";
  cancel.addEventListener("click", () => app.try(() => remove(`/api/jobs/${encodeURIComponent(job.id)}`)));
  line.replaceChildren(text, cancel);
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
