// Calls agents made with the official SDK of A2A by its client, through the gateway, and prints what the client got.
const express = require('express');
const { randomUUID } = require('node:crypto');
const { ClientFactory, ClientFactoryOptions, JsonRpcTransportFactory } = require('@a2a-js/sdk/client');
const { LegacyJsonRpcTransport } = require('@a2a-js/sdk/compat/v0_3/client');
const { DefaultRequestHandler, InMemoryTaskStore, AgentEvent } = require('@a2a-js/sdk/server');
const { agentCardHandler, jsonRpcHandler, UserBuilder } = require('@a2a-js/sdk/server/express');

const { REGISTRY } = process.env;
// One for each agent: the clock of the registry stands, and a key has 20 calls at once.
const keys = process.env.KEYS.split(' ');
let key;
const authorized = (url, init = {}) => fetch(url, { ...init, headers: { ...init.headers, Authorization: `Bearer ${key}` } });

/** An agent that completes a task with the text it was sent; with the text "fail", it fails. */
const executor = {
  async execute(context, bus) {
    const { taskId, contextId, userMessage } = context;
    const text = userMessage.parts[0].content.value;
    const state = text === 'fail' ? 4 : 3;
    bus.publish(AgentEvent.task({
      id: taskId, contextId, history: [userMessage], metadata: {},
      status: { state, timestamp: new Date().toISOString(), message: undefined },
      artifacts: [{
        artifactId: 'a', name: 'answer', description: '', extensions: [], metadata: undefined,
        parts: [{ content: { $case: 'text', value: 'Echo: ' + text }, mediaType: '', filename: '', metadata: undefined }],
      }],
    }));
    bus.finished();
  },
  async cancelTask() {},
};

const skill = {
  id: 'echo', name: 'Echo', description: 'Says the same.', tags: ['echo'], examples: [], inputModes: [], outputModes: [], securityRequirements: [],
};

async function serve(legacy) {
  const app = express();
  const server = await new Promise((listening) => {
    const started = app.listen(0, '127.0.0.1', () => listening(started));
  });
  const url = `http://127.0.0.1:${server.address().port}/`;
  const versions = legacy ? ['1.0', '0.3'] : ['1.0'];
  const card = {
    name: 'echo', description: 'Echoes.', version: '1', provider: undefined, documentationUrl: '', iconUrl: '', signatures: [],
    supportedInterfaces: versions.map((protocolVersion) => ({ url, protocolBinding: 'JSONRPC', protocolVersion, tenant: '' })),
    capabilities: { streaming: true, pushNotifications: false, extensions: [], extendedAgentCard: false },
    defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'], skills: [skill], securitySchemes: {}, securityRequirements: [],
  };
  const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), executor);
  app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: requestHandler }));
  app.use(jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication, legacyCompat: { enabled: legacy } }));
  return { server, url };
}

async function register(agentId, url) {
  const body = JSON.stringify({ agent_id: agentId, endpoint: url });
  const response = await authorized(`${REGISTRY}/api/v1/agents`, { method: 'POST', body });
  if (response.status !== 201) throw new Error(await response.text());
}

const message = (text) => ({
  tenant: '', configuration: undefined, metadata: undefined,
  message: {
    messageId: randomUUID(), contextId: '', taskId: '', role: 1, metadata: undefined, extensions: [], referenceTaskIds: [],
    parts: [{ content: { $case: 'text', value: text }, mediaType: '', filename: '', metadata: undefined }],
  },
});

/** What one client gets from one agent. */
async function round(client) {
  const answer = await client.sendMessage(message('Hello'));
  const task = answer.payload ? answer.payload.value : answer;
  const found = await client.getTask({ tenant: '', id: task.id, historyLength: undefined });
  const failed = await client.sendMessage(message('fail'));
  const states = [];
  for await (const part of client.sendMessageStream(message('Hello'))) {
    const value = part.payload ? part.payload.value : part;
    states.push(value.status.state);
  }
  const errors = {};
  const attempts = {
    missing: () => client.getTask({ tenant: '', id: 'no-such-task', historyLength: undefined }),
    cancel: () => client.cancelTask({ tenant: '', id: task.id, metadata: undefined }),
  };
  for (const [name, attempt] of Object.entries(attempts)) {
    try {
      await attempt();
      errors[name] = 'none';
    } catch (e) {
      errors[name] = e.name + ' ' + e.message;
    }
  }
  return {
    state: task.status.state,
    text: task.artifacts[0].parts[0].content.value,
    found: found.id === task.id && found.status.state,
    failed: (failed.payload ? failed.payload.value : failed).status.state,
    states,
    errors,
  };
}

async function main() {
  const agents = { newer: await serve(false), older: await serve(true) };
  const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
    transports: [new JsonRpcTransportFactory({ fetchImpl: authorized })],
  });
  const result = {};
  for (const [agentId, agent] of Object.entries(agents)) {
    key = keys.pop();
    await register(agentId, agent.url);
    const card = `/agents/${agentId}/.well-known/agent-card.json?via=gateway`;
    const client = await new ClientFactory(options).createFromUrl(REGISTRY, card);
    result[`1.0 to ${agentId}`] = await round(client);
    result[`card of ${agentId}`] = await client.getAgentCard();
    const legacy = new LegacyJsonRpcTransport({ endpoint: `${REGISTRY}/a2a/agents/${agentId}`, fetchImpl: authorized });
    result[`0.3 to ${agentId}`] = await round(legacy);
  }
  console.log(JSON.stringify(result));
  Object.values(agents).forEach((agent) => agent.server.close());
}

main().catch((e) => {
  console.error(e);
  process.exit(1);
}).then(() => process.exit(0));
