import { Agent, aiSdkApprovals, aiSdkMiddleware } from "@agent-health/client";
import { keyFromEnvironment } from "@agent-health/client/node";
import { tool, ToolLoopAgent, wrapLanguageModel } from "ai";
import { z } from "zod";
import { aiSdkModel, lookUp } from "./models.mjs";

export const agent = await new Agent(process.env.AGENT_HEALTH_URL, keyFromEnvironment(), "support_approval").start();

const model = wrapLanguageModel({ model: aiSdkModel, middleware: aiSdkMiddleware(agent) });

const order = tool({
  description: "The state of an order.",
  inputSchema: z.object({ id: z.string() }),
  needsApproval: true,
  execute: (input) => agent.tool(() => lookUp(input.id)),
});

const support = new ToolLoopAgent({ model, tools: { order } });

const generate = aiSdkApprovals(agent, (options) => support.generate(options));

export const turn = agent.task((messages) => generate({ messages }));
