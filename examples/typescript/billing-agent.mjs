// An agent that pays invoices: it works, fails, drains and comes back.
// Needs a running system and an agent's key: AGENT_HEALTH_URL (http://localhost:8080) and AGENT_HEALTH_KEY.
// @ts-check
import { setTimeout as pause } from "node:timers/promises";
import { Agent } from "@agent-health/client";

const URL = process.env.AGENT_HEALTH_URL ?? "http://localhost:8080";
const KEY = process.env.AGENT_HEALTH_KEY;
const AGENT_ID = "typescript_billing_agent";

const BROKEN = [4, 9];
const DRAINED_AFTER = 6;

class PaymentTimeout extends Error {}

function newAgent() {
  return new Agent(URL, KEY ?? "", AGENT_ID, {
    roleId: "billing-processor",
    capabilities: ["billing"],
    maxConcurrentTasks: 1,
    profile: { heartbeat_config: { interval_seconds: 1, unhealthy_after_seconds: 3, dead_after_seconds: 10 } },
    onDrain: (drain) => console.log(`asked to drain: ${drain.reason}`),
    drainOnSigterm: true,
    errorTypes: (error) => (error instanceof PaymentTimeout ? "timeout" : "other"),
  });
}

/**
 * Pays invoices, each under a lease, until there are none or the agent is to take no more work.
 * @param {Agent} agent
 * @param {number[]} invoices
 */
async function work(agent, invoices) {
  const pay = agent.task(async (/** @type {number} */ invoice) => {
    const lease = await agent.lease(`invoice_${invoice}`, "pay", { seconds: 30, waitSeconds: 5 });
    try {
      await pause(200);
      if (BROKEN.includes(invoice)) throw new PaymentTimeout();
      lease.check();
      console.log(`paid invoice ${invoice}, fencing token ${lease.fencingToken}`);
    } finally {
      await lease.release();
    }
  });
  while (invoices.length > 0 && agent.acceptsWork) {
    const invoice = invoices.shift() ?? 0;
    await pay(invoice).catch((error) => {
      if (!(error instanceof PaymentTimeout)) throw error;
      console.log(`failed invoice ${invoice}: time-out`);
    });
    if (invoice === DRAINED_AFTER) {
      // What a coordinator does before it replaces a process.
      await agent.client.requestDrain(AGENT_ID, { reason: "new version" });
      await agent.wait({ seconds: 30 });
    }
  }
}

if (!KEY) {
  console.error("AGENT_HEALTH_KEY is not set: see examples/typescript/README.md");
  process.exit(1);
}
const invoices = Array.from({ length: 12 }, (_, index) => index + 1);
const first = await newAgent().start();
await work(first, invoices);
await first.close();
console.log(`drained, ${invoices.length} invoices are left`);

const second = await newAgent().start();
console.log("back again");
await work(second, invoices);
let score = await second.client.score(AGENT_ID);
while (score.executions < 12) {
  await pause(500);
  score = await second.client.score(AGENT_ID);
}
console.log(`executions ${score.executions}, time-outs ${score.errors.timeout}, score ${score.score}`);
await second.close();
for await (const event of second.client.events(AGENT_ID)) {
  if (event.type === "agent.lifecycle") console.log(`${event.previous_status} -> ${event.new_status} (${event.reason})`);
}
