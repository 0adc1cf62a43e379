// Outcomes of executions: what the registry computes an agent's health from.
import { Calls, isPassing, ONCE, plainText } from "./calls.js";
import { AgentHealthError, Json, ProblemError } from "./errors.js";
import { describe, Logger, Runtime } from "./runtime.js";
import { Upstream, upstreamFields } from "./upstream.js";
import { Usage, usageFields } from "./usage.js";

export const ERROR_TYPES = ["client_error", "server_error", "timeout", "malformed", "upstream", "other"] as const;
export type ErrorType = (typeof ERROR_TYPES)[number];

/** `trigger_failure` is an execution that should have begun and did not. */
export type Result = "success" | "failure" | "trigger_failure";
const RESULTS: readonly string[] = ["success", "failure", "trigger_failure"];

const MAX_EVALUATION_LENGTH = 128;

/** @throws TypeError for a quality outside of 0 to 1, for a name without a quality, and for an execution that did not begin */
export function evaluationFields(result: Result, quality?: number, evaluation?: string): Json {
  if (quality === undefined) {
    if (evaluation !== undefined) throw new TypeError("an evaluation needs a quality");
    return {};
  }
  if (result === "trigger_failure" || !(quality >= 0 && quality <= 1)) throw new TypeError("the quality of a success or a failure must be from 0 to 1");
  return evaluation ? { quality, evaluation: [...plainText(evaluation)].slice(0, MAX_EVALUATION_LENGTH).join("") } : { quality };
}

export interface OutcomeDetails {
  readonly latencyMs?: number;
  /** Of a failure. */
  readonly errorType?: ErrorType;
  readonly slaBreached?: boolean;
  /** The tokens and calls of the execution, as far as they are known. Wrong numbers are left out. */
  readonly usage?: Usage;
  /** Of an invocation through the gateway, which counts it itself. */
  readonly receiptId?: string;
  /** The call of a model provider. */
  readonly upstream?: Upstream;
  /** The quality of the result, from 0 to 1, as an evaluation found it. */
  readonly quality?: number;
  /** The name of this evaluation. */
  readonly evaluation?: string;
}

/** How an execution ended. */
export interface Outcome extends OutcomeDetails {
  readonly result: Result;
}

export const MAX_BATCH = 500;

/** What the API description allows: 30 days. */
export const MAX_LATENCY_MS = 2_592_000_000;

/** The outcomes that wait while the registry is away; older ones are dropped first. */
export const MAX_WAITING = 10_000;
const INDEX = /^outcomes\[(\d+)\]/;

/** The `error_type` of an error: by its name, or by the HTTP status that it or its response carries. */
export function errorTypeOf(error: unknown): ErrorType {
  const found = (typeof error === "object" && error !== null ? error : {}) as Record<string, unknown>;
  // HTTP and model libraries have time-outs of their own: ConnectTimeoutError, APIConnectionTimeoutError, ETIMEDOUT.
  if (/time(d_?)?_?out/i.test(`${found.name} ${found.code} ${(found.constructor as { name?: string } | undefined)?.name}`)) return "timeout";
  if (error instanceof SyntaxError) return "malformed";
  for (const holder of [found, found.response]) {
    for (const name of ["status", "statusCode", "code"]) {
      const status = (holder as Record<string, unknown> | undefined)?.[name];
      if (typeof status === "number" && status >= 400 && status < 600) return status < 500 ? "client_error" : "server_error";
    }
  }
  return "other";
}

/** An outcome, and when it ended on the monotonic clock. */
export interface Ended {
  readonly fields: Json;
  readonly ended: number;
}

/** Outcomes under one id. It never changes, so that it counts once however often it is sent. */
export interface Batch {
  readonly json: { readonly batch_id: string; readonly outcomes: readonly Json[] };
  readonly taken: readonly Ended[];
}

/** The registry's time at a monotonic time, in milliseconds since 1970; this machine's own clock may be wrong. */
export type ServerTime = (monotonic: number) => number;

/** The outcomes that are to be sent, in batches. */
export class Outcomes {
  readonly #waiting: Ended[] = [];
  #batch: Batch | undefined;
  #dropped = false;
  /** Where outcomes go that another process sends. */
  elsewhere: ((ended: Ended) => void) | undefined;

  constructor(readonly runtime: Runtime, readonly logger: Logger, readonly listener?: (outcome: Outcome) => void) {}

