// An agent's own health document (Agent Health State §4), measured by the agent itself with the rules of the registry.
import type { Json } from "./errors.js";
import { HealthStatus } from "./gate.js";
import { MAX_LATENCY_MS, Outcome } from "./outcomes.js";

export interface OwnHealthOptions {
  /** The latency of which the 99th percentile may be three times as much before the agent is degraded; none by default. */
  readonly baselineLatencyMs?: number;
  /** 300 to 604,800: 24 hours by default. */
  readonly windowSeconds?: number;
  /** The agent serves one natural person: the document shows the status only, and not whether it is degraded (§8). */
  readonly personal?: boolean;
  readonly modelChangedAt?: Date;
  /** When the agent last declared its capabilities: by default its start. */
  readonly capabilitiesUpdatedAt?: Date;
  /** The clock, in milliseconds since 1970. */
  readonly now?: () => number;
}

/** The path of the document (§4.1). */
export const HEALTH_DOCUMENT_PATH = "/.well-known/agent-health";

/** The time for which a document is served before it is computed anew. */
const MAX_AGE_SECONDS = 60;
const MIN_SAMPLES = 10;
const SLICES = 30;
const WIDTHS = [10, 20, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600, 7_200, 10_800, 14_400];
const DAY_MILLIS = 86_400_000;
/** Latencies are counted by their rank in ranges that are 10 % wide. */
const STEP = Math.log(105 / 95);

/** What was counted of a part of the window; `latencies` by rank. */
class Counts {
  successes = 0;
  executions = 0;
  slow = 0;
  measured = 0;
  readonly latencies = new Map<number, number>();

  add(other: Counts): this {
    this.successes += other.successes;
    this.executions += other.executions;
    this.slow += other.slow;
    this.measured += other.measured;
    for (const [rank, count] of other.latencies) this.latencies.set(rank, (this.latencies.get(rank) ?? 0) + count);
    return this;
  }

  /** The quantile by nearest rank, within 5 % and with two significant digits; 0 where there is no latency. */
  quantile(percent: number): number {
    let left = Math.ceil((this.measured * percent) / 100);
    for (const [rank, count] of [...this.latencies].sort(([a], [b]) => a - b)) {
      left -= count;
      if (left <= 0) return Number((Math.exp(rank * STEP) - 1).toPrecision(2));
    }
    return 0;
  }
}

/** An answer to a request for the document. */
export interface DocumentAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * The measurements of an agent by itself: give its `record` to an agent as `onOutcome`, and serve `handle` at `/.well-known/agent-health`. The
 * figures are those of this process, and the health is unknown until 10 outcomes are recorded. The document is computed at most once a minute.
 */
export class OwnHealth {
  readonly #agentId: string;
  readonly #options: OwnHealthOptions;
  readonly #now: () => number;
  readonly #windowMillis: number;
  readonly #widthMillis: number;
  readonly #startedAt: number;
  readonly #slices = new Map<number, Counts>();
  #status: HealthStatus = "unknown";
  #lastHealthyAt: number | undefined;
  #shown: { json: Json; tag: string; content: string; version: number; at: number } | undefined;

  /**
   * @param agentId what the document shows as the agent's id: best the URL of its agent card
   * @throws RangeError where an option is out of range
   */
  constructor(agentId: string, options: OwnHealthOptions = {}) {
    const { windowSeconds = 86_400, baselineLatencyMs = 1, now = Date.now } = options;
    if (!agentId) throw new RangeError("the agent's id must not be empty");
    if (!(Number.isInteger(windowSeconds) && windowSeconds >= 300 && windowSeconds <= 604_800)) throw new RangeError("windowSeconds is 300 to 604,800");
    if (!(baselineLatencyMs > 0 && baselineLatencyMs <= DAY_MILLIS)) throw new RangeError("baselineLatencyMs is above 0 and at most a day");
    this.#agentId = agentId;
    this.#options = options;
    this.#now = now;
    this.#startedAt = now();
    this.#windowMillis = windowSeconds * 1000;
    this.#widthMillis = Math.max(...WIDTHS.filter((width) => width <= windowSeconds / SLICES)) * 1000;
  }

