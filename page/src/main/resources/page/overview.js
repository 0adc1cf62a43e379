// The fleet in five seconds: a headline, counts, the worst problems, what changed.
import { html, nothing } from './lit-html.js';
import { get } from './api.js';
import { counted, grouped as bySubject, readProblems, rows } from './problems.js';
import { VERDICTS, STATUSES, grouped, happened, many, number, share, subject, summary, tone } from './format.js';
import { availability } from './availability.js';
import { calls } from './calls.js';
import { history } from './history.js';
import { usage } from './usage.js';
import { agentLink, bar, columns, empty, failure, fold, histogram, loading, moment, told } from './parts.js';

const STATES = ['Healthy', 'Degraded', 'Unhealthy', 'Inactive'];
const STATE_TEXT = { Healthy: '85 points or more', Degraded: '65 to 85', Unhealthy: 'below 65', Inactive: 'no recent executions' };
const STATUS_TEXT = { unhealthy: 'silent: heartbeats are missing', deregistered: 'within the last hour, in no other count' };
const SHOWN_EVENTS = 12;
const SHOWN_WORST = 7;
// One page. Up to so many problems, the count is the one of the list of problems.
const READ_WORST = 100;

export function overview(app) {
  let health;
  let checked;
  let worst = [];
  let error;
  let done = '';
  const uptime = availability(app, '/api/v1/health/availability', 'fleet');
  const past = history();
  const who = calls(app);
  // A key that is limited to some roles may not read the usage of all models.
  const used = usage(app, { by: app.me.role_ids?.length ? 'role' : 'model' });
  // The first screen, from the moment that no agent is there until the visitor goes on.
  let first;

  const load = async changed => {
    try {
      const found = await get('/api/v1/health');
      checked = new Date().toISOString();
      if (!found.agents && !health) first = await isEmpty() ? (await import('./welcome.js')).welcome(app, () => app.view === self, () => { first = null; load(); }) : null;
      if (found !== health || changed) [worst] = await Promise.all([readProblems({}, READ_WORST), uptime.load(), past.load(found)]);
      health = found;
      used.refresh();
      error = null;
    } catch (e) {
      error = e;
    }
    app.show();
  };
  load();

  /** Whether no agent is registered; the sweep counts them in its next pass only. */
  const isEmpty = async () => !(await get('/api/v1/agents?limit=1')).agents.length;

  const banner = registry => [
    registry?.self_check_failing_since && html`<p class="banner bad" role="alert"><strong>The registry fails its self-check</strong>
      since ${moment(registry.self_check_failing_since)}: heartbeats do not arrive, so no status changes.</p>`,
    registry?.mass_silence_since && html`<p class="banner warn" role="alert"><strong>Mass silence</strong> since
      ${moment(registry.mass_silence_since)}: many agents fell silent together, so they are marked as dead more slowly.</p>`,
    registry?.mass_restart_since && html`<p class="banner warn" role="alert"><strong>Mass restart</strong> since
      ${moment(registry.mass_restart_since)}: many agents restart together, so deaths are postponed.</p>`,
    registry?.probes_inconclusive_since && html`<p class="banner warn" role="alert"><strong>Probes are inconclusive</strong> since
      ${moment(registry.probes_inconclusive_since)}: most fail at once, so watched agents of at least one owner are not marked as unhealthy or dead for now.</p>`,
    registry?.late && html`<p class="banner bad" role="alert"><strong>The sweep is late.</strong> Its last pass started
      ${moment(registry.last_sweep_at)}: figures and statuses are old.</p>`,
  ].filter(Boolean);

  const headline = () => {
    const all = health.agents;
    const of = verdict => health.by_verdict[verdict];
    const worst = ['down', 'blocked', 'degraded', 'unknown'].find(of);
    if (!all) return 'No agents yet';
    if (!worst) return all === 1 ? 'The agent is ok' : `All ${number(all)} agents are ok`;
    return `${number(of(worst))} of ${number(all)} ${all === 1 ? 'agent is' : 'agents are'} ${worst}`;
  };

  const verdicts = () => html`${bar(health.by_verdict, VERDICTS, 'Agents by verdict')}
    <ul class="keys" aria-label="Agents by verdict">${VERDICTS.filter(verdict => health.by_verdict[verdict] || verdict === 'ok').map(verdict => html`<li><a href=${`#/agents?verdict=${verdict}`}><i class=${verdict}></i><b>${number(health.by_verdict[verdict])}</b>${verdict}</a></li>`)}
      ${uptime.share() ? html`<li class="last"><a href="#availability" @click=${openAvailability}>available 24 h <b>${uptime.share()}</b></a></li>` : nothing}</ul>`;
  const openAvailability = event => {
    event.preventDefault();
    const part = document.querySelector('#availability details');
    part.open = true;
    part.scrollIntoView({ block: 'nearest' });
  };

  const severity = figures => 1000 * (figures.by_verdict.down + figures.by_verdict.blocked) / Math.max(1, figures.agents)
    + 100 * figures.by_verdict.degraded / Math.max(1, figures.agents);

  const groups = (kind, title) => {
    const rows = Object.entries(health.groups[kind]).sort((a, b) => severity(b[1]) - severity(a[1]) || a[0].localeCompare(b[0]));
    if (!rows.length) return nothing;
    const others = health.other_groups?.[kind]?.agents;
    const filter = { role: 'role_id', provider: 'provider_id' }[kind];
    const shown = [{ head: kind, cell: ([name]) => filter ? html`<a href=${`#/agents?${filter}=${encodeURIComponent(name)}`}><bdi>${name}</bdi></a>` : html`<bdi>${name}</bdi>` },
      { head: 'agents', cell: ([, g]) => number(g.agents), figure: true }, { head: 'verdicts', cell: ([name, g]) => bar(g.by_verdict, VERDICTS, name) },
      { head: 'down', cell: ([, g]) => number(g.by_verdict.down), figure: true }, { head: 'score', cell: ([, g]) => number(g.score), figure: true },
      { head: 'healthy', cell: ([, g]) => share(g.survival.healthy_rate), figure: true }];
    return html`<section>${columns(title, shown, rows)}
      ${others ? html`<p class="note">${others === 1 ? `1 agent has another ${kind}` : `${number(others)} agents have other ${kind}s`}.</p>` : nothing}</section>`;
  };

  const needed = () => {
    const groups = bySubject(worst);
    return html`<section class="flush"><h2>Problems ${groups.length ? html`<small>${worst.length < READ_WORST ? '' : 'at least '}${counted(worst)}</small>` : nothing}
        <a class="right" href="#/problems">All problems</a></h2>
      ${!groups.length ? empty('Nothing is wrong.') : rows(app, groups, what => { done = what; app.counted?.(); load(true); }, SHOWN_WORST)}</section>`;
  };

  const recent = () => html`<section><h2>Last hour <a class="right" href="#/events">All events</a></h2>
    ${!app.feed.allowed ? empty('This key may not read the events of all agents.')
      : !app.feed.events.length ? empty('Nothing changed.')
      : html`<p class="chips"><small>${app.feed.truncated ? 'The newest ' : ''}${many(app.feed.events.length, 'event')}:</small>
          ${summary(app.feed.events).map(([what, n, look]) => html`<span class="badge ${look}">${number(n)} ${what}</span> `)}</p>
        <ul class="events" aria-label="Events">${grouped(app.feed.events).slice(0, SHOWN_EVENTS).map(events => html`<li class=${tone(events[0])}>
          ${moment(events[0].timestamp)}
          <span>${events[0].agent_id ? agentLink(events[0].agent_id) : html`<strong><bdi>${subject(events[0])}</bdi></strong>`}
            ${told(events.map(happened).join(', '))}</span></li>`)}</ul>`}</section>`;

  // Agents that are dead and have no score have no state of a score.
  const unscored = () => health.agents - STATES.reduce((sum, state) => sum + health.by_state[state], 0);
  const scores = () => html`<section><h2>Score${health.score === null ? nothing : html` <small>${number(health.score)} on average</small>`}</h2>
    ${health.score === null ? empty('No recent executions.') : health.by_score ? histogram(health.by_score) : bar(health.by_state, STATES, 'Score')}
    <ul class="legend">${STATES.map(state => html`<li><a href=${`#/agents?state=${state}`}><i class=${state}></i>${state} <small>${STATE_TEXT[state]}</small></a>
      <b>${number(health.by_state[state])}</b></li>`)}
      ${unscored() > 0 ? html`<li><a href="#/agents?status=dead"><i class="dead"></i>dead, without a score</a><b>${number(unscored())}</b></li>` : nothing}</ul></section>`;

  const view = () => {
    if (!health) return error ? failure(error) : loading;
    if (first) return first();
    return html`
      ${failure(error)}${banner(health.registry)}
      <h1>${headline()}</h1>
      <p class="note">${health.as_of ? html`Checked ${moment(checked)}.` : 'The first count is still to come.'}${app.me.role_ids?.length ? ` This key is limited to the roles ${app.me.role_ids.join(', ')}.` : ''}</p>
      <p class="note" role="status">${done}</p>
      ${health.agents === 0 ? empty('No agent is counted yet: the sweep counts them once a minute.') : html`${verdicts()}
        <div class="columns wide">${needed()}${recent()}</div>
        ${groups('role', 'Roles')}
        ${uptime.known() ? fold('Availability', uptime.view(), 'availability') : nothing}
        ${used.view()}${who.view()}
        ${fold('Not ok in the last days', past.view(), 'history', () => app.show())}
        ${fold('Scores and lifecycle', html`<div class="columns">${scores()}
          <section><h2>Lifecycle</h2>${bar(health.by_lifecycle_status, STATUSES, 'Lifecycle')}
            <ul class="legend">${STATUSES.map(status => html`<li><a href=${`#/agents?status=${status}`}><i class=${status}></i>${status} <small>${STATUS_TEXT[status]}</small></a>
              <b>${number(health.by_lifecycle_status[status])}</b></li>`)}</ul></section></div>`)}
        ${fold('Providers and platforms', html`<div class="columns">${groups('provider', 'Providers')}${groups('platform', 'Platforms')}</div>`)}`}`;
  };

  const shown = root => {
    past.shown(root);
    used.shown(root);
  };
  const self = { title: 'Fleet', view, shown, refresh: load, lags: true };
  return self;
}