  /** @throws TypeError for words that are none of outcomes: in a heartbeat they would be refused too late to be noticed */
  add(outcome: Outcome): void {
    const { result, latencyMs, errorType, slaBreached, receiptId, usage, upstream, quality, evaluation } = outcome;
    if (!RESULTS.includes(result)) throw new TypeError(`the result must be one of ${RESULTS.join(", ")}`);
    if (errorType !== undefined && (result !== "failure" || !ERROR_TYPES.includes(errorType))) {
      throw new TypeError(`the errorType of a failure must be one of ${ERROR_TYPES.join(", ")}`);
    }
    const evaluated = evaluationFields(result, quality, evaluation);
    const called = upstream === undefined ? undefined : upstreamFields(upstream, result);
    const fields: Json = { result };
    if (latencyMs !== undefined && Number.isFinite(latencyMs)) fields.latency_ms = Math.round(Math.min(Math.max(0, latencyMs), MAX_LATENCY_MS) * 1000) / 1000;
    if (errorType !== undefined) fields.error_type = errorType;
    if (slaBreached !== undefined) fields.sla_breached = slaBreached;
    if (receiptId !== undefined) fields.receipt_id = plainText(receiptId);
    const used = usageFields(usage);
    if (used) fields.usage = used;
    if (called !== undefined) fields.upstream = called;
    Object.assign(fields, evaluated);
    const ended = { fields, ended: this.runtime.monotonic() };
    if (this.elsewhere) this.elsewhere(ended);
    else this.takeIn([ended]);
    try {
      this.listener?.(outcome);
    } catch (error) {
      this.logger.error(`onOutcome failed: ${describe(error)}`);
    }
  }

  /** Takes outcomes that are to be sent, also those of other processes. */
  takeIn(all: readonly Ended[]): void {
    for (const ended of all) {
      if (this.#waiting.length >= MAX_WAITING) {
        this.#waiting.shift();
        if (!this.#dropped) this.logger.warn(`more than ${MAX_WAITING} outcomes wait for the registry: the oldest are dropped`);
        this.#dropped = true;
      }
      this.#waiting.push(ended);
    }
  }

  /** Whether a batch waits for its answer. */
  get pending(): boolean {
    return this.#batch !== undefined;
  }

  get length(): number {
    return this.#waiting.length + (this.#batch?.taken.length ?? 0);
  }

  /** The batch that is to be sent: the same one until it is settled. */
  next(serverTime: ServerTime): Batch | undefined {
    if (!this.#batch && this.#waiting.length > 0) {
      const taken = this.#waiting.splice(0, MAX_BATCH);
      const outcomes = taken.map((one) => ({ ...one.fields, occurred_at: new Date(serverTime(one.ended)).toISOString() }));
      this.#batch = { json: { batch_id: crypto.randomUUID(), outcomes }, taken };
    }
    return this.#batch;
  }

  /** Sends so many batches in requests of their own, until there are none or a request fails. */
  async send(calls: Calls, where: string, serverTime: ServerTime, batches: number): Promise<void> {
    for (let sent = 0; sent < batches; sent++) {
      const batch = this.next(serverTime);
      if (!batch) return;
      try {
        await calls.json("POST", where, batch.json, { retries: ONCE });
        this.#settled(batch);
      } catch (error) {
        if (!(error instanceof AgentHealthError) || isPassing(error)) return;
        this.#refused(batch, error instanceof ProblemError ? error.document : { detail: error.message });
      }
    }
  }

  /** Reads what the answer to a heartbeat says of the batch that it carried. */
  settle(batch: Batch | undefined, result: unknown): void {
    const document = (typeof result === "object" && result !== null ? result : {}) as Json;
    const status = document.status_code;
    if (!batch || typeof status !== "number" || status >= 500 || status === 429) return;
    if (status < 300) this.#settled(batch);
    else this.#refused(batch, document);
  }

  #settled(batch: Batch): void {
    if (this.#batch === batch) this.#batch = undefined;
  }

  /** The registry refuses the batch. What it does not name as wrong is sent again in another batch. */
  #refused(batch: Batch, document: Json): void {
    const errors = Array.isArray(document.errors) ? (document.errors as Json[]) : [];
    const wrong = new Set(errors.map((error) => INDEX.exec(String(error?.field))?.[1]).filter((index) => index !== undefined).map(Number));
    if (this.#batch !== batch) return;
    this.#batch = undefined;
    if (wrong.size > 0) this.#waiting.unshift(...batch.taken.filter((_, index) => !wrong.has(index)));
    this.logger.error(`the registry refuses ${wrong.size || batch.taken.length} outcomes: ${String(document.detail)}`);
  }
}
