// Availability over a window that ends now: a strip of states, the share of time, and incidents.
import { html, nothing, svg } from './lit-html.js';
import { credential, get, optional } from './api.js';
import { prefix } from './registry.js';
import { duration, exact, share, words } from './format.js';
import { badge, columns, empty, loading, moment } from './parts.js';

const WINDOWS = { '24h': '24 hours', '30d': '30 days', '90d': '90 days' };
const WIDTH = 1000;

/** A part of a view with the availability at `path`; `load` reads it and resolves to nothing. */
export function availability(app, path, name) {
  let window = '24h';
  let read;
  let error;

  // An answer for a window that is no longer chosen is left out.
  const load = async () => {
    const asked = window;
    try {
      const found = await optional(get(`${path}?window=${asked}`));
      if (asked !== window) return;
      read = found;
      error = null;
    } catch (e) {
      if (asked === window) error = e;
    }
  };
  const choose = async chosen => {
    window = chosen;
    read = undefined;
    error = null;
    app.show();
    await load();
    app.show();
  };
  const download = async () => {
    let response;
    try {
      response = await fetch(`${prefix}${path}?window=${window}&format=csv`, { headers: await credential() });
      if (!response.ok) throw new Error(`The incidents could not be read (${response.status}).`);
    } catch (e) {
      error = e;
      app.show();
      return;
    }
    const link = document.createElement('a');
    link.href = URL.createObjectURL(await response.blob());
    link.download = `${name}-${window}.csv`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };

  const strip = ({ from, to, intervals }) => {
    const start = Date.parse(from);
    const scale = WIDTH / Math.max(1, Date.parse(to) - start);
    return html`<svg class="strip" viewBox="0 0 ${WIDTH} 40" preserveAspectRatio="none" role="img" aria-label=${`The last ${WINDOWS[window]}: ${intervals.map(i => `${words(i.state)} until ${exact(i.to)}`).slice(-20).join(', ') || 'nothing is known'}`}>
      ${intervals.map(i => svg`<rect class=${`is-${i.state}`} x=${(Date.parse(i.from) - start) * scale} width=${Math.max(1, (Date.parse(i.to) - Date.parse(i.from)) * scale)} y="0" height="40">
        <title>${`${words(i.state)}: ${exact(i.from)} to ${exact(i.to)}`}</title></rect>`)}</svg>
      <p class="scale" aria-hidden="true"><span>${moment(from)}</span><span>now</span></p>`;
  };
  // The registry counts an incident that lasts up to the last minute.
  const lasted = i => duration(i.to ? i.seconds : (Date.now() - Date.parse(i.from)) / 1000);
  const INCIDENT = [{ head: 'from', cell: i => moment(i.from) }, { head: 'to', cell: i => i.to ? moment(i.to) : 'lasts' }, { head: 'length', cell: lasted },
    { head: 'state', cell: i => badge(i.state) }, { head: 'reason', cell: i => i.reason ? words(i.reason) : '' }];

  // Of a group, each agent counts with its own time; of an agent, its own.
  const legend = () => html`<ul class="legend inline">${Object.entries(read.shares).filter(([, part]) => part !== null).map(([state, part]) => html`<li><span><i class=${`is-${state}`}></i>${state}</span> <b>${share(part)}</b></li>`)}
    ${['maintenance', 'unknown'].filter(state => read[`${state}_seconds`]).map(state => html`<li><span><i class=${`is-${state}`}></i>${state}</span> <b>${duration(read[`${state}_seconds`])}</b></li>`)}
    ${(read.heartbeats_share ?? null) === null ? nothing : html`<li>heartbeats received <b>${share(read.heartbeats_share)}</b></li>`}</ul>
    ${read.by_heartbeats_until ? html`<p class="note">Up to ${moment(read.by_heartbeats_until)}, an earlier version counted heartbeats alone.</p>` : nothing}`;

  // A short known time says little about an agent. A group has the time of all its agents.
  const known = () => read?.agent_id && !error && read.availability !== null ? `of the ${duration(read.up_seconds + read.degraded_seconds + read.down_seconds)} that are known` : 'of the known time';
  const view = () => read === null ? nothing : html`<section><h2>Availability${error || !read || read.availability === null ? nothing : html` ${share(read.availability)}`}
      <small>${known()} of the last ${WINDOWS[window]}</small></h2>
    <div class="tabs" role="group" aria-label="Window">${Object.entries(WINDOWS).map(([code, label]) => html`<button type="button" aria-pressed=${code === window} @click=${() => choose(code)}>${label}</button>`)}
      <button type="button" @click=${download}>Incidents as CSV</button></div>
    ${error ? html`<p class="wrong">${error.message}</p>` : !read ? loading : html`${strip(read)}${legend()}
      ${read.incidents.length ? columns('Incidents', INCIDENT, [...read.incidents].reverse().slice(0, 50)) : empty('No incidents.')}`}</section>`;
  return { load, view, known: () => read !== null, share: () => read && !error && read.availability !== null && window === '24h' ? share(read.availability) : '' };
}
