// Problems: what is wrong, since when, who takes care of it, and what can be done.
import { html, nothing } from './lit-html.js';
import { eachPage, get, optional, query } from './api.js';
import { dated, happened, many, number, short, tone, words } from './format.js';
import { agentLink, badge, empty, facts, loaded, menu, moment, shortId, told } from './parts.js';
import { keyNames } from './keys.js';
import { stored } from './registry.js';
import * as actions from './actions.js';

const OPEN = 'open,acknowledged';
const OVER = 'resolved,dismissed';
const SEVERITIES = ['critical', 'error', 'warning', 'info'];
const MAX_SHOWN = 500;
const MAX_VIEWS = 20;
const VIEWS = stored('problem-views');
// What led to a problem happened shortly before it was found.
const BEFORE_MILLIS = 600_000;
const MAX_EVENTS = 50;

const isOpen = problem => problem.state === 'open' || problem.state === 'acknowledged';
const who = ({ by, by_name: name, assignee }) => assignee || name || by;

/** Who does what about a problem, in words. */
const handled = ({ acknowledgement: a, dismissal: d, state, resolved_at: resolved }) => state === 'acknowledged' ? html`taken care of by ${who(a)}, reminder ${moment(a.until)}${a.note ? `: ${a.note}` : ''}`
  : state === 'dismissed' ? html`dismissed by ${who(d)} ${moment(d.at)}${d.note ? `: ${d.note}` : ''}` : state === 'resolved' ? html`over ${moment(resolved)}` : nothing;

// What happened to a problem, by its look.
const MOMENTS = { opened: 'bad', worsened: 'bad', eased: 'good', over: 'good' };
const RESULTS = { delivered: 'delivered', retrying: 'not delivered yet, another attempt follows', failed: 'not delivered' };

/** A moment in the life of a problem, in words. */
const lived = moment => html`<b>${{ opened: 'problem began', notified: 'message', over: 'problem over', released: 'acknowledgement taken back' }[moment.what] || moment.what}</b>${
  moment.severity ? html` ${badge(moment.severity)}` : nothing}${moment.rule ? ` by the rule ${moment.rule}: ${RESULTS[moment.result]}` : ''}${
  moment.silence ? ` by ${moment.silence}: no message` : ''}${moment.by ? ` by ${moment.by_name || moment.by}` : ''}${moment.assignee ? `, for ${moment.assignee}` : ''}`;

const scope = ({ agent_id: agent, role_id: role }) => agent ? { agent_id: agent } : { role_id: role };
const maySilence = (app, { agent_id: agent, role_id: role }) => (agent && (app.may.administer || !app.may.list)) || (role && app.may.administer);

/** Problems by what is done about them, as the API and the metric count them: "12 open, 1 acknowledged". */
export function counted(problems) {
  const taken = problems.filter(problem => problem.state === 'acknowledged').length;
  const open = problems.length - taken;
  return [...open ? [`${number(open)} open`] : [], ...taken ? [`${number(taken)} acknowledged`] : []].join(', ');
}

/** The problems of each agent, pool, provider or the registry, in their order: the first one of a group is its worst. */
export function grouped(problems) {
  const groups = new Map();
  for (const problem of problems) {
    const key = `${problem.title} ${problem.state === 'acknowledged'}`;
    if (groups.has(key)) groups.get(key).push(problem);
    else groups.set(key, [problem]);
  }
  return [...groups.values()];
}

// Troubles of the registry that make agents silent, or look silent.
const SILENCING = ['registry.mass_silence', 'registry.mass_restart', 'registry.blackout'];

/** Whether a problem is known to explain the silence or the death of an agent. A pool below its minimum has its missing agents with it. */
const explains = (cause, effect) => cause !== effect && effect.kind === 'lifecycle' && cause.state === effect.state
  && (cause.kind === 'pool' ? cause.role_id === effect.role_id
    : cause.kind === 'registry' && SILENCING.includes(cause.last_event.type) && Date.parse(effect.opened_at) > Date.parse(cause.opened_at) - BEFORE_MILLIS);

