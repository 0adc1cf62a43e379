// Decides whether to call an agent by the health document that it serves itself (Agent Health State, Appendix A).
import { Answer, exchange, Fetch, retryAfter } from "./calls.js";
import { Json, parsedObject } from "./errors.js";

export type HealthStatus = "healthy" | "degraded" | "unhealthy" | "unknown";

/** Statements of a health document that a caller should know (Agent Health State §4.3 to §4.5). */
export type Reason =
  | "degraded" | "no_longer_healthy" | "low_response_ratio" | "low_confidence" | "declining" | "declining_after_model_change" | "possible_crash_loop";

/** The content of a health document. Only the status is always there: what has a wrong type or is out of range counts as left out. */
export interface HealthState {
  readonly status: HealthStatus;
  readonly agentId: string;
  readonly timestamp?: Date;
  readonly lastHealthyAt?: Date;
  readonly uptimeSeconds?: number;
  readonly responseRatio?: number;
  readonly errorRatio?: number;
  readonly latencyP50Ms?: number;
  readonly latencyP99Ms?: number;
  readonly measurementWindowSeconds?: number;
  readonly sampleCount?: number;
  readonly trend?: "stable" | "declining" | "improving";
  readonly daysSinceModelChange?: number;
  readonly lastCapabilityUpdate?: Date;
}

/**
 * - `proceed`: call the agent; it is operational by its own report, which is no proof of trust.
 * - `proceed_with_caution`: call it with the suggested time-outs and another agent in reserve; there is at least one reason.
 * - `avoid`: do not call it until `until`; use another one.
 * - `default`: nothing is known of its health. Call it as usual and watch for errors.
 */
export interface Decision {
  readonly action: "proceed" | "proceed_with_caution" | "avoid" | "default";
  /** `unknown` where no valid document could be read. */
  readonly status: HealthStatus;
  /** False only for `avoid`. */
  readonly mayCall: boolean;
  readonly document?: HealthState;
  readonly reasons: readonly Reason[];
  /** One sentence for logs. */
  readonly explanation: string;
  /** Of `avoid`: when the document is read again. */
  readonly until?: Date;
  /** Of `proceed_with_caution`, as the next one. */
  readonly connectTimeoutMs?: number;
  /** 1,000 to 30,000: the 99th percentile of the agent's latency, or 10,000 where that is not known. */
  readonly requestTimeoutMs?: number;
}

export interface HealthGateOptions {
  /** The time that a decision may take, redirects included: 3 by default. */
  readonly timeoutSeconds?: number;
  /** The documents that are remembered, the least recently used is forgotten: 1,000 by default. */
  readonly maxDocuments?: number;
  /** Below it, also an agent that calls itself healthy is called with caution: 0.95 by default. */
  readonly minResponseRatio?: number;
  readonly fetch?: Fetch;
  /** The clock, in milliseconds since 1970. */
  readonly now?: () => number;
}

const PATH = "/.well-known/agent-health";
const MAX_URL = 2_048;
const MAX_BYTES = 65_536;
const MAX_REDIRECTS = 3;
const MIN_INTERVAL_SECONDS = 300;
const MAX_INTERVAL_SECONDS = 3_600;
const TAG = /^(W\/)?"[\x21\x23-\x7e]{0,200}"$/;
const KNOWN_VERSION = /^0\.1\.[0-9]{1,9}([-+][0-9A-Za-z.+-]{1,64})?$/;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;
const STATUSES: readonly string[] = ["healthy", "degraded", "unhealthy", "unknown"];
const TRENDS: readonly string[] = ["stable", "declining", "improving"];
const MIN_SAMPLES = 10;
const RECENT_START_SECONDS = 600;
const RECENT_CHANGE_DAYS = 7;

/** The result of the last request for a document. `tag` is there where the document may be kept to ask for changes only. */
interface Poll {
  readonly decision: Decision;
  readonly at: number;
  readonly until: number;
  readonly lifetime: number;
  readonly tag?: string;
}

