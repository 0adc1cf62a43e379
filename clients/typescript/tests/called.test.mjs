import assert from "node:assert/strict";
import { test } from "node:test";
import { CalledAgent } from "../dist/esm/index.js";
import { FakeRegistry, FakeRuntime, KEY, problem, QUIET, response, settle, URL } from "./fakes.mjs";

const [REGISTER, UPDATE, REPORT] = ["POST /api/v1/agents", "PATCH /api/v1/agents/billing", "POST /api/v1/agents/billing/outcomes"];

function called(options = {}) {
  const runtime = new FakeRuntime();
  const registry = new FakeRegistry(runtime);
  const agent = new CalledAgent(URL, KEY, "billing", { fetch: registry.fetch, runtime, logger: QUIET, ...options });
  const outcomes = () => registry.bodies("/outcomes").flatMap((body) => body.outcomes.map((one) => one.error_type ?? one.result));
  return { runtime, registry, agent, outcomes };
}

test("registers once and reports each call before its answer", async () => {
  const { registry, agent } = called({ roleId: "billing-processor", capabilities: ["billing"] });
  const handler = agent.handler((event) => event);
  assert.deepEqual(registry.routes(), []);
  assert.deepEqual([await handler(1), await handler(2)], [1, 2]);
  assert.deepEqual(registry.routes(), [REGISTER, REPORT, REPORT]);
  const { heartbeat_config, role_id, replace } = registry.registrations()[0];
  assert.deepEqual([heartbeat_config, role_id, replace], [{ mode: "none", signs_of_life: ["outcomes"] }, "billing-processor", undefined]);
});

test("tokens of a call are those of its outcome", async () => {
  const { agent, registry } = called();
  agent.addUsage({ input_tokens: 99 });
  const handler = agent.handler(async (times) => {
    for (let i = 0; i < times; i++) await Promise.resolve().then(() => agent.addUsage({ input_tokens: 5, model_calls: 1, model: "m" }));
  });
  await handler(2);
  await handler(0);
  const usages = registry.bodies("/outcomes").flatMap((body) => body.outcomes).map((one) => one.usage);
  assert.deepEqual(usages, [{ input_tokens: 10, model_calls: 2, model: "m" }, undefined]);
});

test("calls of models and tools within a call are counted in its outcome", async () => {
  const { agent, registry } = called();
  const handler = agent.handler(async (event) => {
    const answer = await agent.model(async (call) => {
      call.addUsage({ input_tokens: 7, model: "m" });
      return event;
    });
    return agent.tool("search", { q: answer }, () => agent.tool(() => answer));
  });
  assert.equal(await handler(1), 1);
  assert.equal(await agent.model(() => 2), 2);
  await assert.rejects(agent.handler(() => agent.model(async () => Promise.reject(new Error("no"))))(1), /no/);
  const usages = registry.bodies("/outcomes").flatMap((body) => body.outcomes).map((one) => one.usage);
  assert.deepEqual(usages, [{ input_tokens: 7, model_calls: 1, tool_calls: 2, model: "m" }, { model_calls: 1 }]);
});

test("an agent that an operator ended reports nothing more", async () => {
  const { agent, registry, runtime } = called();
  const handler = agent.handler((event) => event);
  await handler(1);
  registry.answers = [problem(410, "agent_gone", { ended_by: "operator", reason: "deregistered" })];
  await handler(2);
  await runtime.advance(3600);
  assert.equal(await handler(3), 3);
  assert.deepEqual(registry.routes(), [REGISTER, REPORT, REPORT]);
});

test("it registers again where its program says so, or somebody else ended it", async () => {
  for (const [by, options] of [["operator", { registerAgain: "always" }], ["owner", {}], ["registry", {}]]) {
    const { agent, registry, runtime } = called(options);
    const handler = agent.handler((event) => event);
    await handler(1);
    registry.answers = [problem(410, "agent_gone", { ended_by: by, reason: "deregistered" })];
    await handler(2);
    await runtime.advance(3600);
    await handler(3);
    assert.deepEqual(registry.routes(), [REGISTER, REPORT, REPORT, REGISTER, REPORT, REPORT], by);
  }
});

