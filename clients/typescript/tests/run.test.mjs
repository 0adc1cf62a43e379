// The commands of the package as processes, with a registry that only notes what it gets.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { mkdtempSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("../dist/esm/run.js", import.meta.url));
const PROFILE = JSON.stringify({ heartbeat_config: { interval_seconds: 1 } });

describe("agent-health", { concurrency: 1 }, () => {
  let requests;
  let commands;
  let healthy;
  let gone;
  const server = createServer(async (request, answer) => {
    const path = request.url.split("?")[0];
    if (path === "/healthz") return answer.writeHead(healthy ? 200 : 503).end();
    let text = "";
    for await (const part of request) text += part;
    const body = text ? JSON.parse(text) : {};
    if (request.headers["x-api-key"] === "ahk_refused") {
      const problem = { title: "Unauthorized", status: 401, detail: "no such key", error: "unauthenticated" };
      return answer.writeHead(401, { "content-type": "application/problem+json" }).end(JSON.stringify(problem));
    }
    requests.push({ route: `${request.method} ${path.replace(/^\/api\/v1\/agents/, "")}`, body });
    if (gone && path.endsWith("/heartbeat")) {
      return answer.writeHead(410, { "content-type": "application/problem+json" }).end(JSON.stringify(gone));
    }
    const json = path.endsWith("/heartbeat")
      ? { agent_status: body.status === "draining" && body.current_load === 0 ? "deregistered" : body.status, pending_commands: commands,
          outcomes: { status_code: 202 } }
      : { incarnation: 1, heartbeat_config: { interval_seconds: 1 } };
    answer.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(json));
  });
  before(() => once(server.listen(0, "127.0.0.1"), "listening"));
  after(() => server.close() && server.closeAllConnections());
  beforeEach(() => ([requests, commands, healthy, gone] = [[], [], true, undefined]));

  const url = () => `http://127.0.0.1:${server.address().port}`;
  const start = (arguments_, environment = {}, program = [PROGRAM]) => {
    const env = { ...process.env, AGENT_HEALTH_URL: url(), AGENT_HEALTH_KEY: "ahk_secret", AGENT_HEALTH_AGENT_ID: "", ...environment };
    const child = spawn(process.execPath, [...program, ...arguments_], { env, stdio: ["pipe", "pipe", "pipe"] });
    const found = { child, out: "", errors: "" };
    child.stdout.on("data", (part) => (found.out += part));
    child.stderr.on("data", (part) => (found.errors += part));
    found.ended = once(child, "close").then(([status, signal]) => status ?? signal);
    return found;
  };
  const routes = () => requests.map(({ route }) => route);
  const outcomes = () => requests.flatMap(({ body }) => body.outcomes ?? []).map((one) => one.result);
  const until = async (condition) => {
    for (let left = 400; !condition(); left--) {
      assert.ok(left > 0, JSON.stringify(requests));
      await pause(25);
    }
  };

  test("a command that succeeds is a success, and its agent leaves", async () => {
    const run = start(["run", "--id", "a", "--role=r", "--interval", "2", "--", "sh", "-c", "cat; echo $AGENT_HEALTH_AGENT_ID >&2"]);
    run.child.stdin.end("given");
    assert.deepEqual([await run.ended, run.out, run.errors], [0, "given", "a\n"]);
    const times = { interval_seconds: 2, unhealthy_after_seconds: 6, dead_after_seconds: 20 };
    const { started_at, ...registered } = requests[0].body;
    assert.deepEqual(registered, { agent_id: "a", instance: hostname(), replace: true, role_id: "r", heartbeat_config: times });
    assert.deepEqual([outcomes(), requests.some(({ body }) => body.status === "draining")], [["success"], true]);
  });

  test("a command that fails is a failure, and its agent is left", async () => {
    const run = start(["run", "sh", "-c", "exit 3"], { AGENT_HEALTH_AGENT_ID: "by-variable" });
    assert.equal(await run.ended, 3);
    assert.deepEqual([requests[0].body.agent_id, outcomes()], ["by-variable", ["failure"]]);
    assert.ok(!requests.some(({ route, body }) => route.startsWith("DELETE") || body.status === "draining"));
    const changes = requests.filter(({ route }) => route.startsWith("PATCH")).map(({ body }) => body.instance);
    assert.deepEqual(changes, [null], "any host may go on");
  });

  test("a command that starts with the id of another one takes its place", async () => {
    const runs = [0, 1].map(() => start(["run", "--id", "a", "--", "cat"]));
    await until(() => routes().filter((route) => route === "POST ").length === 2);
    for (const run of runs) run.child.stdin.end();
    assert.deepEqual(await Promise.all(runs.map((run) => run.ended)), [0, 0]);
  });

  test("signals go on to the command, which is then asked to end", async () => {
    const run = start(["run", "--id", "a", "--profile", PROFILE, "--", "sh", "-c", "trap 'exit 7' TERM; while :; do sleep 0.05; done"]);
    await until(() => routes().includes("POST /a/heartbeat"));
    run.child.kill("SIGTERM");
    assert.equal(await run.ended, 7);
    assert.deepEqual([outcomes(), requests.some(({ body }) => body.status === "draining")], [[], true]);
    const killed = start(["run", "--id", "b", "--", "sh", "-c", "kill -KILL $$"]);
    assert.equal(await killed.ended, 137);
  });

  test("a drain runs the hook and then ends the command; a restart ends with 75", async () => {
    commands = [{ command: "drain", reason: "new version", drain_timeout_seconds: 9 }];
    const hook = 'echo "$AGENT_HEALTH_DRAIN_REASON $AGENT_HEALTH_DRAIN_TIMEOUT_SECONDS"; exit 1';
    const run = start(["run", "--id", "a", "--on-drain", hook, "--", "sleep", "60"]);
    assert.equal(await run.ended, 143);
    assert.deepEqual([run.out, run.errors], ["new version 9\n", "agent-health-agent: --on-drain ended with status 1\n"]);
    commands = [{ command: "restart", reason: "stuck", drain_timeout_seconds: 1 }];
    const stuck = start(["run", "--id", "a", "--", "sh", "-c", "trap '' TERM; while :; do sleep 0.05; done"]);
    assert.equal(await stuck.ended, 75);
  });

  test("heartbeats are sent only while what is watched answers", async () => {
    healthy = false;
    const run = start(["run", "--id", "a", "--profile", PROFILE, "--watch", `${url()}/healthz`, "--", "sleep", "60"]);
    await until(() => run.errors.includes("no heartbeat is sent until what is watched answers again"));
    assert.deepEqual(routes(), ["POST "]);
    healthy = true;
    await until(() => routes().includes("POST /a/heartbeat"));
    run.child.kill("SIGINT");
    assert.equal(await run.ended, 130);
  });

  test("a port and a file are watched too", async () => {
    const { port } = server.address();
    const watched = [["--port", String(port), "--file", PROGRAM, "--max-age", "1e9"], ["--port", "127.0.0.1:1"], [`--file=${PROGRAM}`, "--max-age=0"], ["--file", "/none"]];
    const runs = watched.map((options, index) => start(["run", "--id", `w${index}`, "--profile", PROFILE, ...options, "--", "sleep", "60"]));
    await until(() => routes().includes("POST /w0/heartbeat") && runs.slice(1).every((run) => run.errors.includes("no heartbeat is sent")));
    assert.deepEqual(routes().filter((route) => /w[123]/.test(route)), []);
    for (const run of runs) run.child.kill("SIGTERM");
    assert.deepEqual(await Promise.all(runs.map((run) => run.ended)), [143, 143, 143, 143]);
  });

  test("a sidecar drains what it watches, and deregisters at its end", async () => {
    const other = spawn("sleep", ["60"]);
    commands = [{ command: "drain", reason: "r" }];
    const run = start(["sidecar", "--id", "a", "--profile", PROFILE, "--pid", String(other.pid)]);
    await once(other, "exit");
    await until(() => requests.some(({ body }) => body.status === "draining"));
    run.child.kill("SIGTERM");
    assert.equal(await run.ended, 0);
    assert.equal(await start(["sidecar"]).ended, 64);
  });

  test("a sidecar signals neither groups of processes nor the first one", async () => {
    const other = spawn("sleep", ["60"], { detached: true });
    const folder = mkdtempSync(join(tmpdir(), "agent-health-pid-"));
    commands = [{ command: "drain", reason: "r" }];
    const texts = [`-${other.pid}`, "-1", "0", "1", `+${other.pid}`, `${other.pid} 2`, "1e3", "0x10", ""];
    const runs = [...texts, "pipe"].map((text, index) => {
      if (text === "pipe") spawnSync("mkfifo", [join(folder, String(index))]);
      else writeFileSync(join(folder, String(index)), text);
      return start(["sidecar", "--id", `p${index}`, "--profile", PROFILE, "--pid", join(folder, String(index))]);
    });
    await until(() => routes().filter((route) => route === "POST ").length === runs.length);
    await until(() => runs.every((run) => run.errors.includes("no heartbeat is sent")));
    assert.deepEqual(routes().filter((route) => route.endsWith("/heartbeat")), []);
    assert.deepEqual([other.exitCode, other.signalCode], [null, null]);
    for (const run of runs) run.child.kill("SIGTERM");
    for (const run of runs) assert.equal(await run.ended, 0);
    other.kill();
  });

  test("a process of another user is not watched", { skip: process.getuid?.() !== 0 && "only the first user starts one" }, async () => {
    const shell = spawn("sh", ["-c", "sleep 60 >/dev/null & echo $!"], { uid: 65534, stdio: ["ignore", "pipe", "ignore"] });
    const [text] = await once(shell.stdout, "data");
    await once(shell, "close");
    const run = start(["sidecar", "--id", "a", "--profile", PROFILE, "--pid", String(text).trim()]);
    await until(() => run.errors.includes("no heartbeat is sent"));
    assert.deepEqual(routes().filter((route) => route.endsWith("/heartbeat")), []);
    run.child.kill("SIGTERM");
    await run.ended;
    process.kill(Number(text), "SIGKILL");
  });

  test("a command and a watched process end where an operator ended the agent, and none registers again", async () => {
    gone = { title: "Gone", status: 410, detail: "x", error: "agent_gone", ended_by: "operator", reason: "deregistered" };
    const command = start(["run", "--id", "c", "--profile", PROFILE, "--", "sh", "-c", "trap 'exit 5' TERM; sleep 60 & wait"]);
    assert.equal(await command.ended, 5);
    const other = spawn("sleep", ["60"]);
    const beside = start(["sidecar", "--id", "s", "--profile", PROFILE, "--pid", String(other.pid)]);
    const [, signal] = await once(other, "exit");
    assert.equal(signal, "SIGTERM");
    await pause(1500);
    assert.equal(beside.child.exitCode, null);
    beside.child.kill("SIGTERM");
    assert.equal(await beside.ended, 0);
    assert.deepEqual(routes().filter((route) => route === "POST " || route.startsWith("DELETE")), ["POST ", "POST "]);
  });

  test("a command runs on where it is to register again", async () => {
    gone = { title: "Gone", status: 410, detail: "x", error: "agent_gone", ended_by: "operator", reason: "deregistered" };
    const run = start(["run", "--id", "c", "--profile", PROFILE, "--register-again", "always", "--", "sleep", "60"]);
    await until(() => routes().filter((route) => route === "POST ").length > 1);
    assert.equal(run.child.exitCode, null);
    run.child.kill("SIGTERM");
    assert.equal(await run.ended, 143);
    assert.equal(await start(["run", "--register-again", "never", "--", "true"]).ended, 64);
  });

  test("a command of the registry is answered with the place of that program, and a mistyped variable with the nearest name", async () => {
    const other = start(["keys", "list"]);
    assert.equal(await other.ended, 64);
    assert.match(other.errors, /agent-health keys.*java -jar agent-health-local.jar keys/);
    const run = start(["run", "--", "true"], { AGENT_HEALTH_ROLEID: "x", AGENT_HEALTH_OTHER: "y" });
    assert.equal(await run.ended, 0);
    assert.equal(run.errors, "agent-health-agent: AGENT_HEALTH_ROLEID is no variable and is ignored. Is AGENT_HEALTH_ROLE_ID meant?\n");
  });

  test("a registry that is away or refuses, and a wrong setting, leave the command alone", async () => {
    for (const environment of [{ AGENT_HEALTH_URL: "http://127.0.0.1:1" }, { AGENT_HEALTH_URL: "" }, { AGENT_HEALTH_KEY: "" }, { AGENT_HEALTH_KEY: "ahk_refused" }]) {
      const began = Date.now();
      const run = start(["run", "--", "sh", "-c", "sleep 0.3; echo worked"], environment);
      assert.deepEqual([await run.ended, run.out], [0, "worked\n"]);
      assert.match(run.errors, /^agent-health-agent: .+\n$/);
      assert.ok(Date.now() - began < 4000);
      assert.doesNotMatch(run.errors, /ahk_secret/);
    }
  });

  test("a program that just ends has left, also from a worker thread; SIGTERM drains it and ends it", async () => {
    const index = new URL("../dist/esm/index.js", import.meta.url);
    const life = `import { Agent } from "${index}"; import { Worker } from "node:worker_threads";
      const begin = (id, options) => new Agent(process.env.AGENT_HEALTH_URL, "ahk_x", id, { closeTimeoutSeconds: 1, ...options }).start();`;
    const script = (code) => start(["--input-type=module", "-e", `${life}\n${code}`], {}, []);
    const ends = script(`await (await begin("a")).task(async () => console.log("worked"))();`);
    assert.deepEqual([await ends.ended, ends.out, outcomes(), requests.at(-1).body.status], [0, "worked\n", ["success"], "draining"]);
    const thread = script(`new Worker(${JSON.stringify(`import("${index}").then(({ Agent }) => new Agent(process.env.AGENT_HEALTH_URL, "ahk_x", "t").start())`)}, { eval: true });`);
    assert.deepEqual([await thread.ended, routes().includes("POST /t/heartbeat"), requests.at(-1).body.status], [0, true, "draining"]);
    const drained = script(`await begin("d", { drainOnSigterm: true, onDrain: () => console.log("drains") }); setInterval(() => {}, 1000); console.log("ready");`);
    await until(() => drained.out.includes("ready"));
    drained.child.kill("SIGTERM");
    await until(() => drained.out.includes("drains") && requests.some(({ route, body }) => route === "POST /d/heartbeat" && body.status === "draining"));
    commands = [{ command: "restart", reason: "stuck", drain_timeout_seconds: 1 }];
    const stuck = script(`(await begin("r")).begin(); setInterval(() => {}, 1000);`);
    assert.equal(await stuck.ended, 75);
    commands = [];
    const away = script(`process.env.AGENT_HEALTH_URL = "http://127.0.0.1:9"; await begin("x"); console.log("worked");`);
    assert.deepEqual([await away.ended, away.out], [0, "worked\n"]);
    assert.deepEqual([await drained.ended, drained.out], ["SIGTERM", "ready\ndrains\n"]);
  });

  test("wrong options end with 64, and commands that cannot run with 126 and 127", async () => {
    const wrong = [[], ["fly"], ["run"], ["run", "--what", "--", "true"], ["run", "--profile", "[]", "--", "true"], ["run", "--interval", "x", "true"], ["run", "--on-exit", "x", "true"]];
    assert.deepEqual(await Promise.all(wrong.map((one) => start(one).ended)), wrong.map(() => 64));
    assert.deepEqual(await Promise.all([start(["run", "/"]).ended, start(["run", "no-such-program"]).ended, start(["--help"]).ended]), [126, 127, 0]);
  });
});
