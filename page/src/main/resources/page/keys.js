// Keys: issued, changed, rotated and revoked. A secret is shown once, and kept nowhere.
import { html, nothing } from './lit-html.js';
import { all, key as session, send } from './api.js';
import { Form, asked, box, field, given, instant, listed, localTime } from './form.js';
import { number, onDay } from './format.js';
import { badge, copied, empty, loaded, menu, moment, shortId, thing, things, told } from './parts.js';
import { filtered } from './filters.js';
import { administration } from './administration.js';

const ROLES = [['agent', 'agent: sends heartbeats'], ['viewer', 'viewer: looks'], ['coordinator', 'coordinator: also drains'], ['administrator', 'administrator: everything']];
const DAY_SECONDS = 86_400;

export const issue = wanted => send('POST', '/v1/admin/keys', wanted);

// Names change seldom, and a registry may have thousands of keys.
const NAMES_MILLIS = 300_000;
let names = {};
let namesAt = 0;

/** The names of keys by their ids; for administrators. */
export async function keyNames() {
  if (Date.now() - namesAt > NAMES_MILLIS) {
    names = Object.fromEntries((await all('/v1/admin/keys?limit=1000', 'keys')).map(key => [key.key_id, key.name]));
    namesAt = Date.now();
  }
  return names;
}

/** A secret that was just issued. */
export const secret = (text, name) => html`<p>The key of <strong>${name}</strong> is shown this once. Keep it where its program reads it.</p>${copied(text, 'Copy the key')}`;

const limits = (form, key) => html`
  ${field(form, 'role_ids', 'Only agents of these roles', { value: key?.role_ids.join(', '), hint: 'For a coordinator or a viewer, with commas; empty for all.' })}
  ${field(form, 'provider_ids', 'Providers that its agents may name', { value: key?.provider_ids.join(', '), hint: 'With commas; empty for none.' })}
  ${field(form, 'expires_at', 'Works until', { type: 'datetime-local', step: 1, value: localTime(key?.expires_at), hint: 'In your time zone; empty for ever.' })}
  ${field(form, 'allowed_addresses', 'Only from these addresses', { value: key?.allowed_addresses.join(', '), hint: 'Blocks such as 203.0.113.0/24, with commas; empty for all.' })}
  ${field(form, 'actions', 'Only these actions', { value: key?.actions.join(', '), hint: 'heartbeat, read and invoke, with commas; empty for all.' })}`;

/** The limits that a form has, as the API takes them. */
const limited = (data, key) => ({ expires_at: data.get('expires_at') === localTime(key?.expires_at) ? key?.expires_at ?? null : instant(data.get('expires_at')), allowed_addresses: listed(data.get('allowed_addresses')), actions: listed(data.get('actions')) });

const USAGE_LIMITS = [['tokens_per_hour', 'Tokens per hour'], ['tokens_per_day', 'Tokens per day'], ['executions_per_hour', 'Executions per hour']];
const ON_EXCEEDED = [['none', 'report it'], ['drain', 'ask its agents to drain'], ['restart', 'ask its agents to restart'], ['block', 'refuse calls of its agents']];

/** The limits that the agents of a key share. */
const usageLimits = (form, key) => html`${USAGE_LIMITS.map(([name, label]) => field(form, `limits.${name}`, label,
    { type: 'number', min: 1, value: key?.limits?.[name] ?? '', hint: 'Of all its agents together; empty for no limit.' }))}
  ${field(form, 'limits.on_exceeded', 'When a limit is used up', { options: ON_EXCEEDED, value: key?.limits?.on_exceeded ?? 'none' })}
  ${box(form, 'limits.count_cached', 'Input tokens from a cache count, too', key?.limits?.count_cached)}`;

/** The shared limits that a form has; null without a number. */
function usageLimited(data) {
  const numbers = given(Object.fromEntries(USAGE_LIMITS.map(([name]) => [name, data.get(`limits.${name}`) === '' ? '' : Number(data.get(`limits.${name}`))])));
  return { limits: Object.keys(numbers).length ? { ...numbers, count_cached: data.has('limits.count_cached'), on_exceeded: data.get('limits.on_exceeded') } : null };
}

const shownLimits = ({ limits }) => limits ? [`${USAGE_LIMITS.filter(([name]) => limits[name]).map(([name, label]) => `${label.toLowerCase()}: at most ${number(limits[name])}`).join(', ')}; then ${
  Object.fromEntries(ON_EXCEEDED)[limits.on_exceeded]}`] : [];

const shown = key => [...(key.expires_at ? [`${Date.parse(key.expires_at) > Date.now() ? 'works until' : 'expired'} ${key.expires_at}`] : []),
  ...(key.actions.length ? [`only ${key.actions.join(', ')}`] : []), ...(key.allowed_addresses.length ? [`only from ${key.allowed_addresses.join(', ')}`] : [])].map(told);