/**
 * One gate serves a whole process. A document is requested at most every 5 minutes, and less often where its caching headers say so, up to an
 * hour; calls at the same time share one request. A URL that was not checked before can be that of a service inside of the caller's network: the
 * gate sends it a GET request without credentials, and shows nothing of the answer but a valid health document.
 */
export class HealthGate {
  readonly #options: Required<HealthGateOptions>;
  readonly #polls = new Map<string, { last?: Poll; pending?: Promise<Poll> }>();

  /** @throws RangeError where an option is out of range */
  constructor(options: HealthGateOptions = {}) {
    const all = { timeoutSeconds: 3, maxDocuments: 1_000, minResponseRatio: 0.95, fetch: globalThis.fetch as Fetch, now: Date.now, ...options };
    if (!(all.timeoutSeconds > 0 && all.maxDocuments >= 1 && all.minResponseRatio >= 0 && all.minResponseRatio <= 1)) {
      throw new RangeError("the time-out is above 0, one document at least is remembered, and the ratio is within 0 and 1");
    }
    this.#options = all;
  }

  /** Decides whether to call an agent now, by any URL of the agent or that of the document. Never rejects. */
  async decide(url: string): Promise<Decision> {
    const document = documentUrl(url);
    if (!document) return unknown("the URL is not usable");
    const known = this.#polls.get(document) ?? {};
    this.#polls.delete(document);
    this.#polls.set(document, known);
    if (this.#polls.size > this.#options.maxDocuments) this.#polls.delete(this.#polls.keys().next().value!);
    const now = this.#options.now();
    if (known.last && now >= known.last.at && now < known.last.until) return known.last.decision;
    known.pending ??= this.#poll(document, known.last, now).then((poll) => {
      known.pending = undefined;
      return (known.last = poll);
    });
    return (await known.pending).decision;
  }

  async #poll(url: string, before: Poll | undefined, at: number): Promise<Poll> {
    let answer: Answer;
    try {
      answer = await this.#request(url, before?.tag);
    } catch (error) {
      // The kind of the failure only: messages may have text of the server.
      const name = (error as Error).name;
      return failed(name === "TimeoutError" ? "no answer in time" : name, 0, at);
    }
    const { lifetime, storable } = freshness(answer.headers);
    if (answer.status === 304) {
      if (!before?.tag || !before.decision.document) return failed("status 304 without a document", 0, at);
      return this.#decided(before.decision.document, lifetime ?? before.lifetime, storable ? before.tag : undefined, before, at);
    }
    if (answer.status !== 200) return failed(`status ${answer.status}`, retryAfter(answer.headers) ?? 0, at);
    if ((answer.headers.get("content-type") ?? "").split(";")[0]!.trim().toLowerCase() !== "application/json") return failed("the answer is no JSON", 0, at);
    const health = healthState(answer.body);
    if (!health) return failed("the document is not valid", 0, at);
    const tag = answer.headers.get("etag") ?? "";
    return this.#decided(health, lifetime ?? 0, storable && TAG.test(tag) ? tag : undefined, before, at);
  }

  async #request(from: string, tag: string | undefined): Promise<Answer> {
    const headers: Record<string, string> = { accept: "application/json", "user-agent": "agent-health-typescript" };
    if (tag) headers["if-none-match"] = tag;
    const end = performance.now() / 1000 + this.#options.timeoutSeconds;
    let url = from;
    for (let redirects = 0; ; redirects++) {
      const left = Math.max(0.001, end - performance.now() / 1000);
      const answer = await exchange(this.#options.fetch, url, { headers }, left, MAX_BYTES);
      const location = answer.headers.get("location");
      if (![301, 302, 303, 307, 308].includes(answer.status) || !location) return answer;
      const to = redirects < MAX_REDIRECTS ? redirected(url, location) : undefined;
      if (!to) return answer;
      url = to;
    }
  }

  #decided(health: HealthState, lifetime: number, tag: string | undefined, before: Poll | undefined, at: number): Poll {
    const until = at + interval(lifetime) * 1000;
    return { decision: this.#rule(health, before?.decision.status, new Date(until)), at, until, lifetime, tag };
  }

  #rule(health: HealthState, before: HealthStatus | undefined, until: Date): Decision {
    const reasons = this.#reasons(health, before);
    const also = reasons.length > 0 ? ` (${reasons.join(", ")})` : "";
    const { status } = health;
    const known = { status, document: health, reasons, mayCall: status !== "unhealthy" };
    if (status === "unknown") return { ...known, action: "default", reasons: [], explanation: "health unknown: the agent does not know its health" };
    if (status === "unhealthy") {
      const since = health.lastHealthyAt ? `, last healthy at ${health.lastHealthyAt.toISOString()}` : "";
      return { ...known, action: "avoid", until, explanation: `unhealthy${since}: avoid until ${until.toISOString()}${also}` };
    }
    if (status === "healthy" && !reasons.includes("low_response_ratio")) {
      return { ...known, action: "proceed", explanation: `operational by its own report, which is no proof of trust${also}` };
    }
    const p99 = fewSamples(health) ? undefined : health.latencyP99Ms;
    const requestTimeoutMs = p99 === undefined ? 10_000 : Math.max(1_000, Math.min(30_000, Math.ceil(p99)));
    const explanation = `${reasons.join(", ")}; a time-out of ${requestTimeoutMs} ms is suggested`;
    return { ...known, action: "proceed_with_caution", connectTimeoutMs: 2_000, requestTimeoutMs, explanation };
  }

  #reasons(health: HealthState, before: HealthStatus | undefined): Reason[] {
    const { status, trend, uptimeSeconds = Infinity, responseRatio = 1, daysSinceModelChange = Infinity } = health;
    const modelChanged = daysSinceModelChange <= RECENT_CHANGE_DAYS;
    const held: [Reason, boolean][] = [
      ["degraded", status === "degraded"],
      ["no_longer_healthy", before === "healthy" && status !== "healthy"],
      ["low_response_ratio", !fewSamples(health) && responseRatio < this.#options.minResponseRatio],
      ["low_confidence", fewSamples(health)],
      ["declining", trend === "declining" && !modelChanged],
      ["declining_after_model_change", trend === "declining" && modelChanged],
      ["possible_crash_loop", status === "degraded" && uptimeSeconds < RECENT_START_SECONDS],
    ];
    return held.filter(([, holds]) => holds).map(([reason]) => reason);
  }
}

