import { Agent, aiSdkMiddleware } from "@agent-health/client";
import { keyFromEnvironment } from "@agent-health/client/node";
import { tool, ToolLoopAgent, wrapLanguageModel } from "ai";
import { z } from "zod";
import { aiSdkModel, lookUp } from "./models.mjs";

export const agent = await new Agent(process.env.AGENT_HEALTH_URL, keyFromEnvironment(), "support_ai_sdk").start();

const model = wrapLanguageModel({ model: aiSdkModel, middleware: aiSdkMiddleware(agent) });

const order = tool({
  description: "The state of an order.",
  inputSchema: z.object({ id: z.string() }),
  execute: (input) => agent.tool(() => lookUp(input.id)),
});

const support = new ToolLoopAgent({ model, tools: { order } });

export const answer = agent.task(async (prompt) => (await support.generate({ prompt })).text);
