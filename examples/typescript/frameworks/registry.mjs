// What the checks of the programs share.
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";

/** Lets agents send a heartbeat in a second. They send one in 30 s by default, and the checks wait for some. */
export function frequent() {
  const { fetch } = globalThis;
  const interval = { heartbeat_config: { interval_seconds: 1, unhealthy_after_seconds: 3, dead_after_seconds: 10 } };
  globalThis.fetch = (url, init) =>
    fetch(url, init.method === "POST" && url.endsWith("/agents") ? { ...init, body: JSON.stringify({ ...JSON.parse(init.body), ...interval }) } : init);
}

export async function until(look, what) {
  for (const end = Date.now() + 30_000; ; await pause(100)) {
    const found = await look();
    if (found) return found;
    assert.ok(Date.now() < end, `waited for ${what}`);
  }
}
