// Runs an agent of a framework with a registry, and compares what the registry shows: node check.mjs ai-sdk
import assert from "node:assert/strict";
import { gates } from "./models.mjs";
import { frequent, until } from "./registry.mjs";

frequent();
const { agent, answer } = await import(`./${process.argv[2]}.mjs`);
const { client, agentId } = agent;

const shown = () => client.agent(agentId);
assert.equal((await shown()).status, "active");
for (const phase of ["model", "tool"]) {
  let open = () => {};
  gates[phase] = new Promise((resolve) => (open = resolve));
  const answered = answer("Where is order 42?");
  await until(async () => (({ capacity, activity }) => capacity.current_load === 1 && activity?.phase === phase)(await shown()), `the activity "${phase}"`);
  open();
  assert.equal(await answered, "order 42 is on its way");
}
await assert.rejects(answer("fail"));
const score = await until(async () => ((found) => found.executions >= 3 && found)(await client.score(agentId)), "the outcomes");
assert.equal(score.executions, 3);
assert.equal(Object.values(score.errors).reduce((sum, count) => sum + count, 0), 1, JSON.stringify(score.errors));
assert.ok(score.dimensions.performance.actual_runtime_ms > 100, JSON.stringify(score.dimensions.performance));
// Two answers of two calls each, and a call that failed.
const { total } = await client.usage("agent", { agentId });
assert.deepEqual([total.input_tokens, total.output_tokens, total.model_calls, total.tool_calls], [400, 40, 5, 2]);
await agent.close();
assert.equal((await shown()).status, "deregistered");
console.log(`${process.argv[2]}: alive, at work, 3 executions, 1 failure, drained`);
