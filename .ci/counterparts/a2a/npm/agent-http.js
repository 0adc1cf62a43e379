// An agent of the official A2A SDK for JavaScript that speaks HTTP+JSON alone, on the port of the first argument, in the version of A2A of the second.
// "Hello" is answered in three parts, other tasks stay at work.
import express from 'express';

const port = Number(process.argv[2]);
const newer = process.argv[3] === '1.0';
const server = newer ? await import('a2a-1/server') : await import('a2a-0.3/server');
const { agentCardHandler, restHandler, UserBuilder } = newer ? await import('a2a-1/server/express') : await import('a2a-0.3/server/express');

const url = `http://127.0.0.1:${port}/a2a/`;
const card = (skill) => ({
  name: 'booking', description: 'Books journeys.', version: '1', defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'],
  skills: [{ id: skill, name: skill, description: 'Books a journey.', tags: ['travel'], examples: [], inputModes: [], outputModes: [], securityRequirements: [] }],
  ...(newer
    ? {
        supportedInterfaces: [{ url, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0', tenant: '' }], provider: undefined, documentationUrl: '', iconUrl: '',
        capabilities: { streaming: true, pushNotifications: true, extensions: [], extendedAgentCard: true }, signatures: [], securitySchemes: {}, securityRequirements: [],
      }
    : {
        url, preferredTransport: 'HTTP+JSON', protocolVersion: '0.3.0', capabilities: { streaming: true, pushNotifications: true },
        supportsAuthenticatedExtendedCard: true,
      }),
});
const event = (kind, of) => (newer ? server.AgentEvent[{ task: 'task', 'status-update': 'statusUpdate', 'artifact-update': 'artifactUpdate' }[kind]](of) : { kind, ...of });
const states = { submitted: 1, working: 2, completed: 3, canceled: 5 };
const status = (state) => ({ state: newer ? states[state] : state, message: undefined, timestamp: new Date().toISOString() });
const contexts = new Map();
const change = (bus, taskId, state) =>
  bus.publish(event('status-update', { taskId, contextId: contexts.get(taskId), status: status(state), metadata: undefined, final: state !== 'working' }));
const executor = {
  async execute({ userMessage, taskId, contextId, task }, bus) {
    contexts.set(taskId, contextId);
    if (!task) {
      bus.publish(event('task', { id: taskId, contextId, status: status('submitted'), history: [userMessage], artifacts: [], metadata: undefined }));
    }
    change(bus, taskId, 'working');
    const part = userMessage.parts[0];
    if ((newer ? part.content.value : part.text) === 'Hello') {
      const booked = newer ? { content: { $case: 'text', value: 'Booked.' }, metadata: undefined, filename: '', mediaType: '' } : { kind: 'text', text: 'Booked.' };
      const artifact = { artifactId: 'booked', name: '', description: '', parts: [booked], metadata: undefined, extensions: [] };
      bus.publish(event('artifact-update', { taskId, contextId, artifact, append: false, lastChunk: true, metadata: undefined }));
      change(bus, taskId, 'completed');
      bus.finished();
    }
  },
  async cancelTask(taskId, bus) {
    change(bus, taskId, 'canceled');
    bus.finished();
  },
};

const configs = new server.InMemoryPushNotificationStore();
const sender = new server.DefaultPushNotificationSender(configs);
const requestHandler = new server.DefaultRequestHandler(
  card('booking'), new server.InMemoryTaskStore(), executor, undefined, configs, sender, async () => card('booking-first-class'),
  // Else the SDK of 1.0 forgets a task at work with the stream that began it.
  undefined, { keepBusAliveStates: [states.working] },
);
const app = express();
app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: requestHandler }));
app.use('/a2a', restHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
app.listen(port, '127.0.0.1');
