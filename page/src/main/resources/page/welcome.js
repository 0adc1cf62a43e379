// The first screen of an empty registry: a key, how to connect an agent, and the wait for its first heartbeat.
import { html, nothing } from './lit-html.js';
import { get, send } from './api.js';
import { registry } from './registry.js';
import { Form, field } from './form.js';
import { agentLink, copied, moment } from './parts.js';
import { issue, secret } from './keys.js';
import { SNIPPETS } from './snippets.js';

const WATCHED = 'Watched address';
const POLL_MILLIS = 2000;
const WAYS = [['http', 'a web address that answers 2xx'], ['mcp', 'an MCP server'], ['a2a', 'an A2A agent, by its card'], ['agent_health', 'a health document']];

/** The screen; it reads while `isShown`, and `left` is called when the visitor goes on to the fleet. */
export function welcome(app, isShown, left) {
  let key;
  let way = 'curl';
  // The first agent, once one is registered.
  let first;
  let error;
  let watched = '';

  const alive = () => first && first.heard !== false && first.status === 'active';

  const load = async () => {
    try {
      const { agents: [found] } = await get('/api/v1/agents?limit=1');
      first = found && await get(`/api/v1/agents/${encodeURIComponent(found.agent_id)}`);
      error = null;
    } catch (e) {
      error = e;
    }
    app.show();
  };
  /** Reads until there is a heartbeat, while the screen is shown. */
  const wait = async () => {
    if (!document.hidden) await load();
    if (!alive() && isShown()) setTimeout(wait, POLL_MILLIS);
  };

  const issuing = new Form(() => app.show(), async data => { key = await issue({ role: 'agent', name: data.get('name').trim() }); });
  const watching = new Form(() => app.show(), async data => {
    const answer = await send('POST', '/api/v1/agents', { agent_id: data.get('agent_id').trim(), endpoint: data.get('endpoint').trim(), owner_key_id: key.key_id, watch: { by: data.get('by') } });
    watched = answer.agent_id;
    load();
  });

  const keyStep = () => html`<section class=${key ? 'good' : ''}><h2>1. Issue a key for your agents</h2>
    ${key ? secret(key.api_key, key.name) : !app.may.administer ? html`<p>An administrator issues a key with the role <code>agent</code>.</p>`
      : html`<form class="fields" @submit=${issuing.submit}>${field(issuing, 'name', 'Name', { value: 'my first agent', required: true, hint: 'A program or a team: the owner of its agents.' })}
        ${issuing.problem()}<div class="actions"><button class="primary" ?disabled=${issuing.sending}>Issue a key</button></div></form>`}</section>`;

  const watchForm = () => html`<p>The registry asks at the address, and an answer is a heartbeat: nothing has to be changed there.</p>
    ${key ? nothing : html`<p class="note">Issue a key first: it owns the agent.</p>`}
    <form class="fields" @submit=${watching.submit}>
      ${field(watching, 'agent_id', 'Id', { value: 'my-agent', required: true })}
      ${field(watching, 'endpoint', 'Address', { type: 'url', required: true, placeholder: 'https://agent.example.com/' })}
      ${field(watching, 'by', 'What is there', { options: WAYS })}${watching.problem()}
      <div class="actions"><button class="primary" ?disabled=${watching.sending || !key}>Watch</button></div></form>
    ${watched ? html`<p role="status">${watched} is registered. The first answer is expected within a minute.</p>` : nothing}`;

  const tab = name => html`<button type="button" aria-pressed=${name === way} @click=${() => { way = name; app.show(); }}>${name}</button>`;

  const connectStep = () => html`<section><h2>2. Connect an agent</h2>
    <div class="tabs" role="group" aria-label="How">${Object.keys(SNIPPETS).map(tab)}${app.may.administer ? tab(WATCHED) : nothing}</div>
    ${way === WATCHED ? watchForm() : html`${copied(SNIPPETS[way](registry, key?.api_key || 'YOUR-KEY'), `Copy the ${way} example`)}
      ${key ? nothing : html`<p class="note">The key is filled in once it is issued.</p>`}`}</section>`;

  const waitStep = () => html`<section class=${alive() ? 'good' : ''}><h2>3. First heartbeat</h2><div role="status">
    ${alive() ? html`<p class="arrived"><strong>✓ ${agentLink(first.agent_id)} is alive.</strong> Its heartbeat was received ${moment(first.last_heartbeat_at)}.</p>`
      : first ? html`<p>${agentLink(first.agent_id)} is registered. Waiting for its heartbeat …</p>` : html`<p>Waiting for an agent …</p>`}</div>
    ${alive() ? html`<p>Next: ${app.may.administer ? html`<a href="#/notifications">get notified when it falls silent</a>, or ` : nothing}
      <button type="button" class="link" @click=${left}>look at the fleet</button>.</p>` : nothing}
    ${error ? html`<p class="wrong">${error.message}</p>` : nothing}</section>`;

  wait();
  return () => html`<h1>Welcome: ${alive() ? 'the first agent is alive' : 'no agent is alive yet'}</h1>
    <p>Agents register and send heartbeats. This page then shows which of them are alive, work as declared, and may be called.</p>
    ${keyStep()}${connectStep()}${waitStep()}`;
}
