// Problems: what is wrong, since when, who takes care of it, and what can be done.
import { html, nothing } from './lit-html.js';
import { eachPage, get, optional, query } from './api.js';
import { clock, duration, happened, tone, words } from './format.js';
import { agentLink, badge, empty, facts, loaded, moment } from './parts.js';
import { keyNames } from './keys.js';
import * as actions from './actions.js';

const OPEN = 'open,acknowledged';
const OVER = 'resolved,dismissed';
const SEVERITIES = ['critical', 'error', 'warning', 'info'];
const MAX_SHOWN = 200;
// What led to a problem happened shortly before it was found.
const BEFORE_MILLIS = 600_000;
const MAX_EVENTS = 50;

const isOpen = problem => problem.state === 'open' || problem.state === 'acknowledged';
const who = ({ by, by_name: name }) => name || by;

/** Who does what about a problem, in words. */
const handled = ({ acknowledgement: a, dismissal: d, state, resolved_at: resolved }) => state === 'acknowledged' ? html`taken care of by ${who(a)} until ${clock(a.until)}${a.note ? `: ${a.note}` : ''}`
  : state === 'dismissed' ? html`dismissed by ${who(d)} ${moment(d.at)}${d.note ? `: ${d.note}` : ''}` : state === 'resolved' ? html`over ${moment(resolved)}` : nothing;

const since = problem => html`since ${clock(problem.opened_at)}${isOpen(problem) ? ` (${duration((Date.now() - Date.parse(problem.opened_at)) / 1000)})` : ''}${
  problem.occurrences > 1 ? `, ${problem.occurrences} times` : ''}${problem.in_maintenance ? `, in maintenance: ${problem.in_maintenance}` : ''}`;

/** Buttons for what this key may do about a problem; `done` is called with what was done. */
export function remedies(app, problem, done) {
  if (!isOpen(problem)) return nothing;
  const { agent_id: agent, role_id: role } = problem;
  const remedy = (name, shown, act, label = name) => shown ? html`<button type="button" aria-label=${`${label}: ${problem.summary}`}
    @click=${async () => await act() && done(`${name}: done.`)}>${name}</button>` : nothing;
  const may = app.may;
  return html`${remedy('Acknowledge', may.change, () => actions.acknowledge(problem))}
    ${remedy('Silence', (agent && (may.administer || !may.list)) || (role && may.administer), () => actions.silence(app, agent ? { agent_id: agent } : { role_id: role }))}
    ${remedy('Dismiss', may.change && may.list, () => actions.dismiss(problem))}`;
}

/** One problem as an entry of a list; with buttons where `done` is given. */
export const entry = (app, problem, done) => html`<li class=${problem.severity}><div>
    <a href=${`#/problems/${problem.problem_id}`}>${problem.summary}</a>
    <p class="note">${badge(problem.severity)} ${since(problem)}${handled(problem) === nothing ? nothing : html`; ${handled(problem)}`}</p></div>
  ${done ? html`<div class="actions">${remedies(app, problem, done)}</div>` : nothing}</li>`;

/** Problems, the worst first, as the API gives them: at most so many. */
export async function readProblems(filters, most) {
  const found = [];
  await eachPage(`/api/v1/problems${query({ ...filters, limit: String(Math.min(most, 100)) })}`, 'problems', page => { found.push(...page); return found.length < most; });
  return found.slice(0, most);
}

export function problems(app, parameters) {
  const state = parameters.get('state') === OVER ? OVER : OPEN;
  const severity = parameters.get('severity') || '';
  let list;
  let error;
  let done = '';
  const load = async () => {
    try {
      list = await readProblems({ state, severity }, MAX_SHOWN + 1);
      error = null;
    } catch (e) {
      error = e;
    }
    app.show();
  };
  load();
  const acted = what => { done = what; load(); };
  const all = unattended => async () => {
    const count = await actions.acknowledgeAll(unattended);
    if (count) acted(count === unattended.length ? `Acknowledged ${count}.` : `Acknowledged ${count} of ${unattended.length}: the others changed meanwhile.`);
  };
  const acknowledgeAll = found => {
    const unattended = found.filter(problem => problem.state === 'open');
    return app.may.change && unattended.length > 1 ? html`<div class="actions"><button type="button" @click=${all(unattended)}>Acknowledge all shown</button></div>` : nothing;
  };
  const address = (s, v) => `#/problems${query({ state: s === OPEN ? '' : s, severity: v })}`;
  const headline = () => !list || state === OVER ? 'Problems' : !list.length ? 'No problems' : `Problems: ${list.length > MAX_SHOWN ? `more than ${MAX_SHOWN}` : list.length}`;
  const view = () => html`<h1>${headline()}</h1>
    <nav class="tabs" aria-label="Problems"><a href=${address(OPEN, severity)} aria-current=${state === OPEN ? 'page' : nothing}>Open</a>
      <a href=${address(OVER, severity)} aria-current=${state === OVER ? 'page' : nothing}>Over, last 7 days</a>
      <label class="inline">Severity <select @change=${e => { location.hash = address(state, e.target.value); }}><option value="">all</option>
        ${SEVERITIES.map(name => html`<option ?selected=${name === severity}>${name}</option>`)}</select></label></nav>
    <p class="note" role="status">${done}</p>
    ${loaded(list, error, load, found => !found.length ? empty(state === OPEN ? severity ? 'None of this severity.' : 'Nothing is wrong: what fails from now on is listed here until it is over or dismissed.' : 'None was over in the last 7 days.')
      : html`${acknowledgeAll(found.slice(0, MAX_SHOWN))}<section><ul class="problems">${found.slice(0, MAX_SHOWN).map(problem => entry(app, problem, acted))}</ul></section>
        ${found.length > MAX_SHOWN ? html`<p class="note">The worst ${MAX_SHOWN}.</p>` : nothing}`)}`;
  return { title: 'Problems', view, refresh: load, lags: true };
}

