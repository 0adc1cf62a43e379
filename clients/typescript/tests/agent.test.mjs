import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { inspect } from "node:util";
import { test } from "node:test";
import { Agent, aiSdkApprovals, aiSdkMiddleware, Client, Forbidden, InvalidRequest, RegistryUnavailable, Unauthenticated, UnexpectedAnswer } from "../dist/esm/index.js";
import { fixture, KEY, problem, QUIET, response, settle, START, started, URL } from "./fakes.mjs";

const HEARTBEAT = "POST /api/v1/agents/agent_a/heartbeat";
const names = (errors) => errors.map((error) => error.name);

test("a URL or key that cannot be valid is refused at once", () => {
  for (const url of ["", "registry", "ftp://registry", "http://", "http://registry:port", "http://user:secret@registry", "http://r/?a=b"]) {
    assert.throws(() => new Agent(url, KEY, "agent_a"), TypeError, url);
  }
  for (const key of ["", "two words", "line\nbreak", "schlüssel", undefined, null]) assert.throws(() => new Agent(URL, key, "agent_a"), TypeError, key);
});

test("the key is in no text of an object or an error", async () => {
  const { agent, runtime, registry } = fixture({ key: "ahk_secret" });
  registry.answers = [problem(403, "forbidden")];
  await runtime.through(agent.start());
  const error = agent.lastError;
  const texts = inspect([agent, agent.client, error], { depth: 9, showHidden: true }) + JSON.stringify([agent, agent.client, error]);
  assert.ok(!texts.includes("ahk_secret"));
  assert.equal(registry.requests[0].init.headers["x-api-key"], "ahk_secret");
});

test("what a new attempt would not change is an error of the start", async () => {
  const invalid = problem(400, "invalid_request", { errors: [{ field: "name", message: "too long" }] });
  for (const [answer, kind] of [[response(404, { message: "x" }), UnexpectedAnswer], [invalid, InvalidRequest]]) {
    const { agent, runtime, registry } = fixture();
    registry.answers = [answer];
    const error = await runtime.through(agent.start()).catch((refusal) => refusal);
    assert.ok(error instanceof kind);
    if (kind === InvalidRequest) assert.deepEqual(error.fields, [{ field: "name", message: "too long" }]);
    await agent.close();
    assert.equal(registry.requests.length, 1);
  }
});

test("a refused key is reported once, ends nothing, and is tried again each interval", async () => {
  for (const [answer, kind] of [[problem(401, "unauthenticated"), Unauthenticated], [problem(403, "forbidden"), Forbidden]]) {
    const { agent, runtime, registry, seen } = fixture({ profile: { heartbeat_config: { interval_seconds: 10 } } });
    registry.rules["POST /api/v1/agents"] = answer;
    await runtime.through(agent.start());
    await runtime.advance(60);
    assert.ok(agent.acceptsWork);
    assert.ok(agent.lastError instanceof kind);
    assert.deepEqual([names(seen.refusals), names(seen.errors)], [[kind.name], [kind.name]]);
    const tried = registry.registrations().length;
    assert.ok(tried === 6 || tried === 7, String(tried));
    delete registry.rules["POST /api/v1/agents"];
    await runtime.advance(10);
    assert.equal(agent.state, "active");
    await runtime.through(agent.close());
  }
});

test("registers with replace and its profile", async () => {
  const { registry } = await started({
    roleId: "billing", capabilities: ["a"], maxConcurrentTasks: 3, schedule: { cron: "0 2 * * *", timeZone: "Europe/Berlin" },
    profile: { metadata: { a: 1 }, heartbeat_config: { dead_after_seconds: 600 } },
  });
  assert.deepEqual(registry.registrations()[0], {
    started_at: "2026-02-08T12:00:00.000Z", agent_id: "agent_a", instance: hostname(), replace: true, role_id: "billing", capabilities: ["a"],
    capacity: { max_concurrent_tasks: 3 }, metadata: { a: 1 },
    heartbeat_config: { dead_after_seconds: 600, schedule: { cron: "0 2 * * *", time_zone: "Europe/Berlin" } },
  });
  for (const schedule of [{}, { cron: "0 2", everySeconds: 1 }, { cron: "0 2 * *" }, { cron: "TZ=UTC 0 2 * *" }, { everySeconds: 0 }, { everySeconds: 1, timeZone: "UTC" }]) {
    assert.throws(() => fixture({ schedule }), TypeError);
  }
  assert.throws(() => fixture({ onlyCalled: true, schedule: { everySeconds: 60 } }), TypeError);
});

