// Calls an agent as a task of MCP by the official client and its package for tasks. Arguments: URL of the registry, key, agent, "2025" or "2026".
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createTaskSessionFromClient, resultFromTaskOutcome } from '@modelcontextprotocol/ext-tasks/client';

const [url, key, agent, era] = process.argv.slice(2);
const clientInfo = { name: 'agent-health-check', version: '1.0.0' };
const clientCapabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
const protocolVersion = '2026-07-28';
const modern = era === '2026';
let requests = 0;

/** Sends requests about tasks, which the client of 2026-07-28 leaves to its host. */
const rawDispatch = async request => {
  const name = request.params?.name ?? request.params?.taskId;
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', Authorization: `Bearer ${key}`,
    'MCP-Protocol-Version': protocolVersion, 'Mcp-Method': request.method, ...(name ? { 'Mcp-Name': name } : {}) };
  const response = await fetch(`${url}/mcp`, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', id: ++requests, ...request }) });
  const { result, error } = await response.json();
  return error ? { kind: 'error', error } : { kind: 'result', result };
};

const client = new Client(clientInfo, modern ? { versionNegotiation: { mode: { pin: protocolVersion } }, capabilities: clientCapabilities } : {});
await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers: { Authorization: `Bearer ${key}` } } }));
const session = createTaskSessionFromClient(client, { endpointId: 'registry', ...(modern ? { rawDispatch, v2RequestFraming: { protocolVersion, clientInfo, clientCapabilities } } : {}) });
const execution = await session.callTool('invoke_agent', { agent_id: agent, message: 'Oslo' }, { task: { preference: 'prefer' } });
const result = resultFromTaskOutcome((await execution.settle()).outcome);
console.log(result.structuredContent.output.task.artifacts[0].parts[0].text);
await session.close();
await client.close();
