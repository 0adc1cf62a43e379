// Pools: the agents of each role against the minimum that a workflow declares.
import { html, nothing } from './lit-html.js';
import { all, get, optional } from './api.js';
import { availability } from './availability.js';
import { STATUSES, number } from './format.js';
import { badge, bar, columns, empty, legend, loaded } from './parts.js';
import { usage } from './usage.js';
import { versions } from './versions.js';

export function pools(app) {
  let list;
  // The verdicts on the agents of the largest roles, as the view of the fleet has them.
  let verdicts = {};
  let error;
  let chosen;
  const load = async () => {
    try {
      const [found, health] = await Promise.all([all('/api/v1/pools?limit=100', 'pools'), optional(get('/api/v1/health'))]);
      verdicts = Object.fromEntries(Object.entries(health?.groups?.role || {}).map(([role, group]) => [role, group.by_verdict]));
      list = found.sort((a, b) => b.below_minimum - a.below_minimum || a.role_id.localeCompare(b.role_id));
      error = null;
    } catch (e) {
      error = e;
    }
    app.show();
  };
  load();
  const choose = async role => {
    chosen = { role, ...availability(app, `/api/v1/pools/${encodeURIComponent(role)}/availability`, role), used: usage(app, { by: 'role', role_id: role }), versions: versions(app, role) };
    app.show();
    await Promise.all([chosen.load(), chosen.used.load(), chosen.versions.load()]);
    app.show();
    document.getElementById('availability')?.scrollIntoView({ block: 'nearest' });
  };
  const members = pool => Object.fromEntries(STATUSES.map(status => [status, pool.by_status[status]?.members || 0]));
  const wanted = value => (value ?? null) === null ? '' : number(value);
  const shown = [{ head: 'role', cell: pool => html`<a href=${`#/agents?role_id=${encodeURIComponent(pool.role_id)}`}>${pool.role_id}</a>` },
    { head: 'state', cell: pool => pool.below_minimum ? badge('down', 'below minimum') : pool.min_instances ? badge('enough', 'minimum is active') : '' },
    { head: 'active', cell: pool => number(members(pool).active), figure: true }, { head: 'minimum', cell: pool => wanted(pool.min_instances), figure: true },
    ...['down', 'blocked'].map(verdict => ({ head: verdict, cell: pool => verdicts[pool.role_id]?.[verdict] ? number(verdicts[pool.role_id][verdict]) : '', figure: true })),
    { head: 'maximum', cell: pool => wanted(pool.max_instances), figure: true }, { head: 'stalled', cell: pool => pool.stalled ? number(pool.stalled) : '', figure: true },
    { head: 'looping', cell: pool => pool.looping ? number(pool.looping) : '', figure: true },
    { head: 'free capacity', cell: pool => pool.capacity.max_concurrent_tasks ? `${number(pool.capacity.available)} of ${number(pool.capacity.max_concurrent_tasks)}` : '', figure: true },
    { head: 'members', cell: pool => bar(members(pool), STATUSES, pool.role_id) },
    { head: 'availability', cell: pool => html`<button type="button" aria-label=${`Availability of ${pool.role_id}`} aria-pressed=${chosen?.role === pool.role_id} @click=${() => choose(pool.role_id)}>Show</button>` }];
  const view = () => html`<h1>Pools</h1>
    <p class="note"><a href="#/workflows">Workflows</a> declare how many agents of a role are wanted.</p>
    ${loaded(list, error, load, found => !found.length ? empty('No agent has a role, and no workflow declares one.')
      : html`<section>${columns('Agents by role', shown, found)}${legend(STATUSES.slice(0, -1))}</section>
        <p class="note">An active agent sends heartbeats. It may be down or blocked at the same time.</p>`)}
    ${chosen ? html`<div id="availability"><h2>${chosen.role}</h2>${chosen.view()}${chosen.versions.view()}${chosen.used.section()}</div>` : nothing}`;
  return { title: 'Pools', view, shown: root => chosen?.used.shown(root), refresh: load };
}
