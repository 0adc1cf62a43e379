// A server of version 2 of the official MCP SDK for TypeScript, on the port of the first argument: it has no handshake and no sessions.
// Where CHANGED is set, it has another tool.
const { createServer } = require('node:http');
const { toNodeHandler } = require('@modelcontextprotocol/node');
const { createMcpHandler, McpServer } = require('@modelcontextprotocol/server');
const { z } = require('zod');

function server() {
  const made = new McpServer({ name: 'mcp-typescript-2', version: '1' });
  const echo = async ({ text }) => ({ content: [{ type: 'text', text }] });
  made.registerTool(process.env.CHANGED ?? 'echo', { description: 'Returns its argument.', inputSchema: z.object({ text: z.string() }) }, echo);
  return made;
}

createServer(toNodeHandler(createMcpHandler(server, { legacy: 'reject' }))).listen(Number(process.argv[2]), '127.0.0.1');
