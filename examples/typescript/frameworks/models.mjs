// Stands in for a model of a provider: it asks for the order in the prompt, and answers with what the tool says. Each call reads 100 tokens
// and writes 10. A prompt with "fail" fails.
import { AIMessage } from "@langchain/core/messages";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { simulateReadableStream } from "ai";
import { MockLanguageModelV3 } from "ai/test";

/** What the model waits for, and the tool: the test holds them to see what the registry shows meanwhile. */
export const gates = { model: Promise.resolve(), tool: Promise.resolve() };

export async function lookUp(id) {
  await gates.tool;
  return `order ${id} is on its way`;
}

/** The text to answer with, or the order to ask for. */
async function decide(prompt) {
  await gates.model;
  if (prompt.includes("fail")) throw Object.assign(new Error("the model is overloaded"), { status: 529 });
  const [, found] = /(order \w+ is on its way)/.exec(prompt) ?? [];
  return found ? { text: found } : { id: /order (\w+)/.exec(prompt)?.[1] ?? "1" };
}

const usage = { inputTokens: { total: 100, cacheRead: 40 }, outputTokens: { total: 10 } };

async function content({ prompt }) {
  const { text, id } = await decide(JSON.stringify(prompt));
  const parts = text ? [{ type: "text", text }] : [{ type: "tool-call", toolCallId: "call_1", toolName: "order", input: JSON.stringify({ id }) }];
  return { parts, finishReason: { unified: text ? "stop" : "tool-calls" } };
}

export const aiSdkModel = new MockLanguageModelV3({
  async doGenerate(options) {
    const { parts, finishReason } = await content(options);
    return { content: parts, finishReason, usage, warnings: [] };
  },
  async doStream(options) {
    const { parts, finishReason } = await content(options);
    const chunks = parts.flatMap((part) =>
      part.type === "text" ? [{ type: "text-start", id: "1" }, { type: "text-delta", id: "1", delta: part.text }, { type: "text-end", id: "1" }] : [part]);
    return { stream: simulateReadableStream({ chunks: [{ type: "stream-start", warnings: [] }, ...chunks, { type: "finish", finishReason, usage }] }) };
  },
});

class OrderModel extends BaseChatModel {
  _llmType() {
    return "order";
  }

  bindTools() {
    return this;
  }

  async _generate(messages) {
    const { text, id } = await decide(messages.map((message) => message.text).join("\n"));
    const tokens = { usage_metadata: { input_tokens: 100, output_tokens: 10, total_tokens: 110 }, response_metadata: { model_name: "stand-in" } };
    const message = new AIMessage({ ...tokens, ...(text ? { content: text } : { content: "", tool_calls: [{ id: "call_1", name: "order", args: { id } }] }) });
    return { generations: [{ text: text ?? "", message }] };
  }
}

export const chatModel = new OrderModel({ maxRetries: 0 });