test("sends a nickname and a time zone before the fields as they are", async () => {
  for (const cron of ["@daily", "@every 1h30m", "CRON_TZ=Europe/Berlin 0 2 * * *", "TZ=US/Pacific\t@weekly", "0\t2 ? * *"]) {
    const { registry } = await started({ schedule: { cron } });
    assert.deepEqual(registry.registrations()[0].heartbeat_config, { schedule: { cron } });
  }
});

test("sends heartbeats with jitter, never later than the interval, with its incarnation and time", async () => {
  const { registry, runtime } = await started();
  const times = [];
  registry.rules[HEARTBEAT] = () => (times.push(runtime.time), response(200, { agent_status: "active" }));
  await runtime.advance(300);
  const pauses = times.slice(1).map((time, index) => time - times[index]);
  assert.ok(pauses.length >= 9 && pauses.every((pause) => pause >= 27 && pause <= 30), String(pauses));
  assert.ok(new Set(pauses).size > 5);
  const [first] = registry.heartbeats();
  assert.deepEqual([first.incarnation, first.status, first.client_timestamp, first.current_load], [1, "active", "2026-02-08T12:00:00.000Z", 0]);
});

test("obeys the interval and the address that the registry names", async () => {
  const { registry, runtime, agent } = fixture();
  registry.record = { heartbeat_config: { interval_seconds: 30 }, heartbeat_url: "http://registry.test:81/x" };
  registry.rules["POST http://registry.test:81/x"] = () => response(200, { agent_status: "active", next_heartbeat_in_seconds: 100 });
  await runtime.through(agent.start());
  await runtime.advance(250);
  assert.equal(registry.routes().filter((route) => route === "POST http://registry.test:81/x").length, 3);
  registry.rules["POST http://registry.test:81/x"] = () => response(502);
  await runtime.advance(100);
  assert.equal(registry.routes().at(-1), HEARTBEAT);
});

test("sends no heartbeat while it is not alive, and none once it has left", async () => {
  let alive = false;
  const { registry, runtime, agent } = await started({ alive: async () => alive });
  await runtime.advance(60);
  assert.deepEqual([registry.heartbeats().length, agent.state], [0, "active"]);
  alive = true;
  await runtime.advance(6);
  assert.equal(registry.heartbeats().length, 1);
  agent.record("success");
  await runtime.through(agent.leave());
  await runtime.advance(300);
  assert.deepEqual([registry.routes().slice(-2), agent.state], [["POST /api/v1/agents/agent_a/outcomes", "PATCH /api/v1/agents/agent_a"], "stopped"]);
});

test("the key goes to no address without TLS, and to another host only if named over TLS", async () => {
  const cases = JSON.parse(readFileSync(new globalThis.URL("../../scenarios/addresses/heartbeat-url.json", import.meta.url), "utf8"));
  for (const { registry: url, named, used, says } of cases) {
    const { registry, agent, runtime } = fixture({ url });
    const address = named.replace("{agent}", "agent_a");
    registry.record = { heartbeat_url: address };
    await runtime.through(agent.start());
    await runtime.advance(0);
    assert.equal(registry.requests.at(-1).url, used ? address : `${url}/api/v1/agents/agent_a/heartbeat`, says);
  }
});

