// An agent that runs only while it is called, as a function on AWS Lambda, in a worker, or a container on Cloud Run.
import { AgentOptions, declared } from "./agent.js";
import { Calls, fullJitter, isPassing, Key, ONCE, path } from "./calls.js";
import { Client } from "./client.js";
import { AgentGone, Conflict, Json, NotFound, ProblemError, RegistryUnavailable } from "./errors.js";
import { Outcomes } from "./outcomes.js";
import { CONSOLE, describe, Logger, Runtime, systemRuntime } from "./runtime.js";
import type { Usage } from "./usage.js";
import { Running, Tasks, type ToolCall, within, type Working } from "./work.js";

/** With a `schedule`, a missing run is a fault. Without one, missing heartbeats are no fault. */
export interface CalledAgentOptions
  extends Pick<AgentOptions, "roleId" | "name" | "capabilities" | "endpoint" | "schedule" | "profile" | "errorTypes" | "logger" | "fetch" | "runtime"> {
  /** `"always"` to register again also after an operator ended the agent; by default, this process then reports nothing more. */
  readonly registerAgain?: boolean | "always";
  /** By how long an answer may wait for the registry; 1 without it. */
  readonly maxDelaySeconds?: number;
}

const MAX_PAUSE_SECONDS = 60;
const MAX_MARGIN_MILLIS = 1000;

/**
 * Registers an agent with its first call, and reports how each call ends before the caller gets the answer. All processes of the platform are one
 * agent: none replaces another, and none deregisters it. The registry being away never fails a call, and delays an answer only now and then: after
 * a failure the next attempt waits up to a minute, and outcomes wait in the process.
 */
export class CalledAgent {
  /** Other requests with the same URL and key, each sent once. */
  readonly client: Client;
  readonly #calls: Calls;
  readonly #runtime: Runtime;
  readonly #logger: Logger;
  readonly #outcomes: Outcomes;
  readonly #tasks: Tasks;
  readonly #profile: Json;
  readonly #maxDelay: number;
  #sending: Promise<void> | undefined;
  readonly #obeys: boolean;
  #stopped = false;
  #registered = false;
  #failures = 0;
  #retryAt = 0;

  /**
   * @param agentId of the function or service
   * @throws TypeError where the URL, the key or the schedule cannot be valid
   */
  constructor(url: string, key: Key, readonly agentId: string, options: CalledAgentOptions = {}) {
    const { runtime = systemRuntime(), logger = CONSOLE, fetch = globalThis.fetch, maxDelaySeconds = 1, registerAgain, ...declaration } = options;
    this.#runtime = runtime;
    this.#logger = logger;
    this.#maxDelay = maxDelaySeconds;
    this.#obeys = registerAgain !== "always";
    this.client = new Client(url, key, { timeoutSeconds: maxDelaySeconds, retries: ONCE, fetch, runtime });
    this.#calls = new Calls(url, key, runtime, fetch, maxDelaySeconds);
    this.#outcomes = new Outcomes(runtime, logger);
    this.#tasks = new Tasks(this.#outcomes, options.errorTypes);
    this.#profile = declared({ ...declaration, onlyCalled: !options.schedule, signsOfLife: ["outcomes"] });
  }

