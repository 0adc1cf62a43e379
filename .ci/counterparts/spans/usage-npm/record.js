// Records the spans of the AI SDK of Vercel, and prints them as a fixture of UsageSpansTest, as record.py does in Python. A stand-in takes the place of the
// model. Each call reads 100 tokens, 40 of them from a cache, and writes 10.
import { AsyncLocalStorage } from 'node:async_hooks';
import { context, ROOT_CONTEXT } from '@opentelemetry/api';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { z } from 'zod';

const READ = ['gen_ai.operation.name', 'gen_ai.agent.name', 'gen_ai.request.model', 'gen_ai.response.model', 'gen_ai.provider.name', 'gen_ai.system',
  'gen_ai.usage.input_tokens', 'gen_ai.usage.output_tokens', 'gen_ai.usage.cache_read.input_tokens', 'ai.usage.cachedInputTokens', 'ai.operationId', 'ai.model.id', 'ai.model.provider',
  'ai.telemetry.functionId', 'ai.toolCall.name', 'error.type'];
// Spans are within each other by the context of the code that runs.
const storage = new AsyncLocalStorage();
context.setGlobalContextManager({
  active: () => storage.getStore() ?? ROOT_CONTEXT, with: (active, work, self, ...args) => storage.run(active, () => work.apply(self, args)), bind: (_, work) => work,
  enable() { return this; }, disable() { return this; },
});
const exporter = new InMemorySpanExporter();
const tracer = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).getTracer('ai');

/** A stand-in that calls the tool, and then answers. */
const answers = (Model) => new Model({
  provider: 'openai.responses',
  modelId: 'gpt-5',
  doGenerate: async ({ prompt }) => {
    const told = prompt.some(({ role }) => role === 'tool');
    return {
      content: [told ? { type: 'text', text: 'sunny' } : { type: 'tool-call', toolCallId: '1', toolName: 'weather', input: '{}' }],
      finishReason: { unified: told ? 'stop' : 'tool-calls', raw: 'stop' }, warnings: [], response: { modelId: 'gpt-5-2026-08-07' },
      usage: { inputTokens: { total: 100, noCache: 60, cacheRead: 40 }, outputTokens: { total: 10, text: 10 } },
    };
  },
});

async function version6() {
  const { generateText, stepCountIs, tool } = await import('ai-6');
  const { MockLanguageModelV3 } = await import('ai-6/test');
  const weather = tool({ description: 'The weather.', inputSchema: z.object({}), execute: () => 'sunny' });
  await generateText({ model: answers(MockLanguageModelV3), tools: { weather }, stopWhen: stepCountIs(3), prompt: 'Plan a trip',
    experimental_telemetry: { isEnabled: true, functionId: 'planner', tracer } });
}

async function version7() {
  const { generateText, stepCountIs, tool } = await import('ai');
  const { MockLanguageModelV4 } = await import('ai/test');
  const { OpenTelemetry } = await import('@ai-sdk/otel');
  const weather = tool({ description: 'The weather.', inputSchema: z.object({}), execute: () => 'sunny' });
  await generateText({ model: answers(MockLanguageModelV4), tools: { weather }, stopWhen: stepCountIs(3), prompt: 'Plan a trip',
    telemetry: { functionId: 'planner', integrations: [new OpenTelemetry({ tracer })] } });
}

const LIBRARIES = { 'ai-sdk-6': [version6, 'AI SDK of Vercel, versions up to 6', ['ai-6']], 'ai-sdk-7': [version7, 'AI SDK of Vercel, version 7', ['ai', '@ai-sdk/otel']] };
const [run, emitter, names] = LIBRARIES[process.argv[2]];
await run();

const nanos = ([seconds, rest]) => `${seconds}${String(rest).padStart(9, '0')}`;
const number = (value) => (typeof value === 'number' ? { intValue: value } : { stringValue: String(value) });
const spans = exporter.getFinishedSpans().map((span) => ({
  traceId: span.spanContext().traceId, spanId: span.spanContext().spanId, ...(span.parentSpanContext && { parentSpanId: span.parentSpanContext.spanId }), name: span.name,
  startTimeUnixNano: nanos(span.startTime), endTimeUnixNano: nanos(span.endTime),
  attributes: Object.entries(span.attributes).filter(([key]) => READ.includes(key)).map(([key, value]) => ({ key, value: number(value) })), status: { code: span.status.code },
}));
const { default: manifest } = await import('./package.json', { with: { type: 'json' } });
const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'checkout' } }] };
const recorded = names.map((name) => `${name.replace('ai-6', 'ai')} ${manifest.dependencies[name].replace('npm:ai@', '')}`).join(', ');
console.log(JSON.stringify({ emitter, recorded, note: '', usage: {}, models: [], request: { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'ai' }, spans }] }] } }, null, 1));
