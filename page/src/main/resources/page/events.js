// All events: filtered, the newest first, and live.
import { html, nothing } from './lit-html.js';
import { query } from './api.js';
import { Feed } from './feed.js';
import { happened, number, subject, tone, words } from './format.js';
import { agentLink, badge, empty, failure, loading, moment, told } from './parts.js';

const TYPES = ['agent.lifecycle', 'agent.health', 'agent.score', 'agent.stalled', 'agent.stall_over', 'agent.looping', 'agent.looping_over', 'agent.usage', 'shared.usage', 'agent.active_while_gone', 'agent.active_while_gone_over', 'agent.waiting', 'agent.waiting_over', 'agent.run_failed', 'agent.run_recovered', 'agent.trust', 'containment.would_act', 'containment.acted', 'containment.held_back', 'agent.declaration_changed',
  'agent.certificate_expiring', 'agent.clock_drift', 'agent.drain_timeout', 'agent.dismissed', 'pool.below_minimum', 'pool.recovered', 'pool.version_worse', 'pool.version_recovered', 'key.expiring',
  'lease.acquired', 'lease.released', 'lease.expired', 'lease.revoked', 'registry.blackout', 'registry.blackout_over', 'registry.mass_silence', 'registry.mass_silence_over',
  'upstream.failing', 'upstream.recovered', 'registry.mass_restart', 'registry.mass_restart_over', 'registry.probes_inconclusive', 'registry.probes_inconclusive_over', 'registry.stopped', 'registry.stop_lifted', 'registry.clock_stepped', 'registry.clock_steady', 'audit.recorded'];
const SEVERITIES = ['critical', 'error', 'warning', 'info'];
const HOUR = 3600;
const TIMES = { 1: 'last hour', 6: 'last 6 hours', 24: 'last day', 168: 'last 7 days' };
const PAGE = 100;

export function events(app, parameters) {
  const value = name => parameters.get(name) || '';
  let feed;
  let error;
  let shown = PAGE;
  let open = false;

  const load = async () => {
    try {
      if (feed !== app.feed) await feed.update();
      error = null;
    } catch (e) {
      error = e;
    }
    app.show();
  };
  /** The feed of the page has the last hour of all; every other choice is read by a feed of its own. */
  const begin = () => {
    const filters = { type: value('type'), agent_id: value('agent_id'), role_id: value('role_id') };
    const own = value('hours') > 1 || Object.values(filters).some(Boolean);
    feed = own ? new Feed({ seconds: (Number(value('hours')) || 1) * HOUR, filters, pages: 20, most: 20_000 }) : app.feed;
    shown = PAGE;
    load();
  };
  const change = (name, text) => {
    if (text) parameters.set(name, text);
    else parameters.delete(name);
    history.replaceState(null, '', `#/events${query(Object.fromEntries(parameters))}`);
    if (name === 'severity') app.show();
    else begin();
  };
  begin();

  const choice = (name, label, values, none) => html`<label>${label}<select @change=${e => change(name, e.target.value)}>
    <option value="" ?selected=${!value(name)}>${none}</option>
    ${values.map(([code, text]) => html`<option value=${code} ?selected=${value(name) === code}>${text}</option>`)}</select></label>`;
  const field = (name, label) => html`<label class=${name === 'agent_id' ? 'search' : ''}>${label}<input type="search" .value=${value(name)} autocomplete="off" placeholder="all" @change=${e => change(name, e.target.value.trim())}></label>`;

  const about = event => event.agent_id ? agentLink(event.agent_id) : event.role_id ? html`<a href=${`#/agents?role_id=${encodeURIComponent(event.role_id)}`}><bdi>${event.role_id}</bdi></a>` : html`<bdi>${subject(event)}</bdi>`;
  const row = event => html`<li class=${tone(event)}>${moment(event.timestamp || event.detected_at)}<span class="what">${about(event)} ${told(happened(event))}</span>
    ${['warning', 'error', 'critical'].includes(event.severity) ? badge(event.severity) : nothing}<small class="kind">${words(event.type.replace('.', ' '))}</small></li>`;

  const view = () => {
    const severity = value('severity');
    const found = feed.events.filter(event => !severity || (event.severity || 'info') === severity);
    const narrowed = ['type', 'role_id', 'severity', 'hours'].filter(value).length;
    return html`<h1>Events</h1>
      <form class=${`filters${open ? ' open' : ''}`} role="search" @submit=${e => e.preventDefault()}>
        ${field('agent_id', 'Agent')}
        <button type="button" class="drawer" aria-expanded=${open} @click=${() => { open = !open; app.show(); }}>Filters${narrowed ? ` (${narrowed})` : ''}</button>
        ${field('role_id', 'Role')}${choice('type', 'Type', TYPES.map(type => [type, words(type.replace('.', ' '))]), 'all')}
        ${choice('severity', 'Severity', SEVERITIES.map(name => [name, name]), 'all')}${choice('hours', 'Time', Object.entries(TIMES).slice(1), TIMES[1])}
      </form>
      ${failure(error)}
      ${!feed.allowed ? empty('This key may not read the events of all agents.') : feed !== app.feed && !feed.token && !error ? loading : html`
        <p class="note" role="status">${number(found.length)} ${found.length === 1 ? 'event' : 'events'}${feed.truncated ? '. More follow: choose a shorter time or an agent' : ', new ones appear by themselves'}.</p>
        ${!found.length ? empty('Nothing happened.') : html`<section><ol class="events feed">${found.slice(0, shown).map(row)}</ol>
          ${found.length > shown ? html`<button type="button" @click=${() => { shown += PAGE; app.show(); }}>Show ${number(Math.min(PAGE, found.length - shown))} more</button>` : nothing}</section>`}`}`;
  };
  return { title: 'Events', view, refresh: load };
}
