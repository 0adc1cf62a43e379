import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import { test } from "node:test";
import { commandSecret, HealthGate, OwnHealth, verifyWebhook } from "../dist/esm/index.js";
import { healthListener } from "../dist/esm/node.js";
import { response } from "./fakes.mjs";

const DOCUMENT = { schema_version: "0.1.0", agent_id: "a", timestamp: "2026-02-08T12:00:00Z", health: { status: "healthy", uptime_seconds: 7000 } };
const START = Date.parse("2026-02-08T12:00:00Z");

/** A gate with a clock and these answers, and what it sent. */
function gated(...answers) {
  const found = { time: START, sent: [] };
  const fetch = async (url, init) => {
    found.sent.push([url, init.headers["if-none-match"]]);
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (answer instanceof Error) throw answer;
    return answer.clone();
  };
  found.gate = new HealthGate({ fetch, now: () => found.time });
  return found;
}
const of = (health, more = {}, headers = {}) => response(200, { ...DOCUMENT, health, ...more }, { "content-type": "application/json", ...headers });
const decide = (answer) => gated(answer).gate.decide("https://agent.test/x");

test("the four decisions, with their reasons", async () => {
  const healthy = await decide(of({ status: "healthy" }));
  assert.deepEqual([healthy.action, healthy.mayCall, healthy.reasons, healthy.document.agentId], ["proceed", true, [], "a"]);
  const poor = await decide(of({ status: "healthy" }, { calibration: { response_ratio: 0.9, sample_count: 50, latency_p99_ms: 1234.5 } }));
  assert.deepEqual([poor.action, poor.reasons, poor.requestTimeoutMs], ["proceed_with_caution", ["low_response_ratio"], 1235]);
  const decay = { calibration_trend: "declining", days_since_model_change: 3 };
  const degraded = await decide(of({ status: "degraded", uptime_seconds: 5 }, { calibration: { sample_count: 3, response_ratio: 0.1, latency_p99_ms: 99 }, decay }));
  assert.deepEqual([degraded.action, degraded.requestTimeoutMs], ["proceed_with_caution", 10_000]);
  assert.deepEqual(degraded.reasons, ["degraded", "low_confidence", "declining_after_model_change", "possible_crash_loop"]);
  const bad = await decide(of({ status: "unhealthy", last_healthy_at: "2026-02-08T11:00:00Z" }));
  assert.deepEqual([bad.action, bad.mayCall, bad.until.getTime()], ["avoid", false, START + 300_000]);
  assert.match(bad.explanation, /last healthy at 2026-02-08T11:00:00.000Z: avoid until/);
  assert.equal((await decide(of({ status: "unknown" }))).action, "default");
});

test("what is no document of a known version is not held against the agent", async () => {
  const json = { "content-type": "application/json" };
  const answers = [of({ status: "fine" }), of({ status: "healthy" }, { schema_version: "0.2.0" }), response(500, DOCUMENT, json), response(200, DOCUMENT, { "content-type": "text/html" }),
    new Response("[[[", { headers: json }), new Response("x".repeat(70_000), { headers: json }), new TypeError("secret text"), response(302, undefined, { location: "https://other.test/" })];
  for (const answer of answers) {
    const decision = await decide(answer);
    assert.deepEqual([decision.action, decision.status, decision.mayCall], ["default", "unknown", true]);
    assert.doesNotMatch(decision.explanation, /secret/);
  }
  for (const url of ["", "agent.test", "ftp://agent.test", "https://u:p@agent.test", `https://agent.test/${"x".repeat(3000)}`]) {
    const { gate, sent } = gated(of({ status: "healthy" }));
    assert.deepEqual([(await gate.decide(url)).action, sent], ["default", []]);
  }
});

test("a document is requested every 5 minutes or as its headers say, once for all, and confirmed by its tag", async () => {
  const kept = gated(of({ status: "healthy" }, {}, { etag: '"t1"', "cache-control": "max-age=900" }), response(304), of({ status: "degraded" }), response(503, undefined, { "retry-after": "7200" }));
  await Promise.all([kept.gate.decide("https://agent.test"), kept.gate.decide("https://AGENT.test/other?x")]);
  kept.time += 899_000;
  await kept.gate.decide("https://agent.test");
  assert.deepEqual(kept.sent, [["https://agent.test/.well-known/agent-health", undefined]]);
  kept.time += 2000;
  assert.equal((await kept.gate.decide("https://agent.test")).action, "proceed");
  assert.equal(kept.sent[1][1], '"t1"');
  kept.time += 901_000;
  assert.deepEqual((await kept.gate.decide("https://agent.test")).reasons, ["degraded", "no_longer_healthy"]);
  kept.time += 301_000;
  assert.equal((await kept.gate.decide("https://agent.test")).action, "default");
  kept.time += 3_599_000;
  await kept.gate.decide("https://agent.test");
  assert.equal(kept.sent.length, 4);
});

test("redirects are followed on the same host only", async () => {
  const to = (location) => response(301, undefined, { location });
  const same = gated(to("/elsewhere"), to("https://agent.test/"), of({ status: "healthy" }));
  assert.equal((await same.gate.decide("http://agent.test/")).action, "proceed");
  assert.deepEqual(same.sent.map(([url]) => url), ["http://agent.test/.well-known/agent-health", "http://agent.test/elsewhere", "https://agent.test/"]);
  for (const location of ["http://169.254.169.254/", "http://agent.test:8080/", "http://u@agent.test/"]) {
    const { gate, sent } = gated(to(location), of({ status: "healthy" }));
    assert.deepEqual([(await gate.decide("http://agent.test/")).action, sent.length], ["default", 1]);
  }
});