  /**
   * The same function for the platform to call. Its error is a failure, and so is an answer with status 500 or above. Where an argument is the
   * context of AWS Lambda, a call that is not done in nine tenths of its time, or a second before its end, is a failure with `timeout`.
   */
  handler<A extends unknown[], R>(work: (...args: A) => R | PromiseLike<R>): (...args: A) => Promise<R> {
    return async (...args) => {
      const task = new Running(this.#tasks);
      const stop = this.#beforeTimeout(args, () => {
        task.fail("timeout");
        task.end();
        void this.flush();
      });
      try {
        const answer = await within(task, () => work(...args));
        if (statusOf(answer) >= 500) task.fail("server_error");
        task.end();
        return answer;
      } catch (error) {
        task.end(error);
        throw error;
      } finally {
        stop();
        await this.flush();
      }
    };
  }

  /** Adds tokens and calls to the outcome of the call that goes on here; does nothing outside of a call, and without `AsyncLocalStorage`. */
  addUsage(usage: Usage): void {
    this.#tasks.current()?.addUsage(usage);
  }

  /** A call of a model within the call that goes on here: `await agent.model((call) => llm.complete(prompt))`. The outcome counts it. */
  model<R>(work: (call: Working) => R): R {
    return this.#tasks.call("model", work);
  }

  /** A call of a tool within the call that goes on here. The outcome counts it. */
  tool<R>(work: (call: Working) => R): R;
  tool<R>(name: string, args: unknown, work: (call: Working) => R): R;
  tool<R>(...given: ToolCall<R>): R {
    return this.#tasks.tool(given);
  }

  /** Sends what waits, for at most `maxDelaySeconds`. Never rejects. */
  async flush(): Promise<void> {
    const end = this.#runtime.monotonic() + this.#maxDelay;
    for (let now = 0; !this.#stopped && this.#outcomes.length > 0 && this.#retryAt <= (now = this.#runtime.monotonic()) && now < end; ) {
      this.#sending ??= this.#send().finally(() => (this.#sending = undefined));
      let cancel = () => {};
      const late = new Promise<void>((resolve) => (cancel = this.#runtime.after(end - now, resolve, true)));
      await Promise.race([this.#sending, late.then(() => this.#failed(`no answer within ${this.#maxDelay} s`))]);
      cancel();
    }
  }

  /** The platform ends the process without a notice, so there has to be time to report it. */
  #beforeTimeout(args: readonly unknown[], report: () => void): () => void {
    for (const one of args as readonly { getRemainingTimeInMillis?: () => number }[]) {
      if (typeof one?.getRemainingTimeInMillis !== "function") continue;
      const left: unknown = one.getRemainingTimeInMillis();
      // A mock of a context says none.
      if (typeof left !== "number") continue;
      return this.#runtime.after(Math.max(left * 0.9, left - MAX_MARGIN_MILLIS) / 1000, report, false);
    }
    return () => {};
  }

  async #send(): Promise<void> {
    try {
      if (!this.#registered) await this.#register();
      for (let batch = this.#next(); batch; batch = this.#next()) {
        try {
          await this.#calls.json("POST", path("/api/v1/agents/{}/outcomes", this.agentId), batch.json, { retries: ONCE });
          this.#outcomes.settle(batch, { status_code: 202 });
        } catch (error) {
          if (!(error instanceof ProblemError) || isPassing(error) || [401, 403, 404, 410].includes(error.status)) throw error;
          this.#outcomes.settle(batch, { ...error.document, status_code: error.status });
        }
      }
      this.#failures = 0;
    } catch (error) {
      if (error instanceof NotFound || error instanceof AgentGone) this.#registered = false;
      if (this.#obeys && error instanceof AgentGone && error.endedBy === "operator") {
        this.#stopped = true;
        this.#logger.warn(`agent ${this.agentId} was ended by an operator: this process reports nothing more`);
        return;
      }
      // A connection that was kept may have ended while the process was frozen: the first one is tried again at once.
      this.#failed(describe(error), this.#failures > 0 || !(error instanceof RegistryUnavailable));
    }
  }

  #next() {
    return this.#outcomes.next((monotonic) => this.#runtime.now() - (this.#runtime.monotonic() - monotonic) * 1000);
  }

  #failed(why: string, pauses = true): void {
    this.#failures++;
    this.#retryAt = this.#runtime.monotonic() + (pauses ? fullJitter(this.#failures, 1, MAX_PAUSE_SECONDS, this.#runtime) : 0);
    if (pauses) this.#logger.warn(`agent ${this.agentId}: ${why} (calls go on, and ${this.#outcomes.length} outcomes wait)`);
  }

  async #register(): Promise<void> {
    try {
      await this.client.register(this.agentId, this.#profile);
    } catch (error) {
      if (!(error instanceof Conflict) || error.code !== "agent_exists") throw error;
      // Another process registered it, perhaps of an earlier version.
      const heartbeat_config = { mode: null, schedule: null, ...(this.#profile.heartbeat_config as Json) };
      await this.client.update(this.agentId, "*", { ...this.#profile, heartbeat_config } as Parameters<Client["update"]>[2]);
    }
    this.#registered = true;
  }
}

/** The status of an answer over HTTP, as of a proxy integration or of `fetch`; 0 where it is none. */
function statusOf(answer: unknown): number {
  const status = answer instanceof Response ? answer.status : (answer as { statusCode?: unknown } | null | undefined)?.statusCode;
  return typeof status === "number" ? status : 0;
}
