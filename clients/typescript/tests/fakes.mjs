// A clock that the tests move, and a registry that answers as they say.
import { Agent } from "../dist/esm/index.js";

export const URL = "http://registry.test";
export const KEY = "ahk_test";
export const START = Date.parse("2026-02-08T12:00:00Z");
export const QUIET = { info() {}, warn() {}, error() {} };

/** Lets everything go on that waits for no timer. */
export const settle = async () => {
  for (let turn = 0; turn < 12; turn++) await new Promise((resolve) => setImmediate(resolve));
};

export class FakeRuntime {
  time = 1000;
  clockError = 0;
  timers = new Set();
  seed = 1;

  monotonic() {
    return this.time;
  }

  now() {
    return START + (this.time - 1000 + this.clockError) * 1000;
  }

  random() {
    this.seed = (this.seed * 16807) % 2147483647;
    return this.seed / 2147483647;
  }

  after(seconds, work) {
    const timer = { due: this.time + Math.max(0, seconds), work };
    this.timers.add(timer);
    return () => this.timers.delete(timer);
  }

  /** Lets time pass, and does what is due in its order. */
  async advance(seconds) {
    const until = this.time + seconds;
    for (;;) {
      await settle();
      const [next] = [...this.timers].filter((timer) => timer.due <= until).sort((a, b) => a.due - b.due);
      if (!next) break;
      this.timers.delete(next);
      this.time = Math.max(this.time, next.due);
      next.work();
    }
    this.time = until;
  }

  /** The result of something that waits for timers. */
  async through(promise, seconds = 120) {
    let done = false;
    const finished = () => (done = true);
    promise.then(finished, finished);
    for (let left = seconds; !done && left > 0; left--) {
      await settle();
      if (!done) await this.advance(1);
    }
    return promise;
  }
}

export const response = (status, document, headers = {}) =>
  new Response(document === undefined || [204, 304].includes(status) ? null : JSON.stringify(document), { status, headers });

export const problem = (status, error, { retryAfter, ...members } = {}) =>
  response(status, { title: "T", status, detail: "d", error, ...members }, retryAfter === undefined ? {} : { "retry-after": String(retryAfter) });

/** Answers registrations and heartbeats as the registry does; `answers` come first, `rules` by method and path before the usual. */
export class FakeRegistry {
  requests = [];
  answers = [];
  rules = {};
  down = false;
  incarnation = 0;
  record = { heartbeat_config: { interval_seconds: 30 } };
  acknowledgement = {};

  constructor(runtime, url = URL) {
    this.runtime = runtime;
    this.fetch = async (requested, init) => {
      const bare = requested.split("?")[0];
      const route = `${init.method} ${bare.startsWith(`${url}/`) ? bare.slice(url.length) : bare}`;
      const body = init.body ? JSON.parse(init.body) : undefined;
      this.requests.push({ route, body, url: requested, init });
      if (this.down) throw new TypeError("fetch failed", { cause: { code: "ECONNREFUSED" } });
      const answer = this.answers.length > 0 ? this.answers.shift() : this.answer(route, body);
      const given = typeof answer === "function" ? answer(body) : answer;
      if (given instanceof Error) throw given;
      return given;
    };
  }

  text() {
    return new Date(START + (this.runtime.time - 1000) * 1000).toISOString();
  }

  answer(route, body) {
    for (const [start, rule] of Object.entries(this.rules)) {
      if (route.startsWith(start)) return typeof rule === "function" ? rule(body) : rule.clone();
    }
    if (route === "POST /api/v1/agents") return response(201, { incarnation: ++this.incarnation, last_heartbeat_at: this.text(), ...this.record });
    if (route.endsWith("/heartbeat")) {
      const outcomes = body.outcomes ? { outcomes: { status_code: 202 } } : {};
      return response(200, { server_timestamp: this.text(), agent_status: body.status, ...outcomes, ...this.acknowledgement });
    }
    if (route.endsWith("/outcomes")) return response(202, { accepted: body.outcomes.length });
    if (route.startsWith("DELETE")) return response(204);
    if (/\/leases(\/|$)/.test(route)) {
      const until = new Date(Date.parse(this.text()) + body.duration_seconds * 1000).toISOString();
      return response(200, { id: "lease_1", fencing_token: 7, expires_at: until, status: "active" });
    }
    throw new Error(`no answer to ${route}`);
  }

  routes() {
    return this.requests.map(({ route }) => route);
  }

  bodies(end) {
    return this.requests.filter(({ route }) => route.endsWith(end)).map(({ body }) => body);
  }

  heartbeats() {
    return this.bodies("/heartbeat");
  }

  registrations() {
    return this.requests.filter(({ route }) => route === "POST /api/v1/agents").map(({ body }) => body);
  }
}

/** An agent with a fake registry and a fake clock, and what its callbacks saw. */
export function fixture({ key = KEY, url = URL, ...options } = {}) {
  const runtime = new FakeRuntime();
  const registry = new FakeRegistry(runtime, url);
  const seen = { drains: [], deaths: [], superseded: 0, errors: [], refusals: [] };
  const agent = new Agent(url, key, "agent_a", {
    runtime,
    fetch: registry.fetch,
    logger: QUIET,
    closeOnExit: false,
    onDrain: (drain) => void seen.drains.push(drain),
    onDead: (error) => void seen.deaths.push(error),
    onSuperseded: () => void seen.superseded++,
    onError: (error) => void seen.errors.push(error),
    onRefused: (error) => void seen.refusals.push(error),
    ...options,
  });
  return { runtime, registry, agent, seen };
}

/** A started agent that has sent its first heartbeat. */
export async function started(options) {
  const found = fixture(options);
  await found.runtime.through(found.agent.start());
  await found.runtime.advance(0);
  return found;
}
