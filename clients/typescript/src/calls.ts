// Requests with a key or a token, retries and typed errors.
import { AgentHealthError, errorOf, Forbidden, Json, parsedObject, ProblemError, RegistryUnavailable, Unauthenticated, UnexpectedAnswer } from "./errors.js";
import { Runtime, describe, sleep } from "./runtime.js";

/** A token of an identity provider that is replaced from time to time, such as `TokenFile` of `@agent-health/client/node`. */
export interface TokenSource {
  /** The token to send. */
  token(): string | Promise<string>;
  /** The token that is valid now that the registry has refused the one before. */
  readAgain(): string | Promise<string>;
}

/** An API key, a function that returns the current one, for keys that are rotated, or a token. */
export type Key = string | (() => string | Promise<string>) | TokenSource;

/** Sends a request as the global `fetch` does. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/**
 * How often a request is sent, and how long the pauses are: a random part of a limit that doubles. A longer `Retry-After` wins over the pause;
 * one beyond `maxWaitSeconds` ends the retries.
 */
export interface RetryPolicy {
  readonly attempts: number;
  readonly maxPauseSeconds: number;
  readonly maxWaitSeconds: number;
}

/** A text that every heartbeat may carry: one that JSON cannot is no reason to look dead. */
export function plainText(value: unknown): string {
  return String(value).replace(/[\ud800-\udfff]/gu, "?");
}

export const RETRIES: RetryPolicy = { attempts: 4, maxPauseSeconds: 5, maxWaitSeconds: 30 };
export const ONCE: RetryPolicy = { ...RETRIES, attempts: 1 };

