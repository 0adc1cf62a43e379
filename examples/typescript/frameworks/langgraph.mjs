import { Agent } from "@agent-health/client";
import { keyFromEnvironment } from "@agent-health/client/node";
import { tool } from "@langchain/core/tools";
import { MessagesAnnotation, StateGraph } from "@langchain/langgraph";
import { ToolNode, toolsCondition } from "@langchain/langgraph/prebuilt";
import { z } from "zod";
import { chatModel, lookUp } from "./models.mjs";

export const agent = await new Agent(process.env.AGENT_HEALTH_URL, keyFromEnvironment(), "support_langgraph").start();

const order = tool(({ id }) => agent.tool(() => lookUp(id)), {
  name: "order",
  description: "The state of an order.",
  schema: z.object({ id: z.string() }),
});

const model = chatModel.bindTools([order]);

const support = new StateGraph(MessagesAnnotation)
  .addNode("model", ({ messages }) =>
    agent.model(async (call) => {
      const message = await model.invoke(messages);
      const { usage_metadata: used, response_metadata: told } = message;
      call.addUsage({ ...used, cache_read_tokens: used?.input_token_details?.cache_read, model: told.model_name });
      return { messages: [message] };
    }),
  )
  .addNode("tools", new ToolNode([order]))
  .addEdge("__start__", "model")
  .addConditionalEdges("model", toolsCondition)
  .addEdge("tools", "model")
  .compile();

export const answer = agent.task(async (prompt) => (await support.invoke({ messages: [{ role: "user", content: prompt }] })).messages.at(-1).text);