function unknown(cause: string): Decision {
  return { action: "default", status: "unknown", mayCall: true, reasons: [], explanation: `health unknown: ${cause}` };
}

function failed(cause: string, retryAfterSeconds: number, at: number): Poll {
  return { decision: unknown(cause), at, until: at + interval(retryAfterSeconds) * 1000, lifetime: 0 };
}

function interval(seconds: number): number {
  return Math.max(MIN_INTERVAL_SECONDS, Math.min(MAX_INTERVAL_SECONDS, seconds));
}

function fewSamples(health: HealthState): boolean {
  return health.sampleCount !== undefined && health.sampleCount < MIN_SAMPLES;
}

/** The URL of the document for any URL of the agent (RFC 8615 §3): the well-known path of the same origin, or the URL itself where it is one. */
function documentUrl(text: string): string | undefined {
  const url = parsedUrl(text.trim());
  if (!url || text.length > MAX_URL) return undefined;
  return url.pathname.endsWith(PATH) ? `${url.origin}${url.pathname}${url.search}` : url.origin + PATH;
}

/**
 * The target of a redirect; undefined unless it stays on the host and either at the port or goes to the port of https: an agent must not be able
 * to send its callers to services inside of their network.
 */
function redirected(from: string, location: string): string | undefined {
  const [at, to] = [new URL(from), parsedUrl(location, from)];
  const upgrade = to?.protocol === "https:" && to.port === "";
  return to && to.hostname === at.hostname && (to.origin === at.origin || upgrade) ? to.href : undefined;
}