// What agents that are silent together may have in common: its title, its state and its place in the page.
const COMMON = { key: ['Key', 'ended', '#/keys'], source: ['Source', 'fails', '#/sources'], host: ['Host', 'silent', '#/agents?verdict=down'] };

/** The row for a cause that is no problem of its own, and stands for the problems below it. */
function commonRow(groups) {
  const [{ cause: { kind, id }, ...worst }] = groups[0];
  const [title, label, href] = COMMON[kind];
  const opened = groups.map(([one]) => one.opened_at).sort((a, b) => Date.parse(a) - Date.parse(b))[0];
  const silence = groups.every(([one]) => one.in_maintenance === worst.in_maintenance) ? worst.in_maintenance : undefined;
  return [{ title: `${title} ${kind === 'key' ? short(id) : id}`, label, href, kind, in_maintenance: silence, state: worst.state, severity: worst.severity, acknowledgement: worst.acknowledgement, opened_at: opened, reason: '', occurrences: 1 }];
}

/** The groups in their order, those with a known cause below it: `[cause, [groups]]`. A trouble of the registry goes before a pool. */
export function byCause(groups) {
  const common = new Map();
  for (const group of groups) {
    const [{ cause, state }] = group;
    const key = cause && COMMON[cause.kind] && `${cause.kind} ${cause.id} ${state}`;
    if (key) common.set(key, [...(common.get(key) || []), group]);
  }
  const shared = new Map([...common.values()].filter(all => all.length > 1).flatMap(all => {
    const row = commonRow(all);
    return all.map(group => [group, row]);
  }));
  const causes = groups.filter(([worst]) => ['registry', 'pool'].includes(worst.kind)).sort((a, b) => (a[0].kind === 'pool') - (b[0].kind === 'pool'));
  const below = new Map();
  for (const group of groups) {
    const [known] = causes.filter(([worst]) => explains(worst, group[0]));
    // An ended key is certain, and a trouble of the registry explains more than a host.
    const cause = known?.[0].kind === 'registry' && shared.get(group)?.[0].kind !== 'key' ? known : shared.get(group) || known;
    if (cause) below.set(cause, [...(below.get(cause) || []), group]);
  }
  const folded = new Set([...below.values()].flat());
  const placed = new Set();
  return groups.flatMap(group => {
    const cause = folded.has(group) ? shared.get(group) : group;
    if (!cause || placed.has(cause) || (folded.has(group) && !below.has(cause))) return [];
    placed.add(cause);
    return [[cause, below.get(cause) || []]];
  });
}

/** The buttons for a group: one action, and the others in a menu. `done` is called with what was done. */
function remedies(app, [worst, ...others], done, about = `${worst.title}, ${worst.label}`) {
  if (!isOpen(worst) || !done) return nothing;
  const all = [worst, ...others];
  const ofOne = all.every(problem => problem.title === worst.title);
  const act = (name, action) => async () => await action() && done(`${name}: done.`);
  const button = (name, action, look = '') => html`<button type="button" class=${look} aria-label=${`${name}: ${about}`} @click=${act(name, action)}>${name}</button>`;
  const taken = worst.state === 'acknowledged';
  const take = () => others.length && !taken ? actions.acknowledgeAll(all) : actions.acknowledge(worst);
  const more = [
    app.may.change && taken && button('Prolong', () => actions.acknowledge(worst)),
    ofOne && maySilence(app, worst) && button('Silence', () => actions.silence(app, scope(worst))),
    ...(ofOne && app.may.change && app.may.list ? all.map(problem => html`<button type="button" aria-label=${`Dismiss: ${problem.title}, ${problem.label}`}
      @click=${act('Dismiss', () => actions.dismiss(problem))}>Dismiss${others.length ? `: ${problem.label}` : ''}</button>`) : []),
  ].filter(Boolean);
  return html`<div class="actions">${!app.may.change ? nothing : taken ? button('Undo', () => actions.release(all)) : button('Acknowledge', take)}
    ${more.length ? menu(`More about ${about}`, more) : nothing}</div>`;
}

