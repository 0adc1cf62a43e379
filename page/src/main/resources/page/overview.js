// The fleet in five seconds: counts, roles, what changed.
import { html, nothing } from './lit-html.js';
import { get } from './api.js';
import { VERDICTS, STATUSES, ago, clock, happened, number, share, tone } from './format.js';
import { agentLink, bar, count, empty, failure, loading, table } from './parts.js';

const STATES = ['Healthy', 'Degraded', 'Unhealthy', 'Inactive'];
const STATE_TEXT = { Healthy: '85 points or more', Degraded: '65 to 85', Unhealthy: 'below 65', Inactive: 'no executions' };
const SHOWN_EVENTS = 40;

export function overview(app) {
  let health;
  let error;

  const load = async () => {
    try {
      health = await get('/api/v1/health');
      error = null;
    } catch (e) {
      error = e;
    }
    app.show();
  };
  load();

  const banner = registry => [
    registry?.self_check_failing_since && html`<p class="banner bad" role="alert"><strong>The registry fails its self-check</strong>
      since ${clock(registry.self_check_failing_since)}: heartbeats do not arrive, so no status changes.</p>`,
    registry?.mass_silence_since && html`<p class="banner warn" role="alert"><strong>Mass silence</strong> since
      ${clock(registry.mass_silence_since)}: many agents fell silent together, so they are marked as dead more slowly.</p>`,
    registry?.late && html`<p class="banner bad" role="alert"><strong>The sweep is late.</strong> Its last pass started
      ${ago(registry.last_sweep_at)}.</p>`,
  ].filter(Boolean);

  const worst = figures => 1000 * (figures.by_verdict.down + figures.by_verdict.blocked) / Math.max(1, figures.agents)
    + 100 * figures.by_verdict.degraded / Math.max(1, figures.agents);

  const groups = (kind, title) => {
    const rows = Object.entries(health.groups[kind]).sort((a, b) => worst(b[1]) - worst(a[1]) || a[0].localeCompare(b[0]));
    if (!rows.length) return nothing;
    return html`<section>${table(title, [kind, 'agents', 'verdicts', 'score', 'healthy share'], rows.map(([name, g]) => html`<tr>
        <th scope="row">${kind === 'role' ? html`<a href=${`#/agents?role_id=${encodeURIComponent(name)}`}>${name}</a>` : name}</th>
        <td>${number(g.agents)}</td><td>${bar(g.by_verdict, VERDICTS, name)}</td>
        <td>${number(g.score)}</td><td>${g.survival.total ? share(g.survival.rate) : '–'}</td></tr>`))}</section>`;
  };

  const recent = () => html`<section><h2>Last hour</h2>
    ${!app.feed.allowed ? empty('This key may not read the events of all agents.')
      : !app.feed.events.length ? empty('Nothing changed.')
      : html`<ul class="events">${app.feed.events.slice(0, SHOWN_EVENTS).map(event => html`<li class=${tone(event)}>
          <time datetime=${event.timestamp} title=${clock(event.timestamp)}>${ago(event.timestamp)}</time>
          <span>${event.agent_id ? agentLink(event.agent_id) : html`<strong>${event.role_id || 'registry'}</strong>`}
            ${happened(event)}</span></li>`)}</ul>
        <p class="note">${number(app.feed.events.length)}${app.feed.truncated ? ' or more' : ''} events.</p>`}</section>`;

  const view = () => {
    if (!health) return error ? failure(error) : loading;
    return html`
      ${failure(error)}${banner(health.registry)}
      <h1>Fleet</h1>
      <section class="tiles" aria-label="Agents by verdict">
        <a class="tile total" href="#/agents"><strong>${number(health.agents)}</strong><span>agents</span></a>
        ${VERDICTS.map(verdict => count(health.by_verdict[verdict], verdict, `#/agents?verdict=${verdict}`))}
      </section>
      ${health.agents === 0 ? empty(html`No agent is registered. Issue a key and connect one: the README shows how.`) : html`
        <div class="columns">
          <section><h2>Lifecycle</h2>${bar(health.by_lifecycle_status, STATUSES, 'Lifecycle')}
            <ul class="legend">${STATUSES.map(status => html`<li><a href=${`#/agents?status=${status}`}><i class=${status}></i>${status}</a>
              <b>${number(health.by_lifecycle_status[status])}</b></li>`)}</ul></section>
          <section><h2>Score${health.score === null ? nothing : html` <small>${number(health.score)} on average</small>`}</h2>
            ${bar(health.by_state, STATES, 'Score')}
            <ul class="legend">${STATES.map(state => html`<li><span><i class=${state}></i>${state} <small>${STATE_TEXT[state]}</small></span>
              <b>${number(health.by_state[state])}</b></li>`)}</ul></section>
        </div>
        <div class="columns wide">${groups('role', 'Roles')}${recent()}</div>
        <div class="columns">${groups('provider', 'Providers')}${groups('platform', 'Platforms')}</div>`}
      <p class="note">${health.as_of ? `Counted ${ago(health.as_of)}.` : 'The first count is still to come.'}</p>`;
  };

  return { title: 'Fleet', view, refresh: load };
}
