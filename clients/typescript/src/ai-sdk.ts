// Hooks for the Vercel AI SDK, without a dependency on it.
import type { Usage } from "./usage.js";
import type { Waiting, Working } from "./work.js";

interface Model {
  readonly modelId: string;
  readonly provider: string;
}

interface Tokens {
  readonly inputTokens: { readonly total: number | undefined; readonly cacheRead: number | undefined };
  readonly outputTokens: { readonly total: number | undefined };
}

/**
 * A middleware for models of the Vercel AI SDK 6: `wrapLanguageModel({ model, middleware: aiSdkMiddleware(agent) })`. Each call of the model within
 * a task of the agent is reported, with its tokens.
 */
export function aiSdkMiddleware(agent: { model<R>(work: (call: Working) => R): R }) {
  return {
    specificationVersion: "v3" as const,
    wrapGenerate: <R extends { readonly usage: Tokens }>({ doGenerate, model }: { doGenerate: () => PromiseLike<R>; model: Model }): Promise<R> =>
      agent.model(async (call) => {
        const answer = await doGenerate();
        call.addUsage(usageOf(answer.usage, model));
        return answer;
      }),
    wrapStream: <P, R extends { stream: ReadableStream<P> }>({ doStream, model }: { doStream: () => PromiseLike<R>; model: Model }): Promise<R> =>
      agent.model(async (call) => {
        const answer = await doStream();
        const read = new TransformStream<P, P>({
          transform(part, parts) {
            const { type, usage } = part as { type?: string; usage?: Tokens };
            if (type === "finish" && usage) call.addUsage(usageOf(usage, model));
            parts.enqueue(part);
          },
        });
        return { ...answer, stream: answer.stream.pipeThrough(read) };
      }),
  };
}

/** Beyond it, the oldest wait is given up: a conversation may never go on. */
const MAX_WAITS = 1_000;

/** A part of a result or of a message. Results ask for approvals of tools, and messages answer them. */
interface Part {
  readonly type?: string;
  readonly approvalId?: string;
  readonly toolCall?: { readonly toolName: string };
}

/**
 * A function that generates as `generate` does, with the Vercel AI SDK 6: `aiSdkApprovals(agent, (options) => support.generate(options))`. From a
 * result that asks for the approval of a tool until the call whose messages answer it, the agent waits for a person.
 */
export function aiSdkApprovals<O extends object, R extends { readonly content: readonly object[] }>(
  agent: { waiting(waitsFor: string): Waiting }, generate: (options: O) => PromiseLike<R>,
): (options: O) => Promise<R> {
  const open = new Map<string, Waiting>();
  const end = (approval: string) => {
    open.get(approval)?.end();
    open.delete(approval);
  };
  return async (options) => {
    const { messages, prompt } = options as { messages?: unknown; prompt?: unknown };
    parts(messages ?? prompt, "tool-approval-response").forEach(({ approvalId }) => end(approvalId!));
    const result = await generate(options);
    parts([result], "tool-approval-request").forEach(({ approvalId, toolCall }) => {
      end(approvalId!);
      open.set(approvalId!, agent.waiting(`approval of ${toolCall?.toolName ?? "a tool"}`));
      if (open.size > MAX_WAITS) end(open.keys().next().value!);
    });
    return result;
  };
}

/** The parts of messages or of a result that have this type and name an approval. */
function parts(messages: unknown, type: string): Part[] {
  return (Array.isArray(messages) ? messages : [])
    .flatMap(({ content }: { content?: unknown }) => (Array.isArray(content) ? (content as Part[]) : []))
    .filter((part) => part.type === type && part.approvalId !== undefined);
}

/** The tokens of a call, as far as its provider tells them. The first word of the SDK's name for a provider is its name. */
function usageOf({ inputTokens, outputTokens }: Tokens, { modelId, provider }: Model): Usage {
  return {
    input_tokens: inputTokens?.total, output_tokens: outputTokens?.total, cache_read_tokens: inputTokens?.cacheRead, model: modelId, provider: provider.split(".")[0],
  };
}
