import assert from "node:assert/strict";
import { test } from "node:test";
import { upstreamOf } from "../dist/esm/index.js";

class RateLimitError extends Error {
  constructor(more) {
    super("secret prompt");
    Object.assign(this, more);
  }
}

const openai = (status) => new RateLimitError({ status, param: null, requestID: "r" });

test("an error of a package names its provider and its kind", () => {
  assert.deepEqual(upstreamOf(openai(429)), { provider: "openai", error: "rate_limited" });
  assert.deepEqual(upstreamOf(openai(401)), { provider: "openai", error: "auth" });
  assert.deepEqual(upstreamOf(new RateLimitError({ status: 529, error: { type: "error" } })), { provider: "anthropic", error: "unavailable" });
  assert.deepEqual(upstreamOf(new RateLimitError({ statusCode: 504, url: "https://acme.openai.azure.com/x" })), { provider: "azure.ai.openai", error: "timeout" });
  assert.deepEqual(upstreamOf(new Error("wrapped", { cause: openai(500) })), { provider: "openai", error: "unavailable" });
  assert.deepEqual(upstreamOf(Object.assign(new Error("retries"), { lastError: openai(429) })), { provider: "openai", error: "rate_limited" });
});

test("other errors say nothing", () => {
  const loop = new Error("loop");
  loop.cause = loop;
  for (const error of [openai(400), new Error("x"), null, undefined, "text", loop, Object.assign(new Error("x"), { url: "no url", statusCode: 429 })]) {
    assert.equal(upstreamOf(error), undefined);
  }
});
