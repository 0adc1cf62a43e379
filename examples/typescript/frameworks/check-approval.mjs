// Runs the agent that asks for an approval with a registry, and compares what the registry shows: node check-approval.mjs
import assert from "node:assert/strict";
import { frequent, until } from "./registry.mjs";

frequent();
const { agent, turn } = await import("./ai-sdk-approval.mjs");
const { client, agentId } = agent;
const shown = () => client.agent(agentId);

const messages = [{ role: "user", content: "Where is order 42?" }];
const asked = await turn(messages);
const { approvalId } = asked.content.find(({ type }) => type === "tool-approval-request");
const waiting = await until(async () => ((found) => found.activity?.phase === "human" && found)(await shown()), "the wait for a person");
assert.equal(waiting.capacity.current_load, 0);
messages.push(...asked.response.messages, { role: "tool", content: [{ type: "tool-approval-response", approvalId, approved: true }] });
assert.equal((await turn(messages)).text, "order 42 is on its way");
await until(async () => (await shown()).activity === null, "the end of the wait");
await agent.close();
console.log("ai-sdk-approval: waits for an approval, and goes on");
