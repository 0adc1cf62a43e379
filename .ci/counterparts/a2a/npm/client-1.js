// A client of version 1 of the official A2A SDK for JavaScript: sends a message to the agent of the card at the URL of the first argument.
import { randomUUID } from 'node:crypto';
import { ClientFactory, ClientFactoryOptions, JsonRpcTransportFactory } from 'a2a-1/client';

const fetchImpl = (url, init) => {
  const headers = new Headers(init?.headers);
  headers.set('Authorization', `Bearer ${process.env.AGENT_HEALTH_KEY}`);
  return fetch(url, { ...init, headers });
};
const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, { transports: [new JsonRpcTransportFactory({ fetchImpl })] });
const client = await new ClientFactory(options).createFromUrl(process.argv[2], '');
const message = { messageId: randomUUID(), role: 1, parts: [{ content: { $case: 'text', value: 'To Oslo' } }] };
const answer = await client.sendMessage({ message });
console.log('message', answer.parts[0].content.value);
