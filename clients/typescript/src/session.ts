// One agent's registration and heartbeats: what is sent when, and what each answer means.
import { Calls, CallOptions, fullJitter, isPassing, isRefused, ONCE, parsedTime, path, retryAfterOf, RetryPolicy, usableAddress } from "./calls.js";
import { AgentAlreadyRunning, AgentGone, AgentHealthError, Conflict, Json, NotFound, ProblemError, RegistryUnavailable, Superseded, Unauthenticated, UnexpectedAnswer } from "./errors.js";
import { Group, Told } from "./group.js";
import { Batch, MAX_BATCH, Outcomes } from "./outcomes.js";
import { guarded, Logger, Runtime } from "./runtime.js";
import { longest, MAX_TASK_IDS, Tasks } from "./work.js";

/** What the registry knows of this process, as far as this process knows. */
export type State = "starting" | "active" | "draining" | "superseded" | "stopped";

/** A request to finish the work and take no more. */
export interface Drain {
  readonly reason: string;
  readonly timeoutSeconds?: number;
}

/** What the session calls. Failures of these are logged and change nothing. */
export interface Hooks {
  onDrain(drain: Drain): unknown;
  onRestart(drain: Drain): unknown;
  onDead(error: AgentHealthError): unknown;
  onSuperseded(): unknown;
  onError(error: AgentHealthError): unknown;
  onRefused(error: AgentHealthError): unknown;
  onEnd(): unknown;
}

/** The drain of an agent that an operator ended: its leases are lost, and it sends no more heartbeats. */
const ENDED: Drain = { reason: "an operator ended the agent" };

/** The drain of an agent that is closed: what calls `close` knows of it. */
export const CLOSING: Drain = { reason: "closed" };

const DEFAULT_INTERVAL_SECONDS = 30;
const MAX_RETRY_SECONDS = 300;
/** What the API description allows. */
const MAX_HINT_SECONDS = 1_296_000;
const MAX_EXTRA_BATCHES = 20;
const RETRY_BASE_SECONDS = 1;
/** Failed heartbeats after which a drained agent without work stops waiting for the registry. */
const DRAIN_FAILURES = 3;
const MAX_CALLBACK_SECONDS = 30;
/** How soon an agent that is not alive is looked at again. */
const LOOK_AGAIN_SECONDS = 5;
/** How long the other processes have to see the drain of an agent that an operator ended. */
const SEEN_SECONDS = 1;
/** How often a process that does not lead tells what it does. */
const MEMBER_SECONDS = 1;

type Pause = number | undefined;

function intervalOf(record: Json): number {
  const interval = (record.heartbeat_config as Json | undefined)?.interval_seconds;
  return typeof interval === "number" && interval > 0 ? interval : DEFAULT_INTERVAL_SECONDS;
}

export class Session {
  state: State = "starting";
  incarnation: number | undefined;
  lastError: AgentHealthError | undefined;
  /** Called with a reason when the registration ends and every lease with it. */
  readonly whenGone = new Set<(reason: string) => void>();
  readonly #runtime: Runtime;
  readonly #usualUrl: string;
  readonly #waiting = new Set<() => void>();
  #turn: Promise<unknown> = Promise.resolve();
  #finishing = false;
  #startedAt: string;
  #group: Group | undefined;
  #leads = false;
  #drain: Drain | undefined;
  #asks: Pick<Told, "drain" | "incarnation"> = {};
  #requestedDrain: Drain | undefined;
  #heldByDrain = false;
  #knownIncarnation = 0;
  #unsure = false;
  #registerAt = -Infinity;
  #restarts = false;
  #endedAt = -Infinity;
  #failures = 0;
  /** The used part of the model's context, from 0 to 1; undefined until the agent says it. */
  contextUsed: number | undefined;
  #interval: number;
  #hint: number | undefined;
  #heartbeatUrl: string;
  #serverTime: readonly [at: number, time: number];

