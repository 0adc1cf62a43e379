// The tasks that run now: their number, what they do, when they last made progress, and how they end.
import { plainText } from "./calls.js";
import { ERROR_TYPES, ErrorType, errorTypeOf, evaluationFields, Outcomes } from "./outcomes.js";
import { Upstream, upstreamOf } from "./upstream.js";
import { describe, PROCESS } from "./runtime.js";
import { TaskUsage, Usage } from "./usage.js";

/** What a task waits for. */
export type Phase = "model" | "tool" | "human" | "other";

/** A wait for a person. */
export interface Waiting {
  /** Ends the wait. A second call does nothing. */
  end(): void;
}

/** What a heartbeat says of the work. */
export interface Activity {
  readonly phase: Phase;
  readonly no_progress_seconds: number;
  /** What a person has to do. */
  readonly for?: string;
  readonly repeats?: number;
  readonly tool?: string;
}

/** Up to this many calls in turn are a loop. */
const LOOP_LENGTH = 4;
// What the registry accepts.
const MAX_REPEATS = 1_000_000;
const MAX_TOOL_LENGTH = 128;

/** Repeated calls of tools within one task: one call again and again, or up to four calls in turn. */
class Repetitions {
  tool = "";
  #last: string[] = [];
  readonly #matches = new Array<number>(LOOP_LENGTH).fill(0);

  /** Counts a call; returns whether it repeats an earlier one. A call without a name repeats none. */
  call(tool: string, args: unknown): boolean {
    const signature = tool ? `${tool} ${hash(text(args))}` : undefined;
    for (let length = 1; length <= LOOP_LENGTH; length++) {
      const same = signature !== undefined && this.#last[this.#last.length - length] === signature;
      this.#matches[length - 1] = same ? this.#matches[length - 1]! + 1 : 0;
    }
    this.tool = tool.slice(0, MAX_TOOL_LENGTH);
    this.#last = signature === undefined ? [] : [...this.#last, signature].slice(-LOOP_LENGTH);
    return this.repeats > 0;
  }

