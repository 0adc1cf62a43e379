/// <reference lib="esnext.disposable" preserve="true" />
// Leases that are renewed in the background.
import { Calls, fullJitter, isPassing, ONCE, parsedTime, path, RETRIES, retryAfterOf } from "./calls.js";
import { AgentAlreadyRunning, AgentHealthError, Json, LeaseHeld, LeaseLost, RegistryUnavailable } from "./errors.js";
import { guarded, Logger, repeat, sleep, Worker } from "./runtime.js";
import { Session } from "./session.js";

export interface LeaseOptions {
  /** How long the lease lasts without a renewal; 60 by default. */
  readonly seconds?: number;
  /** How long to wait where another agent holds it; 0 by default. */
  readonly waitSeconds?: number;
  /** Called with a reason when the lease is lost. */
  readonly onLost?: (reason: string) => unknown;
  /** Ends the waiting. */
  readonly signal?: AbortSignal;
}

/** A lease is renewed when this part of it is over, so that two renewals may fail. */
const RENEW_AT = 1 / 3;
const MAX_WAIT_PAUSE_SECONDS = 5;

/** The leases of one process. */
export class Holdings {
  readonly #leases = new Map<string, Lease>();

  constructor(readonly session: Session, readonly calls: Calls, readonly logger: Logger) {
    session.whenGone.add((reason) => [...this.#leases.values()].forEach((lease) => lease.lose(reason)));
  }

  /** Whether no other lease object has the scope; it is this one's from now on. */
  reserve(lease: Lease): boolean {
    const holder = this.#leases.get(lease.key) ?? lease;
    this.#leases.set(lease.key, holder);
    return holder === lease;
  }

  remove(lease: Lease): void {
    if (this.#leases.get(lease.key) === lease) this.#leases.delete(lease.key);
  }

  async release(): Promise<void> {
    await Promise.all([...this.#leases.values()].map((lease) => lease.release()));
  }
}

/**
 * A lease on a scope of an intent, renewed in the background until it is released. Where that fails until the lease has run out on this
 * machine's monotonic clock, or the registry says that it has ended, it is lost for good: `lost` is true, `signal` is aborted, and `check`
 * throws `LeaseLost`. The work itself is not interrupted.
 */
export class Lease {
  readonly key: string;
  id = "";
  readonly #lost = new AbortController();
  readonly #seconds: number;
  #token: number | undefined;
  #until = 0;
  #reason: string | undefined;
  #closed = false;
  #failures = 0;
  #worker: Worker | undefined;

  /** @internal */
  constructor(private readonly holdings: Holdings, readonly intentId: string, readonly scope: string, private readonly options: LeaseOptions) {
    this.key = JSON.stringify([intentId, scope]);
    this.#seconds = options.seconds ?? 60;
  }

  /** Rises with every lease of the scope. Pass it to the guarded resource, which refuses lower ones. */
  get fencingToken(): number {
    if (this.#token === undefined) throw new LeaseLost("the lease has not been acquired yet");
    return this.#token;
  }

  /** Whether the lease has ended without being released here. */
  get lost(): boolean {
    if (this.#reason === undefined && this.id && !this.#closed && this.#now() >= this.#until) this.lose("it ran out before it could be renewed");
    return this.#reason !== undefined;
  }

  /** Aborted when the lease is lost: give it to what works under the lease. */
  get signal(): AbortSignal {
    return this.#lost.signal;
  }

  /** Call it before each write. @throws LeaseLost unless the lease is in force as far as this process knows */
  check(): void {
    if (this.lost) throw new LeaseLost(`the lease on ${this.scope} of ${this.intentId} is lost: ${this.#reason}`);
    if (this.#closed || !this.id) throw new LeaseLost(`the lease on ${this.scope} of ${this.intentId} is not held`);
  }

  /** @internal */
  async acquire(): Promise<this> {
    const { waitSeconds = 0, signal } = this.options;
    const until = this.#now() + waitSeconds;
    for (;;) {
      try {
        await this.#acquireOnce();
        break;
      } catch (error) {
        const left = until - this.#now();
        if (!(error instanceof LeaseHeld) || left <= 0) throw error;
        const pause = (error.retryAfterSeconds ?? MAX_WAIT_PAUSE_SECONDS) + fullJitter(1, 1, 1, this.holdings.calls.runtime);
        await sleep(this.holdings.calls.runtime, Math.min(left, pause, MAX_WAIT_PAUSE_SECONDS), signal);
      }
    }
    this.#worker = repeat(this.holdings.calls.runtime, this.holdings.logger, () => this.#step());
    return this;
  }

  async #acquireOnce(): Promise<void> {
    // The registry gives an agent the lease that it has, so two tasks of one process need a rule of their own.
    if (!this.holdings.reserve(this)) {
      throw new LeaseHeld(409, { error: "lease_held", detail: `This process holds the lease on ${this.scope} of ${this.intentId} already.` });
    }
    const { session, calls } = this.holdings;
    const sent = this.#now();
    let answer: Json;
    try {
      this.#requireRegistered();
      const body = { agent_id: session.agentId, incarnation: session.incarnation, scope: this.scope, duration_seconds: this.#seconds };
      answer = await calls.json("POST", path("/api/v1/intents/{}/leases", this.intentId), body, { signal: this.options.signal });
      if (typeof answer.fencing_token !== "number") throw new AgentHealthError("the lease has no fencing token");
    } catch (error) {
      this.holdings.remove(this);
      throw error;
    }
    this.#token = answer.fencing_token;
    this.id = String(answer.id);
    // A lease that the agent already had lasts less long; then the first renewal is due at once.
    const expires = parsedTime(answer.expires_at);
    const left = expires === undefined ? Infinity : (expires - session.serverTime(sent)) / 1000;
    this.#until = sent + Math.min(this.#seconds, left);
  }

  /** A process without an incarnation would be given the leases of the process before it. */
  #requireRegistered(): void {
    const { agentId, incarnation, lastError } = this.holdings.session;
    if (incarnation !== undefined || !lastError) return;
    if (!(lastError instanceof AgentAlreadyRunning)) throw new RegistryUnavailable(`agent ${agentId} is not registered yet`, undefined, false);
    throw new LeaseHeld(409, { error: "lease_held", detail: `Agent ${agentId} runs as another instance, which may hold the lease.` });
  }

  async #step(): Promise<number | undefined> {
    if (this.#closed || this.lost) return undefined;
    const now = this.#now();
    const due = this.#until - this.#seconds * (1 - RENEW_AT);
    return now < due ? due - now : this.#renew(now);
  }

  async #renew(sent: number): Promise<number | undefined> {
    const { session, calls, logger } = this.holdings;
    try {
      const timeoutSeconds = Math.max(0.5, Math.min(5, this.#until - sent));
      await calls.json("PATCH", this.#path(), { incarnation: session.incarnation, duration_seconds: this.#seconds }, { retries: ONCE, timeoutSeconds });
    } catch (error) {
      if (this.#closed) return undefined;
      if (!(error instanceof AgentHealthError) || !isPassing(error)) {
        this.lose((error as Error).message);
        return undefined;
      }
      if (++this.#failures === 1) logger.warn(`the lease on ${this.scope} of ${this.intentId} is not renewed yet: ${error.message}`);
      const pause = Math.max(fullJitter(this.#failures, 0.5, this.#seconds / 6, calls.runtime), retryAfterOf(error) ?? 0.1);
      return Math.max(0, Math.min(pause, this.#until - this.#now()));
    }
    this.#failures = 0;
    this.#until = sent + this.#seconds;
    return this.#seconds * RENEW_AT;
  }

  /** @internal Marks the lease as lost, once. */
  lose(reason: string): void {
    if (this.#closed || this.#reason !== undefined || !this.id) return;
    this.#reason = reason;
    this.holdings.logger.warn(`the lease on ${this.scope} of ${this.intentId} is lost: ${reason}`);
    this.#lost.abort(new LeaseLost(`the lease on ${this.scope} of ${this.intentId} is lost: ${reason}`));
    void guarded(this.holdings.logger, "onLost", () => this.options.onLost?.(reason));
  }

  /** Releases the lease. Where the registry is away, the lease runs out instead; never rejects for that. */
  async release(): Promise<void> {
    if (this.#closed || !this.id) return;
    this.#closed = true;
    this.#worker?.wake();
    try {
      if (this.#reason === undefined) {
        await this.holdings.calls.json("DELETE", this.#path(), undefined, { retries: { ...RETRIES, attempts: 3, maxPauseSeconds: 1 }, timeoutSeconds: 5 });
      }
    } catch (error) {
      this.holdings.logger.warn(`the lease on ${this.scope} of ${this.intentId} is not released: ${(error as Error).message}`);
    } finally {
      this.holdings.remove(this);
    }
  }

  /** Releases the lease at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.release();
  }

  #now(): number {
    return this.holdings.calls.runtime.monotonic();
  }

  #path(): string {
    return path("/api/v1/intents/{}/leases/{}", this.intentId, this.id);
  }
}
