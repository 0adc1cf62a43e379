// One agent: what it is, why its verdict is what it is, and how it came there.
import { html, nothing } from './lit-html.js';
import { eachPage, get, query, send } from './api.js';
import { ago, clock, duration, happened, millis, number, share, tone, words } from './format.js';
import { badge, confirmed, empty, facts, failure, loading, table } from './parts.js';
import { plot } from './chart.js';

const DAY = 86_400_000;
const MAX_EVENTS = 5000;
const SHOWN_EVENTS = 100;

export function agent(app, id) {
  const path = `/api/v1/agents/${encodeURIComponent(id)}`;
  let record;
  let health;
  let points = [];
  let events = [];
  let leases = [];
  let commands = [];
  let trust;
  let error;
  // What became of the last action.
  let done = '';
  let refused;

  const optional = async promise => {
    try {
      return await promise;
    } catch (e) {
      if (e.status === 403 || e.status === 404) return null;
      throw e;
    }
  };

  const history = async () => {
    const all = [];
    await eachPage(`${path}/events` + query({ since: new Date(Date.now() - 30 * DAY).toISOString(), limit: '1000' }), 'events', page => {
      all.push(...page);
      return all.length < MAX_EVENTS;
    });
    return all.reverse();
  };

  const load = async () => {
    try {
      const from = new Date(Date.now() - DAY).toISOString();
      const read = await Promise.all([get(path), get(`${path}/health`), get(`${path}/health/history${query({ from })}`), history(),
        optional(get(`${path}/leases?limit=100`)), optional(get(`${path}/commands`)), optional(get(`/v1/trust/agents/${encodeURIComponent(id)}`))]);
      let plotted;
      [record, health, { points: plotted }, events] = read;
      if (JSON.stringify(plotted) !== JSON.stringify(points)) points = plotted;
      leases = read[4]?.leases || [];
      commands = read[5]?.commands || [];
      trust = read[6];
      error = null;
    } catch (e) {
      error = e;
    }
    app.show();
  };
  load();

  const act = async (title, text, fields, request) => {
    const data = await confirmed(title, text, fields);
    if (!data) return;
    try {
      await request(data);
      done = `${title}: done.`;
      refused = null;
    } catch (e) {
      done = '';
      refused = e;
    }
    await load();
  };

  const drain = () => act('Drain', `${id} finishes its work, takes no more, and leaves.`,
    html`<label>Seconds to finish <input name="seconds" type="number" min="1" max="86400" value="300" required></label>`,
    data => send('PATCH', `${path}/status`, { status: 'draining', drain_timeout_seconds: Number(data.get('seconds')) },
      { 'If-Match': `"${record.version}"` }));
  const keepOn = () => act('Withdraw the drain', `${id} keeps on working.`, nothing, () => send('DELETE', `${path}/commands/drain`));
  const block = () => act('Block', `The registry refuses calls of ${id} until it is unblocked.`,
    html`<label>Reason <input name="reason" maxlength="256"></label>`,
    data => send('POST', `/v1/admin/agents/${encodeURIComponent(id)}/block`, data.get('reason') ? { reason: data.get('reason') } : {}));
  const unblock = () => act('Unblock', `${id} can be called again.`, nothing,
    () => send('POST', `/v1/admin/agents/${encodeURIComponent(id)}/unblock`, {}));

  const actions = () => html`<div class="actions">
    ${app.may.change && record.status === 'active' ? html`<button type="button" @click=${drain}>Drain</button>` : nothing}
    ${app.may.change && commands.length && record.status !== 'draining' ? html`<button type="button" @click=${keepOn}>Withdraw the drain</button>` : nothing}
    ${app.may.administer ? trust?.blocked ? html`<button type="button" @click=${unblock}>Unblock</button>`
      : html`<button type="button" class="danger" @click=${block}>Block</button>` : nothing}</div>`;

  const dimension = (name, d, inputs) => html`<section class="dimension"><h3>${name} <small>weight ${number(d.weight)}</small></h3>
    <meter min="0" max="1" low="0.65" high="0.85" optimum="1" value=${d.score} aria-label=${`${name}: ${number(100 * d.score)} of 100`}></meter>
    <b>${health.not_evaluated?.includes(name.toLowerCase()) ? 'not evaluated' : number(100 * d.score)}</b>${facts(inputs)}</section>`;

  const dimensions = () => {
    const { reliability: r, performance: p, stability: s, operational: o } = health.dimensions;
    return html`<section><h2>Score: four dimensions</h2><div class="columns">
      ${dimension('Reliability', r, [['success rate', `${share(r.actual_success_rate)}, expected ${share(r.expected_success_rate)}`],
        ['failures an hour', `${number(r.actual_failures_per_hour)}, expected at most ${number(r.expected_failures_per_hour)}`],
        ['executions', `${number(r.executions)}; full confidence from ${number(r.full_confidence_executions)}`]])}
      ${dimension('Performance', p, [['mean runtime', `${millis(p.actual_runtime_ms)}, expected ${millis(p.expected_runtime_ms)}`],
        ['deviation', `${share(p.deviation)}, allowed ${share(p.deviation_allowed)}`]])}
      ${dimension('Stability', s, [['long running', `${number(s.long_running)}, threshold ${number(s.long_running_threshold)}`]])}
      ${dimension('Operational', o, [['SLA breaches', `${number(o.sla_breaches)}, threshold ${number(o.sla_breach_threshold)}`],
        ['trigger failures', `${number(o.trigger_failures)}, threshold ${number(o.trigger_failure_threshold)}`]])}
    </div></section>`;
  };

  const measured = () => {
    const e = record.expectations || {};
    const c = health.calibration;
    const rows = [
      ['response ratio', 'at least 95 %', share(c.response_ratio)],
      ['error ratio', '–', share(c.error_ratio)],
      ['latency, median', millis(e.runtime_ms), millis(c.latency_p50_ms)],
      ['latency, slowest 1 %', e.baseline_latency_ms ? `at most 3 × ${millis(e.baseline_latency_ms)}` : '–', millis(c.latency_p99_ms)],
      ['SLA', millis(e.sla_ms), `${number(health.dimensions.operational.sla_breaches)} breaches`],
    ];
    return html`<section>${table(`Expected and measured, last ${duration(health.window_seconds)}, ${number(c.sample_count)} executions`,
      ['what', 'expected', 'measured'], rows.map(([what, expected, found]) => html`<tr><th scope="row">${what}</th><td>${expected}</td><td>${found}</td></tr>`))}</section>`;
  };

  const plots = () => points.length < 2 ? html`<section><h2>History</h2>${empty('No history yet: a point is kept each hour and at each change.')}</section>`
    : html`<section><h2>History, last day</h2><div class="columns">
      <figure><figcaption>Score</figcaption><div class="plot" data-plot="score"></div></figure>
      <figure><figcaption>Latency</figcaption><div class="plot" data-plot="latency"></div></figure></div></section>`;

  const timeline = () => html`<section><h2>Timeline</h2>${!events.length ? empty('No events in the last 30 days.') : html`
    <ol class="events">${events.slice(0, SHOWN_EVENTS).map(event => html`<li class=${tone(event)}>
      <time datetime=${event.timestamp}>${clock(event.timestamp)}</time><span>${happened(event)}</span></li>`)}</ol>`}</section>`;

  const view = () => {
    if (!record || !health) return error ? html`<h1>${id}</h1>${failure(error)}` : loading;
    return html`<h1>${record.name || id} ${badge(health.verdict)}</h1>${record.name ? html`<p class="id">${id}</p>` : nothing}
      ${failure(error)}${failure(refused)}${done ? html`<p class="note" role="status">${done}</p>` : nothing}
      ${health.reasons.length ? html`<ul class="reasons">${health.reasons.map(reason => html`<li>${reason}</li>`)}</ul>` : nothing}
      ${trust?.blocked ? html`<p class="banner bad">Blocked${trust.block_reason ? `: ${trust.block_reason}` : ''}.</p>` : nothing}
      ${actions()}
      ${facts([['status', html`${badge(record.status)} for ${duration((Date.now() - Date.parse(record.status_since)) / 1000)}`],
        ['heartbeat', ago(record.last_heartbeat_at)], ['score', health.score === null ? 'no executions' : html`${number(health.score)} ${badge(health.state)}`],
        ['health', badge(health.health_status === 'unhealthy' ? 'down' : health.health_status, health.health_status)], ['role', record.role_id || '–'], ['provider', record.provider_id || '–'], ['platform', record.platform || '–'],
        ['model', record.model?.name ? `${record.model.name} ${record.model.version || ''}` : '–'],
        ['capabilities', record.capabilities.join(', ') || '–'],
        ['load', record.capacity ? `${number(record.capacity.current_load)} of ${number(record.capacity.max_concurrent_tasks)}` : '–'],
        ['reputation', trust ? number(100 * trust.reputation_score) : undefined],
        ['registered', `${clock(record.registered_at)}, incarnation ${record.incarnation}`],
        ['silence', `unhealthy after ${duration(record.heartbeat_config.unhealthy_after_seconds)}, dead after ${duration(record.heartbeat_config.dead_after_seconds)}`],
        ['endpoint', record.endpoint || '–']])}
      ${plots()}${dimensions()}
      <div class="columns">${measured()}
        <section>${leases.length ? table('Leases', ['intent', 'scope', 'expires', 'token'], leases.map(lease => html`<tr>
            <th scope="row">${lease.intent_id}</th><td>${lease.scope}</td><td>${clock(lease.expires_at)}</td><td class="figure">${lease.fencing_token}</td></tr>`))
          : html`<h2>Leases</h2>${empty('None in force.')}`}
        ${commands.length ? table('Commands not yet followed', ['command', 'requested by'], commands.map(c => html`<tr>
            <th scope="row">${words(c.type || c.command)}</th><td>${c.requested_by || '–'}</td></tr>`)) : html`<h2>Commands</h2>${empty('None waiting.')}`}</section></div>
      ${timeline()}`;
  };

  const shown = root => {
    plot(root.querySelector('[data-plot=score]'), points, [{ label: 'score', field: 'score', colour: '--ok' }], 'points');
    plot(root.querySelector('[data-plot=latency]'), points, [{ label: 'median', field: 'latency_p50_ms', colour: '--ok' },
      { label: 'slowest 1 %', field: 'latency_p99_ms', colour: '--degraded' }], 'ms');
  };

  return { title: id, view, shown, refresh: changed => { if (!changed || changed.some(event => event.agent_id === id)) load(); } };
}
