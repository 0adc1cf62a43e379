// Tokens and calls of executions.
import { plainText } from "./calls.js";

/** Tokens and calls of one execution. `input_tokens` has the tokens from a cache. */
export interface Usage {
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  readonly cache_read_tokens?: number;
  readonly model_calls?: number;
  readonly tool_calls?: number;
  readonly model?: string;
  readonly provider?: string;
}

const NUMBERS = ["input_tokens", "output_tokens", "cache_read_tokens", "model_calls", "tool_calls"] as const;
// What the registry accepts.
const MAX = 1_000_000_000_000;
const MAX_MODEL_LENGTH = 100;
const MAX_MODELS = 100;

type Fields = { -readonly [Name in keyof Usage]: Usage[Name] };

/** The usage as the registry accepts it, without wrong values; undefined without a number. */
export function usageFields(usage: Usage | undefined): Usage | undefined {
  const fields: Fields = {};
  for (const name of NUMBERS) {
    const number = usage?.[name];
    if (Number.isInteger(number) && number! >= 0 && number! <= MAX) fields[name] = number;
  }
  if (Object.keys(fields).length === 0) return undefined;
  for (const name of ["model", "provider"] as const) {
    const text: unknown = usage?.[name];
    if (typeof text === "string" && text !== "") fields[name] = [...plainText(text)].slice(0, MAX_MODEL_LENGTH).join("");
  }
  return fields;
}

/** The tokens and calls of one task, added up. The model with the most tokens names the sum. */
export class TaskUsage {
  readonly #sums: Fields = {};
  readonly #models = new Map<string, { model?: string; provider?: string; tokens: number }>();

  /** Adds a usage; wrong values are left out. */
  add(usage: Usage): void {
    const fields = usageFields(usage);
    if (!fields) return;
    for (const name of NUMBERS) if (fields[name]) this.#sums[name] = Math.min(MAX, (this.#sums[name] ?? 0) + fields[name]);
    const { model, provider } = fields;
    if (model === undefined && provider === undefined) return;
    const key = JSON.stringify([model, provider]);
    const tokens = (this.#models.get(key)?.tokens ?? 0) + (fields.input_tokens ?? 0) + (fields.output_tokens ?? 0);
    if (this.#models.has(key) || this.#models.size < MAX_MODELS) this.#models.set(key, { model, provider, tokens });
  }

  /** The sum with the numbers that replace some of it; undefined if nothing is known. */
  fields(noted: Usage | undefined): Usage | undefined {
    const [most] = [...this.#models.values()].sort((a, b) => b.tokens - a.tokens);
    return usageFields({ ...this.#sums, model: most?.model, provider: most?.provider, ...usageFields(noted) });
  }
}