  constructor(
    readonly agentId: string,
    private readonly calls: Calls,
    private readonly logger: Logger,
    private readonly profile: Json,
    private readonly tasks: Tasks,
    private readonly outcomes: Outcomes,
    private readonly hooks: Hooks,
    private readonly registerAgain: boolean | "always",
    private readonly alive?: () => boolean | Promise<boolean>,
  ) {
    this.#runtime = calls.runtime;
    this.#interval = intervalOf(profile);
    this.#usualUrl = this.#heartbeatUrl = path("/api/v1/agents/{}/heartbeat", agentId);
    this.#serverTime = [this.#runtime.monotonic(), this.#runtime.now()];
    this.#startedAt = new Date(this.#runtime.now()).toISOString();
  }

  get ended(): boolean {
    return this.state === "superseded" || this.state === "stopped";
  }

  /** Begins a drain with the next step. */
  requestDrain(drain: Drain): void {
    this.#requestedDrain = drain;
  }

  readonly serverTime = (monotonic: number): number => this.#serverTime[1] + (monotonic - this.#serverTime[0]) * 1000;

  /** Lets all that wait look at their conditions again. */
  changed(): void {
    for (const look of [...this.#waiting]) look();
  }

  /** Waits until the condition holds, at most so long; returns whether it holds. The process does not end meanwhile. */
  until(condition: () => boolean, seconds = MAX_HINT_SECONDS, signal?: AbortSignal): Promise<boolean> {
    return new Promise((resolve, reject) => {
      if (condition()) return resolve(true);
      const done = () => {
        cancel();
        this.#waiting.delete(look);
        signal?.removeEventListener("abort", done);
        if (signal?.aborted) reject(signal.reason);
        else resolve(condition());
      };
      const look = () => void (condition() && done());
      const cancel = this.#runtime.after(seconds, done, true);
      this.#waiting.add(look);
      signal?.addEventListener("abort", done);
      if (signal?.aborted) done();
    });
  }

  /** Does what is due, and returns the seconds until the next step; undefined once the session has ended. */
  step(): Promise<Pause> {
    return this.#inTurn(() => this.#step());
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#turn.then(work).finally(() => this.changed());
    this.#turn = next.catch(() => {});
    return next;
  }

  async #step(): Promise<Pause> {
    const group = this.#group;
    if (!group || this.ended) return this.#ownStep();
    if (!group.leads) return this.#follow(group);
    this.#lead(group);
    for (const one of group.others()) {
      if (this.#isAsked(one)) this.#beginDrain({ reason: one.drain ?? "" });
    }
    this.#collect(group);
    const pause = await this.#ownStep();
    this.#publish(group);
    return pause;
  }

  async #ownStep(): Promise<Pause> {
    const drain = this.#requestedDrain;
    this.#requestedDrain = undefined;
    if (drain) this.#beginDrain(drain);
    if (this.ended) return undefined;
    if (this.incarnation === undefined) return this.#register();
    if (this.alive && this.state === "active" && !(await this.alive())) return Math.min(this.#interval, LOOK_AGAIN_SECONDS);
    return this.#heartbeat({ retries: ONCE });
  }

  // Several processes

  /** Becomes part of a group; returns whether this process is to register the agent. */
  join(group: Group | undefined): boolean {
    this.#group = group;
    if (!group) return true;
    if (group.leads) {
      this.#lead(group);
      this.#publish(group);
      return this.incarnation === undefined;
    }
    this.outcomes.elsewhere = (ended) => group.spool(ended);
    this.#follow(group);
    return false;
  }

  /** Leaves the others alone, as this process could not start. */
  part(): void {
    this.#group?.close();
    this.#group = undefined;
    this.#leads = false;
  }

  /** Whether other processes go on with the agent when this one ends. */
  get shared(): boolean {
    return this.#group !== undefined && (!this.#group.leads || this.#group.others().length > 0);
  }

  /** The tasks of all processes that run, as far as this one knows. */
  get load(): number {
    return this.tasks.load + this.#others().reduce((sum, { load }) => sum + load, 0);
  }

  /** Whether the group has something to do for this process before its next step is due. */
  get pressing(): boolean {
    const group = this.#group;
    if (!group) return false;
    return !group.leads || !this.#leads || (this.state === "draining" ? this.load === 0 : group.others().some((one) => this.#isAsked(one)));
  }

  /** Whether another process asks for a drain in this life of the agent. */
  #isAsked({ drain, incarnation }: Told): boolean {
    return drain !== undefined && incarnation === this.incarnation;
  }

  #others(): Told[] {
    return this.#group?.leads ? this.#group.others() : [];
  }

