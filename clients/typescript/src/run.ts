#!/usr/bin/env node
// The commands `agent-health-agent run` and `agent-health-agent sidecar`; docs/guides/run.md has their options.
import { ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { connect } from "node:net";
import { constants, hostname } from "node:os";
import { Agent } from "./agent.js";
import { Json, parsedObject } from "./errors.js";
import { keyFromEnvironment } from "./node.js";
import type { Result } from "./outcomes.js";
import type { Drain } from "./session.js";

/** The options by their variables. The key has none, since others can read the options of a process. */
const VARIABLES = {
  "--registry": "URL", "--id": "AGENT_ID", "--role": "ROLE_ID", "--name": "NAME", "--instance": "INSTANCE", "--capabilities": "CAPABILITIES",
  "--interval": "INTERVAL_SECONDS",  "--profile": "PROFILE", "--watch": "WATCH", "--port": "WATCH_PORT", "--file": "WATCH_FILE", "--max-age": "WATCH_MAX_AGE_SECONDS", "--pid": "WATCH_PID",
  "--on-drain": "ON_DRAIN", "--on-exit": "ON_EXIT", "--register-again": "REGISTER_AGAIN",
} as const;

type Option = keyof typeof VARIABLES;
type Options = Partial<Record<Option, string>> & { verbose: boolean; profile: Json; command: string[] };
type Check = () => boolean | Promise<boolean>;

const [NOT_EXECUTABLE, NOT_FOUND, WRONG_OPTION, RESTART] = [126, 127, 64, 75];
const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2"] as const;
const ENDING: readonly string[] = ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"];
/** What the terminal itself sends to all processes in its foreground. */
const OF_TERMINAL: readonly string[] = ["SIGINT", "SIGQUIT"];
const [CHECK_SECONDS, AGAIN_SECONDS, END_SECONDS, RESTART_SECONDS, LOOK_SECONDS] = [5, 60, 5, 120, 0.2];
const USAGE = `usage: agent-health-agent run [options] -- COMMAND ...
       agent-health-agent sidecar [options]

options, each also as a variable AGENT_HEALTH_...: ${Object.entries(VARIABLES).map(([name, variable]) => `\n  ${name.padEnd(16)}${variable}`).join("")}
  --url           the same as --watch
  --verbose       VERBOSE\n`;

/** The commands of the registry's program. */
const OF_REGISTRY: readonly string[] = (
  "serve demo login logout status agents agent availability usage versions problems events calls drain restart stop containment watch block unblock blocks erase ping-url import sources " +
  "silences status-page notifications workflows configuration leases audit keys identity-providers fleet backup restore check completion"
).split(" ");
/** The variables of this program, of the clients, and of the registry. */
const KNOWN: readonly string[] = [
  ...Object.values(VARIABLES), "KEY", "TOKEN_FILE", "VERBOSE", "PID", "DRAIN_REASON", "DRAIN_TIMEOUT_SECONDS", "PING_URL", "ADMIN_KEY", "PORT", "HOST",
  "PUBLIC_URL", "DATA_DIR",
];
const PREFIX = "AGENT_HEALTH_";

/** A warning for each variable that is near to one of this program, but is none. */
function mistyped(environment: NodeJS.ProcessEnv): string[] {
  const words = Object.keys(environment).filter((name) => name.startsWith(PREFIX)).map((name) => name.slice(PREFIX.length)).sort();
  return words.filter((word) => !KNOWN.includes(word)).flatMap((word) => {
    const near = KNOWN.filter((known) => distance(known, word) <= Math.min(3, known.length / 3)).sort((a, b) => distance(a, word) - distance(b, word))[0];
    return near ? [`${PREFIX}${word} is no variable and is ignored. Is ${PREFIX}${near} meant?`] : [];
  });
}

/** The Levenshtein distance. */
function distance(a: string, b: string): number {
  let row = [...Array(b.length + 1).keys()];
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) next.push(Math.min(row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1), row[j]! + 1, next[j - 1]! + 1));
    row = next;
  }
  return row[b.length]!;
}

class WrongOption extends Error {}

const pause = (seconds: number) => new Promise<void>((resolve) => setTimeout(resolve, seconds * 1000));
const say = (text: string) => void process.stderr.write(`agent-health-agent: ${text}\n`);

