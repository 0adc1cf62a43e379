// Model providers whose call failed: the registry finds failures that many agents share.
import { Json } from "./errors.js";

const ERRORS = ["rate_limited", "unavailable", "timeout", "auth"] as const;
export type UpstreamError = (typeof ERRORS)[number];

/** A call of a model provider. */
export interface Upstream {
  /** Such as `openai`. */
  readonly provider: string;
  readonly model?: string;
  /** Of a failure; absent if the provider answered. */
  readonly error?: UpstreamError;
}

const MAX_LENGTH = 64;

/** Hosts of providers. Many packages call other hosts with the same API; such a host is a provider of its own. */
const HOSTS: Readonly<Record<string, string>> = {
  "api.openai.com": "openai", "api.anthropic.com": "anthropic", "api.mistral.ai": "mistral_ai", "api.cohere.com": "cohere", "api.groq.com": "groq",
  "api.deepseek.com": "deepseek", "api.x.ai": "x_ai", "generativelanguage.googleapis.com": "gcp.gemini",
};

/** How many errors of a chain are looked at: frameworks wrap the errors of providers. */
const MAX_CHAIN = 5;

type Found = Record<string, unknown>;

/** The call of a provider that an error of its package stands for; undefined for another error. */
export function upstreamOf(error: unknown): Upstream | undefined {
  let one = error;
  for (let i = 0; i < MAX_CHAIN && typeof one === "object" && one !== null; i++) {
    const found = one as Found;
    const provider = providerOf(found);
    const kind = errorOf(found);
    if (provider && kind) return { provider: provider.slice(0, MAX_LENGTH), error: kind };
    // The AI SDK names the last error of its retries.
    one = found.cause ?? found.lastError;
  }
  return undefined;
}

function providerOf(error: Found): string | undefined {
  // The AI SDK says which URL it called.
  if (typeof error.url === "string" && URL.canParse(error.url)) {
    const { hostname } = new URL(error.url);
    return hostname.endsWith(".openai.azure.com") ? "azure.ai.openai" : HOSTS[hostname] ?? hostname;
  }
  // The errors of Anthropic's package carry the answer, and the errors of OpenAI's package its parts.
  if ((error.error as { type?: unknown } | undefined)?.type === "error") return "anthropic";
  return "status" in error && "param" in error && "requestID" in error ? "openai" : undefined;
}

function errorOf(error: Found): UpstreamError | undefined {
  const status = [error.status, error.statusCode].find(value => typeof value === "number") as number | undefined;
  if (status === 401 || status === 403) return "auth";
  if (status === 408 || status === 504) return "timeout";
  if (status === 429) return "rate_limited";
  if (status !== undefined) return status >= 500 && status < 600 ? "unavailable" : undefined;
  const name = `${error.name} ${(error.constructor as { name?: string } | undefined)?.name}`;
  return /time_?out/i.test(name) ? "timeout" : /connection/i.test(name) || typeof error.url === "string" ? "unavailable" : undefined;
}

/**
 * The fields of a call in an outcome.
 *
 * @internal
 * @throws TypeError for fields that the registry refuses
 */
export function upstreamFields({ provider, model, error }: Upstream, result: string): Json {
  if (result === "trigger_failure") throw new TypeError("a trigger_failure has no upstream");
  if (typeof provider !== "string" || provider.length < 1 || provider.length > MAX_LENGTH) throw new TypeError(`the provider must have 1 to ${MAX_LENGTH} characters`);
  if (model !== undefined && model.length > MAX_LENGTH) throw new TypeError(`the model must have at most ${MAX_LENGTH} characters`);
  if (error !== undefined && (result !== "failure" || !ERRORS.includes(error))) throw new TypeError(`the error of a failure's upstream must be one of ${ERRORS.join(", ")}`);
  return { provider, ...(model === undefined ? {} : { model }), ...(error === undefined ? {} : { error }) };
}
