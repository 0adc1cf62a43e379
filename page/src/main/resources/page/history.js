// How many agents were not ok in the last days.
import { html } from './lit-html.js';
import { get, optional, query } from './api.js';
import { number } from './format.js';
import { plot } from './chart.js';
import { empty } from './parts.js';

const DAYS = 7;
const HOUR = 3_600_000;
const LINES = ['down', 'blocked', 'degraded'].map(verdict => ({ label: verdict, field: verdict, colour: `--${verdict}` }));

/** A part of the view of the fleet; `load` reads the whole hours once in an hour, and ends them with the counts of now. */
export function history() {
  let hours;
  let readAt = 0;
  let points = [];

  const end = at => new Date(Date.parse(at) + HOUR).toISOString();
  const point = ({ at, by_verdict: counts }) => ({ at, ...Object.fromEntries(LINES.map(({ field }) => [field, counts[field] || 0])) });
  // Hours without a count are a gap.
  const gap = (before, after) => before && Date.parse(after.at) - Date.parse(before.at) > HOUR ? [{ at: end(end(before.at)) }] : [];

  const load = async health => {
    if (Date.now() - readAt >= HOUR) {
      const from = new Date(Date.now() - DAYS * 24 * HOUR).toISOString();
      const read = await optional(get(`/api/v1/health/history${query({ from, resolution: 'hour' })}`));
      // The mean of an hour is known at its end; the hour that lasts ends with the counts of now.
      hours = (read?.points || []).filter(({ at }) => Date.parse(at) + HOUR <= Date.now()).flatMap((p, i, all) => [...gap(all[i - 1], p), point({ ...p, at: end(p.at) })]);
      readAt = Date.now();
    }
    points = [...hours, point({ at: new Date().toISOString(), by_verdict: health.by_verdict })];
  };

  const range = ({ label, field }) => {
    const means = hours.map(p => p[field]).filter(n => n !== undefined);
    return `${label}: ${number(points.at(-1)[field])} now, highest mean of an hour ${number(Math.max(...means))}`;
  };
  const view = () => points.length < 2 ? empty('No full hour is counted yet.') : html`<section><h2>Not ok <small>agents, mean of each hour of the last ${DAYS} days</small></h2>
    <figure><figcaption>${LINES.map(range).join('; ')}</figcaption><div class="plot" data-plot="fleet"></div></figure></section>`;
  const shown = root => plot(root.querySelector('[data-plot=fleet]'), points, LINES, 'agents');
  return { load, view, shown };
}