function parsed(work: string, given: string[]): Options {
  const found: Partial<Record<Option, string>> = {};
  for (const [option, variable] of Object.entries(VARIABLES)) found[option as Option] = process.env[`AGENT_HEALTH_${variable}`] || undefined;
  let verbose = Boolean(process.env.AGENT_HEALTH_VERBOSE);
  while (given[0]?.startsWith("-") && given[0] !== "--") {
    const [name = "", ...value] = given.shift()!.split("=");
    if (name === "--verbose") {
      verbose = true;
      continue;
    }
    const option = (name === "--url" ? "--watch" : name) as Option;
    if (!(option in VARIABLES) || (option === "--pid" && work === "run")) throw new WrongOption(`unknown option ${name}`);
    found[option] = value.length > 0 ? value.join("=") : given.shift();
    if (found[option] === undefined) throw new WrongOption(`${name} has no value`);
  }
  if (given[0] === "--") given.shift();
  if (work === "run") delete found["--pid"];
  const wrong = (option: Option, rule: string) => { throw new WrongOption(`${option}: ${rule}`); };
  const profile = found["--profile"] ? parsedObject(found["--profile"]) : {};
  if (!profile) return wrong("--profile", "no JSON object");
  if (found["--interval"] && !/^\d+$/.test(found["--interval"])) wrong("--interval", "no number of seconds");
  if (found["--max-age"] && !(Number(found["--max-age"]) >= 0)) wrong("--max-age", "no number of seconds");
  if (found["--port"] && !/(^|:)\d+$/.test(found["--port"])) wrong("--port", "no port");
  if (!["auto", "deregister", "leave"].includes((found["--on-exit"] ??= "auto"))) wrong("--on-exit", "auto, deregister or leave");
  if (!["auto", "always"].includes((found["--register-again"] ??= "auto"))) wrong("--register-again", "auto or always");
  if (work === "run" && given.length === 0) throw new WrongOption("a command is missing");
  return { ...found, verbose, profile, command: given };
}

// What is looked at before a heartbeat

async function answers(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(CHECK_SECONDS * 1000) });
    void answer.body?.cancel();
    return answer.ok;
  } catch {
    return false;
  }
}

function accepts(address: string): Promise<boolean> {
  const at = address.lastIndexOf(":");
  return new Promise((resolve) => {
    const socket = connect({ port: Number(address.slice(at + 1)), host: address.slice(0, Math.max(0, at)) || "127.0.0.1" });
    const end = (held: boolean) => { socket.destroy(); resolve(held); };
    socket.setTimeout(CHECK_SECONDS * 1000, () => end(false)).on("connect", () => end(true)).on("error", () => end(false));
  });
}

function isWritten(file: string, maxAgeSeconds: number): boolean {
  const status = statSync(file, { throwIfNoEntry: false });
  return status !== undefined && Date.now() - status.mtimeMs <= maxAgeSeconds * 1000;
}

/** The text of a small ordinary file, as a pipe would never end and a large file holds no number. */
function textOf(path: string): string {
  const file = statSync(path);
  return file.isFile() && file.size <= 100 ? readFileSync(path, "ascii").trim() : "";
}

/**
 * The number of a process that may be watched and get signals, given itself or as a file; undefined where there is none. 0, 1 and negative numbers
 * stand for groups of processes or for the first one, and a process of another user is not this one's to end.
 */