test("reports running tasks as load, and how they end with the next heartbeat", async () => {
  const { registry, runtime, agent } = await started();
  const task = agent.begin("invoice_42");
  await runtime.advance(31);
  assert.deepEqual([registry.heartbeats().at(-1).current_load, registry.heartbeats().at(-1).tasks_in_progress], [1, ["invoice_42"]]);
  task.end();
  task.end();
  assert.equal(agent.task((a, b) => a + b)(1, 2), 3);
  assert.throws(agent.task(() => { throw new SyntaxError("x"); }), SyntaxError);
  await assert.rejects(agent.task(async () => { throw Object.assign(new Error("x"), { status: 503 }); })());
  await assert.rejects(agent.task(async () => { throw new DOMException("x", "TimeoutError"); })());
  await assert.rejects(agent.task(async () => { throw new DOMException("x", "AbortError"); })());
  await agent.running("x", async (running) => running.fail("client_error"));
  await runtime.advance(31);
  const { outcomes, batch_id } = registry.heartbeats().at(-1);
  assert.equal(typeof batch_id, "string");
  assert.deepEqual(outcomes.map((one) => one.error_type ?? one.result), ["success", "success", "malformed", "server_error", "timeout", "client_error"]);
  assert.ok(outcomes[0].latency_ms >= 31000);
  await runtime.advance(31);
  assert.equal(registry.heartbeats().at(-1).outcomes, undefined);
});

test("streams and generators count while they are used", async () => {
  const { agent, registry, runtime } = await started();
  const numbers = agent.task(function* () { const got = yield 1; yield got; return 3; })();
  const ambient = [];
  const stream = agent.streaming(async (count) => (async function* () {
    for (let i = 0; i < count; i++) { ambient.push(agent.model(() => true)); yield i; }
  })());
  assert.deepEqual([numbers.next(), numbers.next("sent"), numbers.next()],
    [{ value: 1, done: false }, { value: "sent", done: false }, { value: 3, done: true }]);
  const got = [];
  for await (const item of stream(3)) got.push(item);
  for await (const item of stream(3)) if (item === 1) break;
  await assert.rejects(async () => { for await (const _ of agent.task(async function* () { yield 1; throw new Error("cut"); })()); });
  assert.deepEqual(got, [0, 1, 2]);
  await runtime.advance(31);
  const last = registry.heartbeats().at(-1);
  assert.deepEqual([last.outcomes.map((one) => one.result), last.current_load], [["success", "success", "failure"], 0]);
});

test("repeated calls of a tool are counted and are no progress", async () => {
  const { agent, registry, runtime } = await started();
  let end;
  const work = agent.running("a", async (task) => {
    for (let i = 0; i < 25; i++) await task.tool("search", i % 2 ? { a: 1, b: 2 } : { b: 2, a: 1 }, async () => {});
    await new Promise((resolve) => (end = resolve));
    await task.tool("search", { a: 2 }, async () => {});
    for (let i = 0; i < 22; i++) task.tool("fetch", i % 2, () => {});
    await new Promise((resolve) => (end = resolve));
    task.tool(() => {});
    await new Promise(() => {});
  });
  work.catch(() => {});
  const last = async () => {
    await runtime.advance(30);
    const { repeats, tool } = registry.heartbeats().at(-1).activity;
    return [repeats, tool];
  };
  assert.deepEqual(await last(), [24, "search"]);
  end();
  assert.deepEqual(await last(), [10, "fetch"]);
  end();
  assert.deepEqual(await last(), [undefined, undefined]);
});

test("heartbeats say what is longest without progress", async () => {
  const { agent, registry, runtime } = await started();
  let open;
  const waits = new Promise((resolve) => (open = resolve));
  const work = agent.running("a", () => agent.model(async (call) => { await waits; call.progress(); await new Promise(() => {}); }));
  work.catch(() => {});
  agent.running("b", (task) => task.human(() => new Promise(() => {})));
  await runtime.advance(30);
  assert.equal(registry.heartbeats().at(-1).activity.phase, "model");
  assert.ok(registry.heartbeats().at(-1).activity.no_progress_seconds >= 27);
  open();
  await runtime.advance(30);
  assert.ok(registry.heartbeats().at(-1).activity.no_progress_seconds <= 31);
});