export interface CallOptions {
  readonly retries?: RetryPolicy;
  readonly timeoutSeconds?: number;
  readonly signal?: AbortSignal;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

const BASE_PAUSE_SECONDS = 0.25;
const MAX_BODY_BYTES = 8 * 1024 * 1024;
const NEVER_SENT = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ConnectionRefused|Connection refused/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** A random time below a limit that doubles with every failure. */
export function fullJitter(failures: number, base: number, limit: number, runtime: Runtime): number {
  return runtime.random() * Math.min(limit, base * 2 ** Math.min(failures - 1, 20));
}

/** Whether the same request may succeed later without a change. */
export function isPassing(error: AgentHealthError): boolean {
  if (error instanceof ProblemError) return error.status === 429 || error.status === 503 || error.code === "internal_error";
  return error instanceof RegistryUnavailable;
}

/** Whether the registry refuses the key, or what the key may do. An administrator can change that at any time. */
export function isRefused(error: AgentHealthError): boolean {
  return error instanceof Unauthenticated || error instanceof Forbidden;
}

export function retryAfterOf(error: AgentHealthError): number | undefined {
  return error instanceof ProblemError || error instanceof RegistryUnavailable ? error.retryAfterSeconds : undefined;
}

/** The path with each `{}` replaced by an id. */
export function path(template: string, ...ids: string[]): string {
  return template.replace(/\{\}/g, () => encodeURIComponent(ids.shift() ?? ""));
}

/** The moment in a text of the registry, in milliseconds since 1970; undefined where there is none. */
export function parsedTime(text: unknown): number | undefined {
  const moment = typeof text === "string" && TIME.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(moment) ? undefined : moment;
}

/** @throws TypeError where it is no URL of a registry */
function checkedUrl(url: string): string {
  let parts: URL;
  try {
    parts = new URL(url);
  } catch {
    throw new TypeError("the URL must begin with http:// or https:// and a host");
  }
  if (!["http:", "https:"].includes(parts.protocol) || !parts.hostname) throw new TypeError("the URL must begin with http:// or https:// and a host");
  if (parts.username || parts.password || /[?#]/.test(url)) throw new TypeError("the URL must have no credentials, query or fragment");
  return url.replace(/\/+$/, "");
}

/**
 * An address that the registry names in an answer; undefined where it is no absolute http or https URL, or must not get the key. The key never
 * leaves an encrypted connection, and goes to another host only if the registry named that host over TLS.
 */
export function usableAddress(registry: string, named: unknown): string | undefined {
  if (typeof named !== "string" || !URL.canParse(named)) return undefined;
  const [own, parts] = [new URL(registry), new URL(named)];
  if (!["http:", "https:"].includes(parts.protocol) || parts.username || parts.password) return undefined;
  const allowed = own.protocol === "https:" ? parts.protocol === "https:" : parts.hostname === own.hostname;
  return allowed ? parts.href : undefined;
}

/** @throws TypeError where no header can carry it */
export function checkedKey(key: unknown): string {
  if (typeof key !== "string" || !/^[\x21-\x7e]+$/.test(key)) {
    throw new TypeError("the key must be visible ASCII characters without spaces, as it was issued");
  }
  return key;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** One request with a time-out, also for its body, of which no more than a number of bytes is read. Redirects are not followed. */
export async function exchange(
  fetch: Fetch, url: string, init: RequestInit, seconds: number, maxBytes: number, signal?: AbortSignal,
): Promise<Answer> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const stop = () => controller.abort(signal?.reason);
  const timer = setTimeout(() => controller.abort(new DOMException(`no answer within ${seconds} s`, "TimeoutError")), seconds * 1000);
  signal?.addEventListener("abort", stop, { once: true });
  // A fetch of the caller's own may not follow the signal.
  const ended = new Promise<never>((_, reject) => controller.signal.addEventListener("abort", () => reject(controller.signal.reason)));
  const answered = async () => {
    const response = await fetch(url, { ...init, redirect: "manual", signal: controller.signal });
    return { status: response.status, headers: response.headers, body: await limited(response, maxBytes) };
  };
  try {
    return await Promise.race([ended, answered()]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}

async function limited(response: Response, maxBytes: number): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return "";
  const decoder = new TextDecoder();
  let [text, bytes] = ["", 0];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      void reader.cancel().catch(() => {});
      throw new RangeError(`the answer is larger than ${maxBytes} bytes`);
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** Sends requests to one registry with one key. */
export class Calls {
  readonly url: string;
  // Private to the engine, so that no log of the object shows it.
  readonly #key: Key;

  constructor(url: string, key: Key, readonly runtime: Runtime, readonly fetch: Fetch, readonly timeoutSeconds: number) {
    this.url = checkedUrl(url);
    this.#key = key;
    if (!isTokenSource(key) && typeof key !== "function") checkedKey(key);
  }

  /** The JSON object in the answer; empty for an answer without a body. `where` is a path below the URL, or a whole URL. */
  async json(method: string, where: string, body?: unknown, options: CallOptions = {}): Promise<Json> {
    const retries = options.retries ?? RETRIES;
    const query = parameters(options.query ?? {});
    const url = (where.includes("://") ? where : this.url + where) + (query ? `?${query}` : "");
    const data = body === undefined ? undefined : JSON.stringify(body);
    for (let failures = 1; ; failures++) {
      try {
        return this.#document(await this.#authenticated(method, url, data, options));
      } catch (error) {
        if (!(error instanceof AgentHealthError) || !isPassing(error) || failures >= retries.attempts) throw error;
        const retryAfter = retryAfterOf(error) ?? 0;
        if (retryAfter > retries.maxWaitSeconds) throw error;
        // Clients that were refused together must not come back together.
        const pause = fullJitter(failures, BASE_PAUSE_SECONDS, retries.maxPauseSeconds, this.runtime);
        await sleep(this.runtime, pause + retryAfter, options.signal);
      }
    }
  }

  #document(answer: Answer): Json {
    if (!answer.body) return {};
    const document = parsedObject(answer.body);
    if (!document) throw new UnexpectedAnswer(answer.status, `the answer is no JSON object: is ${this.url} the URL of the registry?`);
    return document;
  }

  async #authenticated(method: string, url: string, data: string | undefined, options: CallOptions): Promise<Answer> {
    const key = await this.#currentKey();
    try {
      return await this.#once(method, url, key, data, options);
    } catch (refusal) {
      if (!(refusal instanceof Unauthenticated)) throw refusal;
      // The key or token may have been replaced while the request was under way.
      const other = await this.#keyAfter(refusal);
      if (other === key) throw refusal;
      return this.#once(method, url, other, data, options);
    }
  }

  async #keyAfter(refusal: Unauthenticated): Promise<string> {
    if (!isTokenSource(this.#key)) return this.#currentKey();
    try {
      return checkedKey(await this.#key.readAgain());
    } catch {
      throw refusal;
    }
  }

  async #currentKey(): Promise<string> {
    if (typeof this.#key === "string") return this.#key;
    try {
      // Anew for every request, so that a rotated key needs no restart.
      const key = isTokenSource(this.#key) ? this.#key.token() : this.#key();
      return checkedKey(typeof key === "string" ? key : await this.#inTime(key));
    } catch (error) {
      throw new AgentHealthError(`what gives the key failed: ${describe(error)}`);
    }
  }

  /** What gives the key must not hold up heartbeats for ever. */
  #inTime(key: Promise<string>): Promise<string> {
    return new Promise((resolve, reject) => {
      const cancel = this.runtime.after(this.timeoutSeconds, () => reject(new Error(`no key within ${this.timeoutSeconds} s`)), true);
      Promise.resolve(key).then(resolve, reject).finally(cancel);
    });
  }

  async #once(method: string, url: string, key: string, body: string | undefined, options: CallOptions): Promise<Answer> {
    const headers: Record<string, string> = { accept: "application/json", "user-agent": "agent-health-typescript", ...options.headers };
    if (isTokenSource(this.#key)) headers.authorization = `Bearer ${key}`;
    else headers["x-api-key"] = key;
    if (body !== undefined) headers["content-type"] = "application/json";
    let answer: Answer;
    try {
      answer = await exchange(this.fetch, url, { method, headers, body }, options.timeoutSeconds ?? this.timeoutSeconds, MAX_BODY_BYTES, options.signal);
    } catch (error) {
      if (options.signal?.aborted) throw error;
      const reason = reasonOf(error);
      throw new RegistryUnavailable(`${method} ${url}: ${reason}`, undefined, !NEVER_SENT.test(reason));
    }
    if (answer.status >= 200 && answer.status < 300) return answer;
    throw errorOf(answer.status, answer.body, retryAfter(answer.headers));
  }
}

function isTokenSource(key: Key): key is TokenSource {
  return typeof key === "object" && key !== null && typeof key.token === "function";
}

/** What `fetch` says of a failure: Node has it in the cause, Bun in the error, Deno in the text. */
function reasonOf(error: unknown): string {
  const { cause, code, message, name } = error as { cause?: { code?: string; message?: string }; code?: unknown; message?: string; name?: string };
  return cause?.code ?? (typeof code === "string" ? code : undefined) ?? (cause?.message || message || name || String(error));
}

/** The seconds in `Retry-After`; the difference to the answer's own date is right on every clock. */
export function retryAfter(headers: Headers): number | undefined {
  const value = (headers.get("retry-after") ?? "").trim();
  if (/^\d+$/.test(value)) return Number(value);
  const seconds = (Date.parse(value) - Date.parse(headers.get("date") ?? "")) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

function parameters(query: Readonly<Record<string, unknown>>): string {
  const found = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    const text = Array.isArray(value) ? value.join(",") : value === undefined || value === null ? "" : String(value);
    if (text) found.set(name, text);
  }
  return found.toString();
}