function numberOf(pid: string): number | undefined {
  try {
    const text = /^\d+$/.test(pid) ? pid : textOf(pid);
    const number = /^\d{1,10}$/.test(text) ? Number(text) : 0;
    return number > 1 && isOwn(number) ? number : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a process is a child of this one, or of the same user. The first user may signal every process, so the permission alone says nothing. */
function isOwn(number: number): boolean {
  let [user, parent]: (string | undefined)[] = [];
  if (existsSync("/proc/self")) {
    const status = readFileSync(`/proc/${number}/status`, "utf8");
    [user, parent] = [/^Uid:\s*(\d+)/m.exec(status)?.[1], /^PPid:\s*(\d+)/m.exec(status)?.[1]];
  } else {
    [user, parent] = spawnSync("ps", ["-o", "ruid=,ppid=", "-p", String(number)], { encoding: "utf8" }).stdout.trim().split(/\s+/);
  }
  return user === String(process.geteuid?.()) || parent === String(process.pid);
}

function lives(pid: string): boolean {
  return numberOf(pid) !== undefined;
}

function checksOf(options: Options): Check[] {
  const { "--watch": url, "--port": port, "--file": file, "--pid": pid, "--max-age": maxAge = "90" } = options;
  const checks: Check[] = [];
  if (url) checks.push(() => answers(url));
  if (port) checks.push(() => accepts(port));
  if (file) checks.push(() => isWritten(file, Number(maxAge)));
  if (pid) checks.push(() => lives(pid));
  return checks;
}

/** Whether all checks hold; says when that changes. */
function watch(checks: Check[]): Check {
  let held = true;
  return async () => {
    let holds = true;
    for (const check of checks) holds &&= await check();
    if (holds !== held) say(holds ? "heartbeats go on" : "no heartbeat is sent until what is watched answers again");
    return (held = holds);
  };
}

/** The agent of a process. Whatever the registry does, the process goes on. */
class Registered {
  readonly id: string;
  readonly scheduled: boolean;
  readonly #agent: Agent | undefined;
  readonly #stop = new AbortController();
  #starting: Promise<void> = Promise.resolve();
  #registers = false;

  constructor(options: Options, onDrain: (drain: Drain) => unknown, onRestart: (drain: Drain) => unknown) {
    this.id = options["--id"] ?? hostname();
    const seconds = Number(options["--interval"] ?? 0);
    const times = seconds ? { interval_seconds: seconds, unhealthy_after_seconds: 3 * seconds, dead_after_seconds: 10 * seconds } : {};
    const heartbeats = { ...times, ...(options.profile.heartbeat_config as Json | undefined) };
    this.scheduled = "schedule" in heartbeats;
    const checks = checksOf(options);
    try {
      this.#agent = new Agent(options["--registry"] ?? "", keyFromEnvironment(), this.id, {
        roleId: options["--role"],
        name: options["--name"],
        instance: options["--instance"],
        share: false,
        capabilities: options["--capabilities"]?.split(",").map((one) => one.trim()).filter(Boolean),
        profile: { ...options.profile, ...(Object.keys(heartbeats).length > 0 ? { heartbeat_config: heartbeats } : {}) },
        onDrain,
        onRestart,
        alive: checks.length > 0 ? watch(checks) : undefined,
        registerAgain: options["--register-again"] === "always" ? "always" : true,
        closeOnExit: false,
        closeTimeoutSeconds: END_SECONDS,
        timeoutSeconds: END_SECONDS,
        logger: { info: options.verbose ? say : () => {}, warn: say, error: say },
      });
    } catch (error) {
      say(`not registered, as a setting is wrong: ${(error as Error).message}`);
    }
  }

  start(): void {
    if (this.#agent) this.#starting = this.#start(this.#agent);
  }

  async #start(agent: Agent): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      this.#registers = true;
      try {
        await agent.start({ signal });
        return;
      } catch (error) {
        // A profile that breaks a rule of this registry may be allowed later.
        if (!signal.aborted) say(`agent ${this.id} is not registered: ${(error as Error).message}`);
      }
      this.#registers = false;
      await Promise.race([pause(AGAIN_SECONDS), new Promise((resolve) => signal.addEventListener("abort", resolve))]);
    }
  }

  drain(reason: string): void {
    this.#agent?.drain(reason);
  }

  /** Sends the outcome, and deregisters the agent or leaves it. */
  async end(deregisters: boolean, result?: Result, latencyMs?: number): Promise<void> {
    const timer = setTimeout(() => this.#stop.abort(), this.#registers ? END_SECONDS * 1000 : 0);
    await this.#starting;
    clearTimeout(timer);
    if (result) this.#agent?.record(result, { latencyMs });
    await (deregisters ? this.#agent?.close() : this.#agent?.leave());
  }
}

/** Runs the command that begins a drain; resolves to whether it succeeded. */
async function hook(command: string, pid: number | undefined, drain: Drain): Promise<boolean> {
  const about = { AGENT_HEALTH_DRAIN_REASON: drain.reason, AGENT_HEALTH_DRAIN_TIMEOUT_SECONDS: String(drain.timeoutSeconds ?? ""), AGENT_HEALTH_PID: String(pid ?? "") };
  const status = await ended(spawn(command, { shell: true, stdio: "inherit", env: { ...process.env, ...about } }));
  if (status !== 0) say(`--on-drain ended with status ${status}`);
  return status === 0;
}

/** The status with which a process ended, as a shell has it; rejects where it does not start. */
function ended(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.on("error", reject).on("exit", (code, signal) => resolve(code ?? 128 + constants.signals[signal!]));
  });
}