/** That an agent is blocked, why, and by whom where its events are known. */
export function blockBanner(trust, events, names) {
  const actor = events.find(event => event.type === 'agent.trust' && event.action === 'blocked')?.actor;
  return html`<p class="banner bad">Blocked${actor ? ` by ${names[actor] || actor}` : ''}${trust.block_reason ? `: ${trust.block_reason}` : ''}.</p>`;
}

/** One problem with its cause. */
export function problem(app, id) {
  let found;
  let health;
  let events = [];
  let trust;
  let names = {};
  let error;
  let done = '';
  const load = async () => {
    try {
      found = await get(`/api/v1/problems/${encodeURIComponent(id)}`);
      const agent = found.agent_id && `/api/v1/agents/${encodeURIComponent(found.agent_id)}`;
      const from = new Date(Date.parse(found.opened_at) - BEFORE_MILLIS).toISOString();
      let read;
      [health, read, trust, names] = agent ? await Promise.all([optional(get(`${agent}/health`)), optional(get(`${agent}/events${query({ since: from, limit: '1000' })}`)),
        app.may.administer ? optional(get(`/v1/trust/agents/${encodeURIComponent(found.agent_id)}`)) : null, app.may.administer ? keyNames() : {}]) : [];
      events = (read?.events || []).slice(-MAX_EVENTS).reverse();
      error = null;
    } catch (e) {
      error = e;
    }
    app.show();
  };
  load();
  const act = async (name, action) => {
    if (!await action) return;
    done = `${name}: done.`;
    await load();
  };
  const about = () => found.agent_id ? agentLink(found.agent_id) : found.role_id ? html`role <a href=${`#/agents?role_id=${encodeURIComponent(found.role_id)}`}>${found.role_id}</a>`
    : found.provider_id ? html`provider <a href="#/trust?kind=providers">${found.provider_id}</a>` : 'the registry';
  const agentActions = agent => html`
    ${app.may.change && ['active', 'unhealthy'].includes(health?.lifecycle_status ?? 'active') ? html`<button type="button" @click=${() => act('Drain', actions.drain(agent))}>Drain</button>` : nothing}
    ${!app.may.administer ? nothing : trust?.blocked ? html`<button type="button" @click=${() => act('Unblock', actions.unblock(agent))}>Unblock</button>`
      : html`<button type="button" class="danger" @click=${() => act('Block', actions.block(agent))}>Block</button>`}`;
  const cause = () => html`${health?.reasons?.length ? html`<section><h2>Why ${found.agent_id} is ${words(health.verdict)}</h2><ul class="reasons">${health.reasons.map(r => html`<li>${r}</li>`)}</ul></section>` : nothing}
    ${found.agent_id ? html`<section><h2>What happened</h2>${!events.length ? empty('No events are kept of this time.') : html`<ol class="events">${events.map(event => html`<li class=${tone(event)}>
      <time datetime=${event.timestamp}>${clock(event.timestamp)}</time><span>${happened(event)}</span></li>`)}</ol>`}</section>` : nothing}`;
  const view = () => html`<p class="note"><a href="#/problems">All problems</a></p>${loaded(found, error, load, it => html`<h1>${it.summary}</h1>
    <p class="note" role="status">${done}</p>
    <div class="actions">${remedies(app, it, what => { done = what; load(); })}${it.agent_id ? agentActions(it.agent_id) : nothing}</div>
    ${trust?.blocked ? blockBanner(trust, events, names) : nothing}
    ${facts([['state', html`${badge(it.state)} ${handled(it)}`], ['severity', badge(it.severity)], [isOpen(it) ? 'open' : 'began', since(it)], ['about', about()],
      ['last event', html`${words(it.last_event.type.replace('.', ' '))} ${moment(it.last_event.at)}`]])}
    ${cause()}`)}`;
  return { title: 'Problem', view, refresh: load, lags: true };
}