test("a wait for a person says what for", async () => {
  const { agent, registry, runtime } = await started();
  agent.human(() => new Promise(() => {}), "approval of invoice 42");
  await runtime.advance(30);
  assert.deepEqual([registry.heartbeats().at(-1).activity.phase, registry.heartbeats().at(-1).activity.for], ["human", "approval of invoice 42"]);
});

test("calls of a task and their tokens add up to the usage of its outcome", async () => {
  const { agent, registry, runtime } = await started();
  await agent.running("a", async (task) => {
    for (const model of ["small", "large", "large"]) {
      await agent.model((call) => call.model((same) => same.addUsage({ input_tokens: 10, output_tokens: -1, cache_read_tokens: 4, model, provider: "p" })));
    }
    await agent.tool("search", {}, async () => task.tool(() => {}));
    task.note({ usage: { tool_calls: 5 } });
  });
  await agent.running("b", async () => {});
  await runtime.advance(30);
  const [used, none] = registry.heartbeats().at(-1).outcomes.map((one) => one.usage);
  assert.deepEqual(used, { input_tokens: 30, cache_read_tokens: 12, model_calls: 3, tool_calls: 5, model: "large", provider: "p" });
  assert.equal(none, undefined);
});

test("a model of the AI SDK reports its calls and tokens, also of a stream", async () => {
  const { agent, registry, runtime } = await started();
  const { wrapGenerate, wrapStream } = aiSdkMiddleware(agent);
  const model = { modelId: "m", provider: "openai.responses" };
  const usage = { inputTokens: { total: 100, cacheRead: 40 }, outputTokens: { total: 10 } };
  await agent.running("a", async () => {
    await wrapGenerate({ doGenerate: async () => ({ usage, text: "x" }), model });
    const parts = [{ type: "text-delta" }, { type: "finish", usage }];
    const { stream, request } = await wrapStream({ doStream: async () => ({ request: 7, stream: ReadableStream.from(parts) }), model });
    const read = [];
    for await (const part of stream) read.push(part);
    assert.deepEqual([read, request], [parts, 7]);
    await wrapGenerate({ doGenerate: async () => ({ usage: { inputTokens: {}, outputTokens: {} } }), model });
    await assert.rejects(wrapGenerate({ doGenerate: async () => { throw new Error("overloaded"); }, model }), /overloaded/);
  });
  await runtime.advance(30);
  const [{ usage: used }] = registry.heartbeats().at(-1).outcomes;
  assert.deepEqual(used, { input_tokens: 200, output_tokens: 20, cache_read_tokens: 80, model_calls: 4, model: "m", provider: "openai" });
});

test("a result of the AI SDK that asks for approvals is a wait until the messages answer each of them", async () => {
  const { agent, registry, runtime } = await started();
  const request = (approvalId, toolName) => ({ type: "tool-approval-request", approvalId, toolCall: { toolName } });
  const results = [{ content: [{ type: "text" }, request("1", "refund"), request("2", "delete")] }, { content: [] }, { content: [] }];
  const turn = agent.task(aiSdkApprovals(agent, async () => results.shift()));
  const response = (approvalId) => ({ role: "tool", content: [{ type: "tool-approval-response", approvalId, approved: false }] });
  const activity = async () => {
    await runtime.advance(30);
    return registry.heartbeats().at(-1).activity;
  };
  await turn({ prompt: "Refund it" });
  assert.equal((await activity()).for, "approval of refund");
  await turn({ messages: [{ role: "user", content: "Refund it" }, response("1")] });
  const left = await activity();
  assert.deepEqual([left.phase, left.for], ["human", "approval of delete"]);
  await turn({ prompt: [response("2"), response("unknown")] });
  assert.equal(await activity(), undefined);
});

test("a batch keeps its id and content until it is counted", async () => {
  const { agent, registry, runtime } = await started();
  agent.record("failure", { errorType: "timeout", latencyMs: 12.3456 });
  registry.answers = [response(502)];
  await runtime.advance(31);
  agent.record("success");
  await runtime.advance(31);
  const sent = registry.heartbeats().filter((body) => body.outcomes);
  assert.equal(sent[0].batch_id, sent[1].batch_id);
  assert.deepEqual(sent[0].outcomes, sent[1].outcomes);
  assert.equal(sent[0].outcomes[0].latency_ms, 12.346);
  assert.equal(sent[2].outcomes[0].result, "success");
});

