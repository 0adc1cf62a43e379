// Requests to the API with the key of this tab or device, or the token of the person who signed in.
import { item, prefix, stored } from './registry.js';
import { session, token } from './signin.js';

const KEY = item(stored('agent-health-key'));

/** A refused request, with its problem document (RFC 9457). */
export class ApiError extends Error {
  constructor(status, problem) {
    super(problem.detail || problem.title || problem.message || `The API answered ${status}.`);
    this.status = status;
    this.code = problem.error || '';
    this.errors = problem.errors || [];
  }
}

export const key = {
  get: KEY.get,
  set: KEY.set,
  clear: () => { KEY.clear(); session.clear(); kept.clear(); },
};

/** Who uses the page: a key, or a session whatever its token; empty without either. */
export const holder = () => key.get() || session.get()?.id || '';

/** The header that says who asks. */
export const credential = async () => key.get() ? { 'X-API-Key': key.get() } : { Authorization: `Bearer ${await token()}` };

// Answers with an entity tag, so that an unchanged one is not sent again.
const kept = new Map();
const MAX_KEPT = 50;
const TIMEOUT_MILLIS = 30_000;

let refused = () => {};

/** Says what is done when the key or session is not valid any more. */
export const onRefused = action => { refused = action; };

async function call(method, path, body, headers = {}, timeoutMillis = TIMEOUT_MILLIS) {
  const sent = holder();
  const who = await credential();
  let response;
  try {
    response = await fetch(prefix + path, {
      method,
      headers: { ...who, ...(body ? { 'Content-Type': 'application/json' } : {}), ...headers },
      body: !body || typeof body === 'string' ? body || undefined : JSON.stringify(body),
      cache: 'no-store',
      signal: AbortSignal.timeout(timeoutMillis),
    });
  } catch (e) {
    throw new ApiError(0, { detail: 'The registry cannot be reached.' });
  }
  if (response.status === 304) return { unchanged: true };
  const text = await response.text();
  let json = {};
  try {
    json = text ? JSON.parse(text) : {};
  } catch (e) {
    throw new ApiError(response.status, { detail: `The answer is no JSON (status ${response.status}).` });
  }
  // The answer to a key or session that was replaced meanwhile says nothing about the new one.
  if (response.status === 401 && sent === holder()) refused();
  if (!response.ok) throw new ApiError(response.status, json);
  return { json, tag: response.headers.get('ETag') };
}

/** The answer to a GET. */
export async function get(path) {
  const known = kept.get(path);
  const answer = await call('GET', path, null, known ? { 'If-None-Match': known.tag } : {});
  if (answer.unchanged) return known.json;
  if (answer.tag) {
    if (kept.size >= MAX_KEPT) kept.delete(kept.keys().next().value);
    kept.set(path, answer);
  }
  return answer.json;
}

/** The answer to a request that changes something. */
export const send = async (...request) => (await call(...request)).json;

/** An answer, or null where there is nothing of the kind or the key may not see it. */
export async function optional(promise) {
  try {
    return await promise;
  } catch (e) {
    if (e.status === 403 || e.status === 404) return null;
    throw e;
  }
}

/** The items of all pages. */
export async function all(path, field) {
  const found = [];
  await eachPage(path, field, page => { found.push(...page); });
  return found;
}

/** Reads pages one after another; `seen` gets the items of each, and stops the reading by returning false. */
export async function eachPage(path, field, seen) {
  let token = '';
  do {
    const page = await get(path + (token ? `${path.includes('?') ? '&' : '?'}next_token=${encodeURIComponent(token)}` : ''));
    token = page.next_token || '';
    if (seen(page[field] || [], page) === false) return;
  } while (token);
}

/** A query string of the parameters that have a value. */
export function query(parameters) {
  const given = Object.entries(parameters).filter(([, value]) => value);
  return given.length ? '?' + new URLSearchParams(given) : '';
}
