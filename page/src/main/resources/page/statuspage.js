// The status page for outsiders: incidents that operators write, and what administrators publish.
import { html, nothing } from './lit-html.js';
import { get, send } from './api.js';
import { registry } from './registry.js';
import { Form, asked, box, field, given } from './form.js';
import { badge, columns, copied, empty, fold, loaded, moment } from './parts.js';
import { administration } from './administration.js';

const PATH = '/api/v1/status-page';
const STATES = ['investigating', 'identified', 'monitoring', 'resolved'].map(state => [state, state]);
const KINDS = [['role_id', 'role'], ['agent_id', 'agent']];
const MAX_ENTRIES = 30;

export function statusPage(app) {
  const admin = app.may.administer;
  let page;
  let entries = [];
  let error;
  let done = '';
  let writes = true;
  const load = async () => {
    try {
      page = await get(PATH);
      if (!entries.length) entries = page.entries.map(entry => ({ ...entry }));
      error = null;
    } catch (e) {
      error = e;
    }
    app.show();
  };
  load();

  const written = async text => {
    done = text;
    // Drawn anew, so that the fields are as at first.
    writes = false;
    app.show();
    writes = true;
    await load();
  };
  const incidentPath = id => `${PATH}/incidents/${encodeURIComponent(id)}`;
  const incident = data => given({ title: data.get('title').trim(), text: data.get('text').trim(), state: data.get('state') });
  const opened = new Form(() => app.show(), async data => {
    const id = `incident-${new Date().toISOString().slice(0, 16).replace(/\D/g, '')}-${crypto.getRandomValues(new Uint32Array(1))[0].toString(36)}`;
    await send('PUT', incidentPath(id), incident(data));
    await written(page.published ? 'The incident is published.' : 'The incident is written. The page is not published.');
  });
  const fields = (form, it = {}) => html`${field(form, 'title', 'Title', { value: it.title, required: true, hint: 'Outsiders read it: no names of agents, no causes that are internal.' })}
    ${field(form, 'state', 'State', { options: STATES, value: it.state || 'investigating' })}
    ${field(form, 'text', 'Text', { value: it.text || '', rows: 4 })}`;
  const change = async it => {
    if (await asked('Change', 'Readers see the change within a minute.', form => fields(form, it),
      data => send('PUT', incidentPath(it.incident_id), { ...incident(data), started_at: it.started_at }), 'primary')) await written('The incident is changed.');
  };
  const remove = async it => {
    if (await asked('Remove', `Readers do not see "${it.title}" any more.`, () => nothing, () => send('DELETE', incidentPath(it.incident_id)))) await written('The incident is removed.');
  };

  const published = new Form(() => app.show(), async data => {
    await send('PUT', PATH, { path: data.get('path').trim(), title: data.get('title').trim(), published: data.get('published') === 'yes',
      entries: entries.map((_, i) => ({ name: data.get(`entries[${i}].name`).trim(), label: data.get(`entries[${i}].label`).trim(), [data.get(`entries[${i}].kind`)]: data.get(`entries[${i}].id`).trim() })) });
    entries = [];
    await written(data.get('published') === 'yes' ? 'The page is published.' : 'The page is saved, and not published.');
  });
  // A wrong id is reported under the name of its kind.
  const entry = (it, i) => html`<fieldset class="entry"><legend>Entry ${i + 1}</legend>
    ${field(published, `entries[${i}].label`, 'Label', { value: it.label, required: true })}${field(published, `entries[${i}].name`, 'Name of its badge', { value: it.name, required: true })}
    ${field(published, `entries[${i}].kind`, 'Shows', { options: KINDS, value: it.agent_id ? 'agent_id' : 'role_id' })}${field(published, `entries[${i}].id`, 'Id of the role or agent', { value: it.agent_id || it.role_id, required: true })}
    <div class="actions"><button type="button" aria-label=${`Remove entry ${i + 1}`} @click=${e => { keep(e.target.form); entries.splice(i, 1); app.show(); }}>Remove</button></div></fieldset>`;
  const keep = form => {
    const data = new FormData(form);
    entries = entries.map((_, i) => ({ name: data.get(`entries[${i}].name`), label: data.get(`entries[${i}].label`), [data.get(`entries[${i}].kind`)]: data.get(`entries[${i}].id`) }));
  };
  const publication = found => html`<form class="fields" @submit=${published.submit}>
    ${field(published, 'title', 'Title', { value: found.title, required: true })}${field(published, 'path', 'Last part of the address', { value: found.path, required: true, hint: 'Everybody who knows it can read the page.' })}
    ${box(published, 'published', 'Published: readable without a key', found.published)}
    ${entries.map(entry)}${published.problem()}
    <div class="actions"><button type="button" ?disabled=${entries.length >= MAX_ENTRIES} @click=${e => { keep(e.target.form); entries.push({ name: '', label: '' }); app.show(); }}>Add an entry</button>
      <button class="primary" ?disabled=${published.sending}>Save</button></div></form>`;

  const address = found => `${registry}/status/${encodeURIComponent(found.path)}`;
  const badges = found => html`${found.entries.map(it => html`<p class="line"><img alt=${`Badge of ${it.label}`} height="20" src=${`${address(found)}/badges/${encodeURIComponent(it.name)}`}> ${it.label}</p>
    ${copied(`<a href="${address(found)}"><img src="${address(found)}/badges/${it.name}" alt="${it.label}"></a>`, `Copy the badge of ${it.label}`)}`)}`;
  const shown = [{ head: 'incident', cell: it => it.title }, { head: 'state', cell: it => badge(it.state === 'resolved' ? 'ok' : 'degraded', it.state) }, { head: 'began', cell: it => moment(it.started_at) },
    { head: 'resolved', cell: it => it.resolved_at ? moment(it.resolved_at) : '' },
    { head: 'actions', cell: it => app.may.change ? html`<div class="actions"><button type="button" aria-label=${`Change ${it.title}`} @click=${() => change(it)}>Change</button>
      <button type="button" class="danger" aria-label=${`Remove ${it.title}`} @click=${() => remove(it)}>Remove</button></div>` : '' }];

  const view = () => html`<h1>Status page</h1>${admin ? administration('status-page') : nothing}
    <p class="note" role="status">${done}</p>
    ${loaded(page, error, load, found => html`
      <p>${found.published ? html`${badge('ok', 'published')} <a href=${address(found)} target="_blank" rel="noopener">${address(found)}</a>` : html`${badge('unknown', 'not published')} Outsiders see nothing.`}</p>
      ${app.may.change && writes ? html`<section><h2>New incident</h2><form class="fields" @submit=${opened.submit}>${fields(opened)}${opened.problem()}
        <div class="actions"><button class="primary" ?disabled=${opened.sending}>Publish the incident</button></div></form></section>` : nothing}
      ${found.incidents.length ? html`<section>${columns('Incidents', shown, found.incidents)}</section>` : empty('No incidents.')}
      ${admin && writes ? fold(html`What is published <small>${found.entries.length} ${found.entries.length === 1 ? 'entry' : 'entries'}</small>`, publication(found)) : nothing}
      ${found.published && found.entries.length ? fold('Badges', badges(found)) : nothing}`)}`;
  return { title: 'Status page', view };
}
