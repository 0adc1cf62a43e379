// Containment: the rules that contain agents by themselves, and their dry runs.
import { html, nothing } from './lit-html.js';
import { get, send } from './api.js';
import { Form, asked, boxes, field, listed } from './form.js';
import { duration, many, number, words } from './format.js';
import { agentLink, badge, columns, empty, loaded, menu, moment, thing, things } from './parts.js';
import { administration } from './administration.js';

const PATH = '/v1/admin/containment';
const REASONS = { looping: 'it repeats the same calls', stalled: 'its work makes no progress', over_limit: 'a limit is used up', low_success: 'fewer than half of its executions succeed', low_quality: 'its results are of lower quality than it declares', restarts: 'it restarts too often',
  last_run_failed: 'its last run failed', active_while_gone: 'it goes on although it is gone' };
const ACTIONS = [['block', 'block its calls'], ['drain', 'ask it to drain'], ['restart', 'ask it to restart']];
const GUARDS = { share_of_role: 'a fifth of the role is contained', pool_minimum: 'the pool needs them', unblocked_by_person: 'a person unblocked them within the last hour' };
// The step of a case; "waiting" is a word for agents that wait for a person.
const STEPS = { waiting: 'not acted yet', released: 'unblocked, reason lasts' };
const path = name => `${PATH}/${encodeURIComponent(name)}`;
const body = ({ filter, when, action, release }) => ({ filter, when, action, ...(release ? { release } : {}) });

