// A client of version 1 of the official A2A SDK for JavaScript that speaks HTTP+JSON: uses the agent of the card at the URL of the first argument.
import assert from 'node:assert';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { ClientFactory, ClientFactoryOptions, RestTransportFactory } from 'a2a-1/client';

const called = [];
const fetchImpl = (url, init) => {
  called.push(`${init.method} ${new URL(url).pathname.replace(/^\/a2a\/agents\/[^/]+/, '')}`);
  const headers = new Headers(init?.headers);
  headers.set('Authorization', `Bearer ${process.env.AGENT_HEALTH_KEY}`);
  return fetch(url, { ...init, headers });
};
const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
  transports: [new RestTransportFactory({ fetchImpl })],
  preferredTransports: ['HTTP+JSON'],
});
const client = await new ClientFactory(options).createFromUrl(process.argv[2], '');
const send = (text) => ({
  message: { messageId: randomUUID(), role: 1, parts: [{ content: { $case: 'text', value: text } }] },
  configuration: { acceptedOutputModes: [], returnImmediately: text === 'wait' },
});

let text = '';
for await (const { payload } of client.sendMessageStream(send('Hello'))) {
  if (payload.$case === 'artifactUpdate') {
    text = payload.value.artifact.parts[0].content.value;
  }
}
const waiting = await client.sendMessage(send('wait'));
const followed = client.resubscribeTask({ id: waiting.id })[Symbol.asyncIterator]();
assert.equal((await followed.next()).value.payload.value.id, waiting.id);
assert.equal((await client.getTask({ id: waiting.id, historyLength: 1 })).id, waiting.id);
const server = createServer((request, answer) => {
  request.resume();
  answer.writeHead(204).end();
  notified(request.headers['x-a2a-notification-token']);
});
let notified;
const notification = new Promise((resolve) => (notified = resolve));
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const receiver = { taskId: waiting.id, id: 'mine', url: `http://127.0.0.1:${server.address().port}/`, token: 'of-the-client' };
assert.equal((await client.createTaskPushNotificationConfig(receiver)).id, 'mine');
assert.equal((await client.getTaskPushNotificationConfig({ taskId: waiting.id, id: 'mine' })).url, receiver.url);
assert.equal((await client.listTaskPushNotificationConfig({ taskId: waiting.id })).configs.length, 1);
assert.equal((await client.cancelTask({ id: waiting.id })).status.state, 5);
assert.equal(await notification, 'of-the-client');
await client.deleteTaskPushNotificationConfig({ taskId: waiting.id, id: 'mine' });
server.close();
const listed = await client.listTasks({ pageSize: 1, includeArtifacts: true });
assert.deepEqual([listed.tasks.length, listed.totalSize], [1, 2]);
assert.equal((await client.listTasks({ pageSize: 1, pageToken: listed.nextPageToken, includeArtifacts: true })).tasks.length, 1);
await assert.rejects(client.getTask({ id: 'of-nobody' }), { name: 'TaskNotFoundError' });
assert.deepEqual([...new Set(called)].sort(), [
  `DELETE /tasks/${waiting.id}/pushNotificationConfigs/mine`,
  'GET /tasks',
  'GET /tasks/of-nobody',
  `GET /tasks/${waiting.id}`,
  `GET /tasks/${waiting.id}/pushNotificationConfigs`,
  `GET /tasks/${waiting.id}/pushNotificationConfigs/mine`,
  'POST /message:send',
  'POST /message:stream',
  `POST /tasks/${waiting.id}/pushNotificationConfigs`,
  `POST /tasks/${waiting.id}:cancel`,
  `POST /tasks/${waiting.id}:subscribe`,
].sort());
console.log(`streamed ${text}`);
