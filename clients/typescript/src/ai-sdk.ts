// A middleware for models of the Vercel AI SDK, without a dependency on it.
import type { Usage } from "./usage.js";
import type { Working } from "./work.js";

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

/** The tokens of a call, as far as its provider tells them. The first word of the SDK's name for a provider is its name. */
function usageOf({ inputTokens, outputTokens }: Tokens, { modelId, provider }: Model): Usage {
  return {
    input_tokens: inputTokens?.total, output_tokens: outputTokens?.total, cache_read_tokens: inputTokens?.cacheRead, model: modelId, provider: provider.split(".")[0],
  };
}
