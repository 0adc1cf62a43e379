// Rules of notifications: who is sent what, whether it arrives, and a test.
import { html, nothing } from './lit-html.js';
import { get, send } from './api.js';
import { Form, asked, box, boxes, field, listed } from './form.js';
import { duration, words } from './format.js';
import { badge, copied, empty, loaded, menu, moment, thing, things } from './parts.js';
import { filtered } from './filters.js';
import { administration } from './administration.js';

const EVENTS = { 'agent.lifecycle': 'an agent is silent, dead or registered', 'agent.health': 'its executions fail, or it works worse than it declares', 'agent.score': 'its score fell',
  'agent.stalled': 'its work makes no progress', 'agent.looping': 'it repeats the same calls', 'agent.usage': 'it used up a limit of tokens, calls or executions', 'shared.usage': 'a role or an owner used up a limit', 'agent.active_while_gone': 'it is active although it is gone, blocked or stopped', 'agent.waiting': 'it waits for a person', 'agent.run_failed': 'its last run failed, as a ping says', 'agent.trust': 'an agent or a provider was blocked', 'registry.stopped': 'agents were stopped', 'containment.held_back': 'a containment rule finds more agents than it may contain', 'agent.declaration_changed': 'it declares something else than accepted',
  'agent.certificate_expiring': 'its certificate ends soon', 'agent.clock_drift': 'its clock is wrong', 'agent.drain_timeout': 'its drain took too long',
  'key.expiring': 'a key expires soon', 'pool.below_minimum': 'a pool is below its minimum', 'pool.version_worse': 'a version is worse than the one before', 'lease.expired': 'a lease expired', 'lease.revoked': 'a lease was revoked',
  'upstream.failing': 'a model provider fails for many agents', 'registry.blackout': 'the registry fails its self-check', 'registry.mass_silence': 'most of the fleet is silent', 'registry.mass_restart': 'so many agents restart that deaths wait', 'registry.probes_inconclusive': 'most probes fail at once', 'registry.clock_stepped': 'the clock of the registry stepped' };
const USUAL = ['agent.lifecycle', 'agent.health', 'agent.stalled', 'agent.looping', 'agent.active_while_gone', 'agent.run_failed', 'pool.below_minimum', 'upstream.failing', 'registry.blackout', 'registry.mass_silence', 'registry.probes_inconclusive'];
const SEVERITIES = ['critical', 'error', 'warning', 'info'];
const TARGETS = { slack: 'Slack', teams: 'Microsoft Teams', google_chat: 'Google Chat', discord: 'Discord', pagerduty: 'PagerDuty', opsgenie: 'Opsgenie', webhook: 'a webhook of your own', email: 'e-mail' };
// What a target needs, by its type: the field of the API and its label.
const SECRETS = { pagerduty: ['routing_key', 'Integration key'], opsgenie: ['api_key', 'API key'], webhook: ['secrets', 'Signing secret'] };
const FORMATS = [['plain', 'Standard Webhooks'], ['cloudevents_structured', 'CloudEvents, structured'], ['cloudevents_binary', 'CloudEvents, binary']];
const WITH_URL = ['slack', 'teams', 'google_chat', 'discord', 'webhook'];

