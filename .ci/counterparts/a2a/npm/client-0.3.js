// A client of version 0.3 of the official A2A SDK for JavaScript: sends a message to the agent of the card at the URL of the first argument.
import { randomUUID } from 'node:crypto';
import { ClientFactory, ClientFactoryOptions, JsonRpcTransportFactory } from 'a2a-0.3/client';

const fetchImpl = (url, init) => fetch(url, { ...init, headers: { ...init?.headers, Authorization: `Bearer ${process.env.AGENT_HEALTH_KEY}` } });
const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, { transports: [new JsonRpcTransportFactory({ fetchImpl })] });
const client = await new ClientFactory(options).createFromUrl(process.argv[2], '');
const message = { kind: 'message', messageId: randomUUID(), role: 'user', parts: [{ kind: 'text', text: 'To Oslo' }] };
const answer = await client.sendMessage({ message });
console.log(answer.kind, answer.parts[0].text);
