// Uses the types that openapi-typescript makes, with openapi-fetch.
import createClient from 'openapi-fetch';
import type { paths } from './registry.js';

declare const process: { env: Record<string, string>; argv: string[] };

const client = createClient<paths>({ baseUrl: process.env.AGENT_HEALTH_URL, headers: { 'X-API-Key': process.env.AGENT_HEALTH_KEY } });
const id = process.argv[2];
const path = { agent_id: id };

const agent = await client.POST('/api/v1/agents', { body: { agent_id: id, replace: true, capabilities: ['billing'] } });
console.log('registered', agent.data!.incarnation);
const heartbeat = { status: 'active' as const, client_timestamp: new Date().toISOString() };
const answer = await client.POST('/api/v1/agents/{agent_id}/heartbeat', { params: { path }, body: heartbeat });
console.log('heartbeat', answer.data!.acknowledged, answer.data!.agent_status);
const batch = { batch_id: 'first', outcomes: [{ result: 'success' as const, latency_ms: 412.5 }] };
const counted = await client.POST('/api/v1/agents/{agent_id}/outcomes', { params: { path }, body: batch });
console.log('outcomes', counted.data!.accepted);
const list = await client.GET('/api/v1/agents', { params: { query: { capabilities: ['billing'] } } });
console.log('listed', list.data!.agents.some((row) => row.agent_id === id));
const missing = await client.GET('/api/v1/agents/{agent_id}', { params: { path: { agent_id: 'missing' } } });
console.log('error', missing.response.status, missing.error!.error === 'agent_not_found');
