// One agent: what it is, why its verdict is what it is, and how it came there.
import { html, nothing } from './lit-html.js';
import { eachPage, get, optional, query } from './api.js';
import { registry } from './registry.js';
import { UNHEARD, card, certificate, deviation, duration, happened, many, millis, number, pinged, place, probed, responses, roughMillis, runs, schedule, seenBy, share,
  looping, silence, stalled, tone, watched, words } from './format.js';
import * as actions from './actions.js';
import { badge, columns, empty, failure, fold, loading, menu, moment, shortId, told } from './parts.js';
import { availability } from './availability.js';
import { calls } from './calls.js';
import { keyNames } from './keys.js';
import { auditTable, readAudit } from './audit.js';
import { plot } from './chart.js';
import { blockBanner, grouped, isBlocked, readProblems, rows } from './problems.js';
import { usage } from './usage.js';

const DAY = 86_400_000;
const SHOWN_EVENTS = 100;
const SHOWN_PROBLEMS = 20;
const SHOWN_CHANGES = 10;
const SHOWN_TASKS = 10;

export function agent(app, id) {
  const path = `/api/v1/agents/${encodeURIComponent(id)}`;
  let record;
  let changes = [];
  let health;
  let points = [];
  let events = [];
  let leases = [];
  let commands = [];
  let trust;
  // What was last said at the agent's ping address; most agents have none.
  let pings;
  let open = [];
  // The names of keys, where this key may read them.
  let names = {};
  const uptime = availability(app, `${path}/availability`, id);
  const who = calls(app, id);
  const used = usage(app, { by: 'agent', agent_id: id }, () => record?.expectations?.limits);
  let error;
  // What became of the last action.
  let done = '';

  /** The events of the last week, the newest first: those since the last reading are added. */
  const history = async () => {
    const since = events[0]?.timestamp || new Date(Date.now() - 7 * DAY).toISOString();
    const found = [];
    await eachPage(`${path}/events` + query({ since, limit: '1000' }), 'events', page => { found.push(...page); });
    // Another reading may have ended meanwhile.
    const known = new Set(events.map(event => event.event_id));
    return found.filter(event => !known.has(event.event_id)).reverse().concat(events);
  };

  const load = async () => {
    try {
      const from = new Date(Date.now() - DAY).toISOString();
      const read = await Promise.all([get(path), get(`${path}/health`), get(`${path}/health/history${query({ from })}`), history(),
        optional(get(`${path}/leases?limit=100`)), optional(get(`${path}/commands`)), optional(get(`/v1/trust/agents/${encodeURIComponent(id)}`)),
        readProblems({ agent_id: id }, SHOWN_PROBLEMS), app.may.administer ? keyNames() : {},
        app.may.administer ? readAudit({ agent_id: id }, SHOWN_CHANGES) : null, uptime.load()]);
      let plotted;
      [record, health, { points: [...plotted] }, events] = read;
      const c = health.calibration;
      plotted.push({ at: new Date().toISOString(), score: health.score, sample_count: c.sample_count, latency_p50_ms: c.latency_p50_ms, latency_p99_ms: c.latency_p99_ms });
      // Without executions nothing was measured: a gap, and no latency of 0.
      plotted = plotted.map(point => point.sample_count ? point : { ...point, latency_p50_ms: null, latency_p99_ms: null });
      points = plotted;
      leases = read[4]?.leases || [];
      commands = read[5]?.commands || [];
      trust = read[6];
      open = read[7];
      names = read[8];
      changes = read[9]?.entries || [];
      pings = record.last_seen_by === 'ping' ? await optional(get(`${path}/ping-url`)) : null;
      error = null;
      used.refresh();
    } catch (e) {
      error = e;
    }
    app.show();
  };
  load();

  /** Shows what became of an action that was asked for. */
  const act = async (name, action) => {
    done = '';
    const isDone = await action;
    await load();
    if (!isDone) return;
    done = `${name}: done.`;
    app.show();
    // The button may have gone: the keyboard goes on from the view then.
    if (!document.activeElement?.closest('main')) document.querySelector('main')?.focus({ preventScroll: true });
  };
  const button = (name, action, look = '') => html`<button type="button" class=${look} @click=${() => act(name, action())}>${name}</button>`;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(`curl -H "X-API-Key: $AGENT_HEALTH_KEY" ${registry}${path}/health`);
      done = 'The curl command is in the clipboard; it reads the key from AGENT_HEALTH_KEY.';
    } catch (e) {
      done = 'The browser does not allow access to the clipboard here.';
    }
    app.show();
  };

  const buttons = () => {
    const { change, administer, list } = app.may;
    return html`<div class="actions">
      ${change && record.status === 'active' ? button('Drain', () => actions.drain(id)) : nothing}
      ${!administer ? nothing : isBlocked(trust) ? button('Unblock', () => actions.unblock(id)) : button('Block', () => actions.block(id), 'danger')}
      ${menu('More actions', html`
        ${change && record.status === 'active' ? button('Restart', () => actions.restart(id)) : nothing}
        ${change && commands.length && record.status !== 'draining' ? button(`Withdraw the ${commands[0].command}`, () => actions.withdraw(id, commands[0].command)) : nothing}
        ${administer || !list ? button('Silence', () => actions.silence(app, { agent_id: id })) : nothing}
        <button type="button" @click=${copy}>Copy curl</button>
        ${administer ? html`<button type="button" class="danger" @click=${erase}>Erase</button>` : nothing}`)}</div>`;
  };
  const erase = async () => {
    if (await actions.erase(id)) location.hash = '#/agents';
  };

  const declaration = ({ of, added, removed, altered, detected_at: at, digest }) => html`<section><h2>${
      { card: 'Its agent card', tools: 'Its tools', model: 'Its model' }[of]} changed ${moment(at)}</h2>
    <ul class="reasons">${Object.entries({ added, removed, altered }).map(([what, names]) => names.map(name => html`<li>${what}: <bdi>${name}</bdi></li>`))}</ul>
    ${app.may.administer ? button('Accept', () => actions.accept(id, digest))
      : html`<p class="note">An administrator accepts it.</p>`}</section>`;

  /** Pairs of a name and a value, one below the other; those without a value are left out. */
  const pairs = values => html`<dl class="pairs">${values.filter(([, value]) => value !== undefined && value !== '' && value !== '–')
    .map(([name, value]) => html`<div><dt>${name}</dt><dd>${typeof value === 'string' ? told(value) : value}</dd></div>`)}</dl>`;

  const dimension = (name, d, inputs) => html`<section class="dimension"><h3>${name} <small>weight ${number(d.weight)}</small></h3>
    ${health.score === null || health.not_evaluated?.includes(name.toLowerCase()) ? html`<b>not evaluated</b>`
      : html`<meter min="0" max="1" low="0.65" high="0.85" optimum="1" value=${d.score} aria-label=${`${name}: ${number(100 * d.score)} of 100`}></meter>
        <b>${number(100 * d.score)}</b>`}${pairs(inputs)}</section>`;

  const dimensions = () => {
    const { reliability: r, performance: p, stability: s, operational: o } = health.dimensions;
    return fold('Score: four dimensions', html`<div class="columns narrow">
      ${dimension('Reliability', r, [['success rate', `${share(r.executions ? r.actual_success_rate : null)}, expected ${share(r.expected_success_rate)}`],
        ['failures per hour', `${number(r.actual_failures_per_hour)}, expected at most ${number(r.expected_failures_per_hour)}`],
        ['executions', `${number(r.executions)}; full confidence from ${number(r.full_confidence_executions)}`]])}
      ${dimension('Performance', p, [['mean runtime', `${millis(p.actual_runtime_ms)}, expected ${millis(p.expected_runtime_ms)}`],
        ['deviation', deviation(p.deviation, p.deviation_allowed)]])}
      ${dimension('Stability', s, [['long running', `${number(s.long_running)}, threshold ${number(s.long_running_threshold)}`]])}
      ${dimension('Operational', o, [['SLA breaches', `${number(o.sla_breaches)}, threshold ${number(o.sla_breach_threshold)}`],
        ['trigger failures', `${number(o.trigger_failures)}, threshold ${number(o.trigger_failure_threshold)}`]])}
    </div>`);
  };

  const measured = () => {
    const e = record.expectations || {};
    const c = health.calibration;
    const { reliability: r, performance: p } = health.dimensions;
    const latency = value => roughMillis(c.sample_count ? value : null);
    const errors = Object.entries(health.errors).filter(([, n]) => n).map(([type, n]) => `${number(n)} × ${words(type)}`).join(', ');
    // Each with whether the expectation is met; undefined where there is none, or nothing was measured.
    const rows = [
      ['success rate', `at least ${share(r.expected_success_rate)}`, share(r.executions ? r.actual_success_rate : null), r.executions ? r.actual_success_rate >= r.expected_success_rate : undefined],
      ['response ratio', `at least ${share(.95)}`, share(c.sample_count ? c.response_ratio : null), c.sample_count ? c.response_ratio >= .95 : undefined],
      ['quality of results', e.min_quality ? `at least ${share(e.min_quality)}` : '–', health.quality.evaluations ? `${share(health.quality.average)} of ${many(health.quality.evaluations, 'evaluation')}` : '–',
        e.min_quality && health.quality.evaluations ? health.quality.average >= e.min_quality : undefined],
      ['errors', '–', errors || 'none'],
      ['mean runtime', e.runtime_ms ? `${millis(e.runtime_ms)}, at most ${share(p.deviation_allowed)} more` : '–', millis(p.actual_runtime_ms),
        (p.deviation ?? null) === null ? undefined : p.deviation <= p.deviation_allowed],
      ['latency, median', '–', latency(c.latency_p50_ms), undefined],
      ['latency, slowest 1 %', e.baseline_latency_ms ? `at most ${millis(3 * e.baseline_latency_ms)}` : '–', latency(c.latency_p99_ms),
        e.baseline_latency_ms && c.sample_count ? c.latency_p99_ms <= 3 * e.baseline_latency_ms : undefined],
      ['SLA', e.sla_ms ? `within ${millis(e.sla_ms)}` : '–', many(health.dimensions.operational.sla_breaches, 'breach', 'breaches'),
        e.sla_ms && c.sample_count ? !health.dimensions.operational.sla_breaches : undefined],
    ];
    return html`<section>${columns(`Expected and measured, last ${duration(health.window_seconds)}, ${many(c.sample_count, 'execution')}`,
      [{ head: 'what', cell: ([what]) => what }, { head: 'measured', cell: ([, , found]) => found }, { head: 'expected', cell: ([, expected]) => expected === '–' ? '' : expected },
        { head: 'met', cell: ([, , , met]) => met === undefined ? '' : badge(met ? 'enough' : 'below', met ? 'yes' : 'no') }],
      rows.filter(([, expected, found]) => expected !== '–' || found !== '–'))}</section>`;
  };

  const range = (name, field, shown) => {
    const values = points.map(p => p[field]).filter(v => (v ?? null) !== null);
    return values.length ? `${name}: ${shown(values.at(-1))} last, from ${shown(Math.min(...values))} to ${shown(Math.max(...values))}` : `${name}: not measured`;
  };

  const plots = () => points.length < 2 ? html`<section><h2>History</h2>${empty('No history yet: a point is kept each hour and at each change.')}</section>`
    : html`<section><h2>History, last day</h2><div class="columns">
      <figure><figcaption>${range('Score', 'score', points => many(points, 'point'))}</figcaption><div class="plot" data-plot="score"></div></figure>
      <figure><figcaption>${range('Median latency', 'latency_p50_ms', roughMillis)}</figcaption><div class="plot" data-plot="latency"></div></figure></div></section>`;

  // A stop is an event of the registry: while it is in force, the agent's own events have it too.
  const log = () => [...trust?.stopped ? [{ type: 'registry.stopped', timestamp: trust.stopped_at, stop: trust.block_reason || 'by an operator', severity: 'warning' }] : [], ...events]
    .sort((a, b) => Date.parse(b.timestamp) - Date.parse(a.timestamp));
  const timeline = () => html`<section><h2>Timeline</h2>${!log().length ? empty('No events in the last 7 days.') : html`
    <ol class="events">${log().slice(0, SHOWN_EVENTS).map(event => html`<li class=${tone(event)}>
      ${moment(event.timestamp)}<span>${told(happened(event))}</span></li>`)}</ol>
    ${events.length > SHOWN_EVENTS ? html`<p class="note">The newest ${SHOWN_EVENTS} of ${number(events.length)}.</p>` : nothing}`}</section>`;

  const audited = () => fold(html`Changes <small>in the last 7 days</small>`, auditTable(changes, names, 'The last changes of the last 7 days', false));

  const view = () => {
    if (!record || !health) return error ? html`<h1><bdi>${id}</bdi></h1>${failure(error)}<p><a href="#/agents">All agents</a></p>` : loading;
    const { role_id: role, provider_id: provider, model, owner_key_id: owner } = record;
    const about = [record.name ? html`<bdi>${id}</bdi>` : '', record.kind === 'mcp_server' ? 'MCP server' : '', role ? html`<a href=${`#/agents?role_id=${encodeURIComponent(role)}`}><bdi>${role}</bdi></a>` : '',
      provider ? html`<bdi>${provider}</bdi>` : '', record.platform, owner ? html`owner ${names[owner] ? html`<bdi>${names[owner]}</bdi>` : shortId(owner)}` : ''].filter(Boolean);
    const [reason, ...others] = health.reasons;
    return html`<h1><bdi>${record.name || id}</bdi> ${badge(health.verdict)}</h1>
      <p class="subtitle">${about.map((part, i) => html`${i ? ' · ' : nothing}${part}`)}</p>
      ${failure(error)}<p class="note" role="status">${done}</p>
      ${trust?.blocked ? blockBanner(trust, events, names) : nothing}
      ${reason ? html`<p class="reason ${health.verdict}">${told(reason)}${others.length ? html` <small>${told(others.join(' '))}</small>` : nothing}</p>` : nothing}
      ${record.declaration?.change ? declaration(record.declaration.change) : nothing}
      <div class="split"><div>
        ${uptime.view()}${plots()}
        ${open.length ? html`<section><h2>Problems</h2>${rows(app, grouped(open), what => { done = what; app.counted?.(); load(); })}</section>` : nothing}
        ${measured()}${dimensions()}
        ${used.view()}${who.view()}
        ${leases.length ? html`<section>${columns('Leases', [{ head: 'intent', cell: lease => lease.intent_id }, { head: 'scope', cell: lease => lease.scope },
          { head: 'expires', cell: lease => moment(lease.expires_at) }, { head: 'token', cell: lease => lease.fencing_token, figure: true }], leases)}</section>` : nothing}
        ${commands.length ? html`<section>${columns('Commands not yet followed', [{ head: 'command', cell: c => words(c.type || c.command) }, { head: 'requested by', cell: c => names[c.requested_by] || c.requested_by }], commands)}</section>` : nothing}
        ${timeline()}${changes.length ? audited() : nothing}
      </div><aside>
        <section class="now"><div class="head"><h2>Now</h2>${buttons()}</div>
        ${pairs([['status', html`${badge(record.status)} for ${duration((Date.now() - Date.parse(record.status_since)) / 1000)}`],
          record.heartbeat_config.schedule ? ['runs', runs(record)] : ['heartbeat', record.heard === false ? UNHEARD : html`${moment(record.last_heartbeat_at)}${seenBy(record)}`],
          ['work', !record.activity ? '' : record.stalled ? html`${stalled(record)}, since ${moment(record.stalled_since)}`
            : record.looping ? html`${looping(record)}, since ${moment(record.looping_since)}`
            : `last progress ${record.activity.last_progress_at}, ${place(record.activity.phase)}`],
          ['tasks', record.tasks_in_progress.length ? `${record.tasks_in_progress.slice(0, SHOWN_TASKS).join(', ')}${record.tasks_in_progress.length > SHOWN_TASKS ? ` and ${record.tasks_in_progress.length - SHOWN_TASKS} more` : ''}` : ''],
          ['load', record.capacity ? `${number(record.capacity.current_load)}${(record.capacity.max_concurrent_tasks ?? null) === null ? '' : ` of ${number(record.capacity.max_concurrent_tasks)}`}` : ''],
          ['context used', (record.context_used ?? null) === null ? '' : `${number(Math.round(record.context_used * 100))} %`],
          ['score', health.score === null ? 'no recent executions' : html`${number(health.score)} ${badge(health.state)}`],
          ['health', badge(health.health_status === 'unhealthy' ? 'down' : health.health_status, health.health_status)],
          ['reputation', trust ? `${number(100 * trust.reputation_score)} of 100` : ''],
          ['last probe', probed(record)], ['response time', responses(record)], ['certificate', certificate(record)], ['last ping', pinged(pings)],
          ['ended', record.end ? `by ${record.end.ended_by === 'operator' ? 'an' : 'the'} ${record.end.ended_by}: ${words(record.end.reason)}` : '']])}</section>
        ${pings?.last_message ? html`<section><h2>Last message</h2><pre>${pings.last_message}${pings.message_truncated ? '…' : ''}</pre></section>` : nothing}
        <section><h2>Declared</h2>${pairs([['model', model?.name ? `${model.name} ${model.version || ''}` : ''], ['capabilities', record.capabilities.join(', ')],
          ['endpoint', record.endpoint || ''], ['schedule', record.heartbeat_config.schedule ? schedule(record.heartbeat_config.schedule) : ''], ['silence', silence(record.heartbeat_config)],
          ['lives from', (record.heartbeat_config.signs_of_life || []).join(', ')], ['watched', watched(record)], ['card', card(record)],
          ['registered', html`${moment(record.registered_at)}${record.instance ? ` on ${record.instance}` : ''}${record.previous_end?.ended_by === 'operator' ? html`, although an operator had ended it ${moment(record.previous_end.at)}` : ''}`],
          ['incarnation', record.incarnation > 1 ? number(record.incarnation) : ''],
          ['catalogue', record.listed ? 'listed' : '']])}</section>
      </aside></div>`;
  };

  const shown = root => {
    plot(root.querySelector('[data-plot=score]'), points, [{ label: 'score', field: 'score', colour: '--ok' }], 'points');
    plot(root.querySelector('[data-plot=latency]'), points, [{ label: 'median', field: 'latency_p50_ms', colour: '--ok' },
      { label: 'slowest 1 %', field: 'latency_p99_ms', colour: '--degraded' }], 'ms');
    used.shown(root);
  };

  return { title: id, view, shown, lags: true, refresh: changed => { if (!changed?.length || changed.some(event => event.agent_id === id)) load(); } };
}
