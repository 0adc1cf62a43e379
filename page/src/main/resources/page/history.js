// How many agents were not ok in the last days.
import { html, nothing } from './lit-html.js';
import { get, optional, query } from './api.js';
import { number } from './format.js';
import { plot } from './chart.js';

const DAYS = 7;
const HOUR = 3_600_000;
const LINES = ['down', 'blocked', 'degraded'].map(verdict => ({ label: verdict, field: verdict, colour: `--${verdict}` }));

/** A part of the view of the fleet; `load` reads the whole hours once in an hour, and ends them with the counts of now. */
export function history() {
  let hours;
  let readAt = 0;
  let points = [];

  const point = ({ at, by_verdict: counts }) => ({ at, ...Object.fromEntries(LINES.map(({ field }) => [field, counts[field] || 0])) });
  // Hours without a count are a gap.
  const gap = (before, after) => before && Date.parse(after.at) - Date.parse(before.at) > HOUR ? [{ at: new Date(Date.parse(before.at) + HOUR).toISOString() }] : [];

  const load = async health => {
    if (Date.now() - readAt >= HOUR) {
      const from = new Date(Date.now() - DAYS * 24 * HOUR).toISOString();
      const read = await optional(get(`/api/v1/health/history${query({ from, resolution: 'hour' })}`));
      hours = (read?.points || []).flatMap((p, i, all) => [...gap(all[i - 1], p), point(p)]);
      readAt = Date.now();
    }
    points = [...hours, point({ at: new Date().toISOString(), by_verdict: health.by_verdict })];
  };

  const range = ({ label, field }) => {
    const counts = points.map(p => p[field]).filter(n => n !== undefined);
    return `${label}: ${number(counts.at(-1))} now, at most ${number(Math.max(...counts))}`;
  };
  const view = () => points.length < 2 ? nothing : html`<section><h2>Not ok <small>in the last ${DAYS} days, by the hour</small></h2>
    <figure><figcaption>${LINES.map(range).join('; ')}</figcaption><div class="plot" data-plot="fleet"></div></figure></section>`;
  const shown = root => plot(root.querySelector('[data-plot=fleet]'), points, LINES, 'agents');
  return { load, view, shown };
}