  get repeats(): number {
    return Math.min(MAX_REPEATS, Math.max(...this.#matches.map((matches, i) => Math.floor(matches / (i + 1)))));
  }
}

/** Arguments as a text: objects by their sorted keys. What cannot be written equals nothing else. */
function text(args: unknown): string {
  try {
    return JSON.stringify(args, (_, value: unknown) =>
      value && typeof value === "object" && !Array.isArray(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value) ?? "";
  } catch {
    return String(Math.random());
  }
}

/** A hash of 53 bits, so that no argument is kept (cyrb53). */
function hash(value: string): number {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return 4294967296 * (2097151 & b) + (a >>> 0);
}

/** Which of two activities is without progress for longer. What waits for a person comes last, since it may last. */
export function longest(a: Activity | undefined, b: Activity | undefined): Activity | undefined {
  if (!a || !b) return a ?? b;
  const waits = Number(a.phase === "human") - Number(b.phase === "human");
  return waits < 0 || (waits === 0 && a.no_progress_seconds >= b.no_progress_seconds) ? a : b;
}

/** The work of a call of a tool, which may be named. With a name, equal calls are counted. */
export type ToolCall<R> = [work: (call: Working) => R] | [name: string, args: unknown, work: (call: Working) => R];

/** What the registry accepts of one heartbeat. */
export const MAX_TASK_IDS = 1_000;
const MAX_TASK_ID_LENGTH = 128;
const MAX_WAITS_FOR = 200;

interface Storage {
  getStore(): Working | undefined;
  run<R>(working: Working, work: () => R): R;
}

/** The innermost task or call of the code that runs; undefined on platforms without `AsyncLocalStorage`. */
const AMBIENT = ((hooks) => (hooks ? new hooks.AsyncLocalStorage() : undefined))(
  PROCESS?.getBuiltinModule?.("node:async_hooks") as { AsyncLocalStorage: new () => Storage } | undefined,
);

/** A task, or a call within one. Its begin and its end are progress of what it belongs to. */
export class Working {
  /** @internal */
  calls = 0;
  /** @internal */
  lastProgress = 0;
  /** @internal */
  readonly repetitions: Repetitions;
  /** @internal */
  readonly usage: TaskUsage;
  readonly #repeated: boolean = false;
  #open = true;

  /** @internal */
  constructor(
    protected readonly tasks: Tasks, readonly phase: Phase, readonly parent?: Working, readonly waitsFor = "", called?: readonly [tool: string, args: unknown],
  ) {
    this.repetitions = parent?.repetitions ?? new Repetitions();
    this.usage = parent?.usage ?? new TaskUsage();
    this.progress();
    // A call of a model within another, such as that of a middleware, is the same call.
    if (phase === "model" && parent?.phase !== "model") this.usage.add({ model_calls: 1 });
    if (phase === "tool") {
      this.usage.add({ tool_calls: 1 });
      this.#repeated = this.repetitions.call(...(called ?? ["", undefined]));
      // A repeated call is no progress.
      if (this.#repeated && parent) this.lastProgress = parent.lastProgress;
    }
    tasks.open.add(this);
    if (parent) parent.calls++;
  }

  /** Says that the work goes on. */
  progress(): void {
    this.lastProgress = this.tasks.outcomes.runtime.monotonic();
  }

  /**
   * Adds tokens of a call to the outcome of its task: `call.addUsage({ input_tokens: 900, output_tokens: 70, model: "gpt-5" })`. Calls of
   * models and tools are counted by the client. The model with the most tokens names the sum.
   */
  addUsage(usage: Usage): void {
    this.usage.add(usage);
  }

  /** The same items; each is progress: `for await (const chunk of call.each(stream))`. */
  async *each<T>(items: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T, void, void> {
    for await (const item of items) {
      this.progress();
      yield item;
    }
  }

  /** A call of a model within this: `await task.model((call) => llm.complete(prompt))`. */
  model<R>(work: (call: Working) => R): R {
    return this.tasks.call("model", work, this);
  }

  /**
   * A call of a tool within this: `await task.tool("search", args, () => search(args))`. With its name and arguments, heartbeats say how
   * often the same calls were repeated. Only a hash of the arguments is kept.
   */
  tool<R>(work: (call: Working) => R): R;
  tool<R>(name: string, args: unknown, work: (call: Working) => R): R;
  tool<R>(...given: ToolCall<R>): R {
    return this.tasks.tool(given, this);
  }

  /** A wait for a person within this; `waitsFor` says what the person has to do, for those who may read the agent's record. */
  human<R>(work: (call: Working) => R, waitsFor = ""): R {
    return this.tasks.call("human", work, this, waitsFor);
  }

  /** @internal Ends it; returns false where it had ended. */
  close(): boolean {
    if (!this.#open) return false;
    this.#open = false;
    this.tasks.open.delete(this);
    if (this.parent) this.parent.calls--;
    if (!this.#repeated) this.parent?.progress();
    return true;
  }
}

/** A task that runs. Its end is an outcome. Work that is cancelled (an `AbortError`, a generator that is closed) is none. */
export class Running extends Working {
  readonly #began: number;
  readonly #taskId?: string;
  #failure?: ErrorType;
  #receiptId?: string;
  #slaBreached?: boolean;
  #usage?: Usage;
  #upstream?: Upstream;
  #quality?: number;
  #evaluation?: string;

  /** @internal */
  constructor(tasks: Tasks, taskId?: string) {
    super(tasks, "other");
    this.#began = this.lastProgress;
    this.#taskId = taskId ? plainText(taskId).slice(0, MAX_TASK_ID_LENGTH) : undefined;
    tasks.begin(this.#taskId);
  }

  /** Reports a failure although no error leaves the task. */
  fail(errorType: ErrorType = "other"): void {
    if (!ERROR_TYPES.includes(errorType)) throw new TypeError(`the errorType must be one of ${ERROR_TYPES.join(", ")}`);
    this.#failure = errorType;
  }

  /**
   * Adds what is known of the execution; `receiptId` is of an invocation through the gateway, which counts it itself. Numbers of `usage`
   * replace the sums of `addUsage` and of the calls.
   */
  note(known: { receiptId?: string; slaBreached?: boolean; usage?: Usage; upstream?: Upstream; quality?: number; evaluation?: string }): void {
    evaluationFields("success", known.quality, known.evaluation);
    if (known.quality !== undefined) [this.#quality, this.#evaluation] = [known.quality, known.evaluation];
    this.#upstream = known.upstream ?? this.#upstream;
    this.#receiptId = known.receiptId ?? this.#receiptId;
    this.#slaBreached = known.slaBreached ?? this.#slaBreached;
    this.#usage = known.usage ?? this.#usage;
  }

  /** Ends the task: with an error as a failure, without one as a success unless `fail` was called. A second call does nothing. */
  end(...error: [] | [error: unknown]): void {
    const latencyMs = (this.tasks.outcomes.runtime.monotonic() - this.#began) * 1000;
    if (!this.close()) return;
    if (error.length === 0 || (error[0] as { name?: unknown } | undefined)?.name !== "AbortError") {
      const errorType = error.length === 0 ? this.#failure : this.tasks.errorType(error[0]);
      const upstream = this.#upstream ?? (error.length === 0 ? undefined : upstreamOf(error[0]));
      const result = errorType === undefined ? "success" : "failure";
      this.tasks.outcomes.add({ result, latencyMs, errorType, receiptId: this.#receiptId, slaBreached: this.#slaBreached, usage: this.usage.fields(this.#usage), upstream,
        quality: this.#quality, evaluation: this.#evaluation });
    }
    this.tasks.end(this.#taskId);
  }

  /** Ends the task without an outcome. */
  cancel(): void {
    if (this.close()) this.tasks.end(this.#taskId);
  }
}

/** The tasks of one agent. */
export class Tasks {
  /** @internal */
  readonly open = new Set<Working>();
  /** Called whenever a task ends. */
  onChange: () => void = () => {};
  load = 0;
  readonly #ids = new Map<string, number>();

  constructor(readonly outcomes: Outcomes, private readonly errorTypes: (error: unknown) => ErrorType = errorTypeOf) {}

  ids(): string[] {
    return [...this.#ids.keys()].sort().slice(0, MAX_TASK_IDS);
  }

  errorType(error: unknown): ErrorType {
    try {
      const found = this.errorTypes(error);
      return ERROR_TYPES.includes(found) ? found : "other";
    } catch (failure) {
      this.outcomes.logger.error(`errorTypes failed: ${describe(failure)}`);
      return "other";
    }
  }

  begin(taskId?: string): void {
    this.load++;
    if (taskId !== undefined) this.#ids.set(taskId, (this.#ids.get(taskId) ?? 0) + 1);
  }

  end(taskId?: string): void {
    this.load--;
    const left = taskId === undefined ? 0 : (this.#ids.get(taskId) ?? 1) - 1;
    if (taskId !== undefined && left > 0) this.#ids.set(taskId, left);
    else if (taskId !== undefined) this.#ids.delete(taskId);
    this.onChange();
  }

  /** The activity for a heartbeat: of what is longest without progress. */
  activity(): Activity | undefined {
    const now = this.outcomes.runtime.monotonic();
    const shown = ({ phase, lastProgress, waitsFor }: Working) => ({
      phase,
      no_progress_seconds: Math.round(Math.max(0, now - lastProgress) * 10) / 10,
      ...(waitsFor ? { for: waitsFor.slice(0, MAX_WAITS_FOR) } : {}),
    });
    const found = [...this.open].filter((one) => one.calls === 0).map(shown).reduce<Activity | undefined>(longest, undefined);
    const most = [...this.open].map((one) => one.repetitions).reduce<Repetitions | undefined>((a, b) => (a && a.repeats >= b.repeats ? a : b), undefined);
    return found && most && most.repeats > 0 ? { ...found, repeats: most.repeats, tool: most.tool } : found;
  }

  /** The innermost task or call of the running code, where it is one of this agent. */
  current(): Working | undefined {
    const current = AMBIENT?.getStore();
    return current && this.open.has(current) ? current : undefined;
  }

  tool<R>(given: ToolCall<R>, parent: Working | undefined = this.current()): R {
    return given.length === 1 ? this.call("tool", given[0], parent) : this.call("tool", given[2], parent, "", [given[0], given[1]]);
  }

  call<R>(
    phase: Phase, work: (call: Working) => R, parent: Working | undefined = this.current(), waitsFor = "", called?: readonly [string, unknown],
  ): R {
    const call = new Working(this, phase, parent, waitsFor, called);
    const end = () => void call.close();
    return settled(() => within(call, () => work(call)), end, end);
  }

  /** A wait for a person that belongs to no task. */
  wait(waitsFor: string): Waiting {
    const wait = new Working(this, "human", undefined, waitsFor);
    return { end: () => void wait.close() };
  }

  run<R>(taskId: string | undefined, work: (task: Running) => R): R {
    const task = new Running(this, taskId);
    return settled(() => within(task, () => work(task)), () => task.end(), (error) => task.end(error));
  }

  /** The same function, counted while it runs; generators while they are used. */
  task<This, A extends unknown[], R>(work: (this: This, ...args: A) => R): (this: This, ...args: A) => R {
    const tasks = this;
    const kind = (work as unknown as { [Symbol.toStringTag]?: string })[Symbol.toStringTag];
    if (kind === "AsyncGeneratorFunction") return tasks.streaming(work as never) as never;
    if (kind === "GeneratorFunction") {
      return function (this: This, ...args: A) {
        return tasks.#steps(() => work.apply(this, args) as Generator<unknown, unknown, unknown>);
      } as never;
    }
    return function (this: This, ...args: A) {
      return tasks.run(undefined, () => work.apply(this, args));
    };
  }

  /** A function that returns a stream: the task lasts until the stream has ended, and each item is progress. */
  streaming<This, A extends unknown[], T>(
    work: (this: This, ...args: A) => AsyncIterable<T> | PromiseLike<AsyncIterable<T>>,
  ): (this: This, ...args: A) => AsyncGenerator<T, unknown, unknown> {
    const tasks = this;
    return async function* (this: This, ...args: A) {
      const task = new Running(tasks);
      let items: AsyncIterator<T, unknown, unknown> | undefined;
      try {
        items = (await within(task, async () => work.apply(this, args)))[Symbol.asyncIterator]();
        for (let sent: unknown; ; ) {
          const { done, value } = await within(task, async () => items!.next(sent));
          if (done) {
            task.end();
            return value;
          }
          task.progress();
          sent = yield value;
        }
      } catch (error) {
        task.end(error);
        throw error;
      } finally {
        // What has not ended here was closed by its user.
        if (tasks.open.has(task)) await items?.return?.();
        task.cancel();
      }
    };
  }

  *#steps(start: () => Generator<unknown, unknown, unknown>): Generator<unknown, unknown, unknown> {
    const task = new Running(this);
    const items = within(task, start);
    try {
      for (let sent: unknown; ; ) {
        const { done, value } = within(task, () => items.next(sent));
        if (done) {
          task.end();
          return value;
        }
        task.progress();
        sent = yield value;
      }
    } catch (error) {
      task.end(error);
      throw error;
    } finally {
      if (this.open.has(task)) items.return(undefined);
      task.cancel();
    }
  }
}

/** @internal Makes a task or call the innermost one of the code that runs. */
export function within<R>(working: Working, work: () => R): R {
  return AMBIENT ? AMBIENT.run(working, work) : work();
}

/** The result of work that may be a promise, and a call when it is settled. */
function settled<R>(work: () => R, succeeded: () => void, failed: (error: unknown) => void): R {
  let result: R;
  try {
    result = work();
  } catch (error) {
    failed(error);
    throw error;
  }
  if (typeof (result as { then?: unknown } | undefined)?.then !== "function") {
    succeeded();
    return result;
  }
  const pending = result as unknown as PromiseLike<unknown>;
  return Promise.resolve(pending).then(
    (value) => { succeeded(); return value; },
    (error: unknown) => { failed(error); throw error; },
  ) as R;
}
