// A server of the official MCP SDK for TypeScript, on the port of the first argument; with `stateless`, it keeps no sessions and answers in JSON.
// Where CHANGED is set, it has another tool.
const { randomUUID } = require('node:crypto');
const express = require('express');
const { McpServer } = require('@modelcontextprotocol/sdk/server/mcp.js');
const { StreamableHTTPServerTransport } = require('@modelcontextprotocol/sdk/server/streamableHttp.js');
const { isInitializeRequest } = require('@modelcontextprotocol/sdk/types.js');
const { z } = require('zod');

const stateless = process.argv.includes('stateless');
const sessions = new Map();

async function connected() {
  const server = new McpServer({ name: 'mcp-typescript', version: '1' });
  const echo = async ({ text }) => ({ content: [{ type: 'text', text }] });
  server.registerTool(process.env.CHANGED ?? 'echo', { description: 'Returns its argument.', inputSchema: { text: z.string() } }, echo);
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: stateless ? undefined : () => randomUUID(),
    enableJsonResponse: stateless,
    onsessioninitialized: (id) => sessions.set(id, transport),
    onsessionclosed: (id) => sessions.delete(id),
  });
  await server.connect(transport);
  return transport;
}

const app = express();
app.use(express.json());
app.post('/mcp', async (request, response) => {
  let transport = sessions.get(request.headers['mcp-session-id']);
  if (!transport && !stateless && !isInitializeRequest(request.body)) {
    response.status(400).json({ jsonrpc: '2.0', error: { code: -32000, message: 'No session' }, id: null });
    return;
  }
  transport ??= await connected();
  await transport.handleRequest(request, response, request.body);
});
// How many sessions were begun and not ended.
app.get('/sessions', (request, response) => response.json(sessions.size));
app.delete('/mcp', async (request, response) => {
  const transport = sessions.get(request.headers['mcp-session-id']);
  await (transport ? transport.handleRequest(request, response) : response.sendStatus(404));
});
app.listen(Number(process.argv[2]), '127.0.0.1');