/** The problems of one agent, pool, provider or the registry as one row of a list, with what they explain; with buttons where `done` is given. */
export function row(app, group, done, below = []) {
  const [worst, ...others] = group;
  const also = others.map(problem => problem.label).join(', ');
  return html`<li class="${worst.severity} ${worst.state === 'acknowledged' ? 'seen' : ''}"><div>
      <a href=${worst.href || `#/problems/${worst.problem_id}`}><bdi>${worst.title}</bdi></a> <span class="badge ${worst.severity}">${worst.label}</span>
      ${worst.in_maintenance ? html`<span class="badge">in maintenance: ${worst.in_maintenance}</span>` : nothing}
      <p class="note">${handled(worst) === nothing ? nothing : html`${handled(worst)} – `}${told(worst.reason)}${also ? html` Also: ${others.map((problem, i) => html`${i ? ', ' : ''}<a
        href=${`#/problems/${problem.problem_id}`}>${problem.label}</a>`)}.` : nothing}</p></div>
    <span class="age">${moment(worst.opened_at)}${worst.occurrences > 1 ? html`<br><small>${worst.occurrences} times</small>` : nothing}</span>
    ${worst.href ? remedies(app, below.flat(), done, `${worst.title}, ${worst.label}`) : remedies(app, group, done)}${below.length ? html`<details class="below"><summary>${below.length === 1 ? '1 agent is' : `${below.length} agents are`} silent or dead</summary>
      <ul class="problems">${below.map(one => row(app, one, done))}</ul></details>` : nothing}</li>`;
}

/** The rows of groups, at most so many: those that nobody takes care of first. */
export const rows = (app, groups, done, most = Infinity) => html`<ul class="problems">${byCause([...groups].sort((a, b) => (a[0].state === 'acknowledged') - (b[0].state === 'acknowledged'))).slice(0, most)
  .map(([group, below]) => row(app, group, done, below))}</ul>`;

/** Problems, the worst first, as the API gives them: at most so many. */
export async function readProblems(filters, most) {
  const found = [];
  await eachPage(`/api/v1/problems${query({ ...filters, limit: String(Math.min(most, 100)) })}`, 'problems', page => { found.push(...page); return found.length < most; });
  return found.slice(0, most);
}

const savedViews = () => JSON.parse(localStorage.getItem(VIEWS) || '[]');

export function problems(app, parameters) {
  const filters = { state: parameters.get('state') === OVER ? OVER : parameters.get('state') || OPEN, severity: parameters.get('severity') || '', role_id: parameters.get('role_id') || '' };
  const owner = parameters.get('owner') || '';
  let list;
  let error;
  let done = '';
  let names = {};
  let open = false;
  const load = async () => {
    try {
      [list, names] = await Promise.all([readProblems(filters, MAX_SHOWN + 1), app.may.administer ? keyNames() : {}]);
      error = null;
    } catch (e) {
      error = e;
    }
    app.show();
  };
  load();
  const acted = what => { done = what; app.counted?.(); load(); };
  const address = changed => `#/problems${query({ ...filters, owner, ...changed, state: (changed.state ?? filters.state) === OPEN ? '' : changed.state ?? filters.state })}`;
  const shown = () => list.slice(0, MAX_SHOWN).filter(problem => !owner || problem.owner_key_id === owner);
  const acknowledgeAll = found => {
    const unattended = found.filter(problem => problem.state === 'open');
    const all = async () => {
      const count = await actions.acknowledgeAll(unattended);
      if (count) acted(count === unattended.length ? `Acknowledged ${count}.` : `Acknowledged ${count} of ${unattended.length}: the others changed meanwhile.`);
    };
    return app.may.change && unattended.length > 1 ? html`<button type="button" @click=${all}>Acknowledge all shown</button>` : nothing;
  };
  const save = () => {
    const name = document.querySelector('[name=view]').value.trim();
    if (!name) return;
    localStorage.setItem(VIEWS, JSON.stringify([...savedViews().filter(view => view.name !== name), { name, address: address({}) }].slice(-MAX_VIEWS)));
    app.show();
  };
  const forget = name => {
    localStorage.setItem(VIEWS, JSON.stringify(savedViews().filter(view => view.name !== name)));
    app.show();
  };
  const choice = (name, label, values, shownAs = value => value) => html`<label>${label} <select @change=${e => { location.hash = address({ [name]: e.target.value }); }}><option value="">all</option>
    ${[...new Set([...values, filters[name] ?? owner])].filter(Boolean).map(value => html`<option value=${value} ?selected=${value === (filters[name] ?? owner)}>${shownAs(value)}</option>`)}</select></label>`;
  const known = field => [...new Set((list || []).map(problem => problem[field]))].sort();
  const narrowed = () => [filters.severity, filters.role_id, owner, filters.state === OPEN ? '' : filters.state].filter(Boolean).length;
  const filterRow = () => html`<div class=${`filters${open ? ' open' : ''}`}>
    <button type="button" class="drawer" aria-expanded=${open} @click=${() => { open = !open; app.show(); }}>Filters${narrowed() ? ` (${narrowed()})` : ''}</button>
    ${choice('severity', 'Severity', SEVERITIES)}${choice('role_id', 'Role', known('role_id'))}
    ${known('owner_key_id').length ? choice('owner', 'Key of the owner', known('owner_key_id'), key => names[key] || key) : nothing}
    <label>State <select @change=${e => { location.hash = address({ state: e.target.value }); }}>
      ${[[OPEN, 'open or acknowledged'], ['open', 'not acknowledged'], ['acknowledged', 'acknowledged'], [OVER, 'over, last 7 days']].map(([value, text]) => html`<option value=${value} ?selected=${value === filters.state}>${text}</option>`)}</select></label>
    </div><div class="line">${menu('Saved views', html`${savedViews().map(view => html`<div><a href=${view.address}>${view.name}</a> <button type="button" class="link" aria-label=${`Forget the view ${view.name}`} @click=${() => forget(view.name)}>forget</button></div>`)}
      <label>Save these filters as <input name="view" maxlength="40" autocomplete="off"></label><button type="button" @click=${save}>Save</button>`, 'Views')}
    ${list ? acknowledgeAll(shown()) : nothing}</div>`;
  const headline = () => {
    if (!list || filters.state === OVER) return 'Problems';
    return !shown().length ? 'No problems' : `Problems: ${list.length > MAX_SHOWN ? 'more than ' : ''}${counted(shown())}`;
  };
  // A row may have several problems.
  const several = () => {
    const subjects = list ? grouped(shown()).length : 0;
    return subjects && subjects < shown().length ? `The problems of one agent, pool or provider are in one row: ${many(subjects, 'row')}.` : '';
  };
  const view = () => html`<h1>${headline()}</h1>${filterRow()}
    <p class="note" role="status">${done || several()}</p>
    ${loaded(list, error, load, () => !shown().length ? empty(filters.state === OPEN ? filters.severity || filters.role_id || owner ? 'None matches.' : 'Nothing is wrong: what fails from now on is listed here until it is over or dismissed.'
      : filters.state === OVER ? 'None was over in the last 7 days.' : 'None matches.')
      : html`<section class="flush">${rows(app, grouped(shown()), acted)}</section>
        ${list.length > MAX_SHOWN ? html`<p class="note">The worst ${MAX_SHOWN}.</p>` : nothing}`)}`;
  return { title: 'Problems', view, refresh: load, lags: true };
}

