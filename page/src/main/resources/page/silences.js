// Silences: when no messages are sent about what, and why.
import { html, nothing } from './lit-html.js';
import { get, send } from './api.js';
import { Form, asked, field, wrong } from './form.js';
import { duration, exact } from './format.js';
import { agentLink, badge, empty, loaded, moment, thing, things } from './parts.js';
import { silencesPath } from './actions.js';
import { keyNames } from './keys.js';
import { filtered } from './filters.js';
import { administration } from './administration.js';

const SCOPES = [['agent_id', 'an agent'], ['role_id', 'a role'], ['capability', 'a capability'], ['owner_key_id', 'the agents of a key'], ['everything', 'everything']];
const TIMES = [['once', 'once'], ['again', 'again and again']];
const MINUTE = 60;
const MAX_COMING = 20;

export function silences(app, parameters) {
  const path = silencesPath(app);
  const admin = app.may.administer;
  let list;
  let error;
  let done = '';
  let scope = 'agent_id';
  let time = 'once';
  let names = {};
  let writes = true;
  const load = async () => {
    try {
      [{ silences: list }, names] = await Promise.all([get(path), admin ? keyNames() : {}]);
      error = null;
    } catch (e) {
      error = e;
    }
    app.show();
  };
  load();

  const form = new Form(() => app.show(), async data => {
    const value = data.get(`scope.${scope}`)?.trim();
    if (scope !== 'everything' && !value) throw wrong(`scope.${scope}`, 'is required');
    const starts = data.get('starts_at');
    const name = data.get('name').trim();
    await send('PUT', `${path}/${encodeURIComponent(name)}`, { scope: { [scope]: scope === 'everything' || value }, reason: data.get('reason').trim(),
      ...(time === 'again' ? { schedule: { cron: data.get('schedule.cron').trim(), time_zone: data.get('schedule.time_zone').trim(), duration_seconds: MINUTE * Number(data.get('schedule.duration_seconds')) } }
        : { for_seconds: MINUTE * Number(data.get('for_seconds')), ...(starts ? { starts_at: new Date(starts).toISOString() } : {}) }) });
    done = `${name} is written.`;
    // Drawn anew, so that its fields are as at first.
    writes = false;
    app.show();
    writes = true;
    await load();
  });
  const end = async silence => {
    if (!await asked('End', `${silence.name} ends now. What is still wrong is reported.`, () => nothing,
      () => send('DELETE', `${path}/${encodeURIComponent(silence.name)}${admin && silence.owner_key_id ? `?owner_key_id=${silence.owner_key_id}` : ''}`))) return;
    done = `${silence.name} has ended.`;
    await load();
  };

  const chosen = (label, value, choices, set) => html`<div class="field"><label>${label}<select @change=${e => { set(e.target.value); app.show(); }}>
    ${choices.map(([code, text]) => html`<option value=${code} ?selected=${code === value}>${text}</option>`)}</select></label></div>`;
  const editor = () => html`<section><h2>New silence</h2><form class="fields" @submit=${form.submit}>
    ${field(form, 'name', 'Name', { required: true, placeholder: 'maintenance' })}
    ${chosen('About', scope, admin ? SCOPES : SCOPES.slice(0, 1), value => { scope = value; })}
    ${scope === 'everything' ? nothing : field(form, `scope.${scope}`, scope === 'agent_id' ? 'Agent' : scope === 'role_id' ? 'Role' : scope === 'capability' ? 'Capability' : 'Id of the key', { required: true })}
    ${admin ? chosen('When', time, TIMES, value => { time = value; }) : nothing}
    ${time === 'once' ? html`${field(form, 'for_seconds', 'Minutes', { type: 'number', min: 1, value: 60, required: true })}
        ${field(form, 'starts_at', 'Begins', { type: 'datetime-local', hint: 'Empty: now.' })}`
      : html`${field(form, 'schedule.cron', 'Begins (cron)', { required: true, placeholder: '0 2 * * *', hint: 'Minute, hour, day, month, weekday.' })}
        ${field(form, 'schedule.duration_seconds', 'Minutes', { type: 'number', min: 1, value: 60, required: true })}
        ${field(form, 'schedule.time_zone', 'Time zone', { value: Intl.DateTimeFormat().resolvedOptions().timeZone, required: true })}`}
    ${field(form, 'reason', 'Reason', { hint: 'Shown to operators.' })}
    ${form.problem()}<div class="actions"><button class="primary" ?disabled=${form.sending}>Save</button></div></form></section>`;

  const covers = ({ scope: { agent_id: agent, role_id: role, capability, owner_key_id: owner } }) => agent ? agentLink(agent)
    : role ? html`role <a href=${`#/agents?role_id=${encodeURIComponent(role)}`}>${role}</a>` : capability ? `capability ${capability}` : owner ? `agents of ${names[owner] || owner}` : 'everything';
  const when = ({ starts_at: from, ends_at: to, schedule: s }) => s ? `${s.cron} (${s.time_zone || 'UTC'}), for ${duration(s.duration_seconds)}` : html`${moment(from)}, for ${duration((Date.parse(to) - Date.parse(from)) / 1000)}`;
  const isOver = s => !s.schedule && Date.parse(s.ends_at) < Date.now();
  const stateOf = s => s.active ? 'active' : isOver(s) ? 'over' : 'planned';
  const state = s => badge(s.active ? 'draining' : 'unknown', stateOf(s));
  const row = s => thing({
    name: s.name,
    state: state(s),
    lines: [covers(s), s.reason, html`${when(s)}. By ${names[s.created_by] || s.created_by}.`],
    age: s.active ? html`ends ${moment(s.active_until)}` : s.next?.length ? html`begins ${moment(s.next[0].starts_at)}` : isOver(s) ? html`ended ${moment(s.ends_at)}` : html`begins ${moment(s.starts_at)}`,
    look: s.active ? 'now' : '',
    actions: html`<button type="button" aria-label=${`End ${s.name}`} @click=${() => end(s)}>${s.schedule || !s.active ? 'Delete' : 'End'}</button>`,
  });

  // The next beginnings of all silences, in the order of time.
  const coming = found => found.flatMap(s => (s.next || (s.active || isOver(s) ? [] : [{ starts_at: s.starts_at, ends_at: s.ends_at }])).map(time => ({ ...time, s })))
    .sort((a, b) => Date.parse(a.starts_at) - Date.parse(b.starts_at)).slice(0, MAX_COMING);
  const calendar = next => !next.length ? nothing : html`<section><h2>Calendar</h2><ol class="events">${next.map(({ starts_at: from, ends_at: to, s }) => html`<li>${moment(from)}
    <span><b>${s.name}</b> at ${exact(from)}, for ${duration((Date.parse(to) - Date.parse(from)) / 1000)}: ${covers(s)}</span></li>`)}</ol></section>`;

  const filter = filtered(app, 'silences', parameters, s => [s.name, s.reason, ...Object.values(s.scope).map(String), names[s.created_by] || ''], [
    { name: 'state', label: 'State', of: stateOf }, { name: 'about', label: 'About', of: s => Object.fromEntries(SCOPES)[Object.keys(s.scope)[0]] }]);

  const view = () => html`<h1>Silences</h1>${admin ? administration('silences') : nothing}
    <p class="note" role="status">${done}</p>${app.may.change && writes ? editor() : nothing}
    ${loaded(list, error, load, found => !found.length ? empty(admin ? 'No silence: messages are sent about everything.' : 'This key has no silences of its own.')
      : filter(found, some => html`${things('While one is active, no messages are sent about what it covers', some.map(row))}${calendar(coming(some))}`))}`;
  return { title: 'Silences', view, refresh: load };
}
