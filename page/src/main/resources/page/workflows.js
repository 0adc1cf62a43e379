// Workflows: which roles there are, how often their agents send heartbeats, and how many are wanted.
import { html, nothing } from './lit-html.js';
import { all, get, send } from './api.js';
import { Form, asked, field } from './form.js';
import { badge, empty, loaded, moment, thing, things } from './parts.js';
import { administration } from './administration.js';

const EXAMPLE = `agents:
  billing-processor:
    capabilities: [billing]
    heartbeat:
      interval_seconds: 30
      unhealthy_after_seconds: 90
      dead_after_seconds: 300
    pool:
      min_instances: 2
`;
// What a workflow declares about heartbeats; a read workflow has more.
const HEARTBEAT = ['interval_seconds', 'unhealthy_after_seconds', 'dead_after_seconds', 'stall_after_seconds', 'release_leases_when_stalled', 'restart_when_stalled',
  'max_repeats', 'release_leases_when_looping', 'restart_when_looping', 'mode', 'schedule', 'confirm_death', 'signs_of_life'];

/** A value as YAML: objects by lines, the rest as JSON, which is YAML too. */
export function yaml(value, indent = '') {
  return Object.entries(value).filter(([, v]) => (v ?? null) !== null).map(([name, v]) => v instanceof Object && !Array.isArray(v)
    ? `${indent}${name}:${Object.keys(v).length ? `\n${yaml(v, `${indent}  `)}` : ' {}\n'}` : `${indent}${name}: ${JSON.stringify(v)}\n`).join('');
}

const declared = role => ({ ...role, heartbeat: Object.fromEntries(HEARTBEAT.map(name => [name, role.heartbeat[name]])) });

export function workflows(app) {
  let list;
  let error;
  let done = '';
  // What is written: null where nothing is; the version is that which was read.
  let written = null;
  let form;
  const mayChange = () => app.may.change && app.may.list && !app.me.role_ids.length;
  const path = name => `/api/v1/workflows/${encodeURIComponent(name)}`;

  const load = async () => {
    try {
      list = await all('/api/v1/workflows?limit=100', 'workflows');
      error = null;
    } catch (e) {
      error = e;
    }
    app.show();
  };
  load();

  const save = async data => {
    const name = written.name || data.get('name').trim();
    await send('PUT', path(name), data.get('agents'), { 'Content-Type': 'application/yaml', ...(written.version ? { 'If-Match': `"${written.version}"` } : { 'If-None-Match': '*' }) });
    written = null;
    done = `${name} is written. Agents that register from now on inherit it.`;
    await load();
  };

  const open = async name => {
    done = '';
    written = null;
    app.show();
    try {
      const read = name ? await get(path(name)) : {};
      written = { name, version: read.version, text: name ? yaml({ agents: Object.fromEntries(Object.entries(read.agents).map(([role, d]) => [role, declared(d)])) }) : EXAMPLE };
      form = new Form(() => app.show(), save);
    } catch (e) {
      error = e;
    }
    app.show();
  };

  const remove = async ({ name, version }) => {
    if (!await asked('Delete', `${name} is not declared any more. Its agents keep what they inherited; its pools have no minimum.`, () => nothing,
      () => send('DELETE', path(name), null, { 'If-Match': `"${version}"` }))) return;
    done = `${name} is deleted.`;
    await load();
  };

  const editor = () => html`<section><h2>${written.name ? `Change ${written.name}` : 'New workflow'}</h2><form @submit=${form.submit}>
    ${written.name ? nothing : field(form, 'name', 'Name', { required: true, placeholder: 'billing' })}
    ${field(form, 'agents', 'Roles, as YAML or JSON', { rows: 18, required: true, value: written.text })}
    ${form.problem()}${form.error?.status === 412 ? html`<p>${written.name
      ? html`It was changed meanwhile. <button type="button" class="link" @click=${() => open(written.name)}>Read it again</button>; what is written here is lost then.` : 'A workflow of this name exists.'}</p>` : nothing}
    <div class="actions"><button class="primary" ?disabled=${form.sending}>Save</button><button type="button" @click=${() => { written = null; app.show(); }}>Cancel</button></div></form></section>`;

  const row = w => thing({
    name: w.name,
    state: badge('unknown', `version ${w.version}`),
    lines: [html`Roles: ${w.roles.map((role, i) => html`${i ? ', ' : ''}<a href=${`#/agents?role_id=${encodeURIComponent(role)}`}>${role}</a>`)}`],
    age: html`changed ${moment(w.updated_at)}`,
    actions: mayChange() ? html`
      <button type="button" aria-label=${`Change ${w.name}`} @click=${() => open(w.name)}>Change</button>
      <button type="button" class="danger" aria-label=${`Delete ${w.name}`} @click=${() => remove(w)}>Delete</button>` : nothing,
  });

  const view = () => html`<h1>Workflows</h1>${app.may.administer ? administration('workflows') : nothing}
    <p class="note" role="status">${done}</p>
    ${written ? editor() : mayChange() ? html`<div class="actions"><button type="button" class="primary" @click=${() => open()}>New workflow</button></div>` : nothing}
    ${loaded(list, error, load, found => !found.length ? written ? nothing : empty('No workflow declares roles: each agent declares what is expected of it.')
      : things('Declared roles', found.map(row)))}`;
  return { title: 'Workflows', view, refresh: load };
}
