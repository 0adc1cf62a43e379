// Pools: the agents of each role against the minimum that a workflow declares.
import { html, nothing } from './lit-html.js';
import { all } from './api.js';
import { availability } from './availability.js';
import { STATUSES, number } from './format.js';
import { badge, bar, empty, loaded, table } from './parts.js';

export function pools(app) {
  let list;
  let error;
  let chosen;
  const load = async () => {
    try {
      list = (await all('/api/v1/pools?limit=100', 'pools')).sort((a, b) => b.below_minimum - a.below_minimum || a.role_id.localeCompare(b.role_id));
      error = null;
    } catch (e) {
      error = e;
    }
    app.show();
  };
  load();
  const choose = async role => {
    chosen = { role, ...availability(app, `/api/v1/pools/${encodeURIComponent(role)}/availability`, role) };
    app.show();
    await chosen.load();
    app.show();
    document.getElementById('availability')?.scrollIntoView({ block: 'nearest' });
  };
  const members = pool => Object.fromEntries(STATUSES.map(status => [status, pool.by_status[status]?.members || 0]));
  const row = pool => html`<tr>
    <th scope="row"><a href=${`#/agents?role_id=${encodeURIComponent(pool.role_id)}`}>${pool.role_id}</a></th>
    <td>${pool.below_minimum ? badge('below', 'below minimum') : pool.min_instances ? badge('enough') : 'no minimum'}</td>
    <td class="figure">${number(members(pool).active)}</td><td class="figure">${number(pool.min_instances)}</td>
    <td class="figure">${number(pool.max_instances)}</td><td class="figure">${number(pool.stalled)}</td>
    <td class="figure">${number(pool.capacity.available)} of ${number(pool.capacity.max_concurrent_tasks)}</td>
    <td>${bar(members(pool), STATUSES, pool.role_id)}</td>
    <td><button type="button" aria-label=${`Availability of ${pool.role_id}`} aria-pressed=${chosen?.role === pool.role_id} @click=${() => choose(pool.role_id)}>Show</button></td></tr>`;
  const view = () => html`<h1>Pools</h1>
    <p class="note"><a href="#/workflows">Workflows</a> declare how many agents of a role are wanted.</p>
    ${loaded(list, error, load, found => !found.length ? empty('No agent has a role, and no workflow declares one.')
      : table('Agents by role', ['role', 'state', 'active', 'minimum', 'maximum', 'stalled', 'free capacity', 'members', 'availability'], found.map(row),
        ['active', 'minimum', 'maximum', 'stalled', 'free capacity']))}
    ${chosen ? html`<div id="availability"><h2>${chosen.role}</h2>${chosen.view()}</div>` : nothing}`;
  return { title: 'Pools', view, refresh: load };
}
