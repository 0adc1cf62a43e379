// Tokens and calls over time: totals, two charts, and the models with the most tokens.
import { html, nothing } from './lit-html.js';
import { get, query } from './api.js';
import { many, money, number } from './format.js';
import { columns, empty, fold, loaded } from './parts.js';
import { plot } from './chart.js';

const HOUR = 3_600_000;
// The limit that an agent may declare for a step counts what is between two points.
const WINDOWS = { '24h': { label: '24 hours', step: 'hour', millis: HOUR, limit: 'tokens_per_hour' }, '30d': { label: '30 days', step: 'day', millis: 24 * HOUR, limit: 'tokens_per_day' } };
const READ_AGAIN_MILLIS = 60_000;
const SHOWN_ROWS = 10;
// As the registry judges.
const NEAR = .8;

const COUNTERS = { input_tokens: 'input', output_tokens: 'output', cache_read_tokens: 'from a cache', model_calls: 'model calls', tool_calls: 'tool calls', executions: 'executions' };
const line = (field, colour) => ({ label: COUNTERS[field], field, colour });
const TOKENS = [line('input_tokens', '--link'), line('output_tokens', '--ok'), line('cache_read_tokens', '--blocked')];
const CALLS = [line('model_calls', '--link'), line('tool_calls', '--ok')];
const LIMITS = [{ label: 'counts for the limit', field: 'counted', colour: '--text' }, { label: '80 %', field: 'near', colour: '--degraded', dash: [6, 4] },
  { label: 'limit', field: 'limit', colour: '--down', dash: [6, 4] }];

/** A point for each step, also for those without usage; `limits` are declared by an agent. */
function pointsOf({ from, to, series }, { millis, limit }, limits) {
  const sums = new Map();
  for (const one of series) {
    for (const point of one.points) {
      const at = Date.parse(point.at);
      const sum = sums.get(at) || {};
      for (const field of Object.keys(COUNTERS)) sum[field] = (sum[field] || 0) + point[field];
      sums.set(at, sum);
    }
  }
  const points = [];
  for (let at = Math.floor(Date.parse(from) / millis) * millis; at <= Date.parse(to); at += millis) {
    const sum = sums.get(at) || Object.fromEntries(Object.keys(COUNTERS).map(field => [field, 0]));
    const fresh = limits?.count_cached ? Math.max(sum.input_tokens, sum.cache_read_tokens) : Math.max(0, sum.input_tokens - sum.cache_read_tokens);
    points.push({ at: new Date(at).toISOString(), ...sum, ...(limits?.[limit] ? { counted: fresh + sum.output_tokens, near: NEAR * limits[limit], limit: limits[limit] } : {}) });
  }
  return points;
}

/**
 * A part of a view. `of` are the parameters that choose what is read, such as `{ by: 'agent', agent_id }`; `limits` returns what the agent declares. The
 * chart of a fold is read when it is opened.
 */
export function usage(app, of, limits = () => undefined) {
  let window = '24h';
  let read;
  let readAt = 0;
  let points = [];
  let error;

  // An answer for a window that is no longer chosen is left out.
  const load = async () => {
    const asked = window;
    readAt = Date.now();
    try {
      // The registry's own default is a day, by its clock.
      const from = asked === '24h' ? '' : new Date(Date.now() - 30 * 24 * HOUR).toISOString();
      const found = await get(`/api/v1/usage${query({ ...of, from, step: WINDOWS[asked].step })}`);
      if (asked !== window) return;
      read = found;
      points = pointsOf(found, WINDOWS[asked], limits());
      error = null;
    } catch (e) {
      if (asked !== window) return;
      error = e;
    }
    app.show();
  };
  const choose = chosen => {
    window = chosen;
    read = undefined;
    error = null;
    app.show();
    load();
  };
  const refresh = () => { if (read && Date.now() - readAt > READ_AGAIN_MILLIS && document.querySelector('#usage details[open]')) load(); };

  const limit = () => limits()?.[WINDOWS[window].limit];
  const tokenLines = () => limit() ? [...TOKENS, ...LIMITS] : TOKENS;
  const totals = () => html`<ul class="legend inline usage">${Object.entries(COUNTERS).map(([field, label]) => html`<li>${label} <b>${number(read.total[field])}</b></li>`)}${read.estimate
    ? html`<li>estimated cost <b>${money(read.total.estimated_cost, read.currency)}</b></li>` : nothing}</ul>
    <p class="note">Executions without usage count if a limit of executions covers the agent.</p>
    ${read.unpriced_tokens ? html`<p class="note">The estimate leaves out ${many(read.unpriced_tokens, 'token')} of models without a price.</p>` : nothing}`;
  const figure = (name, text) => html`<figure><figcaption>${text}</figcaption><div class="plot" data-plot=${name}></div></figure>`;
  const parts = () => html`${columns(`By ${of.by}, the last ${WINDOWS[window].label}`, [{ head: of.by, cell: one => one.id || 'unknown' },
    ...Object.entries(COUNTERS).map(([field, label]) => ({ head: label, cell: one => number(one.total[field]), figure: true })),
    ...read.estimate ? [{ head: 'estimated cost', cell: one => money(one.total.estimated_cost, read.currency), figure: true }] : []], read.series.slice(0, SHOWN_ROWS))}
    ${read.series.length > SHOWN_ROWS ? html`<p class="note">The ${SHOWN_ROWS} with the most tokens.</p>` : nothing}`;
  const content = () => html`<div class="tabs" role="group" aria-label="Window of tokens and calls">${Object.entries(WINDOWS).map(([code, { label }]) => html`<button type="button" aria-pressed=${code === window} @click=${() => choose(code)}>${label}</button>`)}</div>
    ${loaded(read, error, load, () => !read.series.length ? empty(`No usage was reported in the last ${WINDOWS[window].label}.`) : html`${totals()}
      <div class="columns">${figure('tokens', `Tokens by the ${read.step}${limit() ? `; the limit is ${number(limit())}, and ${number(points.at(-1).counted)} count in this ${read.step}` : ''}`)}
        ${figure('calls', `Calls by the ${read.step}`)}</div>
      ${of.agent_id || of.role_id ? nothing : parts()}`)}`;
  const view = () => fold('Tokens and calls', content(), 'usage', () => { app.show(); if (!read) load(); });
  const section = () => html`<section><h2>Tokens and calls</h2>${content()}</section>`;
  const shown = root => {
    plot(root.querySelector('[data-plot=tokens]'), points, tokenLines(), 'tokens');
    plot(root.querySelector('[data-plot=calls]'), points, CALLS, 'calls');
  };
  return { view, section, shown, load, refresh };
}
