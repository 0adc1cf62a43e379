// One agent of several processes: those of a cluster, forked ones, threads, and others beside each other.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { FakeRegistry, problem, response } from "./fakes.mjs";

const PACKAGE = new globalThis.URL("../dist/esm/index.js", import.meta.url).href;
const WAIT_MILLIS = 30_000;
/** The programs in the guide, by their files. */
const DOCUMENT = readFileSync(new globalThis.URL("../../../docs/guides/processes.md", import.meta.url), "utf8");
const documented = (name) => DOCUMENT.split("```").find((block) => block.startsWith(`js\n// ${name}`)).slice(3);

const BEGIN = `
import { Agent } from ${JSON.stringify(PACKAGE)};
import { createInterface } from "node:readline";
const fetchAs = (url, init) => fetch(url, { ...init, headers: { ...init.headers, "x-process": String(process.pid) } });
export const newAgent = (options) => new Agent(process.env.AGENT_HEALTH_URL, "ahk_test", process.env.AGENT_HEALTH_AGENT_ID, { fetch: fetchAs, ...options });
export const lines = () => createInterface(process.stdin);
`;

const SIBLING = `
import { newAgent, lines } from "./begin.mjs";
const agent = await newAgent({ onDrain: (drain) => console.log("drain", drain.reason), onSuperseded: () => console.log("superseded") }).start();
console.log("ready", process.pid);
const tasks = [];
for await (const line of lines()) {
  const [word, name] = line.split(" ");
  if (word === "begin") tasks.push(agent.begin(name));
  if (word === "end") tasks.pop().end();
  if (word === "record") for (let left = Number(name); left > 0; left--) agent.record("success");
  if (word === "die") process.kill(process.pid, "SIGKILL");
  if (word === "drain") agent.drain("by itself");
  if (word === "wait") console.log(await agent.wait({ seconds: Number(name ?? 20) }), agent.state, agent.acceptsWork);
  if (word === "close") break;
}
await agent.close();
console.log("closed", agent.state);
process.exit();
`;

const CLUSTER = `
import cluster from "node:cluster";
import { once } from "node:events";
import { newAgent } from "./begin.mjs";
const agent = process.env.ONLY_WORKERS && cluster.isPrimary ? undefined : await newAgent().start();
if (cluster.isPrimary) {
  const workers = [0, 1, 2].map(() => cluster.fork());
  await Promise.all(workers.map((worker) => once(worker, "message")));
  for (const worker of workers) worker.send("begin");
  await Promise.all(workers.map((worker) => once(worker, "exit")));
  await agent?.close();
} else {
  process.send("ready");
  await once(process, "message");
  const work = agent.task(async () => {});
  for (let left = 15; left > 0; left--) await work();
  // Without a word to the agent, as a process that has done its work.
  if (!process.env.ONLY_WORKERS) process.exit();
  await agent.close();
  cluster.worker.disconnect();
}
`;

const THREADS = `
import { isMainThread, Worker } from "node:worker_threads";
import { fork } from "node:child_process";
import { once } from "node:events";
import { newAgent } from "./begin.mjs";
const child = process.argv[2] === "child";
const agent = await newAgent().start();
agent.record("success");
if (isMainThread && !child) {
  const others = [new Worker(process.argv[1]), new Worker(process.argv[1]), fork(process.argv[1], ["child"])];
  await Promise.all(others.map((one) => once(one, "exit")));
}
await agent.close();
`;

async function until(condition, what) {
  const end = Date.now() + WAIT_MILLIS;
  while (!condition()) {
    assert.ok(Date.now() < end, `waited for ${typeof what === "function" ? what() : what}`);
    await pause(10);
  }
}

