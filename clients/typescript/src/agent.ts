/// <reference lib="esnext.disposable" preserve="true" />
// An agent: registration, heartbeats, outcomes, leases and drain.
import { Calls, Fetch, isPassing, isRefused, Key } from "./calls.js";
import { Client } from "./client.js";
import { AgentHealthError, Conflict, Json } from "./errors.js";
import { Holdings, Lease, LeaseOptions } from "./lease.js";
import { Group } from "./group.js";
import { ErrorType, Outcome, OutcomeDetails, Outcomes, Result } from "./outcomes.js";
import { CONSOLE, guarded, hostName, Logger, onProcess, PROCESS, repeat, Runtime, systemRuntime, Worker } from "./runtime.js";
import type { Schemas } from "./schemas.js";
import { CLOSING, Drain, Session, State } from "./session.js";
import { Running, Tasks, ToolCall, Waiting, Working } from "./work.js";

/** The runs of an agent that does not run all the time; a heartbeat is expected for each. One of `cron` and `everySeconds` is given. */
export interface Schedule {
  /** An expression with five fields, such as `"0 2 * * *"`, or a nickname, such as `"@daily"`. */
  readonly cron?: string;
  /** Of the expression, such as `"Europe/Berlin"`; UTC without it. */
  readonly timeZone?: string;
  readonly everySeconds?: number;
  /** How late a run may be; 300 without it. */
  readonly graceSeconds?: number;
}

export interface AgentOptions {
  /** `mcp_server` for the process of a server of the Model Context Protocol; `agent` by default. */
  readonly kind?: "agent" | "mcp_server";
  readonly roleId?: string;
  readonly name?: string;
  readonly capabilities?: readonly string[];
  readonly maxConcurrentTasks?: number;
  readonly endpoint?: string;
  /**
   * Where this process runs; the name of the host by default, where the platform shows it. The same instance replaces the process before at once,
   * another one when that has ended or has sent no heartbeats for two intervals: until then the agent works and tries again. `""` replaces always.
   */
  readonly instance?: string;
  /** When the agent runs, where it does not run all the time: a run that does not come is a fault. */
  readonly schedule?: Schedule;
  /** The agent has no process that runs all the time and is only called: missing heartbeats are no fault. */
  readonly onlyCalled?: boolean;
  /** What the registry takes as a heartbeat beside those that the agent sends. */
  readonly signsOfLife?: readonly ("calls" | "outcomes" | "spans")[];
  /** More fields of the registration, such as `heartbeat_config`, `metadata`, `provider_id`. */
  readonly profile?: Partial<Schemas["AgentRegistration"]>;
  /** The agent is to finish its work and take no more. The drain is complete when the callback is done and no task runs. */
  readonly onDrain?: (drain: Drain) => unknown;
  /**
   * The process is to restart, as one that is stuck. By default the agent drains for at most the time in the request, and then the process
   * ends with status 75, so that its supervisor starts it anew.
   */
  readonly onRestart?: (drain: Drain) => unknown;
  /** The registry has marked the agent as dead. Then the agent registers again. */
  readonly onDead?: (error: AgentHealthError) => unknown;
  /** Another process has registered the same id. This one never registers again. */
  readonly onSuperseded?: () => unknown;
  /** Heartbeats begin to fail. */
  readonly onError?: (error: AgentHealthError) => unknown;
  /**
   * The registry begins to refuse the key (`Unauthenticated`), or what the key may do (`Forbidden`), at the start or later. By default the agent
   * goes on with its work, and tries again once an interval. A program that must not run without the registry ends itself here.
   */
  readonly onRefused?: (error: AgentHealthError) => unknown;
  /** Each outcome that is recorded, as `OwnHealth.record` takes it. */
  readonly onOutcome?: (outcome: Outcome) => void;
  /** Asked before each heartbeat: where it is `false`, none is sent, and the registry marks the agent as unhealthy in time. */
  readonly alive?: () => boolean | Promise<boolean>;
  /**
   * `false` to stop for good instead of registering again after `onDead`; `"always"` to register again also after an operator ended the agent.
   * By default, the agent then calls `onDrain` without heartbeats, and has ended when no task runs.
   */
  readonly registerAgain?: boolean | "always";
  /** `false` where other processes of this machine with the same id are none of this agent but replace it. */
  readonly share?: boolean;
  /** Says the `error_type` of an error that leaves a task; `errorTypeOf` by default. */
  readonly errorTypes?: (error: unknown) => ErrorType;
  /** SIGTERM drains, and ends the process when the drain is complete. */
  readonly drainOnSigterm?: boolean;
  /** Whether the agent is closed when the process has nothing more to do; `true` by default. */
  readonly closeOnExit?: boolean;
  /** How long `close` waits for running tasks; 30 by default. */
  readonly closeTimeoutSeconds?: number;
  /** For each request; 10 by default. */
  readonly timeoutSeconds?: number;
  readonly logger?: Logger;
  /** Takes the place of the global `fetch`, as for a proxy or certificates of its own. */
  readonly fetch?: Fetch;
  readonly runtime?: Runtime;
}

