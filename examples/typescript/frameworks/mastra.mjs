import { Agent, aiSdkMiddleware } from "@agent-health/client";
import { keyFromEnvironment } from "@agent-health/client/node";
import { Agent as MastraAgent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { wrapLanguageModel } from "ai";
import { z } from "zod";
import { aiSdkModel, lookUp } from "./models.mjs";

export const agent = await new Agent(process.env.AGENT_HEALTH_URL, keyFromEnvironment(), "support_mastra").start();

const model = wrapLanguageModel({ model: aiSdkModel, middleware: aiSdkMiddleware(agent) });

const order = createTool({
  id: "order",
  description: "The state of an order.",
  inputSchema: z.object({ id: z.string() }),
  execute: (input) => agent.tool(() => lookUp(input.id)),
});

const support = new MastraAgent({ id: "support", name: "support", instructions: "Answer customers.", model, tools: { order } });

export const answer = agent.task(async (prompt) => (await support.generate(prompt)).text);