  /** Counts how an execution ended. A trigger failure is none. */
  readonly record = (outcome: Outcome): void => {
    const now = this.#now();
    const slice = Math.floor(now / this.#widthMillis) * this.#widthMillis;
    // The document names the last healthy moment, also one between two reads.
    if (!this.#slices.has(slice)) this.#compute(now);
    const counts = this.#slices.get(slice) ?? new Counts();
    this.#slices.set(slice, counts);
    if (outcome.result === "trigger_failure") return;
    counts.executions++;
    if (outcome.result === "success") counts.successes++;
    if (outcome.latencyMs === undefined || !(outcome.latencyMs >= 0)) return;
    const latency = Math.min(outcome.latencyMs, MAX_LATENCY_MS);
    const rank = Math.round(Math.log(latency + 1) / STEP);
    counts.measured++;
    if (latency > 3 * (this.#options.baselineLatencyMs ?? Infinity)) counts.slow++;
    counts.latencies.set(rank, (counts.latencies.get(rank) ?? 0) + 1);
  };

  /** The document as it would be served now (§4.2); a copy. */
  json(): Json {
    return structuredClone(this.#document().json);
  }

  /** The answer to a request, for any server. */
  answer(method: string, ifNoneMatch = ""): DocumentAnswer {
    if (method !== "GET" && method !== "HEAD") return { status: 405, headers: { allow: "GET, HEAD" }, body: "" };
    const { json, tag } = this.#document();
    const headers = { "cache-control": `public, max-age=${MAX_AGE_SECONDS}`, etag: tag };
    // Proxies may have weakened or strengthened the tag.
    const names = ifNoneMatch.split(",").map((one) => one.trim().replace(/^W\//, ""));
    if (names.includes("*") || names.includes(tag.slice(2))) return { status: 304, headers, body: "" };
    const body = method === "HEAD" ? "" : JSON.stringify(json);
    return { status: 200, headers: { ...headers, "content-type": "application/json", "x-content-type-options": "nosniff" }, body };
  }

  /** Serves the document where requests are those of `fetch`: Workers, Deno, Bun, Hono. Other paths than its own are 404. */
  readonly handle = (request: Request): Response => {
    if (new URL(request.url).pathname !== HEALTH_DOCUMENT_PATH) return new Response(null, { status: 404 });
    const { status, headers, body } = this.answer(request.method, request.headers.get("if-none-match") ?? "");
    return new Response(body || null, { status, headers });
  };

  #sum(from: number, until: number): Counts {
    const sum = new Counts();
    for (const [slice, counts] of this.#slices) if (slice + this.#widthMillis > from && slice + this.#widthMillis <= until) sum.add(counts);
    return sum;
  }

  /** The counts of the window that ends now and of the one before; notes the status and since when it is no longer healthy. */
  #compute(now: number): { current: Counts; previous: Counts } {
    const begin = now - this.#windowMillis;
    const current = this.#sum(begin, Infinity);
    const previous = this.#sum(begin - this.#windowMillis, begin);
    for (const slice of this.#slices.keys()) if (slice + this.#widthMillis <= begin - this.#windowMillis) this.#slices.delete(slice);
    const was = this.#status;
    this.#status = status(current);
    if (this.#status === "healthy" || was === "healthy") this.#lastHealthyAt = now;
    return { current, previous };
  }

  #document(): { json: Json; tag: string } {
    const now = this.#now();
    const shown = this.#shown;
    if (shown && now >= shown.at && now < shown.at + MAX_AGE_SECONDS * 1000) return shown;
    const json = this.#written(now);
    // All documents that differ only in what changes with time alone have one tag.
    const timeless = ["timestamp", "uptime_seconds", ...(this.#status === "healthy" ? ["last_healthy_at"] : [])];
    const content = JSON.stringify(json, (name, value: unknown) => (timeless.includes(name) ? undefined : value));
    const version = shown === undefined ? 0 : shown.content === content ? shown.version : shown.version + 1;
    this.#shown = { json, tag: `W/"${this.#startedAt.toString(36)}-${version}"`, content, version, at: now };
    return this.#shown;
  }

  #written(now: number): Json {
    const { current, previous } = this.#compute(now);
    const top = { schema_version: "0.1.0", agent_id: this.#agentId, timestamp: iso(now) };
    if (this.#options.personal) return { ...top, health: { status: this.#status === "degraded" ? "healthy" : this.#status } };
    const { modelChangedAt, capabilitiesUpdatedAt } = this.#options;
    const p99 = this.#p99(current);
    const ratio = (count: number) => (current.executions === 0 ? 0 : Math.round((count / current.executions) * 1e6) / 1e6);
    return {
      ...top,
      health: { status: this.#status, last_healthy_at: iso(this.#lastHealthyAt), uptime_seconds: Math.max(0, Math.floor((now - this.#startedAt) / 1000)) },
      calibration: {
        response_ratio: ratio(current.successes),
        error_ratio: ratio(current.executions - current.successes),
        latency_p50_ms: Math.min(current.quantile(50), p99),
        latency_p99_ms: p99,
        measurement_window_seconds: this.#windowMillis / 1000,
        sample_count: current.executions,
      },
      decay: {
        calibration_trend: trend(previous, current),
        days_since_model_change: modelChangedAt ? Math.max(0, Math.floor((now - modelChangedAt.getTime()) / DAY_MILLIS)) : null,
        last_capability_update: iso(capabilitiesUpdatedAt?.getTime() ?? this.#startedAt),
      },
    };
  }

  /** The 99th percentile, on the side of three times the baseline where it is by the exact counts. */
  #p99(counts: Counts): number {
    const limit = 3 * (this.#options.baselineLatencyMs ?? Infinity);
    const p99 = counts.quantile(99);
    return isTooSlow(counts) ? Math.max(p99, Number((limit * 1.1).toPrecision(2))) : Math.min(p99, limit);
  }
}

function isTooSlow(counts: Counts): boolean {
  return 100 * counts.slow > counts.measured;
}

/** The health status (§4.3), decided by whole numbers. */
function status(counts: Counts): HealthStatus {
  if (counts.executions < MIN_SAMPLES) return "unknown";
  if (2 * counts.successes < counts.executions) return "unhealthy";
  return 100 * counts.successes < 95 * counts.executions || isTooSlow(counts) ? "degraded" : "healthy";
}

/** Where the response ratio goes: a change by more than 0.10, computed without rounding (§4.5). */
function trend(previous: Counts, current: Counts): string {
  if (previous.executions < MIN_SAMPLES || current.executions < MIN_SAMPLES) return "stable";
  const change = 10 * (current.successes * previous.executions - previous.successes * current.executions);
  if (Math.abs(change) <= current.executions * previous.executions) return "stable";
  return change < 0 ? "declining" : "improving";
}

function iso(moment: number | undefined): string | null {
  return moment === undefined ? null : new Date(moment).toISOString();
}