/** A registry that is away delays the start by at most about 12 s. */
const START = { retries: { attempts: 2, maxPauseSeconds: 1, maxWaitSeconds: 1 }, timeoutSeconds: 5 };
/** The status of a process that is to be started anew (EX_TEMPFAIL). */
const RESTART_STATUS = 75;
const RESTART_SECONDS = 120;
/** How long a process that was drained by SIGTERM has to end by itself. */
const EXIT_SECONDS = 5;

/**
 * A running agent: call `start`, work, and call `close`. The registry being away never ends or delays the agent's own work: what cannot be sent
 * is sent later, and callbacks report what happens. A refused key does not end the agent either. `start` rejects only for mistakes of the program.
 */
export class Agent {
  /** Other requests with the same URL and key. */
  readonly client: Client;
  readonly #session: Session;
  readonly #tasks: Tasks;
  readonly #outcomes: Outcomes;
  readonly #holdings: Holdings;
  readonly #runtime: Runtime;
  readonly #logger: Logger;
  readonly #options: AgentOptions;
  readonly #listeners: (() => void)[] = [];
  readonly #url: string;
  #closeTimeout: number;
  #starting: Promise<this> | undefined;
  #closing: Promise<void> | undefined;
  #worker: Worker | undefined;
  #terminated = false;