test("a busy agent sends full batches apart, and what is refused by name is dropped alone", async () => {
  const { agent, registry, runtime } = await started();
  for (let i = 0; i < 1200; i++) agent.record("success");
  await runtime.advance(31);
  assert.equal(registry.heartbeats().at(-1).outcomes.length, 500);
  assert.deepEqual(registry.bodies("/outcomes").map((body) => body.outcomes.length), [500, 200]);
  for (let i = 0; i < 3; i++) agent.record("success", { receiptId: String(i) });
  registry.rules[HEARTBEAT] = (body) => response(200, { agent_status: "active", outcomes: body.outcomes?.length === 3
    ? { status_code: 400, errors: [{ field: "outcomes[1].receipt_id", message: "no" }] } : { status_code: 202 } });
  await runtime.advance(62);
  assert.deepEqual(registry.heartbeats().at(-1).outcomes.map((one) => one.receipt_id), ["0", "2"]);
  assert.throws(() => agent.record("won"), TypeError);
  assert.throws(() => agent.record("success", { errorType: "other" }), TypeError);
});

test("only the newest outcomes wait", async () => {
  const { agent, registry, runtime } = await started();
  registry.down = true;
  for (let i = 0; i < 10_002; i++) agent.record("success", { receiptId: String(i) });
  registry.down = false;
  await runtime.advance(31);
  assert.equal(registry.heartbeats().at(-1).outcomes[0].receipt_id, "2");
});

test("ten minutes without the registry lose nothing", async () => {
  const { agent, registry, runtime, seen } = await started();
  registry.down = true;
  for (let minute = 0; minute < 10; minute++) {
    agent.record("success");
    await runtime.advance(60);
    assert.ok(agent.acceptsWork);
  }
  const attempts = registry.heartbeats().length - 1;
  assert.ok(attempts >= 20 && attempts <= 60, String(attempts));
  assert.deepEqual(names(seen.errors), ["RegistryUnavailable"]);
  registry.down = false;
  registry.requests.length = 0;
  await runtime.advance(60);
  assert.equal(agent.lastError, undefined);
  assert.equal(registry.heartbeats().flatMap((body) => body.outcomes ?? []).length, 10);
  assert.deepEqual(registry.registrations(), []);
});

test("a registry that is away at the start is registered with later", async () => {
  const { agent, registry, runtime, seen } = fixture();
  registry.down = true;
  await runtime.through(agent.start());
  assert.deepEqual([seen.errors.length, agent.acceptsWork, agent.state], [1, true, "starting"]);
  await runtime.advance(300);
  registry.down = false;
  await runtime.advance(60);
  assert.equal(agent.state, "active");
  assert.equal(registry.registrations().at(-1).replace, true);
});

test("a revoked key is reported once, the work goes on, and a rotated one is read anew", async () => {
  const keys = ["ahk_old"];
  const { agent, registry, runtime, seen } = await started({ key: async () => keys.at(-1) });
  registry.rules[HEARTBEAT] = problem(401, "unauthenticated");
  await runtime.advance(300);
  assert.deepEqual(names(seen.errors), ["Unauthenticated"]);
  assert.ok(agent.acceptsWork);
  const tried = registry.heartbeats().length - 1;
  assert.ok(tried >= 10 && tried <= 12, String(tried));
  keys.push("ahk_new");
  delete registry.rules[HEARTBEAT];
  await runtime.advance(31);
  assert.equal(registry.requests.at(-1).init.headers["x-api-key"], "ahk_new");
  keys.length = 0;
  await runtime.advance(100);
  assert.deepEqual(names(seen.errors), ["Unauthenticated", "AgentHealthError"]);
});

