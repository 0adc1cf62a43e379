// Plots of an agent's history, drawn by uPlot.

const colour = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Draws lines over time into an element, once for each set of points. */
export function plot(element, points, lines, unit) {
  if (!element || element.points === points) return;
  element.points = points;
  element.chart?.destroy();
  const grid = { stroke: colour('--line'), width: 1 };
  const axis = { stroke: colour('--muted'), grid, ticks: grid, font: '12px system-ui' };
  element.chart = new window.uPlot({
    width: Math.max(240, element.clientWidth),
    height: 180,
    cursor: { y: false },
    scales: { y: unit === 'points' ? { range: [0, 100] } : { range: (u, min, max) => [0, Math.max(1, max * 1.1)] } },
    axes: [axis, { ...axis, size: 56 }],
    series: [{ value: (u, v) => v === null ? '–' : new Date(v * 1000).toLocaleString('en-GB') },
      ...lines.map(line => ({ label: line.label, stroke: colour(line.colour), width: 2, spanGaps: false, points: { size: 5 },
        value: (u, v) => v === null ? '–' : `${v} ${unit}` }))],
  }, [points.map(p => Date.parse(p.at) / 1000), ...lines.map(line => points.map(p => p[line.field] ?? null))], element);
}
