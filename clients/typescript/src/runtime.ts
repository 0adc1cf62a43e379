// Time, background work and the process. Tests replace the clocks and timers.

/** Receives what happens in the background. The default prints warnings and errors to the console. */
export interface Logger {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

export const CONSOLE: Logger = {
  info: () => {},
  warn: (message) => console.warn(`agent_health: ${message}`),
  error: (message) => console.error(`agent_health: ${message}`),
};

/** Clocks and timers. */
export interface Runtime {
  /** Seconds that pass also while the machine sleeps. */
  monotonic(): number;
  /** The time of this machine's clock, in milliseconds since 1970. */
  now(): number;
  /** From 0 to 1. */
  random(): number;
  /** Does something later, and returns what cancels it. The process does not end before, where it is kept alive. */
  after(seconds: number, work: () => void, keepAlive: boolean): () => void;
}

const MAX_TIMER_MILLIS = 2 ** 31 - 1;
const SUSPENDED_SECONDS = 2;

/** The machine's clocks and timers. */
export function systemRuntime(): Runtime {
  let [ticks, clock, suspended] = [performance.now() / 1000, Date.now() / 1000, 0];
  return {
    monotonic() {
      const [ticksBefore, clockBefore] = [ticks, clock];
      [ticks, clock] = [performance.now() / 1000, Date.now() / 1000];
      // The ticks stand still while a machine is suspended, and leases would seem to last.
      const missed = clock - clockBefore - (ticks - ticksBefore);
      suspended += missed > SUSPENDED_SECONDS ? missed : 0;
      return ticks + suspended;
    },
    now: () => Date.now(),
    random: () => Math.random(),
    after(seconds, work, keepAlive) {
      const timer: unknown = setTimeout(work, Math.min(Math.max(0, seconds * 1000), MAX_TIMER_MILLIS));
      // In Node, Deno and Bun a background timer must not keep the process alive.
      if (!keepAlive) (timer as { unref?: () => void }).unref?.();
      return () => clearTimeout(timer as number);
    },
  };
}

/** Waits; rejects with the signal's reason when it is aborted. */
export function sleep(runtime: Runtime, seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = runtime.after(seconds, () => { signal?.removeEventListener("abort", stop); resolve(); }, true);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

/** Something that runs in the background. */
export interface Worker {
  /** Lets it do its next step now. */
  wake(): void;
}

/** Runs a step at once and whenever it is due: it returns the seconds until then, or undefined when it is done. */
export function repeat(runtime: Runtime, logger: Logger, step: () => Promise<number | undefined>): Worker {
  let [running, woken, ended] = [false, false, false];
  const run = async () => {
    [running, woken] = [true, false];
    let pause: number | undefined;
    try {
      pause = await step();
    } catch (error) {
      // A defect of a callback or of this package must not end the heartbeats.
      logger.error(`a step in the background failed: ${describe(error)}`);
      pause = 5;
    }
    running = false;
    ended = pause === undefined;
    if (pause !== undefined) cancel = runtime.after(woken ? 0 : pause, () => void run(), false);
  };
  let cancel = runtime.after(0, () => void run(), false);
  return {
    wake() {
      woken = true;
      if (running || ended) return;
      cancel();
      cancel = runtime.after(0, () => void run(), false);
    },
  };
}

/** Calls a callback; its failure is logged and changes nothing. */
export async function guarded(logger: Logger, name: string, callback: () => unknown): Promise<void> {
  try {
    await callback();
  } catch (error) {
    logger.error(`${name} failed: ${describe(error)}`);
  }
}

export function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

interface ProcessLike {
  readonly pid: number;
  on(event: string, listener: () => void): unknown;
  off(event: string, listener: () => void): unknown;
  kill(pid: number, signal: string): unknown;
  exit(code: number): never;
  getBuiltinModule?(name: string): unknown;
  readonly env?: Record<string, string | undefined>;
  getuid?(): number;
}

/** The process, where the platform has one. */
export const PROCESS: ProcessLike | undefined = ((process) => (typeof process?.on === "function" ? process : undefined))(
  (globalThis as { process?: ProcessLike }).process,
);

/** The name of this host; undefined where the platform does not show it. */
export function hostName(): string | undefined {
  const os = PROCESS?.getBuiltinModule?.("node:os") as { hostname(): string } | undefined;
  const name = os?.hostname() ?? PROCESS?.env?.HOSTNAME ?? PROCESS?.env?.COMPUTERNAME;
  // What a registration accepts: the name of a host decides nothing else.
  return name?.replace(/\p{Cc}/gu, "").slice(0, 255);
}

/** One listener of the process for each event, however many agents it has: Node warns of more than ten. */
const LISTENERS = new Map<string, { readonly all: Set<() => void>; readonly dispatch: () => void }>();

/** Listens to an event of the process, where there is one, and returns what ends it. */
export function onProcess(event: string, listener: () => void): () => void {
  const process = PROCESS;
  if (!process) return () => {};
  let known = LISTENERS.get(event);
  if (!known) {
    const added = new Set<() => void>();
    known = { all: added, dispatch: () => [...added].forEach((one) => one()) };
    LISTENERS.set(event, known);
    process.on(event, known.dispatch);
  }
  const { all, dispatch } = known;
  all.add(listener);
  return () => {
    if (!all.delete(listener) || all.size > 0) return;
    process.off(event, dispatch);
    LISTENERS.delete(event);
  };
}