function parsedUrl(text: string, base?: string): URL | undefined {
  try {
    const url = new URL(text, base);
    return ["http:", "https:"].includes(url.protocol) && !url.username && !url.password ? url : undefined;
  } catch {
    return undefined;
  }
}

/** How long an answer is fresh from now on, and whether it may be kept (RFC 9111). */
function freshness(headers: Headers): { lifetime?: number; storable: boolean } {
  const directives = (headers.get("cache-control") ?? "").toLowerCase().split(",").map((one) => one.trim());
  const storable = !directives.includes("no-store");
  if (!storable || directives.some((one) => one.startsWith("no-cache"))) return { lifetime: 0, storable };
  const ages = directives.filter((one) => one.startsWith("max-age=")).map((one) => seconds(one.slice(8).replace(/"/g, "")));
  const age = seconds(headers.get("age"));
  if (ages.length > 0) return { lifetime: Math.min(...ages) - age, storable };
  const expires = headers.get("expires");
  // By the server's own clock only, as this host's may be wrong.
  return expires === null ? { storable } : { lifetime: (between(headers, expires) ?? age) - age, storable };
}

/** The seconds from the date of an answer until a moment in its headers. */
function between(headers: Headers, until: string): number | undefined {
  const found = /[A-Za-z]/.test(until) ? (Date.parse(until) - Date.parse(headers.get("date") ?? "")) / 1000 : NaN;
  return Number.isNaN(found) ? undefined : found;
}

/** Zero for what is no number: a header that cannot be read makes nothing fresh. */
function seconds(value: string | null): number {
  return /^\d{1,10}$/.test(value?.trim() ?? "") ? Number(value) : 0;
}

/** The state in a document of an agent that may be faulty or hostile; undefined where it is no JSON, of an unknown version or without a status. */
function healthState(body: string): HealthState | undefined {
  const json = parsedObject(body);
  if (!json || !KNOWN_VERSION.test(text(json, "schema_version"))) return undefined;
  const [health, calibration, decay] = [section(json, "health"), section(json, "calibration"), section(json, "decay")];
  const [status, trend] = [text(health, "status"), text(decay, "calibration_trend")];
  if (!STATUSES.includes(status)) return undefined;
  const samples = number(calibration, "sample_count");
  return {
    status: status as HealthStatus,
    agentId: text(json, "agent_id"),
    timestamp: moment(json, "timestamp"),
    lastHealthyAt: moment(health, "last_healthy_at"),
    uptimeSeconds: number(health, "uptime_seconds"),
    responseRatio: number(calibration, "response_ratio", 1),
    errorRatio: number(calibration, "error_ratio", 1),
    latencyP50Ms: number(calibration, "latency_p50_ms"),
    latencyP99Ms: number(calibration, "latency_p99_ms"),
    measurementWindowSeconds: number(calibration, "measurement_window_seconds"),
    sampleCount: Number.isSafeInteger(samples) ? samples : undefined,
    trend: TRENDS.includes(trend) ? (trend as HealthState["trend"]) : undefined,
    daysSinceModelChange: number(decay, "days_since_model_change"),
    lastCapabilityUpdate: moment(decay, "last_capability_update"),
  };
}

function section(json: Json, field: string): Json {
  const value = json[field];
  return typeof value === "object" && value !== null ? (value as Json) : {};
}

function text(json: Json, field: string): string {
  const value = json[field];
  return typeof value === "string" && value.length <= MAX_URL ? value : "";
}

function number(json: Json, field: string, max = Number.MAX_VALUE): number | undefined {
  const value = json[field];
  return typeof value === "number" && value >= 0 && value <= max ? value : undefined;
}

function moment(json: Json, field: string): Date | undefined {
  const value = text(json, field);
  const time = MOMENT.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(time) ? undefined : new Date(time);
}