  /** Takes in the outcomes of the other processes, unless those before are still to be sent: whoever is killed takes few with it. */
  #collect(group: Group): void {
    if (!this.outcomes.pending) this.outcomes.takeIn(group.collect());
  }

  /** Adopts what the leader shows, and tells it what this process does. */
  #follow(group: Group): Pause {
    const shown = group.shown ?? { state: "starting" as const };
    const requested = this.#requestedDrain;
    this.#requestedDrain = undefined;
    if (requested) this.#asks = { drain: requested.reason, incarnation: this.incarnation };
    const over = this.incarnation !== undefined && shown.incarnation !== this.incarnation;
    if (over) this.#loseLeases("the agent is dead, or registered again");
    this.incarnation = shown.incarnation;
    const drain: Drain = { reason: shown.reason ?? "", timeoutSeconds: shown.timeoutSeconds };
    if (shown.restarts && !this.#restarts) void this.#call("onRestart", () => this.hooks.onRestart(drain));
    this.#restarts = shown.restarts ?? false;
    if (requested || shown.state === "draining") this.#beginDrain(requested ?? drain);
    else if (shown.state === "active" && this.state === "starting") this.state = "active";
    else if (shown.state === "superseded") this.#endWith(group, "superseded", "another process registered the agent");
    else if (this.state === "draining" && this.tasks.load === 0 && (over || shown.state === "stopped")) this.#endWith(group, "stopped", "the drain is complete");
    group.tell({ load: this.tasks.load, ids: this.tasks.ids(), activity: this.tasks.activity(), ...this.#asks });
    return this.ended ? undefined : MEMBER_SECONDS;
  }

  #endWith(group: Group, state: State, why: string): void {
    this.#sendOwn(group);
    this.#knownIncarnation = this.incarnation ?? 0;
    this.#end(state, why);
    if (state === "superseded") void this.#call("onSuperseded", () => this.hooks.onSuperseded());
  }

  /** From now on this process sends its outcomes itself. */
  #sendOwn(group: Group): void {
    this.outcomes.elsewhere = undefined;
    this.outcomes.takeIn(group.release());
  }

  /** Leads from now on: goes on with the life of the agent, where it is the same agent. */
  #lead(group: Group): void {
    if (this.#leads) return;
    this.#leads = true;
    this.#sendOwn(group);
    const { shown } = group;
    const same = shown?.profile === JSON.stringify(this.profile) && (shown.state === "active" || shown.state === "draining");
    this.incarnation = same ? shown.incarnation : undefined;
    this.#knownIncarnation = this.incarnation ?? 0;
    if (same) {
      this.#interval = shown.interval ?? DEFAULT_INTERVAL_SECONDS;
      this.#startedAt = shown.startedAt ?? this.#startedAt;
    } else if (this.state === "active") {
      this.state = "starting";
    }
    if (same && this.state === "starting") this.state = "active";
    this.logger.info(`agent ${this.agentId}: this process sends the heartbeats from now on`);
  }

  #publish(group: Group): void {
    const { reason, timeoutSeconds } = this.#drain ?? CLOSING;
    group.publish({
      state: this.state, incarnation: this.incarnation, interval: this.#interval, startedAt: this.#startedAt,
      profile: JSON.stringify(this.profile), reason, timeoutSeconds, restarts: this.#restarts,
    });
  }

  /** At the end of this process: whether other ones go on with the agent. */
  async #handOver(): Promise<boolean> {
    const group = this.#group;
    if (!group) return false;
    const shared = await group.leave();
    if (group.leads && !this.ended) this.#lead(group);
    if (group.leads && this.#failures === 0) this.#collect(group);
    return shared && !(group.leads && this.ended);
  }

  /** Registers; rejects with what prevents it. */
  async registerNow(options: CallOptions): Promise<void> {
    // With the same start in each registration of this process, one after a death is no restart.
    const body: Json = { started_at: this.#startedAt, ...this.profile, agent_id: this.agentId };
    if (this.#knownIncarnation === 0) body.replace = true;
    const sent = this.#runtime.monotonic();
    try {
      const record = await this.calls.json("POST", "/api/v1/agents", body, options);
      this.#adopt(record);
      this.#learnTime(record.last_heartbeat_at, sent);
    } catch (error) {
      if (error instanceof AgentAlreadyRunning) {
        // The other one may end at any moment: the pause stays the same after many attempts.
        const pause = (error.retryAfterSeconds ?? LOOK_AGAIN_SECONDS) + RETRY_BASE_SECONDS * this.#runtime.random();
        this.#registerAt = this.#runtime.monotonic() + pause;
      }
      if (error instanceof RegistryUnavailable) this.#unsure ||= error.maybeStored;
      else this.#unsure ||= error instanceof ProblemError ? error.status >= 500 : !(error instanceof AgentHealthError);
      throw error;
    }
  }

  #adopt(record: Json): void {
    if (typeof record.incarnation !== "number") throw new RegistryUnavailable("the record of the agent has no incarnation");
    this.incarnation = this.#knownIncarnation = record.incarnation;
    this.#unsure = false;
    this.#interval = intervalOf(record);
    this.#takeHeartbeatUrl(record.heartbeat_url);
    this.#hint = undefined;
    if (this.state === "starting") this.state = "active";
    this.#succeeded();
    this.logger.info(`agent ${this.agentId} is registered, incarnation ${this.incarnation}`);
  }

  async #register(): Promise<Pause> {
    if (this.state === "draining") {
      // The registry does not know the agent, so there is no drain to report.
      if (this.load > 0) return this.#interval;
      const unseen = this.#others().length > 0 ? this.#endedAt + SEEN_SECONDS - this.#runtime.monotonic() : 0;
      if (unseen > 0) return unseen;
      if (this.#drain === ENDED) await this.#flush();
      return this.#end("stopped", "drained without the registry");
    }
    const pause = this.#registerAt - this.#runtime.monotonic();
    if (pause > 0) return pause;
    try {
      await this.registerNow({ retries: ONCE });
    } catch (error) {
      if (!(error instanceof Conflict) || error.code !== "agent_exists") return this.#failed(error);
      try {
        if (!(await this.#adoptOwn())) return await this.#superseded(error);
      } catch (failure) {
        return this.#failed(failure);
      }
    }
    return this.#nextPause();
  }

  /** Whether an earlier attempt without an answer registered this process, and not another process the id. */
  async #adoptOwn(): Promise<boolean> {
    if (!this.#unsure) return false;
    const record = await this.calls.json("GET", path("/api/v1/agents/{}", this.agentId), undefined, { retries: ONCE });
    if (record.incarnation !== this.#knownIncarnation + 1) return false;
    this.#adopt(record);
    return true;
  }

  async #heartbeat(options: CallOptions): Promise<Pause> {
    const batch = this.outcomes.next(this.serverTime);
    const others = this.#others();
    const body = {
      status: this.state === "draining" ? "draining" : "active",
      client_timestamp: new Date(this.#runtime.now()).toISOString(),
      current_load: this.load,
      tasks_in_progress: [...new Set([this.tasks.ids(), ...others.map(({ ids }) => ids)].flat())].sort().slice(0, MAX_TASK_IDS),
      incarnation: this.incarnation,
      ...(this.contextUsed === undefined ? {} : { context_used: this.contextUsed }),
      activity: others.map(({ activity }) => activity).reduce(longest, this.tasks.activity()),
      ...batch?.json,
    };
    const sent = this.#runtime.monotonic();
    let answer: Json;
    try {
      answer = await this.#send(body, { timeoutSeconds: Math.max(5, Math.min(10, this.#interval / 2)), ...options });
    } catch (error) {
      return this.#refusedHeartbeat(error, batch);
    }
    this.#succeeded();
    this.#learnTime(answer.server_timestamp, sent);
    this.outcomes.settle(batch, answer.outcomes);
    return this.#obey(answer);
  }

  async #refusedHeartbeat(error: unknown, batch: Batch | undefined): Promise<Pause> {
    if (error instanceof AgentGone || (error instanceof NotFound && error.code === "agent_not_found")) return this.#gone(error);
    if (!(error instanceof Superseded)) return this.#failed(error);
    this.outcomes.settle(batch, error.document.outcomes);
    return this.#superseded(error);
  }

  async #send(body: Json, options: CallOptions): Promise<Json> {
    try {
      return await this.calls.json("POST", this.#heartbeatUrl, body, options);
    } catch (error) {
      const elsewhere = this.#heartbeatUrl !== this.#usualUrl && (error instanceof RegistryUnavailable || error instanceof UnexpectedAnswer);
      if (!elsewhere) throw error;
      // The address of its own for heartbeats may be out of order, or be no more.
      return this.calls.json("POST", this.#usualUrl, body, options);
    }
  }

  async #obey(answer: Json): Promise<Pause> {
    const hint = answer.next_heartbeat_in_seconds;
    this.#hint = typeof hint === "number" && hint > 0 && hint <= MAX_HINT_SECONDS ? hint : undefined;
    const status = answer.agent_status;
    if (status === "deregistered" || status === "dead") return this.#end("stopped", "the drain is complete");
    const commands = Array.isArray(answer.pending_commands) ? (answer.pending_commands as Json[]) : [];
    const command = commands.find((one) => one.command === "drain" || one.command === "restart") ?? (status === "draining" ? {} : undefined);
    if (command && this.state !== "draining") {
      const timeout = command.drain_timeout_seconds;
      const drain: Drain = { reason: String(command.reason ?? ""), timeoutSeconds: typeof timeout === "number" ? timeout : undefined };
      if (command.command !== "restart") {
        this.#beginDrain(drain);
        return 0;
      }
      if (!this.#restarts) {
        this.#restarts = true;
        this.#drain = drain;
        this.logger.warn(`agent ${this.agentId} is to restart: ${drain.reason || "requested"}`);
        void this.#call("onRestart", () => this.hooks.onRestart(drain));
      }
    } else {
      this.#restarts = false;
    }
    if (this.outcomes.length >= MAX_BATCH) await this.#flush();
    return this.#nextPause();
  }

  #nextPause(): number {
    // The registry spreads its agents itself.
    return this.#hint ?? this.#interval * (0.9 + 0.1 * this.#runtime.random());
  }

  #beginDrain(drain: Drain): void {
    if (this.ended || this.state === "draining") return;
    this.state = "draining";
    this.#drain = drain;
    this.logger.info(`agent ${this.agentId} drains: ${drain.reason || "requested"}`);
    if (drain === CLOSING) return;
    // The callback counts as work: the drain is not complete before it is done.
    this.#heldByDrain = true;
    this.tasks.begin();
    void this.#call("onDrain", () => this.hooks.onDrain(drain)).then(() => this.releaseDrain());
  }

  /** The drain no longer waits for its callback, which may be what closes the agent. */
  releaseDrain(): void {
    if (this.#heldByDrain) this.tasks.end();
    this.#heldByDrain = false;
  }

  async #gone(error: AgentHealthError): Promise<Pause> {
    const ended = error instanceof AgentGone && error.endedBy === "operator" && this.registerAgain !== "always";
    if (ended && this.state !== "draining") return this.#endedByOperator(error);
    this.incarnation = undefined;
    this.#loseLeases("the agent is dead or deregistered");
    if (this.state === "draining") {
      if (this.tasks.load > 0) void this.#call("onDead", () => this.hooks.onDead(error));
      return this.#end("stopped", "the drain is over");
    }
    this.logger.warn(`agent ${this.agentId} is gone: ${error.message}`);
    this.lastError = error;
    // The agent registers when the callback is done, which may be what closes the agent.
    let done = false;
    void this.#call("onDead", () => this.hooks.onDead(error)).then(() => {
      done = true;
      this.changed();
    });
    await this.until(() => done || this.#finishing, MAX_CALLBACK_SECONDS);
    if (this.ended || this.#finishing) return undefined;
    if (!this.registerAgain) return this.#end("stopped", "the agent is gone and does not register again");
    this.state = "starting";
    // A fleet that was marked as dead at once must not register at once.
    return fullJitter(1, RETRY_BASE_SECONDS, RETRY_BASE_SECONDS, this.#runtime);
  }

  /** The work ends as in a drain, without heartbeats, and the agent does not register again. */
  #endedByOperator(error: AgentHealthError): Promise<Pause> {
    this.logger.warn(`agent ${this.agentId} was ended by an operator: it stops, and does not register again`);
    this.lastError = error;
    this.#endedAt = this.#runtime.monotonic();
    this.#beginDrain(ENDED);
    this.incarnation = undefined;
    this.#loseLeases(ENDED.reason);
    return this.#register();
  }

  async #superseded(error: AgentHealthError): Promise<Pause> {
    this.lastError = error;
    this.#end("superseded", error.message);
    this.#loseLeases("another process registered the agent");
    await this.#flush();
    void this.#call("onSuperseded", () => this.hooks.onSuperseded());
    return undefined;
  }

  #end(state: State, why: string): undefined {
    this.state = state;
    this.logger[state === "superseded" ? "warn" : "info"](`agent ${this.agentId}: ${why}`);
    void this.#call("onEnd", () => this.hooks.onEnd());
  }

  #loseLeases(why: string): void {
    for (const listener of [...this.whenGone]) listener(why);
  }

  #call(name: string, callback: () => unknown): Promise<void> {
    return guarded(this.logger, name, callback);
  }

  /** Sends what is left and deregisters. Gives up soon where the registry is away. */
  finish(): Promise<void> {
    return this.#lastTurn(async () => {
      if (await this.#handOver()) return this.#left("other processes go on with the agent");
      if (!this.ended) {
        this.state = "draining";
        if (this.#group) this.#publish(this.#group);
        if (this.incarnation !== undefined) await this.#drainToTheEnd({ attempts: this.#failures ? 1 : 3, maxPauseSeconds: 1, maxWaitSeconds: 3 });
      }
      await this.#left("closed");
    });
  }

  #lastTurn(work: () => Promise<void>): Promise<void> {
    this.#finishing = true;
    this.changed();
    return this.#inTurn(() => {
      this.#requestedDrain = undefined;
      return work();
    });
  }

  /** Sends the outcomes that wait, and nothing more. */
  leave(): Promise<void> {
    return this.#lastTurn(async () => {
      const last = !(await this.#handOver());
      const scheduled = (this.profile.heartbeat_config as Json | undefined)?.schedule;
      const placed = last && this.profile.instance && !scheduled && !this.ended;
      const reaches = this.#knownIncarnation > 0 && this.#failures === 0;
      await this.#left("left");
      if (placed && reaches) await this.#givePlace();
    });
  }

  // The next process of the agent, such as the retry of a job on another host, need not wait for missing heartbeats of this process.
  async #givePlace(): Promise<void> {
    try {
      const gone = { instance: null, incarnation: this.incarnation };
      await this.calls.json("PATCH", path("/api/v1/agents/{}", this.agentId), gone, { retries: ONCE, timeoutSeconds: 5 });
    } catch (error) {
      this.logger.info(`agent ${this.agentId} keeps its instance: ${(error as Error).message}`);
    }
  }

  async #left(why: string): Promise<void> {
    // While the agent runs elsewhere the registry answers, and takes what this process did.
    const reaches = (this.#knownIncarnation > 0 && this.#failures === 0) || this.lastError instanceof AgentAlreadyRunning;
    if (this.#group?.leads && reaches) this.outcomes.takeIn(this.#group.collect());
    this.#group?.close();
    if (reaches) await this.#flush();
    if (!this.ended) this.#end("stopped", why);
  }

  async #drainToTheEnd(retries: RetryPolicy): Promise<void> {
    // The first heartbeat begins the drain, and the next one without work completes it.
    for (let sent = 0; sent < 2; sent++) {
      await this.#heartbeat({ retries, timeoutSeconds: 5 });
      if (this.ended || this.#failures) return;
    }
    try {
      const query = { incarnation: this.incarnation };
      await this.calls.json("DELETE", path("/api/v1/agents/{}", this.agentId), undefined, { query, retries, timeoutSeconds: 5 });
    } catch (error) {
      this.logger.info(`agent ${this.agentId} is not deregistered: ${(error as Error).message}`);
    }
  }

  #flush(): Promise<void> {
    return this.outcomes.send(this.calls, path("/api/v1/agents/{}/outcomes", this.agentId), this.serverTime, MAX_EXTRA_BATCHES);
  }

  #succeeded(): void {
    if (this.#failures) this.logger.info(`agent ${this.agentId} reaches the registry again`);
    this.#failures = 0;
    this.lastError = undefined;
  }

  /** Notes why a request failed. Also at the start, where the agent goes on without the registry. */
  private failedWith(error: AgentHealthError): void {
    const known = this.lastError;
    this.lastError = error;
    if (known?.constructor === error.constructor) return;
    const hint = error instanceof Unauthenticated ? " (is the key right?)" : "";
    this.logger.warn(`agent ${this.agentId} goes on, and so do the retries${hint}: ${error.message}`);
    void this.#call("onError", () => this.hooks.onError(error));
    if (isRefused(error)) void this.#call("onRefused", () => this.hooks.onRefused(error));
  }

  /** Reports a failed registration of the start. The registry is asked again: after a refusal in an interval, otherwise at once. */
  failedAtStart(error: AgentHealthError): void {
    if (isRefused(error)) this.#registerAt = this.#runtime.monotonic() + this.#nextPause();
    this.failedWith(error);
  }

  #failed(error: unknown): Pause {
    if (!(error instanceof AgentHealthError)) throw error;
    this.#failures++;
    this.failedWith(error);
    if (this.state === "draining" && this.load === 0 && this.#failures >= DRAIN_FAILURES) {
      return this.#end("stopped", "drained without the registry");
    }
    if (error instanceof AgentAlreadyRunning) return this.#registerAt - this.#runtime.monotonic();
    if (!isPassing(error)) return this.#nextPause();
    const limit = Math.min(this.#interval, MAX_RETRY_SECONDS);
    return fullJitter(this.#failures, RETRY_BASE_SECONDS, limit, this.#runtime) + (retryAfterOf(error) ?? 0);
  }

  /** Notes the registry's time, since this machine's clock may be wrong. */
  #learnTime(shown: unknown, sent: number): void {
    const time = parsedTime(shown);
    if (time !== undefined) this.#serverTime = [(sent + this.#runtime.monotonic()) / 2, time];
  }

  #takeHeartbeatUrl(url: unknown): void {
    this.#heartbeatUrl = usableAddress(this.calls.url, url) ?? this.#usualUrl;
  }
}
