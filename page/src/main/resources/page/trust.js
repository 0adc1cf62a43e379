// Trust: reputation and blocks of agents and providers.
import { html, nothing } from './lit-html.js';
import { get } from './api.js';
import { number, words } from './format.js';
import { agentLink, badge, columns, empty, loaded, moment } from './parts.js';

const PAGE = 100;

export function trust(app, parameters) {
  const kind = parameters.get('kind') === 'providers' ? 'providers' : 'agents';
  const blocked = parameters.get('blocked') === 'true';
  const id = kind === 'agents' ? 'agent_id' : 'provider_id';
  let rows;
  let next = '';
  let error;

  const read = async token => {
    const path = `/${kind}?limit=${PAGE}${token ? `&next_token=${encodeURIComponent(token)}` : ''}`;
    const records = await get(`/v1/trust${path}${blocked ? '&blocked=true' : ''}`);
    next = records.next_token || '';
    return records.items;
  };
  const load = async () => {
    try {
      rows = await read('');
      error = null;
    } catch (e) {
      error = e;
    }
    app.show();
  };
  const more = async () => {
    try {
      rows = rows.concat(await read(next));
    } catch (e) {
      error = e;
    }
    app.show();
  };
  load();

  const columnsOf = [{ head: kind.slice(0, -1), cell: record => kind === 'agents' ? agentLink(record[id]) : record[id] },
    { head: 'reputation', cell: record => `${number(100 * record.reputation_score)} of 100`, figure: true },
    { head: 'blocked', cell: record => record.stopped ? badge('blocked', 'stopped') : record.blocked ? badge('blocked') : '' }, { head: 'reason', cell: record => record.block_reason },
    { head: 'until', cell: record => record.blocked_until ? moment(record.blocked_until) : record.stopped ? 'until the stop is lifted' : record.blocked ? 'until unblocked' : '' }, { head: 'changed', cell: record => moment(record.updated_at) }];
  const tab = (label, query, current) => html`<a href=${`#/trust${query}`} aria-current=${current ? 'page' : nothing}>${label}</a>`;
  const view = () => html`<h1>Trust</h1>
    <nav class="tabs" aria-label="Records">
      ${tab('Agents', '', kind === 'agents' && !blocked)}${tab('Blocked agents', '?blocked=true', kind === 'agents' && blocked)}
      ${tab('Providers', '?kind=providers', kind === 'providers' && !blocked)}${tab('Blocked providers', '?kind=providers&blocked=true', kind === 'providers' && blocked)}
    </nav>
    ${loaded(rows, error, load, found => !found.length ? empty(blocked ? 'No block is in force.'
      : kind === 'agents' ? 'No agent is active, draining or unhealthy.' : 'There are no records yet.')
      : html`${kind === 'agents' && !blocked ? html`<p class="note">Agents that are active, draining or unhealthy. A dead agent has no row.</p>` : nothing}
        <p class="note">A reputation of 100 is 1 in the API.</p>${columns(`Reputation of ${words(kind)}`, columnsOf, found)}
        ${next ? html`<button type="button" @click=${more}>Show more</button>` : nothing}`)}`;
  return { title: 'Trust', view, refresh: () => { if (!rows || rows.length <= PAGE) load(); } };
}
