// The last day of agents in a list: states by the hour, and latencies. Read for the rows that stay visible, a few at a time.
import { html, nothing, svg } from './lit-html.js';
import { optional, query, send } from './api.js';
import { duration, millis } from './format.js';

const HOURS = 24;
const HOUR = 3_600_000;
const KEPT_MILLIS = 300_000;
const MAX_KEPT = 500;
const AT_ONCE = 4;
// Rows that are scrolled past are not read.
const STILL_MILLIS = 250;
// The states of an hour with their colours.
export const STATES = ['up', 'degraded', 'down', 'maintenance', 'unknown'];
const WORST = ['none', 'unknown', 'up', 'maintenance', 'degraded', 'down'];

const known = new Map();

/** Days of the agents that are asked for; `show` draws them. */
export function trends(show) {
  let wanted = [];
  let running = 0;
  let timer;

  const read = async id => {
    const path = `/api/v1/agents/${encodeURIComponent(id)}`;
    const from = new Date(Date.now() - HOURS * HOUR).toISOString();
    try {
      const [availability, history] = await Promise.all([optional(send('GET', `${path}/availability?window=24h`)), optional(send('GET', `${path}/health/history${query({ from })}`))]);
      return { availability, points: history?.points || [] };
    } catch (e) {
      return { points: [] };
    }
  };
  const next = async () => {
    if (running >= AT_ONCE) return;
    const id = wanted.find(one => !isKnown(one));
    if (!id) return;
    running += 1;
    known.delete(id);
    known.set(id, { readAt: Date.now(), points: [] });
    known.set(id, { readAt: Date.now(), ...await read(id) });
    while (known.size > MAX_KEPT) known.delete(known.keys().next().value);
    running -= 1;
    show();
    next();
  };
  const isKnown = id => Date.now() - (known.get(id)?.readAt ?? 0) < KEPT_MILLIS;
  /** Asks for the agents that are visible now, instead of earlier ones. */
  const ask = ids => {
    wanted = ids;
    if (ids.every(isKnown)) return;
    clearTimeout(timer);
    timer = setTimeout(() => { for (let i = 0; i < AT_ONCE; i++) next(); }, STILL_MILLIS);
  };
  return { ask };
}

/** The state of each of the last 24 hours: the worst one that lasted for a minute or more. */
function hours({ from, to, intervals }) {
  const end = Date.parse(to);
  const states = Array(HOURS).fill('none');
  for (const { from: begun, to: ended, state } of intervals) {
    if (end - Date.parse(from) <= 0) continue;
    const [start, stop] = [Date.parse(begun), Date.parse(ended)];
    for (let hour = 0; hour < HOURS; hour++) {
      const begin = end - (HOURS - hour) * HOUR;
      if (Math.min(stop, begin + HOUR) - Math.max(start, begin) >= 60_000 && WORST.indexOf(state) > WORST.indexOf(states[hour])) states[hour] = state;
    }
  }
  return states;
}

/** A day of an agent as 24 bars. */
export function dayOf(id) {
  const read = known.get(id)?.availability;
  if (!read) return nothing;
  const lasted = STATES.filter(state => read[`${state}_seconds`]).map(state => `${state} ${duration(read[`${state}_seconds`])}`).join(', ');
  return html`<svg class="day" viewBox="0 0 168 18" preserveAspectRatio="none" role="img" aria-label=${`Last 24 hours: ${lasted || 'nothing is known'}`}>
    ${hours(read).map((state, hour) => svg`<rect class=${`is-${state === 'none' ? 'unknown' : state}`} x=${hour * 7} width="5" height="18" rx="1.5"></rect>`)}<title>${lasted}</title></svg>`;
}

/** The median latency of an agent in the last day as a line, with the last value. */
export function latencyOf(id) {
  const values = (known.get(id)?.points || []).filter(point => point.sample_count && point.latency_p50_ms).map(point => [Date.parse(point.at), point.latency_p50_ms]);
  if (!values.length) return nothing;
  const last = values.at(-1)[1];
  const most = Math.max(...values.map(([, value]) => value));
  const least = Math.min(...values.map(([, value]) => value));
  const start = Date.now() - HOURS * HOUR;
  const line = values.map(([at, value]) => `${(72 * (at - start) / (HOURS * HOUR)).toFixed(1)},${most > least ? (18 - 16 * (value - least) / (most - least)).toFixed(1) : 10}`).join(' ');
  return html`<span class="trend"><svg class="spark" viewBox="0 0 72 20" preserveAspectRatio="none" role="img" aria-label=${`Median latency, last ${millis(last)}, ${millis(least)} to ${millis(most)} in the last day`}>
    ${values.length > 1 ? svg`<polyline points=${line}></polyline>` : nothing}</svg>${millis(Math.round(last))}</span>`;
}
