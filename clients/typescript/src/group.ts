// Several processes or threads of one machine that are one agent. One of them leads: it registers, and sends the heartbeats of all.
import type { Server, Socket } from "node:net";
import type { Json } from "./errors.js";
import { Ended, MAX_WAITING } from "./outcomes.js";
import { describe, Logger, PROCESS, Runtime } from "./runtime.js";
import type { State } from "./session.js";
import type { Activity } from "./work.js";

/** What the leader shows the others. */
export interface Shown {
  readonly state: State;
  readonly incarnation?: number;
  readonly interval?: number;
  readonly startedAt?: string;
  readonly profile?: string;
  readonly reason?: string;
  readonly timeoutSeconds?: number;
  readonly restarts?: boolean;
}

/** What another process tells the leader. */
export interface Told {
  readonly load: number;
  readonly ids: readonly string[];
  readonly activity?: Activity;
  /** Why the agent is to drain, where this process asks for it in the life with this incarnation. */
  readonly drain?: string;
  readonly incarnation?: number;
}

/** What a process needs of its agent. */
export interface GroupHooks {
  /** Something is different: who leads, what the leader shows, or what another process tells it. */
  changed(): void;
  until(condition: () => boolean, seconds: number): Promise<boolean>;
}

interface Member {
  readonly socket: Socket;
  told?: Told;
  toldAt: number;
  outcomes: Ended[];
  last: number;
  gone: boolean;
}

interface Link {
  readonly socket: Socket;
  /** Whether the other process leads, or does not answer; false where it has ended or gone back. */
  readonly leads: Promise<boolean>;
}

const ANSWER_SECONDS = 5;
/** How long a process that is about to end leaves the place of a leader to others. */
const YIELD_SECONDS = 0.5;
const MAX_LINE = 1 << 20;
/** What may wait for a leader that does not read, in bytes. */
const MAX_UNREAD = 1 << 20;
/** The shortest limit of a path of a socket, on macOS, is 103 bytes. */
const MAX_PATH = 103;

function modules() {
  const process = PROCESS;
  // Windows has no users by number, nor folders that only one of them can read in this way.
  if (!process?.getBuiltinModule || !process.getuid) return undefined;
  const [net, fs, os, crypto] = ["net", "fs", "os", "crypto"].map((name) => process.getBuiltinModule?.(`node:${name}`));
  return {
    net: net as typeof import("node:net"), fs: fs as typeof import("node:fs"), os: os as typeof import("node:os"),
    crypto: crypto as typeof import("node:crypto"), uid: process.getuid(),
  };
}

function say(socket: Socket | undefined, line: object): void {
  if (socket?.writable) socket.write(`${JSON.stringify(line)}\n`);
}

function listen(socket: Socket, take: (line: Json) => void): void {
  let rest = "";
  socket.setEncoding("utf8").on("error", () => {}).on("data", (text: unknown) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    try {
      if (rest.length > MAX_LINE) throw new RangeError();
      for (const line of lines) take(JSON.parse(line) as Json);
    } catch {
      socket.destroy();
    }
  });
}

/**
 * The part of one process in it.
 *
 * Who leads is found by sockets in a folder of this user. A process that wants to lead listens first, shows its socket by a name of its own, and
 * then asks every other one that it finds: of two, at least the later finds the other. A socket without a listener is of a process that has
 * ended, and is removed. The connection to the leader is how its end is noticed, and carries what both have to say.
 */
export class Group {
  leads = false;
  /** What the leader has shown last. */
  shown: Shown | undefined;
  #path = "";
  #server: Server | undefined;
  #leader: Socket | undefined;
  readonly #members = new Set<Member>();
  #kept: Ended[] = [];
  /** The numbers of the first outcome that is kept, and of the first that this leader has not got. */
  #first = 1;
  #next = 1;
  #told: Told | undefined;
  #leaving = false;
  #released = false;
  #closed = false;
  /** Whether another process was found that has ended or gone back. */
  #inherits = false;

  private constructor(
    private readonly node: NonNullable<ReturnType<typeof modules>>,
    private readonly base: string,
    private readonly runtime: Runtime,
    private readonly logger: Logger,
    private readonly hooks: GroupHooks,
  ) {}

  /** The group of an agent; undefined where processes cannot share it. */
  static async join(url: string, agentId: string, runtime: Runtime, logger: Logger, hooks: GroupHooks): Promise<Group | undefined> {
    const node = modules();
    if (!node) return undefined;
    const hash = node.crypto.createHash("sha256").update(`1 ${url} ${agentId}`).digest("hex").slice(0, 20);
    const group = new Group(node, `${node.os.tmpdir()}/agent-health-${node.uid}/${hash}`, runtime, logger, hooks);
    try {
      await group.#elect();
      return group;
    } catch (error) {
      group.close();
      logger.warn(`other processes of agent ${agentId} are not heard: ${describe(error)}`);
      return undefined;
    }
  }

