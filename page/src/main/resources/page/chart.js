// Plots of a history that end now, drawn by uPlot.
import { compact, exact, many, number, onAxis } from './format.js';

// A shorter time would repeat the same minute along the axis.
const MIN_SECONDS = 600;
const DAY_SECONDS = 86_400;

const colour = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

let reading;

/** Reads the library when the first plot is drawn. */
const library = () => reading ??= new Promise((done, failed) => {
  const script = document.createElement('script');
  script.src = new URL('uPlot.iife.min.js', import.meta.url).href;
  script.onload = done;
  script.onerror = failed;
  document.head.append(script);
});

/** Draws lines over time into an element, and anew for other points, another width and another theme. */
export function plot(element, points, lines, unit) {
  if (!element) return;
  if (!window.uPlot) {
    library().then(() => element.isConnected && plot(element, points, lines, unit), () => {});
    return;
  }
  const width = Math.max(240, element.clientWidth);
  const look = `${width} ${colour('--text')}`;
  if (element.points === points && element.look === look) return;
  element.points = points;
  element.look = look;
  element.chart?.destroy();
  const grid = { stroke: colour('--line'), width: 1 };
  const axis = { stroke: colour('--muted'), grid, ticks: grid, font: '12px system-ui' };
  element.chart = new window.uPlot({
    width,
    height: 180,
    cursor: { y: false },
    scales: { x: { range: (u, min) => [Math.min(min, Date.now() / 1000 - MIN_SECONDS), Date.now() / 1000] },
      y: unit === 'points' ? { range: [0, 100] } : { range: (u, min, max) => [0, Math.max(1, max * 1.1)] } },
    axes: [{ ...axis, values: (u, splits) => splits.map(s => onAxis(s * 1000, u.scales.x.max - u.scales.x.min > 2 * DAY_SECONDS)) }, { ...axis, size: 56, values: (u, splits) => splits.map(compact) }],
    series: [{ value: (u, v) => v === null ? '–' : exact(v * 1000) },
      ...lines.map(line => ({ label: line.label, stroke: colour(line.colour), width: 2, spanGaps: false, dash: line.dash, points: line.dash ? { show: false } : { size: 5 },
        value: (u, v) => v === null ? '–' : unit === 'ms' ? `${number(v)} ms` : many(v, unit.slice(0, -1)) }))],
  }, [points.map(p => Date.parse(p.at) / 1000), ...lines.map(line => points.map(p => p[line.field] ?? null))], element);
}
