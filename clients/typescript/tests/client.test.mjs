import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { test } from "node:test";
import { Client, errorTypeOf, NotFound } from "../dist/esm/index.js";
import { keyFromEnvironment, TokenFile } from "../dist/esm/node.js";
import { FakeRuntime, KEY, problem, response, URL as REGISTRY } from "./fakes.mjs";

/** A client with these answers, and what it sent. */
function scripted(answers, { key = KEY, ...options } = {}) {
  const runtime = new FakeRuntime();
  const sent = [];
  const fetch = async (url, init) => {
    sent.push({ route: `${init.method} ${url.replace(REGISTRY, "")}`, body: init.body && JSON.parse(init.body), headers: init.headers, at: runtime.time });
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (answer instanceof Error) throw answer;
    return answer.clone();
  };
  return { client: new Client(REGISTRY, key, { fetch, runtime, ...options }), sent, runtime };
}

test("finds agents page by page", async () => {
  const { client, sent } = scripted([response(200, { agents: [{ agent_id: "a" }], next_token: "t 1" }), response(200, { agents: [{ agent_id: "b" }] })]);
  const found = [];
  for await (const agent of client.find({ capabilities: ["x", "y z"], capabilitiesMatch: "all", stalled: false, minAvailableCapacity: 2 })) found.push(agent.agent_id);
  assert.deepEqual(found, ["a", "b"]);
  const query = "capabilities=x%2Cy+z&capabilities_match=all&stalled=false&min_available_capacity=2";
  assert.deepEqual(sent.map(({ route }) => route), [`GET /api/v1/agents?${query}`, `GET /api/v1/agents?${query}&next_token=t+1`]);
});

test("requests are as the API has them", async () => {
  const { client, sent } = scripted([response(200, { ping_url: "p" })]);
  await client.register("a", { replace: true });
  await client.heartbeat("a", { incarnation: 2 });
  await client.update("a/b", 3, { name: "n" });
  await client.requestRestart("a", { timeoutSeconds: 5 });
  await client.drain("a", 7);
  await client.deregister("a", 2);
  await client.report("a", [{ result: "failure", errorType: "timeout", latencyMs: 3 }], "b1");
  await client.issueKey("viewer", { roleIds: ["r"] });
  await client.block("a", { reason: "r" });
  await client.history("a", "f", "t").next();
  await client.usage("agent", { roleId: "r", from: "f", step: "day" });
  await client.invoke("a", "hello", { traceparent: "00-1", idempotencyKey: "k" });
  assert.deepEqual(sent.map(({ route, body }) => [route, body]), [
    ["POST /api/v1/agents", { agent_id: "a", replace: true }],
    ["POST /api/v1/agents/a/heartbeat", { status: "active", incarnation: 2 }],
    ["PATCH /api/v1/agents/a%2Fb", { name: "n" }],
    ["POST /api/v1/agents/a/commands", { command: "restart", drain_timeout_seconds: 5 }],
    ["PATCH /api/v1/agents/a/status", { status: "draining", drain_timeout_seconds: 7 }],
    ["DELETE /api/v1/agents/a?incarnation=2", undefined],
    ["POST /api/v1/agents/a/outcomes", { batch_id: "b1", outcomes: [{ result: "failure", error_type: "timeout", latency_ms: 3 }] }],
    ["POST /v1/admin/keys", { role: "viewer", name: "", role_ids: ["r"] }],
    ["POST /v1/admin/agents/a/block", { reason: "r" }],
    ["GET /api/v1/agents/a/health/history?from=f&to=t", undefined],
    ["GET /api/v1/usage?by=agent&role_id=r&from=f&step=day", undefined],
    ["POST /v1/agents/a/invoke", { message: "hello" }],
  ]);
  assert.deepEqual([sent[2].headers["if-match"], sent.at(-1).headers["idempotency-key"], sent.at(-1).headers.traceparent], ['"3"', '"k"', "00-1"]);
});

test("each refusal is an error of its own", async () => {
  const kinds = { 400: "InvalidRequest", 401: "Unauthenticated", 403: "Forbidden", 404: "NotFound", 409: "Conflict", 412: "PreconditionFailed", 413: "InvalidRequest",
    422: "InvalidRequest", 428: "PreconditionFailed", 502: "ProblemError" };
  for (const [status, name] of Object.entries(kinds)) {
    await assert.rejects(scripted([problem(Number(status), "x")]).client.health("a"), { name, status: Number(status), code: "x", detail: "d" });
  }
  await assert.rejects(scripted([problem(410, "superseded")]).client.health("a"), { name: "Superseded" });
  await assert.rejects(scripted([new Response("<html>", { status: 200 })]).client.health("a"), { name: "UnexpectedAnswer" });
  assert.equal(await scripted([problem(404, "ping_url_not_found")]).client.pingAddress("a"), undefined);
  await assert.rejects(scripted([problem(404, "agent_not_found")]).client.pingAddress("a"), NotFound);
});

test("a call that a used up limit refuses names the limit and its end", async () => {
  const members = { usage_limit: "tokens_per_day", limit_scope: "role", resets_at: "2026-02-09T00:00:00.000Z", retryAfter: 3600 };
  const { client, sent } = scripted([problem(403, "agent_blocked", members)]);
  const refused = { name: "AgentBlocked", usageLimit: "tokens_per_day", limitScope: "role", resetsAt: "2026-02-09T00:00:00.000Z", containmentRule: "", retryAfterSeconds: 3600 };
  await assert.rejects(client.invoke("a", "hello"), refused);
  assert.equal(sent.length, 1);
});