  // Who leads

  async #elect(): Promise<void> {
    while (!this.#closed) {
      await this.#show();
      const link = await this.#found();
      if (this.#closed) return this.#withdraw();
      if (!link) {
        this.leads = true;
        for (const { socket } of this.#members) this.#greet(socket);
        // Those whose leader has ended know its life, and may have been slower than this process.
        if (this.#inherits && !this.#told) await this.hooks.until(() => this.shown !== undefined || this.#closed, YIELD_SECONDS);
        return;
      }
      this.#withdraw();
      if (!(await link.leads)) continue;
      // A process that takes the place of one that drains is not to drain with it.
      if (this.#told || !this.#ends(this.shown)) return this.#follow(link.socket);
      link.socket.destroy();
      this.shown = undefined;
    }
  }

  /** Listens, and lets others see it only then. */
  async #show(): Promise<void> {
    const { fs, net, crypto, uid } = this.node;
    const folder = this.base.slice(0, this.base.lastIndexOf("/"));
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    const found = fs.lstatSync(folder);
    if (!found.isDirectory() || found.uid !== uid || found.mode & 0o077) throw new Error(`${folder} belongs to somebody else, or can be read by others`);
    const name = `${this.base}.${crypto.randomUUID().slice(0, 13)}`;
    if (name.length + ".socket".length > MAX_PATH) throw new Error(`the name of the folder ${folder} is too long for a socket`);
    const server = net.createServer((socket) => this.#accept(socket)).unref();
    await new Promise<void>((resolve, reject) => {
      // The workers of a cluster would share a socket that is not exclusive.
      server.once("error", reject).listen({ path: `${name}.new`, exclusive: true }, resolve);
    });
    fs.renameSync(`${name}.new`, `${name}.socket`);
    [this.#server, this.#path] = [server, `${name}.socket`];
  }

  /** Another process that leads, or is to. */
  async #found(): Promise<Link | undefined> {
    const cut = this.base.lastIndexOf("/") + 1;
    for (const name of this.node.fs.readdirSync(this.base.slice(0, cut)).sort()) {
      const path = this.base.slice(0, cut) + name;
      if (!path.startsWith(this.base) || !path.endsWith(".socket") || path === this.#path) continue;
      const link = await this.#connect(path);
      // Of two that begin at once, the one whose name comes later goes back.
      if (link && (path < this.#path || (await link.leads))) return link;
      this.#inherits = true;
      // It has no listener, and never will have one: each name is used once.
      this.node.fs.rmSync(path, { force: true });
    }
    return undefined;
  }

  #connect(path: string): Promise<Link | undefined> {
    return new Promise((resolve, reject) => {
      const socket = this.node.net.connect({ path });
      socket.once("error", (error: NodeJS.ErrnoException) => {
        if (["ECONNREFUSED", "ECONNRESET", "ENOENT"].includes(error.code ?? "")) resolve(undefined);
        else reject(error);
      });
      socket.once("connect", () => {
        const leads = new Promise<boolean>((settle) => {
          const cancel = this.runtime.after(ANSWER_SECONDS, () => settle(true), true);
          const answered = (leads: boolean) => {
            cancel();
            settle(leads);
          };
          listen(socket, (line) => {
            answered(true);
            this.#hear(line);
          });
          socket.once("close", () => {
            answered(false);
            if (socket === this.#leader) void this.#lost();
          });
        });
        socket.unref();
        resolve({ socket, leads });
      });
    });
  }

  #follow(socket: Socket): void {
    this.#leader = socket;
    this.#next = this.#first;
    socket.on("drain", () => this.#send());
    if (this.#told) say(socket, { told: this.#told, shown: this.shown });
    this.#send();
    // It may have ended before its end was of interest.
    if (socket.destroyed) void this.#lost();
  }

  async #lost(): Promise<void> {
    this.#leader = undefined;
    if (this.#leaving) await this.hooks.until(() => this.#closed, YIELD_SECONDS);
    try {
      await this.#elect();
    } catch (error) {
      this.logger.warn(`other processes of the agent are not heard any more: ${describe(error)}`);
      this.leads = !this.#closed;
    }
    this.hooks.changed();
  }

  #withdraw(): void {
    if (this.#path) this.node.fs.rmSync(this.#path, { force: true });
    this.#server?.close();
    for (const { socket } of this.#members) socket.end();
    this.#members.clear();
    this.#path = "";
  }

  #ends(shown: Shown | undefined): boolean {
    return shown !== undefined && shown.state !== "starting" && shown.state !== "active";
  }

  // What the leader does

  #accept(socket: Socket): void {
    const member: Member = { socket, toldAt: 0, outcomes: [], last: 0, gone: false };
    this.#members.add(member);
    listen(socket.unref(), (line) => {
      if (line.outcome) {
        const { fields, age, number } = line.outcome as { fields: Json; age: number; number: number };
        member.outcomes.push({ fields, ended: this.runtime.monotonic() - age });
        member.last = number;
      }
      if (!this.shown && line.shown && !this.#ends(line.shown as Shown)) this.shown = line.shown as Shown;
      if (line.told) {
        [member.told, member.toldAt] = [line.told as Told, this.runtime.monotonic()];
        this.hooks.changed();
      }
      if (line.bye) {
        member.gone = true;
        // One that is about to end leaves to it to end the agent.
        if (!this.#leaving) say(socket, { bye: true });
        this.hooks.changed();
      }
    });
    socket.once("close", () => {
      member.gone = true;
      this.hooks.changed();
    });
    if (this.leads) this.#greet(socket);
  }

  #greet(socket: Socket): void {
    say(socket, { shown: this.shown });
  }

  /** Shows the others what the leader knows. */
  publish(shown: Shown): void {
    if (!this.leads || JSON.stringify(shown) === JSON.stringify(this.shown)) return;
    this.shown = shown;
    // Who starts from now on begins another life.
    if (this.#ends(shown) && this.#path) this.node.fs.rmSync(this.#path, { force: true });
    for (const { socket } of this.#members) this.#greet(socket);
  }

  /** What each other process tells that lives. */
  others(): Told[] {
    return [...this.#members].filter((member) => !member.gone).map(({ told = { load: 0, ids: [] }, toldAt }) => {
      const { activity } = told;
      const since = this.runtime.monotonic() - toldAt;
      return activity ? { ...told, activity: { ...activity, no_progress_seconds: Math.round((activity.no_progress_seconds + since) * 10) / 10 } } : told;
    });
  }

  /** The outcomes of the other processes, each once. They are with the leader from now on. */
  collect(): Ended[] {
    const all: Ended[] = [];
    for (const member of this.#members) {
      if (member.outcomes.length > 0) say(member.socket, { taken: member.last });
      all.push(...member.outcomes.splice(0));
      if (member.socket.destroyed) this.#members.delete(member);
    }
    return all;
  }

  // What the others do

  #hear(line: Json): void {
    if (line.shown) this.shown = line.shown as Shown;
    if (typeof line.taken === "number") {
      this.#kept.splice(0, line.taken - this.#first + 1);
      this.#first = Math.max(this.#first, line.taken + 1);
    }
    if (line.bye) this.#released = true;
    this.hooks.changed();
  }

  /** Tells the leader what this process does and asks for. */
  tell(told: Told): void {
    this.#told = told;
    if (this.#leader && this.#leader.writableLength < MAX_UNREAD) say(this.#leader, { told });
  }

  /** Hands an outcome to the leader, and keeps it until a leader takes it. In the buffer of the kernel, it outlives this process. */
  spool(ended: Ended): void {
    if (this.#kept.push(ended) > MAX_WAITING) {
      this.#kept.shift();
      this.#next = Math.max(this.#next, ++this.#first);
    }
    this.#send();
  }

  #send(): void {
    const socket = this.#leader;
    while (socket && this.#next < this.#first + this.#kept.length && socket.writableLength < MAX_UNREAD) {
      const { fields, ended } = this.#kept[this.#next - this.#first]!;
      say(socket, { outcome: { fields, age: this.runtime.monotonic() - ended, number: this.#next++ } });
    }
    if (this.#leaving && this.#next === this.#first + this.#kept.length) say(socket, { bye: true });
  }

  /** The outcomes that no leader has taken; they are the caller's. */
  release(): Ended[] {
    this.#next = this.#first += this.#kept.length;
    return this.#kept.splice(0);
  }

  // The end

  /** Ends what this process does; returns whether others go on with the agent. If not, this process leads. */
  async leave(): Promise<boolean> {
    const followed = !this.leads;
    if (followed) {
      this.#leaving = true;
      this.#send();
      await this.hooks.until(() => this.leads || this.#released, 2 * ANSWER_SECONDS);
      if (!this.leads) return true;
    }
    // Others that end at the same time, or have ended just now, are to leave the end of the agent to this one.
    this.#leaving = false;
    await this.hooks.until(() => !followed && this.others().length === 0, YIELD_SECONDS);
    this.#leaving = this.others().length > 0;
    return this.#leaving;
  }

  close(): void {
    this.#closed = true;
    this.#leader?.end();
    this.#withdraw();
  }
}