test("how a call ends", async () => {
  const { agent, outcomes } = called();
  const handler = agent.handler(async (event) => {
    if (event instanceof Error) throw event;
    return event;
  });
  for (const event of [{ statusCode: 500 }, { statusCode: 404 }, null, new Response("", { status: 503 })]) assert.equal(await handler(event), event);
  await assert.rejects(handler(new DOMException("late", "TimeoutError")), { name: "TimeoutError" });
  assert.deepEqual(outcomes(), ["server_error", "success", "success", "server_error", "timeout"]);
});

test("another process registered it", async () => {
  const { agent, registry } = called({ schedule: { everySeconds: 60 }, roleId: "r" });
  registry.rules = { [REPORT]: response(202, {}), [REGISTER]: problem(409, "agent_exists"), [UPDATE]: response(200, {}) };
  const handler = agent.handler(() => {});
  await handler();
  await handler();
  assert.deepEqual(registry.routes(), [REGISTER, UPDATE, REPORT, REPORT]);
  const { role_id, heartbeat_config } = registry.requests[1].body;
  assert.deepEqual([role_id, heartbeat_config.mode, heartbeat_config.schedule.every_seconds], ["r", null, 60]);
});

test("the registry is away", async () => {
  const { agent, registry, runtime, outcomes } = called();
  const handler = agent.handler(() => "answer");
  registry.down = true;
  for (let call = 0; call < 50; call++) assert.equal(await handler(), "answer");
  // The first failure may be of a connection that ended while the process was frozen.
  assert.deepEqual(registry.routes(), [REGISTER, REGISTER]);
  registry.down = false;
  runtime.time += 3600;
  await handler();
  assert.deepEqual(registry.routes(), [REGISTER, REGISTER, REGISTER, REPORT]);
  assert.equal(outcomes().length, 51);
  const moments = new Set(registry.bodies("/outcomes")[0].outcomes.map((one) => one.occurred_at));
  assert.deepEqual([...moments], ["2026-02-08T12:00:00.000Z", "2026-02-08T13:00:00.000Z"]);
});

test("what is not answered counts once, a wrong key keeps outcomes, and an erased agent registers again", async () => {
  const { agent, registry, runtime } = called();
  const handler = agent.handler(() => {});
  for (const [status, code] of [[503, "temporarily_unavailable"], [401, "unauthenticated"], [404, "agent_not_found"]]) {
    registry.rules = { [REPORT]: problem(status, code) };
    await handler();
    runtime.time += 60;
  }
  registry.rules = {};
  await handler();
  assert.deepEqual(registry.routes(), [REGISTER, REPORT, REPORT, REPORT, REGISTER, REPORT, REPORT]);
  const batches = registry.bodies("/outcomes").map((body) => body.batch_id);
  assert.deepEqual([new Set(batches.slice(0, 4)).size, new Set(batches).size], [1, 2]);
});

test("a registry that hangs delays one answer", async () => {
  const { agent, registry, runtime } = called({ maxDelaySeconds: 1 });
  registry.rules[REGISTER] = () => new Promise(() => {});
  const handler = agent.handler(() => "answer");
  const begun = runtime.time;
  for (let call = 0; call < 20; call++) assert.equal(await runtime.through(handler()), "answer");
  assert.ok(runtime.time - begun <= 2, `${runtime.time - begun}`);
  assert.deepEqual(registry.routes(), [REGISTER]);
});

test("a mock of a context has no time-out", async () => {
  const { agent, runtime, outcomes } = called();
  let finish = () => {};
  const answer = agent.handler((event, _) => new Promise((resolve) => (finish = resolve)))({}, { getRemainingTimeInMillis: () => undefined });
  assert.equal(runtime.timers.size, 0);
  finish("done");
  assert.equal(await answer, "done");
  assert.deepEqual(outcomes(), ["success"]);
});

test("a call that is not done in time", async () => {
  const { agent, runtime, outcomes } = called();
  const context = { getRemainingTimeInMillis: () => 30_000 };
  let finish = () => {};
  const handler = agent.handler((event, _) => new Promise((resolve) => (finish = resolve)));
  const late = handler({}, context);
  await runtime.advance(28.9);
  assert.deepEqual(outcomes(), []);
  await runtime.advance(0.2);
  assert.deepEqual(outcomes(), ["timeout"]);
  finish();
  await late;
  const soon = handler({}, context);
  await settle();
  finish();
  await soon;
  await runtime.advance(60);
  assert.deepEqual(outcomes(), ["timeout", "success"]);
});