test("a function that never gives a key, or a fetch that never ends, holds up heartbeats for a while only", async () => {
  let hangs = false;
  const { agent, registry, runtime, seen } = await started({ key: () => (hangs ? new Promise(() => {}) : Promise.resolve(KEY)) });
  hangs = true;
  await runtime.advance(50);
  hangs = false;
  await runtime.advance(60);
  assert.deepEqual([names(seen.errors), agent.lastError], [["AgentHealthError"], undefined]);
  const client = new Client(URL, KEY, { fetch: () => new Promise(() => {}), timeoutSeconds: 0.02, retries: { attempts: 1 } });
  await assert.rejects(client.health("a"), { name: "RegistryUnavailable" });
});

test("outcomes carry the time of the registry where the clock is off by a day", async () => {
  const { agent, registry, runtime } = fixture();
  runtime.clockError = 86_400;
  await runtime.through(agent.start());
  await runtime.advance(40);
  agent.record("success");
  const at = START + (runtime.time - 1000) * 1000;
  await runtime.advance(31);
  const body = registry.heartbeats().find((one) => one.outcomes);
  assert.ok(Math.abs(Date.parse(body.outcomes[0].occurred_at) - at) < 5);
  assert.ok(body.client_timestamp.startsWith("2026-02-09"));
});

test("waits for Retry-After when it is limited", async () => {
  const { registry, runtime } = await started();
  registry.answers = [problem(429, "rate_limited", { retryAfter: 100 })];
  const before = registry.requests.length;
  await runtime.advance(125);
  assert.equal(registry.requests.length, before + 1);
  await runtime.advance(6);
  assert.equal(registry.requests.length, before + 2);
});

test("a drain command calls back, and ends when the work is done", async () => {
  const { agent, registry, runtime, seen } = await started();
  const task = agent.begin();
  registry.acknowledgement = { pending_commands: [{ command: "drain", reason: "new version", drain_timeout_seconds: 60 }] };
  await runtime.advance(31);
  assert.deepEqual(seen.drains, [{ reason: "new version", timeoutSeconds: 60 }]);
  assert.deepEqual([agent.state, agent.acceptsWork, registry.heartbeats().at(-1).status], ["draining", false, "draining"]);
  registry.acknowledgement = { agent_status: "deregistered" };
  task.end();
  assert.equal(await runtime.through(agent.wait({ seconds: 5 })), true);
  assert.equal(agent.state, "stopped");
});

test("a drain that ends while the registry is away ends here", async () => {
  const { agent, registry, runtime } = await started();
  registry.down = true;
  agent.drain("own");
  await runtime.advance(200);
  assert.equal(agent.state, "stopped");
});

test("an onDrain that closes the agent does not wait for itself", async () => {
  const { agent, runtime, registry } = await started({ onDrain: () => agent.close() });
  registry.acknowledgement = { pending_commands: [{ command: "drain", reason: "r" }] };
  await runtime.advance(31);
  assert.equal(agent.state, "stopped");
});

test("a dead agent calls back and registers again without replace, unless it stays away", async () => {
  const { agent, registry, runtime, seen } = await started();
  agent.record("success");
  registry.answers = [problem(410, "agent_gone")];
  await runtime.advance(40);
  assert.deepEqual(seen.deaths.map((error) => error.code), ["agent_gone"]);
  assert.deepEqual(registry.registrations().map((body) => body.replace), [true, undefined]);
  assert.deepEqual([agent.incarnation, agent.state, registry.heartbeats().at(-1).outcomes.length], [2, "active", 1]);
  const away = await started({ registerAgain: false });
  away.registry.answers = [problem(404, "agent_not_found")];
  await away.runtime.advance(40);
  assert.deepEqual([away.agent.state, away.registry.registrations().length], ["stopped", 1]);
});

test("a lost answer to registering again is recognised by the incarnation; another process is not", async () => {
  for (const [incarnation, state] of [[2, "active"], [3, "superseded"]]) {
    const { agent, registry, runtime, seen } = await started();
    registry.answers = [problem(410, "agent_gone"), response(502), problem(409, "agent_exists"), response(200, { incarnation })];
    await runtime.advance(45);
    assert.deepEqual([agent.state, seen.superseded], [state, state === "active" ? 0 : 1]);
  }
});