export function keys(app, parameters) {
  let list;
  let error;
  // The key with the secret that was issued last.
  let issued;
  let done = '';

  const load = async () => {
    try {
      list = await all('/v1/admin/keys?limit=100', 'keys');
      error = null;
    } catch (e) {
      error = e;
    }
    app.show();
  };
  load();

  const form = new Form(() => app.show(), async data => {
    const roles = listed(data.get('role_ids'));
    issued = await issue({ role: data.get('role'), name: data.get('name').trim(), provider_ids: listed(data.get('provider_ids')), ...limited(data), ...usageLimited(data), ...(roles.length ? { role_ids: roles } : {}) });
    done = '';
    await load();
  });

  const act = async (what, title, text, fields, request, look) => {
    if (!await asked(title, text, fields, request, look)) return;
    done = what;
    await load();
  };
  const named = key => key.name || key.key_id;
  const change = key => act(`${named(key)} is changed.`, 'Change', `The secret of ${named(key)} stays.`,
    dialog => html`${field(dialog, 'name', 'Name', { value: key.name })}${limits(dialog, key)}${usageLimits(dialog, key)}`,
    data => {
      const roles = listed(data.get('role_ids'));
      return send('PATCH', `/v1/admin/keys/${key.key_id}`, { name: data.get('name').trim() || null, role_ids: roles.length ? roles : null, provider_ids: listed(data.get('provider_ids')), ...limited(data, key), ...usageLimited(data) });
    }, 'primary');
  const rotate = key => act('', 'Rotate', `${named(key)} gets a new secret.`,
    dialog => field(dialog, 'overlap_seconds', 'Seconds for which the earlier secrets still work', { type: 'number', min: 0, max: 30 * DAY_SECONDS, value: DAY_SECONDS, required: true }),
    async data => {
      issued = await send('POST', `/v1/admin/keys/${key.key_id}/rotate`, { overlap_seconds: Number(data.get('overlap_seconds')) });
      if (key.key_id === app.me.key_id) session.set(issued.api_key);
    });
  const revoke = key => act(`${named(key)} is revoked.`, 'Revoke', `${named(key)} is refused from now on. Its agents cannot send heartbeats with it any more.`, () => nothing,
    async () => {
      await send('DELETE', `/v1/admin/keys/${key.key_id}`);
      if (issued?.key_id === key.key_id) issued = null;
    });

  const row = key => thing({
    name: key.name || 'without a name',
    state: html`${badge('unknown', key.role)} ${shortId(key.key_id)}`,
    lines: [
      key.role_ids.length ? `only the roles ${key.role_ids.join(', ')}` : key.all_roles ? 'all roles' : '',
      key.provider_ids.length ? `providers ${key.provider_ids.join(', ')}` : '', ...shown(key), ...shownLimits(key),
      html`Issued ${moment(key.created_at)}.${key.earlier_secrets_end_at.map(end => html` An earlier secret works until ${moment(end)}.`)}${key.last_used_from ? ` Last used from ${key.last_used_from}.` : ''}`],
    age: key.last_used_on ? `used ${onDay(key.last_used_on)}` : 'never used',
    actions: html`<button type="button" aria-label=${`Change ${named(key)}`} @click=${() => change(key)}>Change</button>${menu(`More about ${named(key)}`, html`
      <button type="button" aria-label=${`Rotate ${named(key)}`} @click=${() => rotate(key)}>Rotate</button>
      <button type="button" class="danger" aria-label=${`Revoke ${named(key)}`} @click=${() => revoke(key)}>Revoke</button>`)}`,
  });

  const filter = filtered(app, 'keys', parameters, key => [key.name || '', key.key_id, ...key.role_ids, ...key.provider_ids], [
    { name: 'role', label: 'Role', of: key => key.role }, { name: 'state', label: 'State', of: key => key.expires_at && Date.parse(key.expires_at) <= Date.now() ? 'expired' : 'in force' }]);

  const view = () => html`<h1>Keys</h1>${administration('keys')}
    <p class="note" role="status">${done}</p>
    ${issued ? html`<section class="good" role="status">${secret(issued.api_key, named(issued))}
      <button type="button" @click=${() => { issued = null; app.show(); }}>I have kept it</button></section>` : nothing}
    <section><h2>Issue a key</h2><form class="fields" @submit=${form.submit}>
      ${field(form, 'role', 'What it may do', { options: ROLES })}${field(form, 'name', 'Name', { required: true, hint: 'What uses it, such as a program or a team.' })}${limits(form)}${usageLimits(form)}
      ${form.problem()}<div class="actions"><button class="primary" ?disabled=${form.sending}>Issue</button></div></form></section>
    ${loaded(list, error, load, found => !found.length ? empty('No key is issued: only the administrator key of the deployment works.')
      : filter(found, some => things('Keys', some.map(row))))}`;
  return { title: 'Keys', view, refresh: load };
}