async function run(options: Options): Promise<number> {
  const interactive = process.stdin.isTTY === true;
  const [asked, restarts] = [{ any: false }, { any: false }];
  const [program = "", ...rest] = options.command;
  const registered = new Registered(options, follow, restart);
  // A group of its own in a terminal could not read from it, and Windows has none.
  const grouped = !interactive && process.platform !== "win32";
  const child = spawn(program, rest, { stdio: "inherit", detached: grouped, env: { ...process.env, AGENT_HEALTH_AGENT_ID: registered.id } });
  const end = ended(child);
  const began = performance.now();

  function send(signal: NodeJS.Signals): void {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    try {
      process.kill(grouped ? -child.pid : child.pid, signal);
    } catch {
      // It has just ended.
    }
  }

  async function follow(drain: Drain): Promise<void> {
    asked.any = true;
    const command = options["--on-drain"];
    if (!(command && (await hook(command, child.pid, drain)))) send("SIGTERM");
    await end;
  }

  async function restart(drain: Drain): Promise<void> {
    asked.any = restarts.any = true;
    registered.drain(drain.reason);
    const kill = setTimeout(() => send("SIGKILL"), (drain.timeoutSeconds || RESTART_SECONDS) * 1000);
    await end;
    clearTimeout(kill);
  }

  for (const signal of SIGNALS) {
    process.on(signal, () => {
      asked.any ||= ENDING.includes(signal);
      if (!(interactive && OF_TERMINAL.includes(signal))) send(signal);
    });
  }
  child.on("spawn", () => registered.start());
  let status: number;
  try {
    status = await end;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    say(`${program}: ${code === "ENOENT" ? "not found" : code}`);
    return code === "ENOENT" ? NOT_FOUND : NOT_EXECUTABLE;
  }
  const clean = (status === 0 || asked.any) && !registered.scheduled;
  const result = status === 0 ? "success" : asked.any ? undefined : "failure";
  await registered.end(options["--on-exit"] === "auto" ? clean : options["--on-exit"] === "deregister", result, performance.now() - began);
  return restarts.any ? RESTART : status;
}

async function sidecar(options: Options): Promise<number> {
  if (checksOf(options).length === 0) throw new WrongOption("one of --url, --port, --file and --pid is missing");
  const { "--pid": pid, "--on-drain": command } = options;
  let stop: (status: number) => void = () => {};
  const stops = new Promise<number>((resolve) => (stop = resolve));
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => stop(0));
  // The agent's own timers keep no process alive.
  const alive = setInterval(() => {}, 1_000_000);
  let stopped = false;
  const registered = new Registered(options, async (drain) => {
    const number = pid === undefined ? undefined : numberOf(pid);
    if (!(command && (await hook(command, number, drain))) && number !== undefined) {
      try {
        process.kill(number, "SIGTERM");
      } catch (error) {
        say(`process ${number} gets no SIGTERM: ${(error as NodeJS.ErrnoException).code}`);
      }
    }
    while (number !== undefined && lives(String(number)) && !stopped) await pause(LOOK_SECONDS);
  }, (drain) => {
    registered.drain(drain.reason);
    stop(RESTART);
  });
  registered.start();
  const status = await stops;
  stopped = true;
  clearInterval(alive);
  await registered.end(options["--on-exit"] !== "leave");
  return status;
}

async function main([work = "", ...given]: string[]): Promise<number> {
  if (["-h", "--help"].some((one) => one === work || one === given[0])) {
    process.stdout.write(USAGE);
    return 0;
  }
  if (OF_REGISTRY.includes(work)) {
    process.stderr.write(`agent-health-agent: '${work}' is a command of the registry's own program: run 'agent-health ${work}' of its archive, or 'java -jar agent-health-local.jar ${work}'. This program has 'run' and 'sidecar'.\n`);
    return WRONG_OPTION;
  }
  for (const warning of mistyped(process.env)) say(warning);
  try {
    if (work === "run") return await run(parsed(work, given));
    if (work === "sidecar") return await sidecar(parsed(work, given));
    throw new WrongOption(work ? `unknown command ${work}` : "a command is missing");
  } catch (error) {
    if (!(error instanceof WrongOption)) throw error;
    process.stderr.write(`agent-health-agent: ${error.message}\n${USAGE}`);
    return WRONG_OPTION;
  }
}

void main(process.argv.slice(2)).then((status) => process.exit(status));