describe("several processes", { skip: process.platform === "win32" }, () => {
  let folder, registry, server, environment, all, by, hangs;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "ah-"));
    for (const [name, code] of Object.entries({ "begin.mjs": BEGIN, "sibling.mjs": SIBLING, "cluster.mjs": CLUSTER, "threads.mjs": THREADS })) {
      writeFileSync(join(folder, name), code);
    }
    registry = new FakeRegistry({ time: 1000 });
    registry.record = { heartbeat_config: { interval_seconds: 0.3 } };
    [all, by, hangs] = [[], [], 0];
    server = createServer(async (request, answer) => {
      const parts = [];
      for await (const part of request) parts.push(part);
      by.push(Number(request.headers["x-process"]));
      if (hangs) return void hangs++;
      const given = await registry.fetch(`http://registry.test${request.url}`, { method: request.method, body: Buffer.concat(parts).toString() || undefined });
      answer.writeHead(given.status, { ...Object.fromEntries(given.headers), connection: "close" }).end(await given.text());
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    environment = { ...process.env, AGENT_HEALTH_URL: `http://127.0.0.1:${server.address().port}`, AGENT_HEALTH_AGENT_ID: "agent_a", TMPDIR: folder };
  });

  afterEach(async () => {
    for (const { process } of all) process.kill("SIGKILL");
    server.close();
    server.closeAllConnections();
    rmSync(folder, { recursive: true, force: true });
  });

  function begin(program, more = {}) {
    const process = spawn(globalThis.process.execPath, [join(folder, program)], { cwd: folder, env: { ...environment, ...more }, stdio: ["pipe", "pipe", "inherit"] });
    const one = { process, printed: [], say: (text) => process.stdin.write(`${text}\n`), ended: once(process, "exit") };
    process.stdout.setEncoding("utf8").on("data", (text) => one.printed.push(...text.trim().split("\n")));
    all.push(one);
    return one;
  }

  async function siblings(count, more) {
    const begun = Array.from({ length: count }, () => begin("sibling.mjs", more));
    for (const one of begun) await until(() => one.printed.length > 0, "the start of all");
    return begun;
  }

  const outcomes = () => registry.requests.flatMap(({ body }) => body?.outcomes ?? []).length;
  const leader = () => all.find(({ process }) => process.pid === by.at(-1));
  const shows = (wanted) => registry.heartbeats().some((body) => Object.entries(wanted).every(([name, value]) => JSON.stringify(body[name]) === JSON.stringify(value)));

  /** One registration, one drain to the end, all outcomes, and nothing left behind. */
  function checkLife(count) {
    assert.equal(outcomes(), count);
    assert.equal(registry.registrations().length, 1);
    const states = registry.heartbeats().map(({ status }) => status);
    assert.ok(states.includes("draining"), states.join());
    assert.ok(!states.slice(states.indexOf("draining")).includes("active"), states.join());
    assert.equal(registry.routes().filter((route) => route.startsWith("DELETE")).length, 1);
    const [own] = readdirSync(folder).filter((name) => name.startsWith("agent-health-"));
    assert.deepEqual(readdirSync(join(folder, own)), []);
  }

  test("every outcome of a cluster arrives, also of workers that end at once", async () => {
    await begin("cluster.mjs").ended;
    checkLife(45);
  });

  test("the workers of a cluster are one agent also where the primary is none", async () => {
    await begin("cluster.mjs", { ONLY_WORKERS: "yes" }).ended;
    checkLife(45);
  });

  test("the cluster of the guide answers, and ends as one agent", async () => {
    for (const name of ["billing.mjs", "cluster.mjs"]) writeFileSync(join(folder, name), documented(name));
    mkdirSync(join(folder, "node_modules/@agent-health"), { recursive: true });
    symlinkSync(fileURLToPath(new globalThis.URL("..", import.meta.url)), join(folder, "node_modules/@agent-health/client"));
    const probe = createServer().listen(0, "127.0.0.1");
    await once(probe, "listening");
    const { port } = probe.address();
    probe.close();
    const primary = begin("cluster.mjs", { PORT: String(port), AGENT_HEALTH_KEY: "ahk_test" });
    const paid = async () => fetch(`http://127.0.0.1:${port}/42`, { headers: { connection: "close" } }).then((answer) => answer.text(), () => undefined);
    let answered = 0;
    for (const end = Date.now() + WAIT_MILLIS; answered < 40 && Date.now() < end; ) answered += (await paid()) === "paid /42" ? 1 : 0;
    primary.process.kill();
    await primary.ended;
    checkLife(answered);
  });

  test("threads and forked processes work for the agent", async () => {
    await begin("threads.mjs").ended;
    checkLife(4);
  });

  test("of processes that start at once, one registers", async () => {
    const begun = await siblings(8);
    for (const one of begun) one.say("record 2\nclose");
    for (const one of begun) await one.ended;
    checkLife(16);
  });

  test("when the leader is killed, another one goes on and no outcome that it had not begun to send is lost", async () => {
    const begun = await siblings(3);
    for (const one of begun) one.say("record 1");
    await until(() => outcomes() === 3, "the outcomes before");
    hangs = 1;
    await until(() => hangs > 1, "a heartbeat that gets no answer");
    const killed = leader();
    for (const one of begun) if (one !== killed) one.say("record 5\nwait 0.2");
    for (const one of begun) if (one !== killed) await until(() => one.printed.includes("false active true"), "what they record");
    killed.say("die");
    await killed.ended;
    hangs = 0;
    await until(() => outcomes() >= 13, () => `13 outcomes instead of ${outcomes()}`);
    assert.notEqual(leader(), killed);
    for (const one of begun) if (one !== killed) one.say("close");
    for (const one of begun) await one.ended;
    checkLife(13);
  });

  test("the load and the activity of all are shown", async () => {
    const [a, b] = await siblings(2);
    a.say("begin a");
    b.say("begin b");
    await until(() => shows({ tasks_in_progress: ["a", "b"], current_load: 2 }), "both tasks");
    assert.equal(registry.heartbeats().at(-1).activity.phase, "other");
    (leader() === a ? a : b).say("end");
    const left = leader() === a ? "b" : "a";
    await until(() => shows({ tasks_in_progress: [left], current_load: 1 }), "the task that is left");
    await until(() => registry.heartbeats().at(-1).activity?.no_progress_seconds > 0.5, "the activity of the other process");
  });

  test("a drain reaches all and waits for the tasks of all", async () => {
    const begun = await siblings(3);
    for (const [index, one] of begun.entries()) one.say(`begin ${index}`);
    await until(() => shows({ tasks_in_progress: ["0", "1", "2"] }), "all tasks");
    registry.acknowledgement = { pending_commands: [{ command: "drain", reason: "new version", drain_timeout_seconds: 60 }] };
    await checkDrain(begun, "new version");
  });

  test("a drain that a process begins which does not lead reaches all", async () => {
    const begun = await siblings(3);
    for (const [index, one] of begun.entries()) one.say(`begin ${index}`);
    await until(() => shows({ tasks_in_progress: ["0", "1", "2"] }), "all tasks");
    begun.find((one) => one !== leader()).say("drain");
    await checkDrain(begun, "by itself");
  });

  test("the word of an operator reaches all, and none registers again", async () => {
    const begun = await siblings(3);
    for (const [index, one] of begun.entries()) one.say(`begin ${index}`);
    await until(() => shows({ tasks_in_progress: ["0", "1", "2"] }), "all tasks");
    const gone = problem(410, "agent_gone", { ended_by: "operator", reason: "deregistered" });
    registry.rules["POST /api/v1/agents/agent_a/heartbeat"] = () => gone.clone();
    for (const one of begun) await until(() => one.printed.includes("drain an operator ended the agent"), "the drain of all");
    for (const one of begun) one.say("end\nwait");
    for (const one of begun) await until(() => one.printed.includes("true stopped false"), () => `the end: ${begun.map(({ printed }) => printed)}`);
    for (const one of begun) one.say("close");
    for (const one of begun) await one.ended;
    assert.deepEqual([outcomes(), registry.registrations().length], [3, 1]);
  });

  async function checkDrain(begun, reason) {
    for (const one of begun) await until(() => one.printed.includes(`drain ${reason}`), "the drain of all");
    await until(() => shows({ status: "draining" }), "the drain");
    registry.rules["POST /api/v1/agents/agent_a/heartbeat"] = (body) => response(200, {
      agent_status: body.current_load === 0 ? "deregistered" : "draining", ...(body.outcomes ? { outcomes: { status_code: 202 } } : {}),
    });
    for (const [index, left] of [["1", "2"], ["2"], []].entries()) {
      begun[index].say("end\nwait");
      if (left.length > 0) await until(() => shows({ status: "draining", current_load: left.length, tasks_in_progress: left }), `the tasks ${left}`);
    }
    for (const one of begun) await until(() => one.printed.includes("true stopped false"), () => `the end: ${begun.map(({ printed }) => printed)}`);
    for (const one of begun) one.say("close");
    for (const one of begun) await one.ended;
    assert.equal(outcomes(), 3);
    assert.equal(registry.registrations().length, 1);
  }

  test("processes that start while others drain take their place, as one agent", async () => {
    const [a, b] = await siblings(2);
    for (const one of [a, b]) one.say("begin old");
    await until(() => shows({ current_load: 2 }), "both tasks");
    a.say("drain");
    await until(() => shows({ status: "draining" }), "the drain");
    const begun = await siblings(2);
    begun[0].say("begin new");
    await until(() => shows({ status: "active", incarnation: 2, tasks_in_progress: ["new"] }), "the new ones");
    registry.rules["POST /api/v1/agents/agent_a/heartbeat"] = (body) => (body.incarnation === 2 ? response(200, { agent_status: "active" }) : problem(410, "superseded"));
    for (const one of [a, b]) await until(() => one.printed.includes("superseded"), "the end of the old ones");
    assert.equal(registry.registrations().length, 2);
  });

  test("a process that starts beside a suspended one waits for it, and does not register", async () => {
    const [suspended] = await siblings(1);
    suspended.process.kill("SIGSTOP");
    await siblings(1);
    suspended.process.kill("SIGCONT");
    const beats = registry.heartbeats().length;
    await until(() => registry.heartbeats().length > beats + 1, "heartbeats");
    assert.equal(registry.registrations().length, 1);
  });

  test("two agents of one machine do not mix", async () => {
    const [a] = await siblings(1);
    const [b] = await siblings(1, { AGENT_HEALTH_AGENT_ID: "agent_b" });
    a.say("record 1");
    b.say("record 2");
    await until(() => outcomes() === 3, "the outcomes");
    assert.deepEqual(registry.registrations().map(({ agent_id }) => agent_id), ["agent_a", "agent_b"]);
    const own = (id) => registry.bodies(`${id}/heartbeat`).flatMap((body) => body.outcomes ?? []).length;
    assert.deepEqual([own("agent_a"), own("agent_b")], [1, 2]);
  });
});
