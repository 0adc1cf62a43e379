// An agent of the official A2A SDK for JavaScript, on the port of the first argument, with a signed card.
const { generateKeyPairSync, randomUUID } = require('node:crypto');
const express = require('express');
const { generateAgentCardSignature } = require('@a2a-js/sdk');
const { DefaultRequestHandler, InMemoryTaskStore } = require('@a2a-js/sdk/server');
const { agentCardHandler, jsonRpcHandler, UserBuilder } = require('@a2a-js/sdk/server/express');

const port = Number(process.argv[2]);
const card = {
  name: 'a2a-javascript', description: 'An agent that is watched.', version: '1', provider: undefined, documentationUrl: '', iconUrl: '',
  supportedInterfaces: [{ url: `http://127.0.0.1:${port}/`, protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: '' }],
  capabilities: { streaming: false, pushNotifications: false, extensions: [], extendedAgentCard: false },
  defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'], skills: [], signatures: [], securitySchemes: {}, securityRequirements: [],
};
const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const kid = randomUUID();
const jku = `http://127.0.0.1:${port}/.well-known/jwks.json`;

async function main() {
  const signed = await generateAgentCardSignature(privateKey, { alg: 'ES256', typ: 'JOSE', kid, jku })(card);
  // Probes ask for the card alone.
  const requestHandler = new DefaultRequestHandler(signed, new InMemoryTaskStore(), { async execute() {}, async cancelTask() {} });
  const app = express();
  app.get('/.well-known/jwks.json', (request, response) => response.json({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid }] }));
  app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: requestHandler }));
  app.use(jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
  app.listen(port, '127.0.0.1');
}

main();