export function notifications(app, parameters) {
  let list;
  let error;
  // The rule that is written: null where none is, {} for a new one.
  let written = null;
  let type = 'slack';
  let done = '';
  // The secret that was generated for a webhook.
  let secret = '';
  let testing = '';
  let form;

  const load = async () => {
    try {
      list = (await get('/v1/admin/notifications')).notifications;
      error = null;
    } catch (e) {
      error = e;
    }
    app.show();
  };
  load();

  const save = async data => {
    const name = written.name || data.get('name').trim();
    const target = { type };
    for (const code of ['url', 'routing_key', 'api_key', 'address', 'secrets', 'format']) {
      const value = data.get(`target.${code}`)?.trim();
      if (value) target[code] = code === 'secrets' ? [value] : value;
    }
    const quiet = data.get('quiet.from') ? { from: data.get('quiet.from'), to: data.get('quiet.to'), time_zone: data.get('quiet.time_zone').trim(), except_severities: written.quiet?.except_severities ?? ['critical'] } : undefined;
    const answer = await send('PUT', `/v1/admin/notifications/${encodeURIComponent(name)}`, {
      events: data.getAll('events'), target, after_seconds: Number(data.get('after_seconds')), group_seconds: Number(data.get('group_seconds')), recovery: data.has('recovery'), ...(quiet ? { quiet } : {}),
      filter: { ...written.filter, severities: data.getAll('filter.severities'), role_ids: listed(data.get('filter.role_ids')) } });
    secret = answer.target.secret || '';
    written = null;
    done = `${name} is written. Send a test message to see that it arrives.`;
    await load();
  };

  const open = rule => {
    // The fields of another rule must not keep what was typed.
    written = null;
    app.show();
    written = rule;
    type = rule.target?.type || 'slack';
    done = '';
    form = new Form(() => app.show(), save);
    app.show();
  };

  const test = async name => {
    testing = name;
    done = '';
    app.show();
    try {
      const { delivered, reason } = await send('POST', `/v1/admin/notifications/${encodeURIComponent(name)}/test`);
      done = delivered ? `The test message of ${name} was delivered.` : `The test message of ${name} was not delivered: ${reason}.`;
    } catch (e) {
      done = e.message;
    }
    testing = '';
    await load();
  };

  const remove = async name => {
    if (!await asked('Delete', `${name} sends nothing any more, and what it has collected is lost.`, () => nothing,
      () => send('DELETE', `/v1/admin/notifications/${encodeURIComponent(name)}`))) return;
    done = `${name} is deleted.`;
    await load();
  };

  const targetFields = () => {
    const same = written.target?.type === type;
    const stored = same && written.target.has_secret;
    const kept = stored ? 'Empty: as it is.' : '';
    const [code, label] = SECRETS[type] || [];
    return html`${field(form, 'target.type', 'Send to', { value: type, options: Object.entries(TARGETS), change: e => { type = e.target.value; app.show(); } })}
      ${type === 'email' ? field(form, 'target.address', 'Address', { type: 'email', required: true, value: same ? written.target.address : '', hint: 'On AWS, its owner confirms the subscription.' })
        : WITH_URL.includes(type) ? field(form, 'target.url', 'URL', { type: 'url', required: !stored, placeholder: same ? written.target.url : 'https://', hint: kept || 'It is secret: anyone with it can post.' }) : nothing}
      ${code ? field(form, `target.${code}`, label, { type: 'password', required: !stored && type !== 'webhook', hint: kept || (type === 'webhook' ? 'Empty: one is generated.' : '') }) : nothing}
      ${type === 'webhook' ? field(form, 'target.format', 'Form', { value: same ? written.target.format : 'plain', options: FORMATS }) : nothing}`;
  };

  const editor = () => html`<section><h2>${written.name ? `Change ${written.name}` : 'New rule'}</h2><form @submit=${form.submit}>
    <div class="fields">${written.name ? nothing : field(form, 'name', 'Name', { required: true, placeholder: 'on-call' })}${targetFields()}</div>
    ${boxes(form, 'events', 'What is reported', [...Object.entries(EVENTS), ...(written.events || []).filter(e => !EVENTS[e]).map(e => [e, words(e)])], written.events || USUAL)}
    ${boxes(form, 'filter.severities', 'Only these severities (none: all)', SEVERITIES.map(s => [s, s]), written.filter?.severities || (written.name ? [] : ['critical', 'error']))}
    <div class="fields">${field(form, 'filter.role_ids', 'Only agents of these roles', { value: written.filter?.role_ids?.join(', '), hint: 'With commas; empty for all.' })}
      ${field(form, 'after_seconds', 'Seconds open and unacknowledged before it is sent (0: at once)', { type: 'number', min: 0, max: 86400, value: written.after_seconds ?? 0, required: true })}
      ${field(form, 'group_seconds', 'Seconds collected into one message', { type: 'number', min: 5, max: 900, value: written.group_seconds ?? 30, required: true })}
      ${field(form, 'quiet.from', 'Quiet from', { type: 'time', value: written.quiet?.from, hint: 'Held until the end of the quiet hours, unless critical.' })}${field(form, 'quiet.to', 'to', { type: 'time', value: written.quiet?.to })}
      ${field(form, 'quiet.time_zone', 'Time zone', { value: written.quiet?.time_zone || Intl.DateTimeFormat().resolvedOptions().timeZone })}</div>
    ${box(form, 'recovery', 'Also report when a problem is over', written.recovery ?? true)}
    ${form.problem()}<div class="actions"><button class="primary" ?disabled=${form.sending}>Save</button>
      <button type="button" @click=${() => { written = null; app.show(); }}>Cancel</button></div></form></section>`;

  const stateOf = rule => rule.disabled ? ['down', 'disabled'] : rule.failing_since ? ['down', 'failing'] : rule.last_delivery ? ['ok', 'delivers'] : ['unknown', 'nothing sent yet'];
  const state = rule => badge(...stateOf(rule));
  const row = rule => thing({
    name: rule.name,
    state: html`${state(rule)} ${rule.disabled ? '' : TARGETS[rule.target.type]}`,
    lines: [
      html`<bdi>${rule.target.address || rule.target.url || ''}</bdi>`,
      `${rule.filter.severities?.join(', ') || 'all severities'}${rule.filter.role_ids?.length ? `; only the roles ${rule.filter.role_ids.join(', ')}` : ''}${
        rule.after_seconds ? `; after ${duration(rule.after_seconds)} without an acknowledgement` : ''}${rule.quiet ? `; quiet from ${rule.quiet.from} to ${rule.quiet.to} (${rule.quiet.time_zone})` : ''}`,
      rule.disabled || (rule.failing_since ? rule.last_error : '')],
    age: rule.failing_since && !rule.disabled ? html`since ${moment(rule.failing_since)}` : rule.last_delivery ? html`sent ${moment(rule.last_delivery)}` : nothing,
    look: rule.disabled || rule.failing_since ? 'error' : '',
    actions: html`<button type="button" aria-label=${`Send a test message of ${rule.name}`} ?disabled=${testing} @click=${() => test(rule.name)}>${testing === rule.name ? 'Sending …' : 'Test'}</button>
      <button type="button" aria-label=${`Change ${rule.name}`} @click=${() => open(rule)}>Change</button>
      ${menu(`More about ${rule.name}`, html`<button type="button" class="danger" aria-label=${`Delete ${rule.name}`} @click=${() => remove(rule.name)}>Delete</button>`)}`,
  });

  const filter = filtered(app, 'notifications', parameters, rule => [rule.name, rule.target.address || rule.target.url || '', ...(rule.filter.role_ids || []), ...rule.events], [
    { name: 'target', label: 'To', of: rule => TARGETS[rule.target.type] }, { name: 'state', label: 'State', of: rule => stateOf(rule)[1] }]);

  const view = () => html`<h1>Notifications</h1>${administration('notifications')}
    <p class="note" role="status">${done}</p>
    ${secret ? html`<section class="good"><p>The receiver verifies messages with this secret. It is shown this once.</p>${copied(secret, 'Copy the secret')}</section>` : nothing}
    ${written ? editor() : html`<div class="actions"><button type="button" class="primary" @click=${() => open({})}>New rule</button></div>`}
    ${loaded(list, error, load, rules => !rules.length ? written ? nothing : empty('No rule: no notifications are sent.')
      : filter(rules, some => things('Rules', some.map(row))))}`;
  return { title: 'Notifications', view, refresh: load };
}