export function containment(app) {
  let list;
  let error;
  let done = '';
  // The rule that is written: null where none is, {} for a new one.
  let written = null;
  let action = 'block';
  // The rule whose agents are shown.
  let shown = null;
  let form;

  const load = async () => {
    try {
      list = (await get(PATH)).rules;
      if (shown) shown = list.some(rule => rule.name === shown.name) ? await get(path(shown.name)) : null;
      error = null;
    } catch (e) {
      error = e;
    }
    app.show();
  };
  load();

  const save = async data => {
    const name = written.name || data.get('name').trim();
    await send('PUT', path(name), { action, mode: written.mode || 'observe',
      filter: { ...written.filter, roles: listed(data.get('filter.roles')) },
      when: { reasons: data.getAll('when.reasons'), min_executions: Number(data.get('when.min_executions')), for_seconds: Number(data.get('when.for_seconds')) },
      ...(action === 'block' ? { release: { after_seconds: Number(data.get('release.after_seconds')), trial_calls: Number(data.get('release.trial_calls')) } } : {}) });
    done = written.mode === 'enforce' ? `${name} is written.` : `${name} is written, and observes. Look at its dry run before you enforce it.`;
    written = null;
    await load();
  };
  const open = rule => {
    // The fields of another rule must not keep what was typed.
    written = null;
    app.show();
    written = rule;
    action = rule.action || 'block';
    done = '';
    form = new Form(() => app.show(), save);
    app.show();
  };
  const show = async rule => {
    shown = shown?.name === rule.name ? null : { name: rule.name };
    await load();
  };
  const change = async (rule, mode) => {
    const enforces = mode === 'enforce';
    if (!await asked(enforces ? 'Enforce' : 'Observe', enforces ? `${rule.name} acts on the agents that it finds. It would have acted on ${many(rule.would_act_agents, 'agent')} in the last seven days.`
      : `${rule.name} only observes. Agents that it blocked stay blocked.`, () => nothing, () => send('PUT', path(rule.name), { ...body(rule), mode }))) return;
    done = enforces ? `${rule.name} is enforced.` : `${rule.name} observes.`;
    await load();
  };
  const remove = async rule => {
    if (!await asked('Delete', `${rule.name} acts no more. Agents that it blocked stay blocked.`, () => nothing, () => send('DELETE', path(rule.name)))) return;
    done = `${rule.name} is deleted.`;
    await load();
  };

  const editor = () => html`<section><h2>${written.name ? `Change ${written.name}` : 'New rule'}</h2><form @submit=${form.submit}>
    <div class="fields">${written.name ? nothing : field(form, 'name', 'Name', { required: true, placeholder: 'runaway' })}
      ${field(form, 'action', 'What it does', { value: action, options: ACTIONS, change: e => { action = e.target.value; app.show(); } })}
      ${field(form, 'filter.roles', 'Only agents of these roles', { value: written.filter?.roles?.join(', '), hint: 'With commas; empty for all.' })}</div>
    ${boxes(form, 'when.reasons', 'When', Object.entries(REASONS), written.when?.reasons || ['looping'])}
    <div class="fields">${field(form, 'when.for_seconds', 'Seconds for which a reason has to hold', { type: 'number', min: 0, max: 86400, value: written.when?.for_seconds ?? 60, required: true })}
      ${field(form, 'when.min_executions', 'Least number of executions', { type: 'number', min: 0, max: 1000000, value: written.when?.min_executions ?? 0, required: true })}
      ${action === 'block' ? html`${field(form, 'release.after_seconds', 'Seconds until trial calls', { type: 'number', min: 10, max: 86400, value: written.release?.after_seconds ?? 600, required: true })}
        ${field(form, 'release.trial_calls', 'Calls that have to succeed', { type: 'number', min: 1, max: 20, value: written.release?.trial_calls ?? 3, required: true })}` : nothing}</div>
    ${form.problem()}<div class="actions"><button class="primary" ?disabled=${form.sending}>Save</button>
      <button type="button" @click=${() => { written = null; app.show(); }}>Cancel</button></div></form></section>`;

  const row = rule => thing({
    name: rule.name,
    state: rule.mode === 'enforce' ? badge('down', 'enforced') : badge('unknown', 'observes'),
    lines: [`${words(rule.action)}: ${rule.when.reasons.map(reason => REASONS[reason] || words(reason)).join(', ')}${rule.when.for_seconds ? `, for ${duration(rule.when.for_seconds)}` : ''}${
      rule.filter.roles.length ? `; only the roles ${rule.filter.roles.join(', ')}` : ''}`,
    `In the last seven days it would have acted on ${many(rule.would_act_agents, 'agent')}, and acted on ${number(rule.acted_agents)}.`,
    rule.held_back ? html`Held back ${many(rule.held_back.agents, 'agent')} ${moment(rule.held_back.since)}: ${GUARDS[rule.held_back.guard] || words(rule.held_back.guard)}.` : ''],
    look: rule.held_back ? 'error' : '',
    actions: html`<button type="button" aria-label=${`Show the agents of ${rule.name}`} aria-expanded=${shown?.name === rule.name} @click=${() => show(rule)}>${rule.mode === 'enforce' ? 'Agents' : 'Dry run'}</button>
      <button type="button" aria-label=${`${rule.mode === 'enforce' ? 'Only observe with' : 'Enforce'} ${rule.name}`} @click=${() => change(rule, rule.mode === 'enforce' ? 'observe' : 'enforce')}>${rule.mode === 'enforce' ? 'Observe …' : 'Enforce …'}</button>
      ${menu(`More about ${rule.name}`, html`<button type="button" aria-label=${`Change ${rule.name}`} @click=${() => open(rule)}>Change</button>
        <button type="button" class="danger" aria-label=${`Delete ${rule.name}`} @click=${() => remove(rule)}>Delete</button>`)}`,
  });
  const did = one => !one.action ? 'nothing yet' : `${one.observed ? 'would ' : ''}${one.action}, ${number(one.times)} ×`;
  const cases = rule => html`<section>${!rule.cases?.length ? html`<h2>${rule.name} in the last seven days</h2>${empty('It found no agent.')}`
    : columns(`${rule.name} in the last seven days`, [{ head: 'agent', cell: one => agentLink(one.agent_id) }, { head: 'reasons', cell: one => one.reasons.map(words).join(', ') },
      { head: 'since', cell: one => moment(one.since) }, { head: 'it did', cell: did }, { head: 'last', cell: one => one.last_at ? moment(one.last_at) : '' }, { head: 'now', cell: one => STEPS[one.step] || words(one.step) }], rule.cases)}</section>`;

  const view = () => html`<h1>Containment</h1>${administration('containment')}
    <p class="note" role="status">${done}</p>
    ${written ? editor() : html`<div class="actions"><button type="button" class="primary" @click=${() => open({})}>New rule</button></div>`}
    ${loaded(list, error, load, rules => !rules.length ? written ? nothing : empty('No rule contains agents.') : things('Rules', rules.map(row)))}
    ${shown ? cases(shown) : nothing}`;
  return { title: 'Containment', view, refresh: load };
}