test("a registration that was surely not stored recognises nothing", async () => {
  for (const answer of [new TypeError("fetch failed", { cause: { code: "ECONNREFUSED" } }), new Response("<html>"), problem(403, "forbidden")]) {
    const { agent, registry, runtime } = await started();
    registry.answers = [problem(410, "agent_gone"), answer, problem(409, "agent_exists"), response(200, { incarnation: 2 })];
    await runtime.advance(90);
    assert.equal(agent.state, "superseded");
  }
});

test("a superseded process stops for good, and its outcomes are sent", async () => {
  const { agent, registry, runtime, seen } = await started();
  agent.record("success");
  registry.answers = [problem(410, "superseded", { outcomes: { status_code: 202 } })];
  await runtime.advance(31);
  const sent = registry.requests.length;
  await runtime.advance(300);
  assert.deepEqual([agent.state, seen.superseded, registry.requests.length], ["superseded", 1, sent]);
});

test("a callback may close the agent, and a failing one changes nothing", async () => {
  const closing = await started({ onDead: () => closing.agent.close() });
  closing.registry.answers = [problem(410, "agent_gone")];
  await closing.runtime.advance(40);
  assert.deepEqual([closing.agent.state, closing.registry.registrations().length], ["stopped", 1]);
  const failing = await started({ onDead: () => Promise.reject(new Error("own")), onError: () => { throw new Error("own"); } });
  failing.registry.answers = [response(502), problem(410, "agent_gone")];
  await failing.runtime.advance(60);
  assert.deepEqual([failing.agent.state, failing.agent.incarnation], ["active", 2]);
});

test("close waits for running tasks, sends their outcomes and deregisters this incarnation", async () => {
  const { agent, registry, runtime } = await started();
  const task = agent.begin();
  const closed = agent.close();
  await runtime.advance(2);
  assert.equal(registry.heartbeats().at(-1).status, "draining");
  task.end();
  await runtime.through(closed);
  assert.equal(registry.heartbeats().flatMap((body) => body.outcomes ?? []).length, 1);
  assert.ok(registry.requests.at(-1).url.endsWith("/api/v1/agents/agent_a?incarnation=1"));
  await agent.close();
  assert.equal(registry.routes().filter((route) => route.startsWith("DELETE")).length, 1);
});

test("close gives up soon where the registry is away", async () => {
  const { agent, registry, runtime } = await started();
  registry.down = true;
  const began = runtime.time;
  await runtime.through(agent.close());
  assert.ok(runtime.time - began < 10);
});

test("a restart command is called back once", async () => {
  const restarts = [];
  const { registry, runtime } = await started({ onRestart: (drain) => restarts.push(drain) });
  registry.acknowledgement = { pending_commands: [{ command: "restart", reason: "stuck", drain_timeout_seconds: 5 }] };
  await runtime.advance(100);
  assert.deepEqual(restarts, [{ reason: "stuck", timeoutSeconds: 5 }]);
});

test("many agents of one process use one listener of each event", async () => {
  const before = process.listenerCount("beforeExit");
  const all = await Promise.all(Array.from({ length: 12 }, () => started({ drainOnSigterm: true, closeOnExit: true })));
  assert.deepEqual([process.listenerCount("beforeExit"), process.listenerCount("SIGTERM")], [before + 1, 1]);
  for (const { agent, runtime } of all) await runtime.through(agent.close());
  assert.deepEqual([process.listenerCount("beforeExit"), process.listenerCount("SIGTERM")], [before, 0]);
});