/** Whether an agent has a block, which an operator can end. Only the end of a stop ends the stop. */
export const isBlocked = trust => Boolean(trust?.blocked && !trust.stopped);

/** That an agent is blocked or stopped, why, and by whom where its events are known. */
export function blockBanner(trust, events, names) {
  if (trust.stopped) {
    return html`<p class="banner bad">Stopped${trust.block_reason ? `: ${trust.block_reason}` : ''}.</p>`;
  }
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
    app.counted?.();
    await load();
  };
  const about = () => found.agent_id ? html`${agentLink(found.agent_id)}${found.role_id ? html`, role <a href=${`#/agents?role_id=${encodeURIComponent(found.role_id)}`}>${found.role_id}</a>` : nothing}`
    : found.role_id ? html`<a href="#/pools">pool</a> of the role <a href=${`#/agents?role_id=${encodeURIComponent(found.role_id)}`}>${found.role_id}</a>, declared in <a href="#/workflows">workflows</a>`
    : found.provider_id ? html`provider <a href="#/trust?kind=providers">${found.provider_id}</a>` : 'the registry';
  const agentActions = agent => html`
    ${app.may.change && ['active', 'unhealthy'].includes(health?.lifecycle_status ?? 'active') ? html`<button type="button" @click=${() => act('Drain', actions.drain(agent))}>Drain</button>` : nothing}
    ${!app.may.administer || trust?.stopped ? nothing : isBlocked(trust) ? html`<button type="button" @click=${() => act('Unblock', actions.unblock(agent))}>Unblock</button>`
      : html`<button type="button" class="danger" @click=${() => act('Block', actions.block(agent))}>Block</button>`}`;
  // What happened to the agent and to the problem, the newest first.
  const timeline = it => [
    ...events.map(event => ({ at: event.timestamp, look: tone(event), text: told(happened(event)) })),
    ...it.timeline.map(moment => ({ at: moment.at, look: MOMENTS[moment.what], text: lived(moment) })),
  ].sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
  const cause = it => html`${health?.reasons?.length ? html`<section><h2>Why ${it.agent_id} is ${words(health.verdict)}</h2><ul class="reasons">${health.reasons.map(r => html`<li>${told(r)}</li>`)}</ul></section>` : nothing}
    <section><h2>What happened</h2><ol class="events">${timeline(it).map(({ at, look, text }) => html`<li class=${look || ''}>${moment(at)}<span>${text}</span></li>`)}</ol></section>`;
  const view = () => html`<p class="note"><a href="#/problems">All problems</a></p>${loaded(found, error, load, it => html`<h1><bdi>${it.title}</bdi> <span class="badge ${it.severity}">${it.label}</span></h1>
    <p>${isOpen(it) ? told(it.reason) : nothing}</p><p class="note">When it began: ${dated(it.summary)}</p>
    <p class="note" role="status">${done}</p>
    <div class="actions">${remedies(app, [it], what => { done = what; app.counted?.(); load(); })}${it.agent_id ? agentActions(it.agent_id) : nothing}
      ${app.may.administer && it.last_event.type === 'registry.stopped' ? html`<a href="#/stops">Lift the stop</a>` : nothing}</div>
    ${trust?.blocked ? blockBanner(trust, events, names) : nothing}
    ${facts([['state', html`${badge(it.state)} ${handled(it)}`], ['severity', badge(it.severity)], ['began', html`${moment(it.opened_at)}${it.occurrences > 1 ? `, ${it.occurrences} times` : ''}`], ['about', about()],
      ['contact', it.contact || ''], ['runbook', it.runbook_url ? html`<a href=${it.runbook_url} rel="noreferrer" target="_blank">${it.runbook_url}</a>` : ''],
      ['silence', it.in_maintenance ? `in maintenance: ${it.in_maintenance}` : ''], ['owner', it.owner_key_id ? names[it.owner_key_id] || shortId(it.owner_key_id) : ''],
      ['last event', html`${words(it.last_event.type.replace('.', ' '))} ${moment(it.last_event.at)}`]])}
    ${cause(it)}`)}`;
  return { title: 'Problem', view, refresh: load, lags: true };
}
