// An agent of the official A2A SDK for JavaScript, on the port of the first argument.
const express = require('express');
const { DefaultRequestHandler, InMemoryTaskStore } = require('@a2a-js/sdk/server');
const { agentCardHandler, jsonRpcHandler, UserBuilder } = require('@a2a-js/sdk/server/express');

const port = Number(process.argv[2]);
const card = {
  name: 'a2a-javascript', description: 'An agent that is watched.', version: '1', provider: undefined, documentationUrl: '', iconUrl: '',
  supportedInterfaces: [{ url: `http://127.0.0.1:${port}/`, protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: '' }],
  capabilities: { streaming: false, pushNotifications: false, extensions: [], extendedAgentCard: false },
  defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'], skills: [], signatures: [], securitySchemes: {}, securityRequirements: [],
};
// Probes ask for the card alone.
const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), { async execute() {}, async cancelTask() {} });
const app = express();
app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: requestHandler }));
app.use(jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
app.listen(port, '127.0.0.1');