test("a lease is renewed, released, and lost when it cannot be renewed or the agent is gone", async () => {
  const { agent, registry, runtime } = await started();
  const reasons = [];
  const take = (scope) => runtime.through(agent.lease("invoice_42", scope, { seconds: 60, onLost: (reason) => reasons.push(reason) }));
  const lease = await take("send");
  assert.equal(lease.fencingToken, 7);
  await assert.rejects(take("send"), { name: "LeaseHeld" });
  await runtime.advance(200);
  lease.check();
  assert.ok(registry.routes().filter((route) => route.startsWith("PATCH")).length >= 9);
  await runtime.through(lease.release());
  assert.throws(() => lease.check(), { name: "LeaseLost" });
  const second = await take("send");
  registry.rules["PATCH"] = response(502);
  await runtime.advance(61);
  assert.ok(second.lost && second.signal.aborted);
  const third = await take("pay");
  runtime.time += 400;
  assert.ok(third.lost);
  delete registry.rules["PATCH"];
  const fourth = await take("other");
  registry.rules[HEARTBEAT] = () => problem(410, "agent_gone");
  await runtime.advance(31);
  assert.ok(fourth.lost);
  assert.deepEqual(reasons, ["it ran out before it could be renewed", "it ran out before it could be renewed", "the agent is dead or deregistered"]);
});

test("a lease of another agent is waited for, as long as the signal lets it", async () => {
  const { agent, registry, runtime } = await started();
  const held = () => problem(409, "lease_held", { retryAfter: 2, available_at: "2026-02-08T12:01:00Z" });
  registry.answers = [held(), held()];
  assert.equal((await runtime.through(agent.lease("i", "s", { waitSeconds: 30 }))).fencingToken, 7);
  registry.rules["POST /api/v1/intents"] = held;
  await assert.rejects(runtime.through(agent.lease("i", "t")), { name: "LeaseHeld", availableAt: "2026-02-08T12:01:00Z" });
  const controller = new AbortController();
  const waits = agent.lease("i", "t", { waitSeconds: 1000, signal: controller.signal });
  await settle();
  controller.abort(new Error("enough"));
  await assert.rejects(runtime.through(waits), /enough/);
});

test("whatever the registry does, each outcome is counted once and the work goes on", async () => {
  const rejected = [];
  const onRejection = (error) => rejected.push(error);
  process.on("unhandledRejection", onRejection);
  for (let seed = 1; seed <= 40; seed++) {
    const { agent, registry, runtime } = fixture();
    runtime.seed = seed * 7919;
    const counted = new Map();
    const usual = registry.answer.bind(registry);
    let calm = false;
    registry.answer = (route, body) => {
      const chance = calm ? 1 : runtime.random();
      if (chance < 0.1) return response(502);
      if (chance < 0.15) return problem(429, "rate_limited", { retryAfter: 3 });
      if (chance < 0.2) return new TypeError("fetch failed", { cause: { code: "ECONNREFUSED" } });
      if (chance < 0.25 && route.endsWith("/heartbeat")) return problem(410, "agent_gone");
      if (body?.batch_id) counted.set(body.batch_id, body.outcomes.map((one) => one.receipt_id));
      if (chance < 0.35) return new TypeError("fetch failed", { cause: { code: "ECONNRESET" } });
      return usual(route, body);
    };
    await runtime.through(agent.start());
    let recorded = 0;
    for (let minute = 0; minute < 12; minute++) {
      for (let left = Math.floor(runtime.random() * 300); left > 0; left--) agent.record("success", { receiptId: String(recorded++) });
      await runtime.advance(60);
      assert.ok(agent.acceptsWork, `seed ${seed}`);
    }
    calm = true;
    await runtime.through(agent.close());
    const seen = [...counted.values()].flat().sort((a, b) => a - b);
    assert.deepEqual(seen, Array.from({ length: recorded }, (_, index) => String(index)), `seed ${seed}`);
    assert.equal(agent.state, "stopped");
  }
  process.off("unhandledRejection", onRejection);
  assert.deepEqual(rejected, []);
});

test("heartbeats say how much of the context is used, from the first call on", async () => {
  const { agent, runtime, registry } = await started();
  await runtime.advance(31);
  assert.equal(registry.heartbeats().at(-1).context_used, undefined);
  agent.contextUsed(0.62);
  for (const wrong of [-0.1, 1.1, NaN, Infinity, undefined]) assert.throws(() => agent.contextUsed(wrong), RangeError);
  await runtime.advance(31);
  assert.equal(registry.heartbeats().at(-1).context_used, 0.62);
  await runtime.through(agent.close());
});