test("a slow answer ends with the time-out", async () => {
  const fetch = (_, { signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  assert.match((await new HealthGate({ fetch, timeoutSeconds: 0.02 }).decide("https://agent.test")).explanation, /no answer in time/);
  assert.throws(() => new HealthGate({ minResponseRatio: 2 }), RangeError);
});

/** An own health whose clock the test moves. */
function own(options) {
  let time = START;
  const health = new OwnHealth("https://agent.test", { now: () => time, ...options });
  return { health, pass: (seconds) => (time += seconds * 1000), many: (count, outcome) => { for (let i = 0; i < count; i++) health.record(outcome); } };
}

test("the own document is measured by the rules of the registry, and satisfies the gate", async () => {
  const { health, pass, many } = own({ baselineLatencyMs: 100, modelChangedAt: new Date(START - 3 * 86_400_000) });
  many(9, { result: "success", latencyMs: 120 });
  health.record({ result: "trigger_failure" });
  assert.deepEqual([health.json().health, health.json().calibration.sample_count], [{ status: "unknown", last_healthy_at: null, uptime_seconds: 0 }, 9]);
  many(91, { result: "success", latencyMs: 120 });
  pass(60);
  const document = health.json();
  assert.deepEqual(document.health, { status: "healthy", last_healthy_at: "2026-02-08T12:01:00.000Z", uptime_seconds: 60 });
  assert.deepEqual([document.decay.days_since_model_change, document.decay.calibration_trend, document.calibration.response_ratio], [3, "stable", 1]);
  assert.ok(Math.abs(document.calibration.latency_p50_ms - 120) <= 6);
  const { document: read, action } = await gated(response(200, document, { "content-type": "application/json" })).gate.decide("https://agent.test");
  assert.deepEqual([action, read.sampleCount, read.lastHealthyAt.toISOString()], ["proceed", 100, "2026-02-08T12:01:00.000Z"]);
  many(2, { result: "success", latencyMs: 301 });
  pass(60);
  const slow = health.json();
  assert.equal(slow.health.status, "degraded");
  assert.ok(slow.calibration.latency_p99_ms > 300);
  many(200, { result: "failure" });
  pass(60);
  assert.deepEqual([health.json().health.status, health.json().health.last_healthy_at], ["unhealthy", "2026-02-08T12:02:00.000Z"]);
  pass(90_000);
  many(20, { result: "success" });
  pass(60);
  assert.deepEqual([health.json().health.status, health.json().decay.calibration_trend], ["healthy", "improving"]);
  assert.throws(() => own({ windowSeconds: 10 }), RangeError);
  assert.throws(() => own({ baselineLatencyMs: -1 }), RangeError);
});

test("a personal agent shows the status alone", () => {
  const { health, pass, many } = own({ personal: true });
  many(9, { result: "success" });
  many(2, { result: "failure" });
  pass(60);
  assert.deepEqual(Object.keys(health.json()), ["schema_version", "agent_id", "timestamp", "health"]);
  assert.deepEqual(health.json().health, { status: "healthy" });
});

test("the document is served with a tag, by fetch and by Node", async (t) => {
  const { health, pass, many } = own();
  const ask = (method = "GET", headers = {}, path = "/.well-known/agent-health") => health.handle(new Request(`https://agent.test${path}`, { method, headers }));
  const first = ask();
  const etag = first.headers.get("etag");
  assert.deepEqual([first.status, first.headers.get("content-type"), first.headers.get("cache-control")], [200, "application/json", "public, max-age=60"]);
  assert.equal((await first.json()).agent_id, "https://agent.test");
  pass(61);
  assert.equal(ask("GET", { "if-none-match": `"x", ${etag.slice(2)}` }).status, 304);
  assert.deepEqual([ask("POST").status, ask("GET", {}, "/x").status, await ask("HEAD").text()], [405, 404, ""]);
  many(10, { result: "success" });
  pass(61);
  assert.notEqual(ask().headers.get("etag"), etag);
  const server = createServer(healthListener(health)).listen(0);
  t.after(() => server.close() && server.closeAllConnections());
  const url = `http://127.0.0.1:${server.address().port}`;
  assert.equal((await (await fetch(`${url}/.well-known/agent-health?x`)).json()).health.status, "healthy");
  assert.equal((await fetch(`${url}/other`)).status, 404);
});

test("a webhook is verified by its secret and its age", async () => {
  const secret = commandSecret("mF_9.B5f-4.1JqM");
  const signed = (body, at = START / 1000, id = "msg_1") => {
    const signature = createHmac("sha256", "mF_9.B5f-4.1JqM").update(`${id}.${at}.${body}`).digest("base64");
    return { "webhook-id": id, "webhook-timestamp": String(at), "webhook-signature": `v1,AAAA v2,x ${"v1,%%%"} v1,${signature}` };
  };
  const verify = (headers, body, now = START) => verifyWebhook(secret, headers, body, { now });
  assert.equal(await verify(signed('{"ü":1}'), '{"ü":1}'), true);
  assert.equal(await verify(new Headers(signed("{}")), new TextEncoder().encode("{}")), true);
  assert.equal(await verify(signed("{}"), "{} "), false);
  assert.equal(await verify(signed("{}"), "{}", START + 301_000), false);
  assert.equal(await verify({ ...signed("{}"), "webhook-id": "msg_2" }, "{}"), false);
  assert.equal(await verify({}, "{}"), false);
});
