// Stops: one command that stops agents, and those that are in force.
import { html, nothing } from './lit-html.js';
import { get, send } from './api.js';
import { Form, asked, field, wrong } from './form.js';
import { number } from './format.js';
import { agentLink, empty, loaded, moment, thing, things } from './parts.js';
import { keyNames } from './keys.js';
import { administration } from './administration.js';

const PATH = '/v1/admin/stop';
const SCOPES = [['role_id', 'a role'], ['agent_id', 'an agent'], ['key_id', 'the agents of a key'], ['all', 'all agents']];

/** The number of agents, as a sentence continues: "37 agents", "at least 5,000 agents". */
const agents = ({ agents: found, complete }) => `${complete ? '' : 'at least '}${number(found)} ${found === 1 ? 'agent' : 'agents'}`;
const tasks = ({ running_tasks: running }) => ` and ${number(running)} running ${running === 1 ? 'task' : 'tasks'}`;

export function stops(app) {
  let list;
  let error;
  let done = '';
  let scope = 'role_id';
  let names = {};
  let writes = true;
  const load = async () => {
    try {
      [{ stops: list }, names] = await Promise.all([get(PATH), keyNames()]);
      error = null;
    } catch (e) {
      error = e;
    }
    app.show();
  };
  load();

  const form = new Form(() => app.show(), async data => {
    const value = data.get(scope)?.trim();
    if (scope !== 'all' && !value) throw wrong(scope, 'is required');
    const named = { [scope]: scope === 'all' || value };
    const reason = data.get('reason').trim();
    const counted = await send('POST', PATH, { ...named, dry_run: true });
    let stopped;
    if (!await asked('Stop', `${agents(counted)}${tasks(counted)} are stopped: no calls, and each agent is asked to drain. Agents that register later are stopped as well.`,
      () => nothing, async () => { stopped = await send('POST', PATH, { ...named, reason }); })) return;
    done = `${agents(stopped)} are stopped.`;
    // Drawn anew, so that its fields are as at first.
    writes = false;
    app.show();
    writes = true;
    await load();
  });
  const lift = async stop => {
    const { stop: id, agent_id, role_id, key_id } = stop;
    const query = new URLSearchParams(agent_id ? { agent_id } : role_id ? { role_id } : key_id ? { key_id } : { all: true });
    if (!await asked('Lift', `The stop of ${id} ends. Blocks and other commands stay.`, () => nothing, () => send('DELETE', `${PATH}?${query}`))) return;
    done = `The stop of ${id} is lifted.`;
    await load();
  };

  const editor = () => html`<section><h2>Stop agents</h2><form class="fields" @submit=${form.submit}>
    <div class="field"><label>Stop<select @change=${e => { scope = e.target.value; app.show(); }}>
      ${SCOPES.map(([code, text]) => html`<option value=${code} ?selected=${code === scope}>${text}</option>`)}</select></label></div>
    ${scope === 'all' ? nothing : field(form, scope, scope === 'agent_id' ? 'Agent' : scope === 'role_id' ? 'Role' : 'Id of the key', { required: true })}
    ${field(form, 'reason', 'Reason', { required: true, hint: 'Shown to operators and to callers.' })}
    ${form.problem()}<div class="actions"><button class="danger" ?disabled=${form.sending}>Stop …</button></div></form></section>`;

  const covers = ({ agent_id: agent, role_id: role, key_id: owner }) => agent ? agentLink(agent)
    : role ? html`role <a href=${`#/agents?role_id=${encodeURIComponent(role)}`}>${role}</a>` : owner ? `agents of ${names[owner] || owner}` : 'all agents';
  const row = s => thing({ name: covers(s), lines: [s.reason, `By ${names[s.stopped_by] || s.stopped_by}.`], age: moment(s.stopped_at), look: 'error',
    actions: html`<button type="button" aria-label=${`Lift the stop of ${s.stop}`} @click=${() => lift(s)}>Lift</button>` });

  const view = () => html`<h1>Stop</h1>${administration('stops')}
    <p class="note" role="status">${done}</p>
    ${loaded(list, error, load, found => !found.length ? empty('No stop is in force.')
      : things('Stops in force', found.map(row)))}
    ${writes ? editor() : nothing}`;
  return { title: 'Stop', view, refresh: load };
}
