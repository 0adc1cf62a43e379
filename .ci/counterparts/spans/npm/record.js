// Records the spans of an agent framework whose model is a stand-in, and prints them as a fixture of GoldenSpansTest, as record.py does in Python.
const READ = ['genkit:metadata:subtype', 'genkit:name', 'entity.type', 'entity.name', 'agent.state', 'gen_ai.operation.name', 'error.type'];
const spans = [];
const processor = { onStart() {}, onEnd: (span) => spans.push(span), async forceFlush() {}, async shutdown() {} };

async function genkit() {
  const { genkit, z } = await import('genkit');
  const { enableTelemetry } = await import('genkit/tracing');
  await enableTelemetry({ spanProcessors: [processor], serviceName: 'checkout' });
  const ai = genkit({});
  ai.defineModel({ name: 'stub' }, async () => ({ message: { role: 'model', content: [{ text: 'sunny' }] }, finishReason: 'stop' }));
  const planner = ai.defineFlow({ name: 'planner', inputSchema: z.string() }, async (prompt) => (await ai.generate({ model: 'stub', prompt })).text);
  await planner('Plan a trip');
  const broken = ai.defineFlow({ name: 'broken' }, async () => { throw new Error('the flow fails'); });
  await broken().catch(() => {});
}

async function voltagent() {
  const { Agent, VoltAgentObservability } = await import('@voltagent/core');
  const { MockLanguageModelV3 } = await import('ai/test');
  const observability = new VoltAgentObservability({ serviceName: 'checkout', spanProcessors: [processor] });
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
  const answer = { content: [{ type: 'text', text: 'sunny' }], finishReason: { unified: 'stop', raw: 'stop' }, usage, warnings: [] };
  const answers = new MockLanguageModelV3({ doGenerate: async () => answer });
  const fails = new MockLanguageModelV3({ doGenerate: async () => { throw new Error('the model fails'); } });
  await new Agent({ name: 'Planner', instructions: 'Plan.', model: answers, observability }).generateText('Plan a trip');
  await new Agent({ name: 'Broken', instructions: 'Plan.', model: fails, maxRetries: 0, observability }).generateText('Plan a trip').catch(() => {});
  // Spans end a moment after the answer.
  await new Promise((resolve) => setTimeout(resolve, 1000));
}

const FRAMEWORKS = { genkit: [genkit, 'Genkit', 'genkit'], voltagent: [voltagent, 'VoltAgent', '@voltagent/core'] };
const [run, emitter, name] = FRAMEWORKS[process.argv[2]];
const print = console.log;
console.log = console.info = console.warn = console.error;
await run();

const nanos = ([seconds, rest]) => `${seconds}${String(rest).padStart(9, '0')}`;
const scopes = new Map();
for (const span of spans) {
  const scope = (span.instrumentationScope ?? span.instrumentationLibrary).name;
  const parent = span.parentSpanContext?.spanId ?? span.parentSpanId;
  const attributes = Object.entries(span.attributes).filter(([key]) => READ.includes(key));
  if (!scopes.has(scope)) scopes.set(scope, []);
  scopes.get(scope).push({
    traceId: span.spanContext().traceId, spanId: span.spanContext().spanId, ...(parent && { parentSpanId: parent }), name: span.name,
    startTimeUnixNano: nanos(span.startTime), endTimeUnixNano: nanos(span.endTime),
    attributes: attributes.map(([key, value]) => ({ key, value: { stringValue: String(value) } })), status: { code: span.status.code },
  });
}
const { default: manifest } = await import('./package.json', { with: { type: 'json' } });
const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'checkout' } }] };
const scopeSpans = [...scopes].map(([scope, all]) => ({ scope: { name: scope }, spans: all }));
const recorded = `${name} ${manifest.dependencies[name]}`;
print(JSON.stringify({ emitter, recorded, note: '', executions: [], request: { resourceSpans: [{ resource, scopeSpans }] } }, null, 1));
process.exit(0);