test("what passes is tried again with random pauses, and not before Retry-After", async () => {
  const { client, sent, runtime } = scripted([problem(429, "rate_limited", { retryAfter: 7 }), response(502), new TypeError("fetch failed"), response(200, { ok: 1 })]);
  assert.deepEqual(await runtime.through(client.health("a")), { ok: 1 });
  assert.equal(sent.length, 4);
  assert.ok(sent[1].at - sent[0].at >= 7);
  const long = scripted([problem(503, "temporarily_unavailable", { retryAfter: 31 })]);
  await assert.rejects(long.client.health("a"), { name: "ProblemError", retryAfterSeconds: 31 });
  const dated = response(503, undefined, { "retry-after": "Sun, 08 Feb 2026 12:00:40 GMT", date: "Sun, 08 Feb 2026 12:00:00 GMT" });
  await assert.rejects(scripted([dated]).client.health("a"), { name: "RegistryUnavailable", retryAfterSeconds: 40 });
  const away = scripted([new TypeError("fetch failed", { cause: { code: "ECONNREFUSED" } })]);
  await assert.rejects(away.runtime.through(away.client.health("a")), { name: "RegistryUnavailable", maybeStored: false });
  assert.equal(away.sent.length, 4);
  const once = scripted([response(502)]);
  await assert.rejects(once.client.issueKey("agent"), { name: "RegistryUnavailable" });
  assert.equal(once.sent.length, 1);
});

test("a signal ends a request and the pause before the next one", async () => {
  const controller = new AbortController();
  const { client, sent } = scripted([response(502)]);
  const waits = client.with({ signal: controller.signal }).health("a");
  setTimeout(() => controller.abort(new Error("enough")), 5);
  await assert.rejects(waits, /enough/);
  await assert.rejects(client.with({ signal: controller.signal }).health("a"), /enough/);
  assert.equal(sent.length, 1);
});

test("a request ends with its time-out, also within the body, and no redirect is followed", async (t) => {
  const server = createServer((request, answer) => {
    if (request.url.endsWith("/moved")) return answer.writeHead(302, { location: "http://127.0.0.1:1/" }).end();
    answer.writeHead(200).write("{");
  }).listen(0);
  t.after(() => server.close() && server.closeAllConnections());
  const client = new Client(`http://127.0.0.1:${server.address().port}`, KEY, { timeoutSeconds: 0.1, retries: { attempts: 1 } });
  await assert.rejects(client.health("a"), { name: "RegistryUnavailable", message: /no answer within 0.1 s/, maybeStored: true });
  await assert.rejects(client.call("GET", "/moved"), { name: "UnexpectedAnswer", status: 302 });
});

test("error types are found by name, code and status", () => {
  const cases = [[new DOMException("x", "TimeoutError"), "timeout"], [{ code: "ETIMEDOUT" }, "timeout"], [{ code: "UND_ERR_HEADERS_TIMEOUT" }, "timeout"],
    [new (class APIConnectionTimeoutError extends Error {})(), "timeout"], [new SyntaxError("x"), "malformed"], [{ response: { status: 429 } }, "client_error"],
    [{ statusCode: 500 }, "server_error"], [{ status: 200 }, "other"], [null, "other"], ["text", "other"], [new Error("runtime outage"), "other"]];
  for (const [error, type] of cases) assert.equal(errorTypeOf(error), type, inspect(error));
});

test("a token of a file goes into the bearer header, is read again when it changes, and once more after a refusal", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "token-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "token");
  for (const content of ["", "two words", "ü", "x".repeat(9000)]) {
    writeFileSync(file, content);
    assert.throws(() => new TokenFile(file), (error) => error instanceof TypeError && !/two words|xxx/.test(error.message));
  }
  assert.throws(() => keyFromEnvironment({}), TypeError);
  assert.throws(() => keyFromEnvironment({ AGENT_HEALTH_TOKEN_FILE: `${file}-away` }), /cannot be read: ENOENT/);
  assert.equal(keyFromEnvironment({ AGENT_HEALTH_KEY: " ahk_x ", AGENT_HEALTH_TOKEN_FILE: file }), "ahk_x");
  let time = 0;
  // Some editors write a byte order mark.
  writeFileSync(file, "\ufefftoken-one\n");
  const key = new TokenFile(file, () => time);
  const { client, sent } = scripted([response(200, {}), response(200, {}), response(200, {}), problem(401, "unauthenticated"), response(200, {}), problem(401, "unauthenticated")], { key });
  await client.pools();
  writeFileSync(file, "token-second");
  await client.pools();
  time += 1000;
  await client.pools();
  writeFileSync(file, "token-three");
  await client.pools();
  rmSync(file);
  time += 1000;
  await assert.rejects(client.pools(), { name: "Unauthenticated" });
  assert.deepEqual(sent.map(({ headers }) => headers.authorization?.slice(13)), ["one", "one", "second", "second", "three", "three"]);
  assert.ok(sent.every(({ headers }) => !("x-api-key" in headers)));
  assert.ok(!inspect([client, key], { depth: 9, showHidden: true }).includes("token-three"));
});

test("CommonJS has the same names", async () => {
  const names = (module) => Object.keys(module).filter((name) => name !== "default" && name !== "module.exports").sort();
  const require = createRequire(import.meta.url);
  for (const entry of ["index", "node"]) assert.deepEqual(names(require(`../dist/cjs/${entry}.js`)), names(await import(`../dist/esm/${entry}.js`)));
});