  /**
   * @param url of the registry, such as `http://localhost:8080`
   * @param agentId of this process; a new process with the same id replaces this one
   * @throws TypeError where the URL, the key or the schedule cannot be valid
   */
  constructor(url: string, key: Key, agentId: string, options: AgentOptions = {}) {
    const { runtime = systemRuntime(), logger = CONSOLE, fetch = globalThis.fetch, timeoutSeconds = 10 } = options;
    this.#runtime = runtime;
    this.#logger = logger;
    this.#options = options;
    this.#closeTimeout = options.closeTimeoutSeconds ?? 30;
    this.client = new Client(url, key, { timeoutSeconds, fetch, runtime });
    const calls = new Calls(url, key, runtime, fetch, timeoutSeconds);
    this.#url = calls.url;
    this.#outcomes = new Outcomes(runtime, logger, options.onOutcome);
    this.#tasks = new Tasks(this.#outcomes, options.errorTypes);
    this.#tasks.onChange = () => this.#changed();
    const hooks = {
      onDrain: (drain: Drain) => options.onDrain?.(drain),
      onRestart: (drain: Drain) => (options.onRestart ? options.onRestart(drain) : this.#restart(drain)),
      onDead: (error: AgentHealthError) => options.onDead?.(error),
      onSuperseded: () => options.onSuperseded?.(),
      onError: (error: AgentHealthError) => options.onError?.(error),
      onRefused: (error: AgentHealthError) => options.onRefused?.(error),
      onEnd: () => (this.#terminated ? this.#endProcess() : undefined),
    };
    const profile = declared({ ...options, instance: options.instance ?? options.profile?.instance ?? hostName() });
    const { registerAgain = true, alive } = options;
    this.#session = new Session(agentId, calls, logger, profile, this.#tasks, this.#outcomes, hooks, registerAgain, alive);
    this.#holdings = new Holdings(this.#session, calls, logger);
  }

  get agentId(): string {
    return this.#session.agentId;
  }

  /** What this process is to the registry, as far as it knows. */
  get state(): State {
    return this.#session.state;
  }

  /** Whether the agent is to take new work: not while it drains nor once it has ended; but while the registry is away. */
  get acceptsWork(): boolean {
    return this.state === "starting" || this.state === "active";
  }

  /** The number of the registration; undefined while there is none. */
  get incarnation(): number | undefined {
    return this.#session.incarnation;
  }

  /** Why the last request failed; undefined while the registry answers. */
  get lastError(): AgentHealthError | undefined {
    return this.#session.lastError;
  }

  /**
   * Registers and begins to send heartbeats. If the registry is away or refuses the key, the agent starts, and the client retries in the
   * background. Rejects with `InvalidRequest` if the profile breaks a rule, and with `UnexpectedAnswer` if the URL is not that of a registry.
   */
  start(options: { readonly signal?: AbortSignal } = {}): Promise<this> {
    if (this.#starting || this.#closing) throw new Error("an agent is started once");
    return (this.#starting = this.#start(options.signal));
  }

  async #start(signal?: AbortSignal): Promise<this> {
    if (this.#options.drainOnSigterm) this.#listeners.push(onProcess("SIGTERM", () => this.#onSigterm()));
    try {
      const timeoutSeconds = Math.min(this.#options.timeoutSeconds ?? 10, START.timeoutSeconds);
      if (this.#session.join(await this.#group())) await this.#session.registerNow({ ...START, timeoutSeconds, signal });
    } catch (error) {
      if (!(error instanceof AgentHealthError) || (!isPassing(error) && !isRefused(error) && !(error instanceof Conflict))) {
        // A new attempt is up to the caller.
        this.#unlisten();
        this.#session.part();
        this.#starting = undefined;
        throw error;
      }
      this.#session.failedAtStart(error);
    }
    if (this.#options.closeOnExit ?? true) this.#listeners.push(onProcess("beforeExit", () => void guarded(this.#logger, "close", () => this.close())));
    this.#worker = repeat(this.#runtime, this.#logger, () => this.#session.step());
    return this;
  }

  #group(): Promise<Group | undefined> {
    const { share = true, runtime } = this.#options;
    if (!share || runtime) return Promise.resolve(undefined);
    const hooks = {
      changed: () => {
        this.#session.changed();
        if (this.#session.pressing) this.#worker?.wake();
      },
      until: (condition: () => boolean, seconds: number) => this.#session.until(condition, seconds),
    };
    return Group.join(this.#url, this.agentId, this.#runtime, this.#logger, hooks);
  }

  /** Begins to drain: calls `onDrain`, and ends when no task runs any more. Returns at once. */
  drain(reason = ""): void {
    this.#session.requestDrain({ reason });
    this.#worker?.wake();
  }

  /** Waits until the agent has ended: drained, replaced, or closed. Resolves to whether it has. */
  wait(options: { readonly seconds?: number; readonly signal?: AbortSignal } = {}): Promise<boolean> {
    return this.#session.until(() => this.#session.ended, options.seconds, options.signal);
  }

  /** Waits for running tasks, sends their outcomes and deregisters. Never rejects for the registry. A second call waits for the first. */
  close(): Promise<void> {
    return (this.#closing ??= this.#end(true));
  }

  /** Sends the outcomes that wait, and no more heartbeats: the agent stays registered, and dies in time. */
  leave(): Promise<void> {
    return (this.#closing ??= this.#end(false));
  }

  async #end(deregisters: boolean): Promise<void> {
    await this.#starting?.catch(() => {});
    if (!this.#worker) return;
    this.#session.releaseDrain();
    if (deregisters) await this.#finishTasks(this.#worker);
    await this.#holdings.release();
    await (deregisters ? this.#session.finish() : this.#session.leave());
    this.#worker.wake();
    this.#unlisten();
  }

  async #finishTasks(worker: Worker): Promise<void> {
    if (this.#tasks.load > 0 && this.acceptsWork && !this.#session.shared) {
      // The registry is to know while the tasks go on.
      this.#session.requestDrain(CLOSING);
      worker.wake();
    }
    await this.#session.until(() => this.#tasks.load === 0 || this.#session.ended, this.#closeTimeout);
  }

  /** Closes the agent at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** The same function, plain, async or a generator: it counts as load while it runs, and its end is an outcome. */
  task<This, A extends unknown[], R>(work: (this: This, ...args: A) => R): (this: This, ...args: A) => R {
    return this.#tasks.task(work);
  }

  /** A function that returns a stream, as one of a model: the task lasts until the stream has ended, and each item is progress. */
  streaming<This, A extends unknown[], T>(
    work: (this: This, ...args: A) => AsyncIterable<T> | PromiseLike<AsyncIterable<T>>,
  ): (this: This, ...args: A) => AsyncGenerator<T, unknown, unknown> {
    return this.#tasks.streaming(work);
  }

  /** Does a piece of work as a task: `await agent.running("invoice_42", (task) => pay(invoice))`. */
  running<R>(taskId: string | undefined, work: (task: Running) => R): R {
    return this.#tasks.run(taskId, work);
  }

  /** Begins a task that ends elsewhere, with `end` or `cancel`. */
  begin(taskId?: string): Running {
    return new Running(this.#tasks, taskId);
  }

  /** A call of a model within the running task, for heartbeats. Where the platform has no `AsyncLocalStorage`, use `task.model`. */
  model<R>(work: (call: Working) => R): R {
    return this.#tasks.call("model", work);
  }

  /** A call of a tool within the running task. */
  tool<R>(work: (call: Working) => R): R;
  tool<R>(name: string, args: unknown, work: (call: Working) => R): R;
  tool<R>(...given: ToolCall<R>): R {
    return this.#tasks.tool(given);
  }

  /** A wait for a person within the running task: `await agent.human(() => ask(), "approval of invoice 42")`. */
  human<R>(work: (call: Working) => R, waitsFor = ""): R {
    return this.#tasks.call("human", work, undefined, waitsFor);
  }

  /** Begins a wait for a person, between two tasks, that ends elsewhere with `end`: `const wait = agent.waiting("approval of invoice 42")`. */
  waiting(waitsFor = ""): Waiting {
    return this.#tasks.wait(waitsFor);
  }

  /** Says that the running task, or its call, goes on; nothing outside of one. */
  progress(): void {
    this.#tasks.current()?.progress();
  }

  /**
   * Says how much of the model's context is used, in heartbeats from now on.
   * @param part from 0 to 1
   * @throws RangeError for another number
   */
  contextUsed(part: number): void {
    if (!(part >= 0 && part <= 1)) throw new RangeError("the used part of the context must be from 0 to 1");
    this.#session.contextUsed = part;
  }

  /** Records an outcome that was measured elsewhere and ended now. @throws TypeError for words that are none of outcomes */
  record(result: Result, details: OutcomeDetails = {}): void {
    this.#outcomes.add({ result, ...details });
  }

  /**
   * Acquires a lease, which is renewed until its `release`. Rejects with `LeaseHeld` where another agent holds it, and with
   * `RegistryUnavailable` where the registry is away: there is no lease without it.
   */
  lease(intentId: string, scope: string, options: LeaseOptions = {}): Promise<Lease> {
    return new Lease(this.#holdings, intentId, scope, options).acquire();
  }

  #changed(): void {
    this.#session.changed();
    if (this.state === "draining" && this.#session.load === 0) this.#worker?.wake();
  }

  #unlisten(): void {
    for (const end of this.#listeners.splice(0)) end();
  }

  #onSigterm(): void {
    if (this.#session.ended) {
      this.#kill();
    } else {
      this.#terminated = true;
      this.drain("SIGTERM");
    }
  }

  /** Ends the process as SIGTERM does without a handler, unless it ends by itself meanwhile. */
  async #endProcess(): Promise<void> {
    const closes = await this.#session.until(() => this.#closing !== undefined, EXIT_SECONDS);
    if (!closes) this.#kill();
  }

  #kill(): void {
    this.#unlisten();
    PROCESS?.kill(PROCESS.pid, "SIGTERM");
  }

  async #restart(drain: Drain): Promise<void> {
    this.drain(drain.reason);
    await this.wait({ seconds: drain.timeoutSeconds || RESTART_SECONDS });
    // What is stuck must not hold up the end.
    this.#closeTimeout = 0;
    await this.close();
    PROCESS?.exit(RESTART_STATUS);
  }
}

/** The fields of the registration. */
export function declared(options: AgentOptions): Json {
  const { kind, name, instance, roleId: role_id, endpoint, capabilities, maxConcurrentTasks, schedule, onlyCalled, signsOfLife } = options;
  if (schedule && onlyCalled) throw new TypeError("an agent that is only called has no schedule");
  const fields: Json = { ...options.profile };
  const more = { kind, role_id, name, endpoint, instance, capabilities: capabilities?.length ? capabilities : undefined };
  for (const [field, value] of Object.entries(more)) if (value !== undefined) fields[field] = value;
  if (maxConcurrentTasks !== undefined) fields.capacity = { max_concurrent_tasks: maxConcurrentTasks };
  const signs: Json = {};
  if (onlyCalled) signs.mode = "none";
  if (schedule) signs.schedule = scheduled(schedule);
  if (signsOfLife?.length) signs.signs_of_life = signsOfLife;
  if (Object.keys(signs).length > 0) fields.heartbeat_config = { ...options.profile?.heartbeat_config, ...signs };
  return fields;
}

/** A time zone may stand before the fields, as in crontabs and Kubernetes. */
function isCron(expression: string): boolean {
  const fields = expression.trim().replace(/^(?:CRON_)?TZ=\S*\s+/, "");
  return fields.startsWith("@") || fields.split(/\s+/).length === 5;
}

function scheduled({ cron, timeZone, everySeconds, graceSeconds }: Schedule): Json {
  if ((cron === undefined) === (everySeconds === undefined)) throw new TypeError("a schedule has either cron or everySeconds");
  if (cron !== undefined && !isCron(cron)) throw new TypeError(`a cron expression has five fields, and not: ${cron}`);
  if (cron === undefined && timeZone !== undefined) throw new TypeError("timeZone belongs to cron");
  if (everySeconds !== undefined && everySeconds < 1) throw new TypeError("everySeconds is at least 1");
  if (graceSeconds !== undefined && graceSeconds < 0) throw new TypeError("graceSeconds is not negative");
  return { cron, time_zone: timeZone, every_seconds: everySeconds, grace_seconds: graceSeconds };
}
